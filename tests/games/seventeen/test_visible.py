"""What is seen and what is hidden: SVT-1.1 to SVT-1.3, ALL-5."""

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from croupier_games.seventeen.data import HEARTS, TWO_SIDED, Card
from croupier_games.seventeen.view import Player, Row

VIEWERS = (0, 1, 2, None)


def fronts(value: Any) -> Iterator[Card]:
    """Every front of a heart, at any depth of a view or event."""
    if isinstance(value, Card):
        if value in HEARTS:
            yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from fronts(part)


@pytest.mark.rule("SVT-1.1", "SVT-1.3")
def test_of_every_hand_the_two_sided_cards_and_the_number_of_hearts_are_public(svt: Any) -> None:
    state = svt.table("3 trap 5/5", "4/4 2/2 4/4", "1 1 play-two")
    shown = (
        Player((Card.TWO_SIDED_FIVE,), 2, 0, 0),
        Player((Card.TWO_SIDED_TWO, Card.TWO_SIDED_FOUR, Card.TWO_SIDED_FOUR), 0, 0, 0),
        Player((), 3, 0, 0),
    )
    for viewer in VIEWERS:
        assert state.view(viewer).players == shown


@pytest.mark.rule("SVT-1.1", "ALL-5")
def test_a_seat_sees_the_fronts_of_its_own_hand_and_a_spectator_of_none(svt: Any) -> None:
    state = svt.table("3 trap 5/5", "4/4 2/2 4/4", "1 1 play-two")
    assert [svt.names(state.view(seat).hand.cards) for seat in range(3)] == [
        "3 trap 5/5",
        "2/2 4/4 4/4",
        "1 1 play-two",
    ]
    assert state.view(None).hand is None
    assert list(fronts(state.view(None))) == []
    assert sorted(fronts(state.view(1))) == []


@pytest.mark.rule("SVT-1.1")
@pytest.mark.parametrize("top", [*HEARTS, *TWO_SIDED], ids=str)
def test_of_the_draw_pile_only_the_back_of_the_uppermost_card_is_seen(svt: Any, top: Card) -> None:
    state = svt.table("3 trap 5/5", "4/4 2/2 4/4", draw=f"{top} 5 5/5")
    seen = top if top in TWO_SIDED else Card.HEART
    assert {state.view(viewer).draw_pile for viewer in (0, 1, None)} == {(64, seen)}


@pytest.mark.rule("SVT-1.1")
def test_what_is_drawn_is_seen_by_its_back_and_by_its_drawer_by_its_front(svt: Any) -> None:
    for top, public in (("trap", "a heart"), ("4/4", "4/4")):
        state = svt.table("3/3 3/3 3/3", "2/2 2/2 2/2", "1/1 1/1 1/1", draw=f"{top} 5/5")
        svt.say(state, "0 lay 3/3", "pass")
        drawn = f"Seat 0 draws {public}; the draw pile: 60 cards, 5/5 on top."
        assert svt.told(state, None)[-1] == svt.told(state, 1)[-1] == drawn
        assert svt.told(state, 0)[-2:] == [drawn, f"You draw {top}."]


@pytest.mark.rule("SVT-1.2")
def test_a_heart_up_card_in_the_row_is_known_only_to_who_laid_it(svt: Any) -> None:
    state = svt.table("4 1/1 1/1", "2/2 2/2 2/2", "3/3 3/3 3/3", row="1:(trap) 2:5/5 2:(5) 1:3")
    svt.say(state, "0 lay 4 heart-up")
    rows = {viewer: " ".join(str(laid) for laid in state.view(viewer).row.cards) for viewer in VIEWERS}
    assert rows == {
        0: "heart 5/5 heart 3 (4)",
        1: "(trap) 5/5 heart 3 heart",
        2: "heart 5/5 (5) 3 heart",
        None: "heart 5/5 heart 3 heart",
    }
    assert svt.told(state, 0) == ["Seat 0 lays a card heart up.", "You lay 4 heart up."]
    assert svt.told(state, 1) == svt.told(state, None) == ["Seat 0 lays a card heart up."]
    assert all(laid.heart_up == ("(" in str(laid) or "heart" in str(laid)) for laid in state.view(0).row.cards)


