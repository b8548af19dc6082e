package main

import (
	"testing"

	"croupier"
	croupierv1 "croupier/stubs/v1"
)

// The expected choices are those of clients/python/examples/random_bot.py with the same seed.
func TestItChoosesAsThePythonBotWithTheSameSeed(t *testing.T) {
	everyByte := make([]byte, 32)
	for i := range everyByte {
		everyByte[i] = byte(i)
	}
	cases := []struct {
		seed       string
		commitment []byte
		turn       *croupierv1.Turn
		want       croupier.Index
	}{
		{"0", []byte{1, 2}, &croupierv1.Turn{Seat: 0, DecisionId: 1, LegalCount: 7}, 5},
		{"seed", everyByte, &croupierv1.Turn{Seat: 3, DecisionId: 12, LegalCount: 100}, 55},
		{"0", nil, &croupierv1.Turn{Seat: 1, DecisionId: 2, LegalCount: 5}, 1},
	}
	for _, c := range cases {
		turn := croupier.Turn{Turn: c.turn, Seated: &croupierv1.Seated{SeedCommitment: c.commitment}}
		if got, err := (randomBot{c.seed}).Play(turn); got != c.want || err != nil {
			t.Errorf("seed %q, decision %d: got %v, %v, want %v", c.seed, c.turn.DecisionId, got, err, c.want)
		}
	}
}
