package croupier

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

const (
	exitFailed = 1
	exitUsage  = 2
)

// Run plays until the service closes the stream, or SIGTERM or SIGINT arrives; then it returns, so that main can.
// Any other end is told on stderr and exits: 1 if the service refuses the bot or Play fails, 2 for a wrong setting.
func Run(bot Bot, options Options) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- Play(ctx, bot, options) }()
	select {
	case <-ctx.Done(): // a bot that is thinking is not waited for
	case err := <-ended:
		if err != nil && ctx.Err() == nil {
			fmt.Fprintf(os.Stderr, "croupier: %v\n", err)
			os.Exit(exitCode(err))
		}
	}
}

// Play is Run for a program of your own: it leaves signals and exit codes to it, and returns why playing ended. That is
// nil if the service closed the stream; else errors.As finds a *SettingsError or a *StreamError, or errors.Is the
// context's error or the bot's own.
func Play(ctx context.Context, bot Bot, options Options) error {
	options, err := options.completed()
	if err != nil {
		return err
	}
	return connection{options: options, stderr: os.Stderr, hold: longestHold, pause: sleep}.play(ctx, bot)
}

func exitCode(err error) int {
	var wrong *SettingsError
	if errors.As(err, &wrong) {
		return exitUsage
	}
	return exitFailed
}
