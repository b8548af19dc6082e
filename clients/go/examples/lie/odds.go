package main

import liev1 "croupier/stubs/games/lie/v1"

// hunch is how readily others bid on a value of which they hold none; their first card of it counts as 1.
const hunch = 0.5

// A draw is a question to the odds: of so many unseen cards with both, one or neither end counting, so many are drawn.
type draw struct{ both, one, neither, drawn int }

// An oddsBook remembers the answers.
type oddsBook map[draw][]float64

// atLeast says, for every count from 0 to all cards on the table, how likely at least so many count for the value.
func (book oddsBook) atLeast(view *liev1.View, seat, value uint32) []float64 {
	counts := func(shown uint32) bool {
		return shown == value || (shown == 1 && view.OnesAreJokers)
	}
	cards := view.GetHand().GetCards()
	unseen := unseenCards(cards, counts)
	total := certainly(showing(cards, counts))
	for other, size := range view.GetRound().GetHandSizes() {
		if uint32(other) == seat || size == 0 {
			continue
		}
		unseen.drawn = int(size)
		shown := book.shown(unseen)
		if hasBidOn(view, uint32(other), value) {
			shown = believed(shown)
		}
		total = summed(total, shown)
	}
	return cumulated(total, int(cardsInPlay(view)))
}

// shown says how likely 0, 1, … of the drawn cards show a value that counts, if each is turned either way at random.
func (book oddsBook) shown(d draw) []float64 {
	if odds, ok := book[d]; ok {
		return odds
	}
	odds := make([]float64, d.drawn+1)
	for sure := 0; sure <= d.drawn; sure++ {
		for half := 0; half <= d.drawn-sure; half++ {
			deals := choose(d.both, sure) * choose(d.one, half) * choose(d.neither, d.drawn-sure-half)
			for turned := 0; turned <= half; turned++ {
				odds[sure+turned] += float64(deals*choose(half, turned)) / float64(uint64(1)<<half)
			}
		}
	}
	for count := range odds {
		odds[count] /= float64(choose(d.both+d.one+d.neither, d.drawn))
	}
	book[d] = odds
	return odds
}

// unseenCards sorts the deck, which has every pair of two values twice, without the own cards.
func unseenCards(own []*liev1.Card, counts func(uint32) bool) draw {
	var ends [3]int
	for low := firstValue; low <= lastValue; low++ {
		for high := low + 1; high <= lastValue; high++ {
			ends[countingEnds(low, high, counts)] += 2
		}
	}
	for _, card := range own {
		ends[countingEnds(card.Low, card.High, counts)]--
	}
	return draw{both: ends[2], one: ends[1], neither: ends[0]}
}

func countingEnds(low, high uint32, counts func(uint32) bool) int {
	ends := 0
	for _, value := range [...]uint32{low, high} {
		if counts(value) {
			ends++
		}
	}
	return ends
}

func showing(cards []*liev1.Card, counts func(uint32) bool) int {
	shown := 0
	for _, card := range cards {
		if counts(card.Showing) {
			shown++
		}
	}
	return shown
}

func hasBidOn(view *liev1.View, seat, value uint32) bool {
	for _, bid := range view.Bids {
		if bid.Seat == seat && bid.Value == value {
			return true
		}
	}
	return false
}

// certainly has the odds of a count that is known.
func certainly(count int) []float64 {
	odds := make([]float64, count+1)
	odds[count] = 1
	return odds
}

// believed has the odds for a seat that bid on the value: the more it holds of it, the readier it would bid so.
func believed(shown []float64) []float64 {
	weights := make([]float64, len(shown))
	for count, odds := range shown {
		weights[count] = odds * (hunch + float64(count))
	}
	all := sum(weights)
	for count := range weights {
		weights[count] /= all
	}
	return weights
}

// summed has the odds of the sum of two independent counts.
func summed(left, right []float64) []float64 {
	odds := make([]float64, len(left)+len(right)-1)
	for i, a := range left {
		for j, b := range right {
			odds[i+j] += float64(a * b) // rounded here on every processor, so that all choose alike
		}
	}
	return odds
}

// cumulated turns the odds of exactly 0, 1, … into those of at least so many.
func cumulated(exactly []float64, cards int) []float64 {
	atLeast := make([]float64, cards+1)
	for count := range min(len(exactly), len(atLeast)) {
		atLeast[count] = sum(exactly[count:])
	}
	return atLeast
}

func sum(numbers []float64) float64 {
	total := 0.0
	for _, number := range numbers {
		total += number
	}
	return total
}

// choose counts the ways to take some of n things.
func choose(n, taken int) int {
	if taken > n {
		return 0
	}
	ways := 1
	for i := 1; i <= taken; i++ {
		ways = ways * (n - taken + i) / i
	}
	return ways
}
