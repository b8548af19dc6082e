"""How a schedule speaks of its size to people."""

from croupier_runner.schedule.deals import Cup


def counted(number: int, noun: str) -> str:
    """The number with its noun: "1 table", "4 tables"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def field_of(cup: Cup) -> str:
    """Who plays: "4 bots, tables of 3"."""
    return f"{counted(len(cup.bots), 'bot')}, tables of {cup.seats}"


def amount(cup: Cup, tables: int) -> str:
    """What each of that many tables plays, and what it comes to: "40 blocks x 6 games = 960 games"."""
    each = cup.games_per_block
    return f"{counted(cup.blocks, 'block')} x {counted(each, 'game')} = {counted(tables * cup.blocks * each, 'game')}"
