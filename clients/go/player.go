package croupier

import (
	"fmt"

	croupierv1 "croupier/stubs/v1"
)

// A chair is a seat at one table.
type chair struct {
	session string
	seat    uint32
}

// A player is a bot on one stream: messages in, answers out. How they travel is not its concern.
type player struct {
	bot    Bot
	hear   listeners
	outbox *outbox
	seated map[chair]*croupierv1.Seated
}

func newPlayer(bot Bot, hear listeners, outbox *outbox) *player {
	return &player{bot: bot, hear: hear, outbox: outbox, seated: make(map[chair]*croupierv1.Seated)}
}

// receive tells the bot all that a message says, and puts what the bot answers into the outbox.
func (p *player) receive(response *croupierv1.PlayResponse) error {
	for _, seated := range response.Seated {
		p.seated[chair{seated.SessionId, seated.Seat}] = seated
		p.hear.seated(seated)
	}
	for _, refusal := range response.Refusals {
		p.hear.refused(refusal)
	}
	if err := p.play(response.Turns); err != nil {
		return err
	}
	for _, result := range response.GamesOver {
		p.hear.gameOver(result)
		delete(p.seated, chair{result.SessionId, result.Seat})
	}
	return nil
}

// play answers all turns of one message together.
func (p *player) play(turns []*croupierv1.Turn) error {
	if len(turns) == 0 {
		return nil
	}
	for _, turn := range turns {
		choice, err := p.bot.Play(Turn{turn, p.seated[chair{turn.SessionId, turn.Seat}]})
		if err != nil {
			return playError(turn, err)
		}
		answer, err := answerTo(turn, choice)
		if err != nil {
			return playError(turn, err)
		}
		p.outbox.add(answer)
	}
	p.outbox.flush()
	return nil
}

func playError(turn *croupierv1.Turn, err error) error {
	return fmt.Errorf("session %s, seat %d, decision %d: %w", turn.SessionId, turn.Seat, turn.DecisionId, err)
}
