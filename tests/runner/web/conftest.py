"""A tournament that was never played, with everything a report can show, and a real browser to show it in."""

import contextlib
import itertools
import json
import os
import random
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier_runner.summary import (
    THINK_BOUNDS_MS,
    Duel,
    Event,
    Fault,
    Interval,
    LuckShown,
    OverallRow,
    Pace,
    Row,
    Sequential,
    Summary,
)
from croupier_runner.web import Frame, Replay

HOSTILE = "<script>alert(1)</script>"
BOTS = ("careful", "greedy", HOSTILE, "Ünïcode 🤖 ‮desrever", "W" * 64)


@pytest.fixture
def summary() -> Summary:
    """Two events of five bots at tables of three."""
    return made_up_summary()


@pytest.fixture
def replays() -> dict[str, Replay]:
    """Two games to step through; the second was won by a bot with a nasty name."""
    return made_up_replays()


def made_up_summary() -> Summary:
    draw = random.Random(7)
    ten = _event("ten", "TEN", draw, {"fiasco": True}, points=True)
    lie = _event("lie", "LIE, joker ones", draw, {"joker_ones": True, "dice": 5}, points=False)
    ratings = {bot: [row.elo.value for event in (ten, lie) for row in event.rows if row.bot == bot] for bot in BOTS}
    order = sorted(BOTS, key=lambda bot: -sum(ratings[bot]))
    return Summary(
        name="autumn cup & friends",
        complete=True,
        events=(ten, lie),
        overall=tuple(
            OverallRow(place, bot, sum(ratings[bot]) / 2, (ratings[bot][0], None if place == 5 else ratings[bot][1]))
            for place, bot in enumerate(order, start=1)
        ),
        clock="2s for each decision",
        seed_revealed="3f" * 32,
        versions={"croupier": "0.1.0", "ten": "1", "lie": "2"},
    )


def made_up_pace() -> Pace:
    return Pace(seconds=61.5, games=4800, moves=201_600)


def made_up_replays() -> dict[str, Replay]:
    views = [
        f"TEN: seat {step % 3} draws, {106 - step} cards in the deck\n\nArea:     B6 $3 (total 3, currency 3)\n"
        f"Market:   R4 G7 B2 P9\nDiscards: none\n\n> seat 0: {5 + step} tokens\n  seat 1: 8 tokens\n  seat 2: 8 tokens"
        for step in range(41)
    ]
    frames = tuple(
        Frame(f"seat {step % 3} draws <b>{step}</b>" if step else "Opening", views[step]) for step in range(41)
    )
    return {
        "0/12/3": Replay("0/12/3", "TEN, block 12, game 3: careful before greedy", frames),
        "1/7/0": Replay("1/7/0", f"LIE, block 7, game 0: {HOSTILE} wins </script><script>fail()</script>", frames[:9]),
    }


def _event(game: str, title: str, draw: random.Random, options: dict[str, bool | int | str], *, points: bool) -> Event:
    rows = tuple(_row(place, bot, draw, points=points) for place, bot in enumerate(BOTS, start=1))
    duels = tuple(_duel(one, other, draw) for one, other in itertools.combinations(BOTS, 2))
    return Event(
        game_id=game,
        title=title,
        seats=3,
        options=options,
        format="round_robin" if points else "sprt",
        description="round robin: 5 bots, tables of 3, every set of opponents meets in 40 blocks of 6 games",
        blocks=400,
        games=2400,
        rows=rows,
        seat_effects=(Interval(14.2, 6.1, 22.3), Interval(-3.0, -11.0, 5.0), Interval(-11.2, -19.5, -2.9)),
        duels=duels,
        faults=_faults() if points else (),
        luck=LuckShown(0.31, 5342, "Duplicate deals were worth 5,342 more games: block means vary 0.31 times as much."),
        sequential=None if points else Sequential(2.13, -2.94, 2.94, "running", 400, "careful against greedy is open."),
        history=_history(rows, draw),
    )


