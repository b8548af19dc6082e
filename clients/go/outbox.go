package croupier

import (
	"sync"
	"time"

	croupierv1 "croupier/stubs/v1"
)

const (
	// maxAnswers is the most that the service takes in one message.
	maxAnswers = 1024
	// longestHold is how long answers wait for the rest of their batch: a slow bot's clocks run meanwhile.
	longestHold = 10 * time.Millisecond
)

// An outbox collects answers and has them sent together by a goroutine of its own. Were reading to wait for writing, a
// service that does the same and the bot could wait for each other for ever.
type outbox struct {
	mutex   sync.Mutex
	hold    time.Duration
	ready   []*croupierv1.Answer
	overdue *time.Timer
	due     chan struct{}
}

func newOutbox(hold time.Duration) *outbox {
	box := &outbox{hold: hold, due: make(chan struct{}, 1)}
	box.overdue = time.AfterFunc(hold, box.flush)
	box.overdue.Stop()
	return box
}

// add puts an answer with those that wait for the end of their batch.
func (box *outbox) add(answer *croupierv1.Answer) {
	box.mutex.Lock()
	defer box.mutex.Unlock()
	box.ready = append(box.ready, answer)
	if len(box.ready) == 1 {
		box.overdue.Reset(box.hold)
	}
}

// flush has all that waits sent.
func (box *outbox) flush() {
	select {
	case box.due <- struct{}{}:
	default: // somebody has said so already
	}
}

// take empties the outbox.
func (box *outbox) take() []*croupierv1.Answer {
	box.mutex.Lock()
	defer box.mutex.Unlock()
	box.overdue.Stop()
	answers := box.ready
	box.ready = nil
	return answers
}

// deliver sends what is due until done is closed or sending fails; what is added meanwhile goes with the next message.
func (box *outbox) deliver(send func(*croupierv1.PlayRequest) error, done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-box.due:
		}
		answers := box.take()
		for len(answers) > 0 {
			batch := answers[:min(len(answers), maxAnswers)]
			answers = answers[len(batch):]
			if send(&croupierv1.PlayRequest{Answers: batch}) != nil {
				return // how the stream ended, the next read says
			}
		}
	}
}
