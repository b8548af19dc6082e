"""A real browser shows the values of the summary and steps through replays; any error of the page fails the test."""

from pathlib import Path
from typing import Any

import pytest

from croupier_runner.summary import Pace, Summary
from croupier_runner.web import Replay, html

HOSTILE = "<script>alert(1)</script>"
LINK = "#replay=0/12/3&step=7"


@pytest.fixture
def page(summary: Summary, replays: dict[str, Replay], tmp_path: Path) -> Path:
    path = tmp_path / "report.html"
    path.write_text(html(summary, replays, Pace(61.5, 4800, 201_600)), encoding="utf-8")
    return path


def _texts(browser: Any, selector: str) -> list[str]:
    texts = browser.value(f"[...document.querySelectorAll({selector!r})].map(e => e.textContent.trim())")
    assert isinstance(texts, list)
    return texts


def _stepper(browser: Any) -> list[Any]:
    """Whether the stepper is open, what it counts, and the caption."""
    state = browser.value(
        "[document.getElementById('stepper').open, document.getElementById('stepper-count').textContent,"
        " document.getElementById('stepper-caption').textContent]"
    )
    assert isinstance(state, list)
    return state


def test_the_standings_are_those_of_the_summary(browser: Any, page: Path, summary: Summary) -> None:
    browser.open(page)
    for index, event in enumerate(summary.events):
        table = f"#event-{index} .standings tbody tr"
        names = [row.bot.replace("\u202e", "\\u202e") for row in event.rows]
        assert _texts(browser, f"{table} th bdi") == names
        assert _texts(browser, f"{table} td:nth-child(3) strong") == [f"{row.elo.value:.0f}" for row in event.rows]
        assert _texts(browser, f"{table} td:nth-child(4)") == ["91.2 %", "8.7 %", "0.1 %", "< 0.1 %", "0.0 %"]
        assert _texts(browser, f"{table} td:nth-child(7)") == [str(row.wins) for row in event.rows]
        assert _texts(browser, f"{table} td:nth-child(9)") == [f"{row.mean_place:.2f}" for row in event.rows]
    assert _texts(browser, "#event-0 .standings td:nth-child(10)") == [f"{36.25 - 5.25 * n:.1f}" for n in range(5)]
    assert _texts(browser, "#event-0 .standings .badge") == ["crash 2", "timeout 1", "eliminated"]
    assert _texts(browser, "#overall tbody td:nth-child(3)") == [f"{row.elo:.0f}" for row in summary.overall]
    assert _texts(browser, "#overall tbody tr:last-child td:last-child") == ["–"]
    (pace,) = _texts(browser, "#pace")
    assert "4,800 games with 201,600 moves in 61.5 s, 78.0 games/s, 3,278 moves/s" in pace


def test_the_cross_table_shows_every_duel_from_both_sides(browser: Any, page: Path, summary: Summary) -> None:
    browser.open(page)
    event = summary.events[0]
    bots = [row.bot for row in event.rows]
    cells = [_texts(browser, f"#event-0 .cross tbody tr:nth-child({row}) td") for row in range(1, 6)]
    for duel in event.duels:
        one, other = bots.index(duel.one), bots.index(duel.other)
        score = (duel.wins + duel.ties / 2) / duel.games * 100
        assert cells[one][other].startswith(f"{score:.1f} %")
        assert cells[other][one].startswith(f"{100 - score:.1f} %")
    assert cells[0][1].endswith("71.0 % stronger")
    assert cells[1][0].endswith("29.0 % stronger")


def test_the_charts_are_drawn(browser: Any, page: Path, summary: Summary) -> None:
    browser.open(page)
    assert len(_texts(browser, "#event-0 .whisker")) == 5 + 3
    assert len(_texts(browser, "#event-0 .line polyline")) == 5
    assert _texts(browser, "#event-0 .places tbody tr:first-child small") == ["88 · 53 · 17"] * 3
    assert len(_texts(browser, "#event-1-sequential .dot")) == 1
    assert summary.events[0].luck.sentence in _texts(browser, "#event-0 .luck")[0]
    widths = browser.value("[...document.querySelectorAll('.chart text')].map(t => t.getBBox().x)")
    assert min(widths) >= 0, "a label is cut off at the left"
    ends = browser.value(
        "[...document.querySelectorAll('.chart text')]"
        ".map(t => t.ownerSVGElement.viewBox.baseVal.width - t.getBBox().x - t.getBBox().width)"
    )
    assert min(ends) >= 0, "a label is cut off at the right"


def test_last_words_are_shown_as_they_were_and_do_nothing(browser: Any, page: Path, summary: Summary) -> None:
    browser.open(page)
    words = _texts(browser, "#event-0 .faults pre")
    assert words == [summary.events[0].faults[1].last_words] * 2  # the colours of the first are gone
    assert browser.value("document.images.length") == 0
    assert browser.value("document.scripts.length") == 2
    assert _texts(browser, "#event-0 .faults strong")[0] == HOSTILE
    assert _texts(browser, "#event-1 .empty") == ["None: no bot gave up a seat."]


def test_nothing_but_the_page_is_asked_for(browser: Any, page: Path) -> None:
    browser.open(page, LINK)
    assert browser.requests == [page.as_uri() + LINK] or browser.requests == [page.as_uri()]