@pytest.mark.rule("SVT-1.2")
def test_what_was_hidden_looks_the_same_whatever_it_is(svt: Any) -> None:
    """Only the layer's own view and words depend on the card."""
    seen = []
    for card in HEARTS:
        state = svt.table(f"{card} 1/1 1/1", "2/2 2/2 2/2", "3/3 3/3 3/3", draw="5/5 4/4")
        svt.say(state, f"0 lay {card} heart-up")
        seen.append([(state.view(viewer), svt.told(state, viewer)) for viewer in (1, 2, None)])
    assert all(look == seen[0] for look in seen)


@pytest.mark.rule("SVT-1.3")
def test_of_the_used_pile_only_the_size_is_shown(svt: Any) -> None:
    views = []
    for buried in ("5", "trap"):
        state = svt.table("3/3 3/3 3/3", "2/2 2/2 2/2", "1/1 1/1 1/1", used="4/4 1", buried=buried, draw="5/5")
        assert state.view(0).used_size == 3
        views.append([state.view(viewer) for viewer in VIEWERS])
    assert views[0] == views[1]


@pytest.mark.rule("SVT-1.3")
def test_hidden_cards_have_no_identity_in_views_and_events(svt: Any) -> None:
    """Whichever of its hearts seat 0 lays, the one it has held for long or the one just drawn, others see the same."""
    seen = []
    for held, drawn in (("3", "trap"), ("trap", "3")):
        for laid in (held, drawn):
            state = svt.table(f"{held} 1/1 1/1", "2/2 2/2 2/2", draw=f"{drawn} 4/4 5/5 5/5")
            svt.say(state, "0 lay 1/1", "pass", "1 lay 2/2", "pass", f"0 lay {laid} heart-up")
            seen.append([(state.view(viewer), svt.told(state, viewer)) for viewer in (1, None)])
    assert all(look == seen[0] for look in seen)


@pytest.mark.rule("SVT-1.1", "SVT-1.2", "SVT-1.3", "ALL-5")
@pytest.mark.parametrize("seats", range(2, 7))
def test_no_front_of_a_heart_is_shown_that_should_not_be(svt: Any, seats: int) -> None:
    """Through whole games: what a viewer is shown of hearts is what lies face up, was turned over, or is its own."""
    for number in range(6):
        state, chance = svt.open(seats, number), Random(number)
        while state.deciders:
            state.play(*svt.patient_step(state, chance, 0.1))
            public = [laid.card for laid in state.row if not laid.heart_up and laid.card in HEARTS]
            showdown = state.round.last_showdown
            public += fronts(showdown.row) if showdown else ()
            for viewer in (*range(seats), None):
                own = [] if viewer is None else [card for card in state.hands[viewer] if card in HEARTS]
                own += [laid.card for laid in state.row if laid.heart_up and laid.seat == viewer]
                assert sorted(fronts(state.view(viewer))) == sorted(own + public)


def test_what_did_not_change_is_the_very_same_object(svt: Any) -> None:
    """The wire encodes it once, for all viewers."""
    state = svt.table("4 1/1 1/1", "2/2 2/2 2/2", "3/3 3/3 3/3", row="1:(trap) 2:5/5")
    svt.say(state, "0 lay 4 heart-up")
    assert state.view(2).row is state.view(None).row
    assert state.view(1).row is not state.view(None).row
    assert isinstance(state.view(1).row, Row)
    before = [state.view(seat) for seat in range(3)]
    svt.say(state, "1 pass")
    for was, seat in zip(before, range(3), strict=True):
        now = state.view(seat)
        assert now.row is was.row
        assert now.hand is was.hand
        assert now.round is was.round
        assert now.draw_pile is was.draw_pile
        assert all(one is other for one, other in zip(now.players, was.players, strict=True))


def test_only_seats_of_the_table_have_a_view(svt: Any) -> None:
    for seat in (-1, 2):
        with pytest.raises(ValueError, match="seats are 0 to 1"):
            svt.open(2).view(seat)
