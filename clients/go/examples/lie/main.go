// Lie plays LIE by the odds: how likely is a bid true, given the own hand, the deck and who bid what?
//
// It asks for no legal list: it knows the game, and answers with the game's own typed messages.
package main

import (
	"crypto/sha256"
	"strconv"

	"croupier"
	liev1 "croupier/stubs/games/lie/v1"
	croupierv1 "croupier/stubs/v1"
)

const (
	safe       = 0.75 // a raise this likely to be true is worth making
	bold       = 0.45 // ... and when bluffing
	bluffOneIn = 8
)

type lieBot struct{ odds oddsBook }

// Play makes one decision of any phase.
func (bot lieBot) Play(turn croupier.Turn) (croupier.Choice, error) {
	view := turn.View.GetLie()
	if view == nil {
		return croupier.Index(0), nil // another game: any legal action will do
	}
	return croupier.Action(bot.decide(turn, view)), nil
}

func (bot lieBot) decide(turn croupier.Turn, view *liev1.View) *liev1.Action {
	switch view.Phase {
	case liev1.Phase_PHASE_ARRANGE:
		return &liev1.Action{Kind: &liev1.Action_Arrange{Arrange: &liev1.Arrange{Values: arranged(view)}}}
	case liev1.Phase_PHASE_DECLARE:
		return &liev1.Action{Kind: &liev1.Action_Declare{Declare: &liev1.Declare{Direction: direction(turn)}}}
	default:
		return bot.answer(turn, view)
	}
}

// answer is the highest raise that is likely enough to be true, unless doubting the last bid promises more.
func (bot lieBot) answer(turn croupier.Turn, view *liev1.View) *liev1.Action {
	countFirst := turn.Seated.GetOptions()["bid_order"].GetText() == "count_first"
	var truth [lastValue + 1][]float64
	for value := firstValue; value <= lastValue; value++ {
		truth[value] = bot.odds.atLeast(view, turn.Seat, value)
	}
	doubt := 0.0
	if last := lastBid(view); last != nil {
		doubt = 1 - truth[last.Value][last.Count]
	}
	enough := safe
	if whim(turn, bluffOneIn) == 0 {
		enough = bold
	}
	var best *liev1.Bid
	promise := doubt
	for _, bid := range higherBids(view, countFirst) {
		likely := truth[bid.value][bid.count]
		if likely > promise || (likely >= enough && enough > doubt) {
			best, promise = &liev1.Bid{Count: bid.count, Value: bid.value}, likely
		}
	}
	if best == nil {
		return &liev1.Action{Kind: &liev1.Action_Challenge{Challenge: &liev1.Challenge{}}}
	}
	return &liev1.Action{Kind: &liev1.Action_Bid{Bid: best}}
}

// arranged turns as many cards as possible to one value; jokers come next, then high values.
func arranged(view *liev1.View) []uint32 {
	cards := view.GetHand().GetCards()
	favourite := favouriteValue(cards, view.OnesAreJokers)
	values := make([]uint32, len(cards))
	for i, card := range cards {
		switch {
		case card.Low == favourite || card.High == favourite:
			values[i] = favourite
		case view.OnesAreJokers && card.Low == 1:
			values[i] = 1
		default:
			values[i] = card.High
		}
	}
	return values
}

// favouriteValue is on the most cards, and the highest of those; a joker is none.
func favouriteValue(cards []*liev1.Card, onesAreJokers bool) uint32 {
	var onCards [lastValue + 1]int
	for _, card := range cards {
		onCards[card.Low]++
		onCards[card.High]++ // no card has the same value twice
	}
	lowest := firstValue
	if onesAreJokers {
		lowest++
	}
	favourite := lowest
	for value := lowest; value <= lastValue; value++ {
		if onCards[value] >= onCards[favourite] {
			favourite = value
		}
	}
	return favourite
}

func direction(turn croupier.Turn) liev1.Direction {
	if whim(turn, 2) == 0 {
		return liev1.Direction_DIRECTION_CLOCKWISE
	}
	return liev1.Direction_DIRECTION_COUNTER_CLOCKWISE
}

// whim throws a die that falls the same way whenever this deal comes to this decision again.
func whim(turn croupier.Turn, sides byte) byte {
	key := append([]byte(nil), turn.Seated.GetSeedCommitment()...)
	key = strconv.AppendUint(append(key, '/'), uint64(turn.Seat), 10)
	key = strconv.AppendUint(append(key, '/'), turn.DecisionId, 10)
	return sha256.Sum256(key)[0] % sides
}

func main() {
	croupier.Run(lieBot{odds: oddsBook{}}, croupier.Options{
		OmitEvents: true, Legal: croupierv1.LegalDetail_LEGAL_DETAIL_COUNT,
	})
}
