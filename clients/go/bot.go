// Package croupier lets a Go program play the games of a Croupier service.
//
// A bot decides one turn at a time; Run does the rest: settings, the stream, batches, reconnects, signals, exit codes.
package croupier

import (
	"fmt"
	"io"

	croupierv1 "croupier/stubs/v1"
)

// A Bot decides. Calls come one after the other, from one goroutine, for all the games that the bot plays at once:
// what it remembers of a game belongs under the turn's SessionId and Seat.
//
// It may listen to more by also being a SeatedListener, a RefusalListener or a GameOverListener.
type Bot interface {
	// Play decides a turn: with an Index, a Notation or an Action. An error ends the bot.
	Play(turn Turn) (Choice, error)
}

// A PlayFunc is a bot that is nothing but a function.
type PlayFunc func(turn Turn) (Choice, error)

// Play asks the function.
func (play PlayFunc) Play(turn Turn) (Choice, error) { return play(turn) }

// A SeatedListener is a bot that hears of games that start, and of the running ones again after a reconnect.
type SeatedListener interface {
	Seated(seated *croupierv1.Seated)
}

// A RefusalListener is a bot that hears of answers that were not taken; of other bots the first few go to stderr.
type RefusalListener interface {
	Refused(refusal *croupierv1.Refusal)
}

// A GameOverListener is a bot that hears of games that have ended; an aborted one has no outcome.
type GameOverListener interface {
	GameOver(result *croupierv1.GameOver)
}

const refusalsShown = 5

// listeners are what a bot wants to hear of, with something to call for all the rest.
type listeners struct {
	seated   func(*croupierv1.Seated)
	refused  func(*croupierv1.Refusal)
	gameOver func(*croupierv1.GameOver)
}

func listenersOf(bot Bot, stderr io.Writer) listeners {
	all := listeners{
		seated:   func(*croupierv1.Seated) {},
		refused:  complainTo(stderr),
		gameOver: func(*croupierv1.GameOver) {},
	}
	if listener, ok := bot.(SeatedListener); ok {
		all.seated = listener.Seated
	}
	if listener, ok := bot.(RefusalListener); ok {
		all.refused = listener.Refused
	}
	if listener, ok := bot.(GameOverListener); ok {
		all.gameOver = listener.GameOver
	}
	return all
}

// complainTo writes the first few refusals, and that there are more.
func complainTo(stderr io.Writer) func(*croupierv1.Refusal) {
	refusals := 0
	return func(refusal *croupierv1.Refusal) {
		refusals++
		switch {
		case refusals <= refusalsShown:
			fmt.Fprintf(stderr, "croupier: refused %s (session %s, seat %d, decision %d): %s\n",
				refusal.Reason, refusal.SessionId, refusal.Seat, refusal.DecisionId, refusal.Message)
		case refusals == refusalsShown+1:
			fmt.Fprintln(stderr, "croupier: refused again; further refusals are not shown")
		}
	}
}
