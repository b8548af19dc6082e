package croupier

import (
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	liev1 "croupier/stubs/games/lie/v1"
	tenv1 "croupier/stubs/games/ten/v1"
	croupierv1 "croupier/stubs/v1"
)

var asked = &croupierv1.Turn{SessionId: "s", Seat: 1, DecisionId: 4, LegalCount: 3}

func TestEveryFormOfChoiceBecomesAnAnswer(t *testing.T) {
	challenge := &liev1.Action{Kind: &liev1.Action_Challenge{Challenge: &liev1.Challenge{}}}
	packed, err := anypb.New(challenge)
	if err != nil {
		t.Fatal(err)
	}
	lie := &croupierv1.GameAction{Game: &croupierv1.GameAction_Lie{Lie: challenge}}
	other := &croupierv1.GameAction{Game: &croupierv1.GameAction_Other{Other: packed}}
	cases := map[string]struct {
		choice Choice
		want   *croupierv1.Answer
	}{
		"first":           {Index(0), &croupierv1.Answer{Choice: &croupierv1.Answer_Index{Index: 0}}},
		"last":            {Index(2), &croupierv1.Answer{Choice: &croupierv1.Answer_Index{Index: 2}}},
		"notation":        {Notation("3x5"), &croupierv1.Answer{Choice: &croupierv1.Answer_Notation{Notation: "3x5"}}},
		"a game's action": {Action(challenge), &croupierv1.Answer{Choice: &croupierv1.Answer_Action{Action: lie}}},
		"the wire's form": {Action(lie), &croupierv1.Answer{Choice: &croupierv1.Answer_Action{Action: lie}}},
		"an Any":          {Action(packed), &croupierv1.Answer{Choice: &croupierv1.Answer_Action{Action: other}}},
	}
	for name, c := range cases {
		c.want.SessionId, c.want.Seat, c.want.DecisionId = "s", 1, 4
		if got, err := answerTo(asked, c.choice); err != nil || !proto.Equal(got, c.want) {
			t.Errorf("%s: got %v, %v, want %v", name, got, err, c.want)
		}
	}
}

func TestAnEmptyActionIsStillTheChosenOne(t *testing.T) {
	answer, err := answerTo(asked, Action(&tenv1.Action{}))
	if err != nil || answer.GetAction().GetTen() == nil {
		t.Errorf("got %v, %v", answer, err)
	}
}

func TestWhatCannotBeAnAnswerIsAnError(t *testing.T) {
	for name, choice := range map[string]Choice{
		"none": nil, "below": Index(-1), "beyond": Index(3), "no action": Action(&liev1.View{}), "nothing": Action(nil),
	} {
		if answer, err := answerTo(asked, choice); err == nil {
			t.Errorf("%s: got %v, want an error", name, answer)
		}
	}
}
