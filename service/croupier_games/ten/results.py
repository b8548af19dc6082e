"""How a game of TEN ends: places, points, the figures that decided, and the runs in words (TEN-6.5, TEN-8.9)."""

from __future__ import annotations

from croupier_games.game import Outcome, SeatResult
from croupier_games.ten.data import BUST_TOKEN_WORTH
from croupier_games.ten.scoring import Score, best_score
from croupier_games.ten.view import AUTOMA, Holding, counted

RANKS = {
    4: "a promising start",
    5: "getting the hang of it",
    6: "remarkable progress",
    7: "luck and skill in balance",
    8: "among the best",
    9: "an astounding feat",
    10: "nobody plays better",
}
"""What the rank of a lone player is called, by the limit at which TEN was beaten."""


def outcome(holdings: tuple[Holding, ...]) -> Outcome:
    """The result for two seats or more: points, then currency left, then fewer cards used (TEN-6.5)."""
    scores = [best_score(holding.numbers, holding.jokers) for holding in holdings]
    figures = [
        # Of equal points, those with more full runs took fewer cards: cards used = points - full runs (TEN-6.3).
        (score.points, (("currency", currency_left(holding)), ("full_runs", score.full_runs)))
        for score, holding in zip(scores, holdings, strict=True)
    ]
    results = tuple(
        SeatResult(1 + sum(other > own for other in figures), *own, notes=_notes(score))
        for own, score in zip(figures, scores, strict=True)
    )
    return Outcome(results, "the deck is used up and the last purchases are made")


def solo_outcome(player: Holding, automa: Holding, limit: int) -> Outcome:
    """The result of a lone player: place 1 for strictly more points than TEN, else 2 (TEN-8.9)."""
    own = best_score(player.numbers, player.jokers)
    other = best_score(automa.numbers, automa.jokers)
    won = own.points > other.points
    figures: tuple[tuple[str, int], ...] = (("automa_points", other.points),)
    notes = (*_notes(own), *[f"{AUTOMA}: {note}" for note in _notes(other)])
    if won:
        figures += (("rank", limit),)
        notes += (f"rank {limit}, {RANKS[limit]}",)
    result = SeatResult(1 if won else 2, own.points, figures, notes)
    verdict = "won" if won else "did not win"
    return Outcome((result,), f"the player {verdict} against {AUTOMA}, {own.points} to {other.points}")


def currency_left(holding: Holding) -> int:
    """What a player's tokens are worth."""
    return holding.tokens + BUST_TOKEN_WORTH * holding.bust_tokens


def _notes(score: Score) -> tuple[str, ...]:
    return (*map(str, score.runs), f"{counted(score.points, 'point')} with {counted(score.cards_used, 'card')}")
