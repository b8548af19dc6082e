"""Checks of what is shown: plain values that fit a message, pictures and sentences that people can read."""

from __future__ import annotations

from enum import IntEnum

from croupier_games.conformance.play import Play, name_of, require, viewers

COLUMNS = 80


def views_are_plain_values(play: Play) -> None:
    """Views and events are NamedTuples of ints, bools, texts, IntEnums, None and tuples, nothing else."""
    for state in play.sampled_steps():
        for viewer in viewers(state):
            _require_plain(state.view(viewer), f"the view of {name_of(viewer)}", named=True)
        for event in state.events:
            _require_plain(event.what, "an event", named=True)


def renders_fit(play: Play) -> None:
    """A rendered view is text of at most 80 columns, for every seat and for spectators."""
    for state in play.steps():
        for viewer in viewers(state):
            text = play.case.game.render(state.view(viewer))
            require(text.strip(), f"the view of {name_of(viewer)} is rendered as nothing")
            for line in text.split("\n"):
                fits = len(line) <= COLUMNS and (line.isprintable() or not line)
                require(fits, f"a line of {name_of(viewer)} is no line of {COLUMNS} columns: {line!r}")


def events_are_sentences(play: Play) -> None:
    """Every event has a sentence for people and goes to everybody or to one seat of the table."""
    for state in play.steps():
        for what, audience in state.events:
            sentence = str(what)
            readable = sentence.strip() and sentence != repr(what) and "\n" not in sentence
            require(readable, f"str() of an event is no sentence: {sentence!r}")
            there = audience is None or (type(audience) is int and 0 <= audience < state.seats)
            require(there, f"{sentence!r} goes to {audience!r}, which is no seat")


def _require_plain(value: object, where: str, *, named: bool = False) -> None:
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", None)
        require(fields is not None or (type(value) is tuple and not named), f"{where} is no NamedTuple: {value!r}")
        for name, part in zip(range(len(value)) if fields is None else fields, value, strict=True):
            _require_plain(part, f"{where}.{name}")
    else:
        plain = value is None or type(value) in (int, bool, str) or isinstance(value, IntEnum)
        require(plain, f"{where} is a {type(value).__name__}: {value!r}")


CHECKS = (views_are_plain_values, renders_fit, events_are_sentences)
