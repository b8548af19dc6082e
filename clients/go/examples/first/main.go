// First plays the first legal action, whatever the game: a bot to begin with.
package main

import (
	"fmt"
	"os"

	"croupier"
)

func play(turn croupier.Turn) (croupier.Choice, error) {
	if view := turn.View.GetLie(); view != nil && len(view.Bids) > 0 {
		last := view.Bids[len(view.Bids)-1]
		fmt.Fprintf(os.Stderr, "seat %d bids %dx%d\n", last.Seat, last.Count, last.Value)
	}
	return croupier.Notation(turn.Legal[0].Notation), nil
}

func main() {
	croupier.Run(croupier.PlayFunc(play), croupier.Options{})
}