def _row(place: int, bot: str, draw: random.Random, *, points: bool) -> Row:
    elo = 1720 - 90 * place + draw.random() * 40
    spread = 12 + draw.random() * 25
    peak = draw.randrange(2, 9)
    histogram = tuple(int(9000 * 2.5 ** -abs(column - peak)) for column in range(len(THINK_BOUNDS_MS) + 1))
    chances = [6 - place, 3, place]
    places = tuple(tuple(160 * chance // sum(chances) for chance in chances) for _ in range(3))
    return Row(
        place=place,
        bot=bot,
        elo=Interval(elo, elo - spread, elo + spread + (8 if place == 5 else 0)),
        online_elo=elo + draw.uniform(-20, 20),
        p_first=(0.912, 0.0868, 0.001, 0.0002, 0.0)[place - 1],
        blocks=240,
        games=1440,
        wins=700 - 110 * place,
        shared=13 * place,
        mean_place=1.3 + 0.27 * place,
        mean_points=41.5 - 5.25 * place if points else None,
        places_by_seat=places,
        faults={"crash": 2, "timeout": 1} if place == 3 and points else {},
        decisions=sum(histogram),
        think_ms_mean=0.37 * 3**peak,
        think_ms_p50=0.1 * 3**peak,
        think_ms_p99=0.9 * 3**peak,
        think_histogram=histogram,
        eliminated=place == 5 and points,
        note="eliminated in block 212 after 3 faults" if place == 5 and points else "",
    )


def _duel(one: str, other: str, draw: random.Random) -> Duel:
    ahead = BOTS.index(other) - BOTS.index(one)
    return Duel(one, other, 720, 360 + 62 * ahead + draw.randrange(-15, 15), 21, min(0.6 + 0.11 * ahead, 0.9999))


def _faults() -> tuple[Fault, ...]:
    traceback = 'Traceback (most recent call last):\n  File "bot.py", line 3\nKeyError: "<img src=x onerror=alert(1)>"'
    return (
        Fault(
            HOSTILE,
            "crash",
            "block 12, game 3",
            "Its process ended with code 1.",
            f"\x1b[31m{traceback}\x1b[0m",
            "0/12/3",
        ),
        Fault(HOSTILE, "crash", "block 80, game 1", "Its process ended with code 1.", traceback, "0/80/1"),
        Fault(HOSTILE, "timeout", "block 99, game 0", "It took longer than 2s.", "", ""),
    )


def _history(rows: tuple[Row, ...], draw: random.Random) -> tuple[tuple[float, ...], ...]:
    points = 120
    return tuple(
        tuple(
            row.online_elo + (1500 - row.online_elo) * 0.96**point + (draw.uniform(-9, 9) if point < points else 0)
            for row in rows
        )
        for point in range(points + 1)
    )


class Browser:
    """A headless Chromium, spoken to through its debugging pipe: real clicks, real keys, every error and request."""

    def __init__(self, profile: Path) -> None:
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        flags += ["--disable-background-networking", f"--user-data-dir={profile}", "--remote-debugging-pipe"]
        # The pipe is file descriptors 3 and 4, whatever they are called here.
        shell = f'exec chromium "$@" 3<&{to_browser} 4>&{from_browser}'
        self._process = subprocess.Popen(
            ["bash", "-c", shell, "chromium", *flags],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._answers = os.fdopen(self._in, "rb")
        self._numbers = itertools.count(1)
        self._page: str | None = None
        self.errors: list[str] = []
        self.requests: list[str] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._page = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self._call(f"{domain}.enable")

    def open(self, page: Path, fragment: str = "") -> None:
        """Loads the page anew, as from a link."""
        self._call("Page.navigate", url="about:blank")
        self.errors.clear()
        self.requests.clear()
        self._call("Page.navigate", url=page.as_uri() + fragment)
        self.value(
            "new Promise(done => document.readyState == 'complete' ? done(1) : addEventListener('load', () => done(1)))"
        )

    def value(self, expression: str) -> Any:
        """What a JavaScript expression comes to in the page."""
        answer = self._call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def until(self, expression: str) -> None:
        """Waits for what the page does in its own time; what has not come true after ten seconds never does."""
        look = f"const look = () => {expression} ? done(true) : setTimeout(look, 10); look(); setTimeout(done, 10000)"
        assert self.value(f"new Promise(done => {{ {look} }})"), f"never came true: {expression}"

    def press(self, key: str) -> None:
        """Presses a key on the keyboard."""
        code = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, "Escape": 27}[key]
        for kind in ("keyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def click(self, selector: str) -> None:
        """Clicks into the middle of an element, which must be in sight."""
        element = f"document.querySelector({selector!r})"
        self.value(f"{element}.scrollIntoView({{block: 'center'}})")
        box = self.value(f"{element}.getBoundingClientRect().toJSON()")
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        for kind in ("mousePressed", "mouseReleased"):
            self._call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def resize(self, width: int, height: int) -> None:
        """Gives the page the size of another screen."""
        self._call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600
        )

    def prefer(self, scheme: str) -> None:
        """Asks for light or dark colours."""
        self._call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, *, whole: bool) -> str:
        """The page as PNG, in base64."""
        return str(self._call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"])

    def close(self) -> None:
        """Ends the browser and all its processes."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._answers.close()
        os.close(self._out)

    def _call(self, method: str, **parameters: Any) -> Any:
        number = self._send(method, **parameters)
        while (answer := self._receive()).get("id") != number:
            self._note(answer)
        assert "error" not in answer, answer
        return answer["result"]

    def _send(self, method: str, **parameters: Any) -> int:
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        if self._page is not None:
            message["sessionId"] = self._page
        os.write(self._out, json.dumps(message).encode() + b"\0")
        return number

    def _note(self, event: dict[str, Any]) -> None:
        parameters = event.get("params", {})
        match event.get("method"):
            case "Runtime.exceptionThrown":
                self.errors.append(json.dumps(parameters["exceptionDetails"]))
            case "Log.entryAdded":
                self.errors.append(parameters["entry"]["text"])
            case "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])
            case "Page.javascriptDialogOpening":
                self.errors.append(f"the page opened a dialog: {parameters['message']}")
                self._send("Page.handleJavaScriptDialog", accept=True)  # or nothing else is ever answered

    def _receive(self) -> dict[str, Any]:
        text = bytearray()
        while (byte := self._answers.read(1)) != b"\0":
            assert byte, "the browser has ended"
            text += byte
        answer: dict[str, Any] = json.loads(text)
        return answer


@pytest.fixture(scope="session")
def _chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    if shutil.which("chromium") is None:
        pytest.skip("chromium (Debian's package chromium) is missing")
    browser = Browser(tmp_path_factory.mktemp("chromium"))
    yield browser
    browser.close()


@pytest.fixture
def browser(_chromium: Browser) -> Iterator[Browser]:
    """A browser in which every error of the page fails the test."""
    _chromium.resize(1200, 900)
    yield _chromium
    _chromium.value("0")  # all that was reported before this answer has been noted
    assert _chromium.errors == []
