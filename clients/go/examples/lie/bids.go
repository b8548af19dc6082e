package main

import (
	"cmp"
	"slices"

	liev1 "croupier/stubs/games/lie/v1"
)

const (
	firstValue uint32 = 1
	lastValue  uint32 = 6
)

type bid struct{ count, value uint32 }

// higherBids are all bids above the last one, the lowest first.
func higherBids(view *liev1.View, countFirst bool) []bid {
	compare := byValue
	if countFirst {
		compare = byCount
	}
	var last bid
	if placed := lastBid(view); placed != nil {
		last = bid{placed.Count, placed.Value}
	}
	var above []bid
	for count := uint32(1); count <= cardsInPlay(view); count++ {
		for value := firstValue; value <= lastValue; value++ {
			if candidate := (bid{count, value}); compare(candidate, last) > 0 {
				above = append(above, candidate)
			}
		}
	}
	slices.SortFunc(above, compare)
	return above
}

// byCount compares bids as the option bid_order = "count_first" does.
func byCount(a, b bid) int {
	return cmp.Or(cmp.Compare(a.count, b.count), cmp.Compare(a.value, b.value))
}

// byValue compares bids as without that option.
func byValue(a, b bid) int {
	return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.count, b.count))
}

func lastBid(view *liev1.View) *liev1.PlacedBid {
	if len(view.Bids) == 0 {
		return nil
	}
	return view.Bids[len(view.Bids)-1]
}

func cardsInPlay(view *liev1.View) uint32 {
	cards := uint32(0)
	for _, size := range view.GetRound().GetHandSizes() {
		cards += size
	}
	return cards
}
