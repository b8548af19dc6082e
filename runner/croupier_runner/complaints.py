"""What is wrong with a tournament file, in sentences that name the line and the key and say what to do about it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any


def complaints(
    problems: Sequence[dict[str, Any]], path: str, text: str, keys: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """What pydantic found, a sentence each; `keys` are those that each section knows."""
    only_game = "[[game]]" not in text
    for problem in problems:
        sentences = _sentence(problem, keys)
        for sentence in (sentences.replace("game[1]", "game") if only_game else sentences).splitlines():
            yield f"{path}{_where(problem['loc'], text)}: {sentence}"


def line_of(message: str, text: str) -> str:
    """The line a TOML error speaks of, for people to see."""
    match = re.search(r"at line (\d+)", message)
    return f"\n  {match[1]} | {text.splitlines()[int(match[1]) - 1]}" if match else ""


def _where(location: tuple[str | int, ...], text: str) -> str:
    """The line of the file that a problem is about, as ", line 12"; nothing where it cannot be told."""
    names = [part for part in location if isinstance(part, str)]
    counts = [part for part in location if isinstance(part, int)]
    section, key = (names[0], names[1]) if len(names) > 1 else ("", names[0]) if names else ("", "")
    place, current, number = counts[0] if counts else 0, "", -1
    for line, content in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\[?\s*([A-Za-z_]+)", content):
            current = header[1]
            number += current == section
            if current == key and not section:
                return f", line {line}"
        elif current == section and (not section or number == place) and re.match(rf"\s*{re.escape(key)}\s*=", content):
            return f", line {line}"
    return ""


_WANTED = {
    "string_type": "must be a text in quotes",
    "int_type": "must be a whole number",
    "bool_type": "must be true or false",
    "list_type": "must be a list",
    "dict_type": "must be a table of key = value",
    "model_type": "must be a section of its own",
}


_EXAMPLES = {
    "startup": '"30s"',
    "clock.move": '"2s"',
    "clock.game": '"60s+1s"',
    "limits.memory": '"512MiB"',
    "limits.address_space": '"4GiB"',
    "limits.file_size": '"64MiB"',
    "limits.scratch": '"64MiB"',
    "limits.cpu": '"10m"',
    "limits.readable": '["../models"]',
    "bots.command": '["python", "bot.py"]',
}


def _sentence(problem: dict[str, Any], keys: Mapping[str, Sequence[str]]) -> str:
    """What pydantic found, as a sentence that names the key and says what to do."""
    *parents, last = problem["loc"] or ("",)
    key = _key(problem["loc"])
    kind, context, given = problem["type"], problem.get("ctx", {}), problem["input"]
    if kind == "missing":
        return f"{key} is missing; add it"
    if kind == "extra_forbidden":
        section = next((part for part in parents if isinstance(part, str)), "")
        alike = get_close_matches(str(last), keys[section], n=1)
        hint = f"did you mean {alike[0]}? " if alike else ""
        return f"{key} is no key here; {hint}there are {', '.join(keys[section])}"
    if kind == "value_error":
        lines = str(context["error"]).splitlines()
        return "\n".join(f"{key}: {line}" if last != "" else line for line in lines)
    if kind == "literal_error":
        return f"{key} must be one of {context['expected']}, got {given!r}"
    if kind in ("greater_than", "less_than"):
        return f"{key} must be {kind.replace('_', ' ')} {context['gt' if 'gt' in context else 'lt']:g}, got {given}"
    if kind == "greater_than_equal":
        return f"{key} must be at least {context['ge']}, got {given}"
    if kind == "less_than_equal":
        return f"{key} must be at most {context['le']}, got {given}"
    if kind == "too_short":
        return f"{key} is empty; name at least one"
    example = _EXAMPLES.get(key.partition("[")[0] + key.partition("]")[2])
    wanted = _WANTED.get(kind, problem["msg"]) + (f", such as {example}" if example else "")
    return f"{key} {wanted}, got {given!r}"


def _key(location: tuple[str | int, ...]) -> str:
    """A key as people write it: bots[2].name, counting from 1."""
    text = ""
    for part in location:
        text += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if text else part
    return text
