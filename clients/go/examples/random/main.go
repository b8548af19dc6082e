// Random plays any game at random: it never looks at the game, only at how many legal actions there are.
//
// Its choices follow from CROUPIER_BOT_SEED and from which decision of which deal it is, not from the order in which
// games happen to be served: the same deal is played the same way again.
package main

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"os"
	"strconv"

	"croupier"
	croupierv1 "croupier/stubs/v1"
)

type randomBot struct{ seed string }

// Play draws a position in the legal list, each equally likely.
func (bot randomBot) Play(turn croupier.Turn) (croupier.Choice, error) {
	key := make([]byte, 0, 128)
	key = append(append(key, bot.seed...), '/')
	key = append(append(key, turn.Seated.GetSeedCommitment()...), '/')
	key = append(strconv.AppendUint(key, uint64(turn.Seat), 10), '/')
	key = strconv.AppendUint(key, turn.DecisionId, 10)
	digest := sha256.Sum256(key)
	return croupier.Index(binary.BigEndian.Uint64(digest[:]) % uint64(turn.LegalCount)), nil
}

func main() {
	bot := randomBot{seed: cmp.Or(os.Getenv("CROUPIER_BOT_SEED"), "0")}
	croupier.Run(bot, croupier.Options{
		OmitView: true, OmitEvents: true, Legal: croupierv1.LegalDetail_LEGAL_DETAIL_COUNT,
	})
}
