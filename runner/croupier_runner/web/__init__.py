"""What people look at when a tournament is over: a page for the browser, CSV for spreadsheets, JSON for programs."""

from croupier_runner.web.files import csv_files, json_text
from croupier_runner.web.page import Frame, Replay, html

__all__ = ["Frame", "Replay", "csv_files", "html", "json_text"]
