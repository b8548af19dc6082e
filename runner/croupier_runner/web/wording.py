"""How values read in the report: names that cannot lie about themselves, figures with the digits that count."""

import math
import re
import unicodedata

from croupier_runner.summary import Interval

NOTHING = "–"
"""What stands where there is no value."""
_COLOUR_CODE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
_KEPT = frozenset("\n\t\u200d")
"""Not printable, but harmless: lines, and what joins several emoji into one."""
_INVISIBLE = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


class _Visible(dict[int, str]):
    """For `str.translate`: every character that cannot be seen becomes its code; fills itself as it is asked."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        if character not in _KEPT and unicodedata.category(character) in _INVISIBLE:
            self[code] = f"\\u{code:04x}"
        else:
            self[code] = character
        return self[code]


_VISIBLE = _Visible()


def visible(text: str) -> str:
    """The text without terminal colours, and with marks that would turn or hide what follows written out."""
    return _COLOUR_CODE.sub("", text.replace("\r\n", "\n")).translate(_VISIBLE)


def fitting(name: str, width: float) -> str:
    """As much of the name as fits into so many units of an SVG in its 13-unit type."""
    text = visible(name).replace("\n", " ")
    if width_of(text) <= width:
        return text
    while text and width_of(text + "…") > width:
        text = text[:-1]
    return text + "…"


def width_of(text: str) -> float:
    """About how wide a text is in an SVG, rather too much than too little: nobody here has the fonts of the reader."""
    return sum(map(_width, text))


def _width(character: str) -> float:
    if unicodedata.combining(character):
        return 0
    if unicodedata.east_asian_width(character) in "WF":
        return 17
    if character in "MW@%m":
        return 13.5
    return 10 if character.isupper() else 8


def rating(value: float | None) -> str:
    """A rating, as chess players write it: thousands not apart."""
    return number(value).replace(",", "")


def number(value: float | None, digits: int = 0) -> str:
    """A figure with thousands apart; a dash for None and for what is no number."""
    if value is None or math.isnan(value):
        return NOTHING
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    return f"{_rounded(value, digits):,.{digits}f}".replace("-", "−")


def counted(count: int, noun: str) -> str:
    """So many of something: "1 block", "2 blocks"."""
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def signed(value: float | None, digits: int = 0) -> str:
    """A difference, with its sign."""
    text = number(value, digits)
    return text if text == NOTHING or text.startswith("−") or not any(c in "123456789∞" for c in text) else f"+{text}"


def percent(share: float | None, digits: int = 1) -> str:
    """A share of one as percent; what is nearly nothing or nearly all does not read as exactly that."""
    if share is None or math.isnan(share):
        return NOTHING
    least = 10.0**-digits
    if 0 < share * 100 < least / 2:
        return f"< {number(least, digits)} %"
    if 100 - least / 2 < share * 100 < 100:
        return f"> {number(100 - least, digits)} %"
    return f"{number(share * 100, digits)} %"


def margin(estimate: Interval) -> str:
    """How far the 95 % interval reaches: "± 12", or "+14 −10" where it is not even."""
    up, down = estimate.high - estimate.value, estimate.value - estimate.low
    if math.isnan(up) or math.isnan(down):
        return ""
    if up == down or abs(up - down) <= 1:
        return f"± {number(max(up, down))}"
    return f"+{number(up)} −{number(down)}"


def milliseconds(value: float | None) -> str:
    """A duration with three digits that count, in the unit that suits it."""
    if value is None or not math.isfinite(value):
        return NOTHING
    if value >= 1000:
        return f"{number(value / 1000, 2 if value < 10_000 else 1)} s"
    return f"{number(value, 2 if value < 1 else 1 if value < 100 else 0)} ms"


def _rounded(value: float, digits: int) -> float:
    return round(value, digits) + 0.0  # −0.0 becomes 0.0
