"""The report is one page that shows the values of the summary, and in which no bot can do anything."""

import dataclasses
import re
from html.parser import HTMLParser

from croupier_runner.summary import Event, Fault, Interval, LuckShown, Pace, Row, Summary
from croupier_runner.web import Replay, html
from croupier_runner.web.page import FAULTS_SHOWN

HOSTILE = "<script>alert(1)</script>"
VOID = {"meta", "input"}


class Outline(HTMLParser):
    """The elements of a page, and whether each was closed where it was opened."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def test_nothing_is_loaded_from_anywhere(summary: Summary, replays: dict[str, Replay]) -> None:
    page = html(summary, replays, None)
    outline = Outline(page)
    assert re.findall(r"https?:|//\w+\.", page.lower()) == []
    assert not [tag for tag, _ in outline.elements if tag in {"link", "img", "iframe", "object", "embed"}]
    assert not [attributes for _, attributes in outline.elements if "src" in attributes]
    assert {address["href"][0] for address in outline.all("a") if address["href"]} == {"#"}


def test_no_text_of_a_bot_becomes_markup(summary: Summary, replays: dict[str, Replay]) -> None:
    """Names, last words, captions and titles are hostile; ours are one script and one block of data."""
    page = html(summary, replays, None)
    outline = Outline(page)
    assert [script.get("type") for script in outline.all("script")] == ["application/json", None]
    assert HOSTILE not in page
    assert not [name for _, attributes in outline.elements for name in attributes if name.startswith("on")]
    assert "\u202e" not in page
    assert "\x1b" not in page
    assert "style" not in {name for _, attributes in outline.elements for name in attributes}  # the policy forbids it


def test_every_table_chart_and_target_can_be_found_by_a_screen_reader(
    summary: Summary, replays: dict[str, Replay]
) -> None:
    outline = Outline(html(summary, replays, None))
    ids = [attributes["id"] for _, attributes in outline.elements if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert all(header.get("scope") in {"row", "col"} for header in outline.all("th"))
    for chart in outline.all("svg"):
        labels = (chart.get("aria-labelledby") or "").split()
        assert chart.get("aria-hidden") or chart.get("aria-label") or labels
        assert set(labels) <= set(ids)
    for address in outline.all("a"):
        target = (address["href"] or "")[1:]
        assert target in ids or target.startswith("replay=")
    assert len(outline.all("h1")) == 1


def test_the_same_summary_gives_the_same_page(summary: Summary, replays: dict[str, Replay]) -> None:
    pace = Pace(1.5, 10, 100)
    assert html(summary, replays, pace) == html(summary, replays, pace)


def test_a_bot_that_always_fails_does_not_fill_the_page(summary: Summary) -> None:
    fault = Fault("greedy", "crash", "block 1", "It ended.", "x" * 100_000)
    event = dataclasses.replace(summary.events[0], faults=(fault,) * 10_000)
    page = html(dataclasses.replace(summary, events=(event,)), {}, None)
    assert page.count("It ended.") == FAULTS_SHOWN
    assert "10,000 seats were given up" in page
    assert len(page) < 250_000


def test_a_tournament_that_has_just_begun_has_a_page() -> None:
    nothing = Event("ten", "TEN", 2, {}, "round_robin", "", 0, 0, (), (), (), (), LuckShown(None, None, ""))
    page = html(Summary("cup", False, (nothing,)), {}, None)
    Outline(page)
    for sentence in ("unfinished", "Nothing was played yet.", "No game was put into this page.", "revealed when"):
        assert sentence in page
    assert "Played here" not in page
    Outline(html(Summary("cup", False, ()), {}, None))


def test_a_bot_alone_has_a_page() -> None:
    """No opponents, no points, no times, an interval without end: each place says that there is nothing."""
    endless = Interval(1500, float("-inf"), float("inf"))
    row = Row(1, "alone", endless, 1500, 1, 1, 2, 0, 0, None, None, ((0, 0),) * 2, {}, 0, None, None, None, (0,) * 13)
    event = Event("lie", "LIE", 2, {}, "sprt", "", 1, 2, (row,), (), (), (), LuckShown(None, None, "Too few blocks."))
    page = html(Summary("cup", False, (event,)), {}, None)
    Outline(page)
    assert '1500</strong> <span class="quiet">± ∞' in page
    for sentence in ("No two bots have met.", "no seat effect", "No think time", "Too few blocks", "no bot gave up"):
        assert sentence in page
    assert "Mean points" not in page
    assert "None" not in page.replace("None: no bot gave up a seat.", "")
    assert "nan" not in page.split("<body>")[1].split("<script>")[0].lower()
