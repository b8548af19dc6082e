"""What SEALED is: its options, its notation, its text picture, and the way back from saved bytes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import ClassVar

from croupier_games import Action, Game, NotationError, Option, OptionValue, RestoreError, View
from outside_sealed import components
from outside_sealed.components import Offer, Pass, Reveal
from outside_sealed.play import SealedState


class SealedGame(Game):
    """SEALED, as Croupier sees it."""

    id: ClassVar = "sealed"
    title: ClassVar = "Sealed"
    summary: ClassVar = "Everybody seals an offer from a private hand; the single best card takes the pot."
    version: ClassVar = 1
    min_seats: ClassVar = 2
    max_seats: ClassVar = 4
    options: ClassVar = (
        Option("cards", int, 3, "Cards dealt to each seat; as many rounds are played.", minimum=2, maximum=5),
        Option("low_wins", bool, False, "The single lowest card takes the pot instead of the highest."),
        Option("ties", str, "carry", "What becomes of a pot that nobody takes.", choices=("carry", "lost")),
    )
    action_types: ClassVar = (Offer, Pass)
    max_actions: ClassVar = 20
    wire_package: ClassVar = "outside.games.sealed.v1"
    state: ClassVar[type[SealedState]] = SealedState

    def deal(self, seats: int, options: Mapping[str, OptionValue], seed: bytes) -> SealedState:
        """Deals the hands and opens the first round."""
        state = self.state(seats, options, seed)
        state.deal()
        return state

    def parse(self, text: str) -> Action:
        """Reads `offer 4` or `pass`."""
        word, _, card = text.partition(" ")
        if text == "pass":
            return Pass()
        if word == "offer" and card in ("1", "2", "3", "4", "5", "6"):
            return Offer(int(card))
        raise NotationError(f"expected 'offer' and a card from 1 to 6, or 'pass', got {text!r}")

    def restore(self, data: bytes) -> SealedState:
        """Reads what `SealedState.save` wrote."""
        try:
            fields = json.loads(data)
            if fields["game"] != [self.id, self.version]:
                raise ValueError(f"saved by {fields['game']}")
            state = self.state(fields["seats"], fields["options"], bytes.fromhex(fields["seed"]))
            state.round = fields["round"]
            state.pot = fields["pot"]
            state.hands = [tuple(hand) for hand in fields["hands"]]
            state.sealed = fields["sealed"]
            state.points = tuple(fields["points"])
            state.reveals = tuple(Reveal(n, tuple(offers), *rest) for n, offers, *rest in fields["reveals"])
            state.settle()
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise RestoreError(f"no saved state of {self.id} version {self.version}: {error}") from error
        return state

    def render(self, view: View) -> str:
        """The rounds so far as a table, then the pot and the own cards."""
        assert isinstance(view, components.View)
        lines = [f"Round {view.round}, {view.pot} in the pot, points {' '.join(map(str, view.points))}"]
        for reveal in view.reveals:
            offers = " ".join(str(card or "-") for card in reveal.offers)
            winner = "nobody" if reveal.winner is None else f"seat {reveal.winner}"
            lines.append(f"  round {reveal.round}: offers {offers}, {winner} took {reveal.pot}")
        if view.hand is not None:
            sealed = "" if view.sealed is None else f", sealed {view.sealed or 'a pass'}"
            lines.append(f"You hold {' '.join(map(str, view.hand.cards)) or 'nothing'}{sealed}")
        return "\n".join(lines)


SEALED = SealedGame()
SealedState.game = SEALED
