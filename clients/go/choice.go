package croupier

import (
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/anypb"

	croupierv1 "croupier/stubs/v1"
)

// A Choice is what Play returns: an Index, a Notation or an Action.
type Choice interface {
	// put makes it the answer's choice, or says what is wrong with it.
	put(answer *croupierv1.Answer, turn *croupierv1.Turn) error
}

// An Index chooses by the position in the turn's legal list, counting from 0.
type Index int

// A Notation chooses by an action's short text, as in the turn's legal list.
type Notation string

// Action chooses by a game's own message Action, such as that of the package croupier/stubs/games/lie/v1.
func Action(action proto.Message) Choice { return typedAction{action} }

type typedAction struct{ message proto.Message }

func (index Index) put(answer *croupierv1.Answer, turn *croupierv1.Turn) error {
	if index < 0 || uint64(index) >= uint64(turn.LegalCount) {
		return fmt.Errorf("expected an Index from 0 to %d, got %d", int64(turn.LegalCount)-1, index)
	}
	answer.Choice = &croupierv1.Answer_Index{Index: uint32(index)}
	return nil
}

func (notation Notation) put(answer *croupierv1.Answer, _ *croupierv1.Turn) error {
	answer.Choice = &croupierv1.Answer_Notation{Notation: string(notation)}
	return nil
}

func (action typedAction) put(answer *croupierv1.Answer, _ *croupierv1.Turn) error {
	wrapped, err := wrap(action.message)
	if err != nil {
		return err
	}
	answer.Choice = &croupierv1.Answer_Action{Action: wrapped}
	return nil
}

// answerTo is the wire's form of a bot's choice.
func answerTo(turn *croupierv1.Turn, choice Choice) (*croupierv1.Answer, error) {
	if choice == nil {
		return nil, errors.New("expected an Index, a Notation or an Action, got nil")
	}
	answer := &croupierv1.Answer{SessionId: turn.SessionId, Seat: turn.Seat, DecisionId: turn.DecisionId}
	if err := choice.put(answer, turn); err != nil {
		return nil, err
	}
	return answer, nil
}

// wrap puts a game's own Action where the wire has a place for it: a field of its own, or the one for other games.
func wrap(action proto.Message) (*croupierv1.GameAction, error) {
	switch action := action.(type) {
	case nil:
		return nil, errors.New("expected a game's message Action, got nil")
	case *croupierv1.GameAction:
		return action, nil
	case *anypb.Any:
		return &croupierv1.GameAction{Game: &croupierv1.GameAction_Other{Other: action}}, nil
	}
	message := action.ProtoReflect()
	kind := message.Descriptor()
	if field, ok := actionFields[kind.FullName()]; ok {
		wrapped := &croupierv1.GameAction{}
		wrapped.ProtoReflect().Set(field, protoreflect.ValueOfMessage(message))
		return wrapped, nil
	}
	if kind.Name() != "Action" {
		return nil, fmt.Errorf("expected a game's message Action, got %s", kind.FullName())
	}
	packed, err := anypb.New(action)
	if err != nil {
		return nil, fmt.Errorf("cannot pack %s: %w", kind.FullName(), err)
	}
	return &croupierv1.GameAction{Game: &croupierv1.GameAction_Other{Other: packed}}, nil
}

// actionFields has, for the Action of each game that the wire knows, the field of GameAction that holds it.
var actionFields = func() map[protoreflect.FullName]protoreflect.FieldDescriptor {
	byName := make(map[protoreflect.FullName]protoreflect.FieldDescriptor)
	fields := (&croupierv1.GameAction{}).ProtoReflect().Descriptor().Oneofs().ByName("game").Fields()
	for i := range fields.Len() {
		if message := fields.Get(i).Message(); message != nil {
			byName[message.FullName()] = fields.Get(i)
		}
	}
	return byName
}()
