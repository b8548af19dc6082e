"""A view of 17 – Diciassette as text for people, at most 80 columns wide."""

from textwrap import wrap

from croupier_games.seventeen.view import Phase, Player, Showdown, View, counted

_COLUMNS = 80


def render(view: View) -> str:
    """The whole table."""
    lines = [_headline(view), ""]
    lines += [_seat_line(view, seat, player) for seat, player in enumerate(view.players)]
    lines += ["", *_row_lines(view)]
    lines += [f"Draw pile: {view.draw_pile}; used pile: {counted(view.used_size, 'card')}."]
    if view.hand is not None:
        lines += ["", f"Your hand: {view.hand}"]
    if view.choice:
        lines.append(f"You have chosen to {view.choice.name.lower()}.")
    if view.round.last_showdown:
        lines += ["", *_showdown_lines(view.round.last_showdown)]
    return "\n".join(lines)


def _headline(view: View) -> str:
    if view.phase is Phase.OVER:
        doing = "the game is over"
    elif view.phase is Phase.CALLS:
        doing = f"who calls after seat {view.turn}?"
    elif not view.to_lay:
        doing = f"seat {view.turn} has no card and must call"
    else:
        doing = f"seat {view.turn} to lay {counted(view.to_lay, 'card')}"
        doing += " or to call" if view.row.cards and view.last_to_lay != view.turn else ""
    due = ", the next must play two" if view.play_two else ""
    return f"17, round {view.round.number}, {view.direction.words}{due}: {doing}"


def _seat_line(view: View, seat: int, player: Player) -> str:
    tokens = f"{player.composure} composure, {counted(player.nerves, 'nerve')}"
    mark = ">" if seat == view.turn else " "
    return f"{mark} seat {seat}: {tokens}; {player}"


def _row_lines(view: View) -> list[str]:
    row = view.row.cards
    if not row:
        return ["The row is empty."]
    known = sum(laid.card.worth for laid in row)
    lines = [f"The row, which you know to come to {known} or more; last to lay was seat {view.last_to_lay}:"]
    return lines + _wrapped([f"{laid.seat}: {laid}" for laid in row])


def _showdown_lines(showdown: Showdown) -> list[str]:
    lines = [f"Round {showdown.round} ended with this row, hidden cards in brackets:"]
    lines += _wrapped([f"{laid.seat}: {laid}" for laid in showdown.row.cards])
    return lines + wrap(f"{showdown}.", _COLUMNS, initial_indent="  ", subsequent_indent="  ")


def _wrapped(items: list[str]) -> list[str]:
    """The items, set apart, each on one line with as many others as fit."""
    whole = [item.replace(" ", "\0") for item in items]
    lines = wrap(" | ".join(whole), _COLUMNS, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]