def test_no_script_but_ours_runs_even_if_it_got_in(browser: Any, page: Path) -> None:
    """The page's policy is a second wall: here somebody has climbed the first."""
    text = page.read_text(encoding="utf-8")
    page.write_text(text.replace("<main", "<script>window.hacked = 1</script><main", 1), encoding="utf-8")
    browser.open(page)
    assert browser.value("typeof window.hacked") == "undefined"
    (refusal,) = browser.errors
    assert "Content Security Policy" in refusal
    browser.errors.clear()


def test_a_link_leads_to_its_step(browser: Any, page: Path, replays: dict[str, Replay]) -> None:
    browser.open(page, LINK)
    assert _stepper(browser) == [True, "7 of 40", "seat 1 draws <b>7</b>"]
    assert browser.value("document.getElementById('stepper-position').textContent") == replays["0/12/3"].frames[7].text
    assert browser.value("document.getElementById('stepper-title').textContent") == replays["0/12/3"].title


def test_keys_buttons_and_the_slider_step(browser: Any, page: Path) -> None:
    browser.open(page, LINK)
    seen = []
    for key in ("ArrowRight", "ArrowLeft", "ArrowLeft", "End", "ArrowRight", "Home", "ArrowLeft"):
        browser.press(key)
        seen.append(_stepper(browser)[1])
    assert seen == ["8 of 40", "7 of 40", "6 of 40", "40 of 40", "40 of 40", "0 of 40", "0 of 40"]
    seen = []
    for button in ("last", "previous", "first", "next"):
        browser.click(f"[data-do={button}]")
        seen.append(_stepper(browser)[1])
    assert seen == ["40 of 40", "39 of 40", "0 of 40", "1 of 40"]
    slider = "document.getElementById('stepper-slider')"
    browser.value(f"{slider}.value = 20, {slider}.focus(), {slider}.dispatchEvent(new Event('input'))")
    browser.press("ArrowRight")  # one step, though the slider would like to take one of its own
    assert _stepper(browser)[1] == "21 of 40"


def test_the_address_follows_the_step_and_can_be_passed_on(browser: Any, page: Path) -> None:
    browser.open(page, LINK)
    browser.press("ArrowRight")
    browser.until("location.hash === '#replay=0/12/3&step=8'")
    browser.value("location.hash = '#replay=1/7/0&step=2'")
    browser.until("document.getElementById('stepper-count').textContent === '2 of 8'")


def test_a_replay_opens_from_the_list_and_closes_again(browser: Any, page: Path, replays: dict[str, Replay]) -> None:
    browser.open(page)
    assert _stepper(browser)[0] is False
    browser.click(".replays li:nth-child(2) a")
    browser.until("document.getElementById('stepper').open")
    assert _stepper(browser) == [True, "0 of 8", "Opening"]
    assert browser.value("document.getElementById('stepper-title').textContent") == replays["1/7/0"].title
    browser.press("Escape")
    browser.until("!document.getElementById('stepper').open && location.hash === ''")


def test_a_fault_leads_to_the_end_of_its_game(browser: Any, page: Path) -> None:
    browser.open(page)
    browser.click("#event-0 .faults a")
    browser.until("document.getElementById('stepper').open")
    assert _stepper(browser)[1] == "40 of 40"


@pytest.mark.parametrize(
    ("fragment", "opened", "count"),
    [("#replay=0/12/3", True, "0 of 40"), ("#replay=0/12/3&step=999", True, "40 of 40"), ("#replay=9/9/9", False, "")],
)
def test_a_link_that_is_wrong_is_understood_or_explained(
    browser: Any, page: Path, fragment: str, opened: bool, count: str
) -> None:
    browser.open(page, fragment)
    assert _stepper(browser)[:2] == [opened, count]
    hidden, text = browser.value("(e => [e.hidden, e.textContent])(document.getElementById('replay-missing'))")
    assert hidden is opened
    assert opened or text == "This page has no replay of game 9/9/9."


@pytest.mark.parametrize(("width", "height"), [(360, 740), (1280, 900)])
def test_wide_tables_scroll_and_never_the_page(browser: Any, page: Path, width: int, height: int) -> None:
    browser.resize(width, height)
    browser.open(page)
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert browser.value("Math.max(...[...document.querySelectorAll('h1, h2, p')].map(e => e.scrollWidth))") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast(browser: Any, page: Path, scheme: str) -> None:
    """WCAG AA asks for 4.5 between a text and what is behind it."""
    browser.prefer(scheme)
    browser.open(page)
    paper = _luminance(browser.value("getComputedStyle(document.body).backgroundColor"))
    assert (paper > 0.5) is (scheme == "light")
    selectors = ["body", ".lead", "nav a", ".badge.bad", ".quiet", *(f".style{style}" for style in range(5))]
    for selector in selectors:
        ink = _luminance(browser.value(f"getComputedStyle(document.querySelector({selector!r})).color"))
        assert (max(ink, paper) + 0.05) / (min(ink, paper) + 0.05) >= 4.5, selector


def _luminance(colour: str) -> float:
    """Of "rgb(1, 2, 3)", as WCAG defines it."""
    shares = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    red, green, blue = (share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4 for share in shares)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
