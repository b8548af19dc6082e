"""A person at the table: sits down at a terminal and plays against bots, in any of the games."""

from croupier_runner.person.options import read_options
from croupier_runner.person.table import sit_down

__all__ = ["read_options", "sit_down"]
