package croupier

import (
	"time"

	croupierv1 "croupier/stubs/v1"
)

// A Turn is one decision: the message as it came, with all its fields, and the table it belongs to.
type Turn struct {
	*croupierv1.Turn
	// Seated is the table: the game, its options, the names of the seats. It is nil if the service never said.
	Seated *croupierv1.Seated
}

// TimeLeft is how long the decision might take when the turn was sent; false if there is no limit.
func (turn Turn) TimeLeft() (time.Duration, bool) {
	if turn.TimeLeftMs == nil {
		return 0, false
	}
	return time.Duration(*turn.TimeLeftMs) * time.Millisecond, true
}
