package croupier

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	croupierv1 "croupier/stubs/v1"
)

type serverStream = grpc.BidiStreamingServer[croupierv1.PlayRequest, croupierv1.PlayResponse]

// A fakeService is a real gRPC server that plays one script per stream.
type fakeService struct {
	croupierv1.UnimplementedBotServiceServer
	scripts chan func(stream serverStream) error
}

func (s *fakeService) Play(stream serverStream) error { return (<-s.scripts)(stream) }

// serve starts a fake service and says where it is.
func serve(t *testing.T, network string, scripts ...func(stream serverStream) error) string {
	t.Helper()
	address, prefix := "127.0.0.1:0", ""
	if network == "unix" {
		address, prefix = filepath.Join(t.TempDir(), "socket"), "unix:"
	}
	listener, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	service := &fakeService{scripts: make(chan func(serverStream) error, len(scripts))}
	for _, script := range scripts {
		service.scripts <- script
	}
	server := grpc.NewServer()
	croupierv1.RegisterBotServiceServer(server, service)
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return prefix + listener.Addr().String()
}

// greet takes the hello and welcomes the bot.
func greet(stream serverStream) error {
	if _, err := stream.Recv(); err != nil {
		return err
	}
	return stream.Send(&croupierv1.PlayResponse{Welcome: &croupierv1.Welcome{}})
}

func turnsFor(count int) []*croupierv1.Turn {
	turns := make([]*croupierv1.Turn, count)
	for i := range turns {
		turns[i] = &croupierv1.Turn{SessionId: fmt.Sprint(i), DecisionId: 1, LegalCount: 2}
	}
	return turns
}

// sizesOf answers how many answers came in each message, until all did.
func sizesOf(stream serverStream, all int) (sizes []int, err error) {
	for all > 0 {
		request, err := stream.Recv()
		if err != nil {
			return sizes, err
		}
		sizes = append(sizes, len(request.Answers))
		all -= len(request.Answers)
	}
	return sizes, nil
}

var firstAction = PlayFunc(func(Turn) (Choice, error) { return Index(0), nil })

func playAt(t *testing.T, target string, bot Bot) error {
	t.Helper()
	return Play(t.Context(), bot, Options{Target: target, Token: goodToken, Name: "gopher"})
}

func TestAnswersToOneMessageGoBackInOne(t *testing.T) {
	for _, network := range []string{"unix", "tcp"} {
		for turns, want := range map[int][]int{3: {3}, 1024: {1024}, 2500: {1024, 1024, 452}} {
			var got []int
			target := serve(t, network, func(stream serverStream) (err error) {
				if err := greet(stream); err != nil {
					return err
				}
				if err := stream.Send(&croupierv1.PlayResponse{Turns: turnsFor(turns)}); err != nil {
					return err
				}
				got, err = sizesOf(stream, turns)
				return err
			})
			patient := connection{options: Options{Target: target}, hold: time.Hour} // however busy the machine is
			if err := patient.play(t.Context(), firstAction); err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, %d turns: got %v, %v, want %v", network, turns, got, err, want)
			}
		}
	}
}

func TestASlowBotsAnswersDoNotWaitForTheRest(t *testing.T) {
	arrived := make(chan struct{})
	target := serve(t, "unix", func(stream serverStream) error {
		if err := greet(stream); err != nil {
			return err
		}
		if err := stream.Send(&croupierv1.PlayResponse{Turns: turnsFor(2)}); err != nil {
			return err
		}
		_, err := sizesOf(stream, 1)
		close(arrived)
		if err == nil {
			_, err = sizesOf(stream, 1)
		}
		return err
	})
	bot := PlayFunc(func(turn Turn) (Choice, error) {
		if turn.SessionId == "1" {
			<-arrived // the first answer, while the second is thought about
		}
		return Index(0), nil
	})
	if err := playAt(t, target, bot); err != nil {
		t.Error(err)
	}
}

func TestTheBotSaysWhoItIsAndWhatItWants(t *testing.T) {
	var hello *croupierv1.Hello
	var authorization []string
	target := serve(t, "tcp", func(stream serverStream) error {
		request, err := stream.Recv()
		hello = request.GetHello()
		authorization = metadata.ValueFromIncomingContext(stream.Context(), "authorization")
		return err
	})
	options := Options{
		Target: target, Token: goodToken, Name: "gopher",
		OmitView: true, OmitEvents: true, Legal: croupierv1.LegalDetail_LEGAL_DETAIL_COUNT,
	}
	if err := Play(t.Context(), firstAction, options); err != nil {
		t.Fatal(err)
	}
	detail := hello.GetDetail()
	if hello.GetName() != "gopher" || !detail.GetOmitView() || !detail.GetOmitEvents() ||
		detail.GetLegal() != croupierv1.LegalDetail_LEGAL_DETAIL_COUNT {
		t.Errorf("got %v", hello)
	}
	if !slices.Equal(authorization, []string{"Bearer " + goodToken}) {
		t.Errorf("got %q", authorization)
	}
}

// A diary writes down what it hears.
type diary struct{ entries []string }

