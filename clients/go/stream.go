package croupier

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"

	croupierv1 "croupier/stubs/v1"
)

const (
	firstDelay   = 250 * time.Millisecond
	longestDelay = 10 * time.Second
	// A batch of a thousand turns with views outgrows gRPC's usual 4 MiB.
	maxReceivedBytes = 64 << 20
)

// A connection is where a bot plays, and how it comes back when it is cut off.
type connection struct {
	options Options
	stderr  io.Writer
	hold    time.Duration
	// pause waits between attempts; tests hand in something quicker.
	pause func(ctx context.Context, delay time.Duration) error
}

// play plays until the service closes the stream; it returns an error when trying on is pointless.
func (c connection) play(ctx context.Context, bot Bot) error {
	hear := listenersOf(bot, c.stderr)
	delays := backoff{}
	for {
		greeted, err := c.playOnce(ctx, newPlayer(bot, hear, newOutbox(c.hold)))
		if ctx.Err() != nil {
			return ctx.Err()
		}
		var ended *StreamError
		if !errors.As(err, &ended) {
			return err // nil, or the bot's own
		}
		if ended.Code != codes.Unavailable {
			return fmt.Errorf("%s refuses this bot: %w", c.options.Target, ended)
		}
		trouble := "cannot reach"
		if greeted {
			trouble, delays = "lost", backoff{}
		}
		delay := delays.next()
		fmt.Fprintf(c.stderr, "croupier: %s %s (%s); is croupier-service running there? Trying again in %.1f s\n",
			trouble, c.options.Target, ended.Message, delay.Seconds())
		if err := c.pause(ctx, delay); err != nil {
			return err
		}
	}
}

// playOnce plays one stream to its end, and tells whether the service has greeted back on it.
func (c connection) playOnce(ctx context.Context, player *player) (greeted bool, err error) {
	// A new client is a new attempt: it must not inherit the waiting time of one that failed.
	client, err := grpc.NewClient(c.options.Target, c.dialOptions()...)
	if err != nil {
		return false, &SettingsError{fmt.Sprintf("%v; see CROUPIER_TARGET", err)}
	}
	defer client.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+c.options.Token)
	stream, err := croupierv1.NewBotServiceClient(client).Play(ctx)
	if err != nil {
		return false, streamError(err)
	}
	if err := stream.Send(&croupierv1.PlayRequest{Hello: c.options.hello()}); err != nil && err != io.EOF {
		return false, streamError(err)
	}
	go player.outbox.deliver(stream.Send, ctx.Done())
	return converse(stream.Recv, player)
}

// converse hands the player all that the service says, until it has said all.
func converse(next func() (*croupierv1.PlayResponse, error), player *player) (greeted bool, err error) {
	for {
		response, err := next()
		if err == io.EOF {
			return greeted, nil
		}
		if err != nil {
			return greeted, streamError(err)
		}
		greeted = greeted || response.Welcome != nil
		if err := player.receive(response); err != nil {
			return greeted, err
		}
	}
}

func (c connection) dialOptions() []grpc.DialOption {
	credentials := c.options.Credentials
	if credentials == nil {
		credentials = insecure.NewCredentials()
	}
	return []grpc.DialOption{
		grpc.WithTransportCredentials(credentials),
		// The service permits a ping every 10 s; this notices a dead connection within 40.
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 30 * time.Second, Timeout: 10 * time.Second}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxReceivedBytes)),
		grpc.WithDisableServiceConfig(), // it would be asked of the name service, once per attempt
	}
}

// A backoff gives ever longer delays up to a cap, scattered so that a crowd of bots does not come back all at once.
type backoff struct{ last time.Duration }

func (b *backoff) next() time.Duration {
	b.last = min(max(2*b.last, firstDelay), longestDelay)
	return time.Duration((0.5 + rand.Float64()/2) * float64(b.last))
}

// sleep waits, or returns the context's error as soon as it has one.
func sleep(ctx context.Context, delay time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(delay):
		return nil
	}
}
