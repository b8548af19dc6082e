package main

import (
	"math"
	"slices"
	"testing"

	"croupier"
	liev1 "croupier/stubs/games/lie/v1"
	croupierv1 "croupier/stubs/v1"
)

// The expected choices and odds are those of clients/python/examples/lie_bot.py.

var (
	hand       = []*liev1.Card{{Low: 1, High: 4, Showing: 4}, {Low: 4, High: 6, Showing: 4}, {Low: 2, High: 3, Showing: 3}}
	dealt      = []*liev1.Card{{Low: 1, High: 4}, {Low: 4, High: 6}, {Low: 1, High: 3}, {Low: 2, High: 6}}
	threeFours = []*liev1.PlacedBid{{Seat: 1, Count: 3, Value: 4}}
)

func bidding(bids []*liev1.PlacedBid, jokers bool) *liev1.View {
	return &liev1.View{
		Phase: liev1.Phase_PHASE_BID, Hand: &liev1.Hand{Cards: hand}, Bids: bids, OnesAreJokers: jokers,
		Round: &liev1.Round{HandSizes: []uint32{3, 2, 4}},
	}
}

func decide(view *liev1.View, decision uint64, order string) *liev1.Action {
	turn := croupier.Turn{
		Turn: &croupierv1.Turn{DecisionId: decision},
		Seated: &croupierv1.Seated{SeedCommitment: []byte("c"), Options: map[string]*croupierv1.OptionValue{
			"bid_order": {Value: &croupierv1.OptionValue_Text{Text: order}},
		}},
	}
	return lieBot{odds: oddsBook{}}.decide(turn, view)
}

func TestTheOddsKnowTheHandTheDeckAndWhoBidWhat(t *testing.T) {
	doubted := []*liev1.PlacedBid{{Seat: 1, Count: 1, Value: 4}, {Seat: 2, Count: 2, Value: 4}}
	cases := map[string]struct {
		view *liev1.View
		want []float64
	}{
		"two bids": {bidding(doubted, false), []float64{1, 1, 1, 0.892342, 0.540231, 0.176649, 0.029258, 0.002280, 0.000064, 0}},
		"jokers":   {bidding(doubted[:1], true), []float64{1, 1, 1, 0.956205, 0.747547, 0.403234, 0.133132, 0.023723, 0.001724, 0}},
	}
	for name, c := range cases {
		got := oddsBook{}.atLeast(c.view, 0, 4)
		if !slices.EqualFunc(got, c.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-6 }) {
			t.Errorf("%s: got %.6f, want %.6f", name, got, c.want)
		}
	}
}

func TestItRaisesAsFarAsTheOddsAllow(t *testing.T) {
	cases := map[string]struct {
		decision uint64
		order    string
		want     bid
	}{
		"value first":           {1, "value_first", bid{1, 5}},
		"value first, bluffing": {13, "value_first", bid{1, 6}},
		"count first":           {1, "count_first", bid{4, 4}},
	}
	for name, c := range cases {
		got := decide(bidding(threeFours, false), c.decision, c.order).GetBid()
		if got.GetCount() != c.want.count || got.GetValue() != c.want.value {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}

func TestItDoubtsWhatIsHardlyTrue(t *testing.T) {
	got := decide(bidding([]*liev1.PlacedBid{{Seat: 1, Count: 5, Value: 6}}, false), 1, "value_first")
	if got.GetChallenge() == nil {
		t.Errorf("got %v, want a challenge", got)
	}
}

func TestItTurnsTheHandToOneValueAndJokers(t *testing.T) {
	for jokers, want := range map[bool][]uint32{false: {4, 6, 3, 6}, true: {1, 6, 1, 6}} {
		view := &liev1.View{Phase: liev1.Phase_PHASE_ARRANGE, Hand: &liev1.Hand{Cards: dealt}, OnesAreJokers: jokers}
		if got := decide(view, 1, "value_first").GetArrange().GetValues(); !slices.Equal(got, want) {
			t.Errorf("jokers %v: got %v, want %v", jokers, got, want)
		}
	}
}

func TestItDeclaresEitherDirection(t *testing.T) {
	view := &liev1.View{Phase: liev1.Phase_PHASE_DECLARE, Hand: &liev1.Hand{Cards: hand}}
	for decision, want := range map[uint64]liev1.Direction{
		1: liev1.Direction_DIRECTION_COUNTER_CLOCKWISE,
		2: liev1.Direction_DIRECTION_CLOCKWISE,
	} {
		if got := decide(view, decision, "value_first").GetDeclare().GetDirection(); got != want {
			t.Errorf("decision %d: got %v, want %v", decision, got, want)
		}
	}
}

func TestItPlaysTheFirstActionOfAnyOtherGame(t *testing.T) {
	choice, err := lieBot{}.Play(croupier.Turn{Turn: &croupierv1.Turn{View: &croupierv1.GameView{}, LegalCount: 3}})
	if choice != croupier.Index(0) || err != nil {
		t.Errorf("got %v, %v, want index 0", choice, err)
	}
}