func (d *diary) Seated(seated *croupierv1.Seated)     { d.note("seated " + seated.SessionId) }
func (d *diary) Refused(refusal *croupierv1.Refusal)  { d.note("refused " + refusal.Reason) }
func (d *diary) GameOver(result *croupierv1.GameOver) { d.note("over " + result.SessionId) }
func (d *diary) note(entry string)                    { d.entries = append(d.entries, entry) }

func (d *diary) Play(turn Turn) (Choice, error) {
	d.note("turn of " + turn.Seated.GetGameId())
	return Index(0), nil
}

func TestOneMessageIsHeardInOrderWhateverElseIsInIt(t *testing.T) {
	target := serve(t, "unix", func(stream serverStream) error {
		if err := greet(stream); err != nil {
			return err
		}
		response := &croupierv1.PlayResponse{
			Seated:    []*croupierv1.Seated{{SessionId: "0", GameId: "lie"}},
			Refusals:  []*croupierv1.Refusal{{Reason: "STALE_DECISION"}},
			Turns:     turnsFor(1),
			GamesOver: []*croupierv1.GameOver{{SessionId: "0"}},
		}
		response.ProtoReflect().SetUnknown([]byte{0x98, 0x06, 0x01}) // field 99 of a newer service
		if err := stream.Send(response); err != nil {
			return err
		}
		_, err := sizesOf(stream, 1)
		return err
	})
	bot := &diary{}
	want := []string{"seated 0", "refused STALE_DECISION", "turn of lie", "over 0"}
	if err := playAt(t, target, bot); err != nil || !slices.Equal(bot.entries, want) {
		t.Errorf("got %q, %v, want %q", bot.entries, err, want)
	}
}

func TestALostServiceIsTriedAgain(t *testing.T) {
	away := status.Error(codes.Unavailable, "draining")
	target := serve(t, "unix",
		func(serverStream) error { return away },
		func(serverStream) error { return away },
		func(stream serverStream) error { return cmp.Or(greet(stream), away) },
		greet,
	)
	var delays []time.Duration
	var stderr bytes.Buffer
	pause := func(_ context.Context, delay time.Duration) error {
		delays = append(delays, delay)
		return nil
	}
	options := Options{Target: target, Token: goodToken}
	if err := (connection{options: options, stderr: &stderr, pause: pause}).play(t.Context(), firstAction); err != nil {
		t.Fatal(err)
	}
	longest := []time.Duration{firstDelay, 2 * firstDelay, firstDelay} // the welcome starts anew
	if !slices.EqualFunc(delays, longest, func(got, most time.Duration) bool { return most/2 <= got && got <= most }) {
		t.Errorf("waited %v, want at most %v and at least half of it", delays, longest)
	}
	said := strings.Split(strings.TrimSpace(stderr.String()), "\n")
	if len(said) != 3 || !strings.Contains(said[0], "cannot reach "+target) || !strings.Contains(said[2], "lost "+target) {
		t.Errorf("said %q", said)
	}
}

func TestDelaysGrowUpToTenSeconds(t *testing.T) {
	delays := backoff{}
	for range 20 {
		delays.next()
	}
	if got := delays.next(); got < longestDelay/2 || got > longestDelay {
		t.Errorf("got %v", got)
	}
}

func TestARefusedBotIsToldWhyAndExits1(t *testing.T) {
	refusal, err := status.New(codes.PermissionDenied, "not yours").WithDetails(
		&errdetails.ErrorInfo{Reason: "TOKEN_NOT_FOR_THIS", Domain: "croupier"})
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]error{
		"TOKEN_NOT_FOR_THIS: not yours": refusal.Err(),
		"INVALID_ARGUMENT: no hello":    status.Error(codes.InvalidArgument, "no hello"),
	}
	for want, answered := range cases {
		target := serve(t, "unix", func(serverStream) error { return answered })
		got := playAt(t, target, firstAction)
		var ended *StreamError
		if !errors.As(got, &ended) || got.Error() != target+" refuses this bot: "+want || exitCode(got) != 1 {
			t.Errorf("got %v, want %s", got, want)
		}
	}
}

func TestAnErrorOfTheBotEndsIt(t *testing.T) {
	target := serve(t, "unix", func(stream serverStream) error {
		if err := greet(stream); err != nil {
			return err
		}
		if err := stream.Send(&croupierv1.PlayResponse{Turns: turnsFor(1)}); err != nil {
			return err
		}
		_, err := stream.Recv() // until the bot is gone
		return err
	})
	mine := errors.New("no idea")
	bot := PlayFunc(func(Turn) (Choice, error) { return nil, mine })
	if err := playAt(t, target, bot); !errors.Is(err, mine) || exitCode(err) != 1 {
		t.Errorf("got %v, want %v", err, mine)
	}
}

func TestTheFirstFewRefusalsAreShown(t *testing.T) {
	var stderr bytes.Buffer
	hear := listenersOf(firstAction, &stderr)
	for range 20 {
		hear.refused(&croupierv1.Refusal{SessionId: "s", Reason: "ILLEGAL_ACTION", Message: "not now"})
	}
	if got := strings.Count(stderr.String(), "refused ILLEGAL_ACTION"); got != refusalsShown {
		t.Errorf("shown %d times, want %d", got, refusalsShown)
	}
}
