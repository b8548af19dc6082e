#!/bin/sh
# Plays any game at random, in awk: mawk, gawk, BusyBox or the One True Awk, whichever is there.
#
# Its choices follow from CROUPIER_BOT_SEED and from which decision of which deal it is, not from the order of lines.

# mawk waits until 4 KB have come before it looks at the first line, unless it is told not to; no other awk can be told.
case $(awk -W version 2>&1 </dev/null) in
mawk*) set -- -W interactive ;;
esac

exec awk "$@" '
# The text, or the number, under a key of this line. Quotes inside texts are escaped, so that no text looks like a key.
function text(key) {
    return match($0, "\"" key "\":\"[^\"]*") ? substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 4) : ""
}
function number(key) {
    return match($0, "\"" key "\":[0-9]+") ? substr($0, RSTART + length(key) + 3, RLENGTH - length(key) - 3) : 0
}

# A number below the bound that follows from the words. In awk every number is a double, exact up to 2^53, so the prime
# is just below 2^26; as 3 does not divide prime - 1, cubing loses nothing of what came before.
function lot(words, bound,    at, state) {
    for (at = 1; at <= length(words); at++) {
        state = (state + index("/0123456789abcdef", substr(words, at, 1))) % PRIME
        state = (state * state % PRIME) * state % PRIME
    }
    return int(state / PRIME * bound)
}

function starts(beginning) { return index($0, beginning) == 1 }

BEGIN {
    PRIME = 67108859
    seed = ENVIRON["CROUPIER_BOT_SEED"]
    print "{\"want\":{\"view\":false,\"legal\":false,\"events\":false}}"
    fflush()
}

starts("{\"type\":\"seated\",") { deal[text("session"), number("seat")] = text("commitment") }

starts("{\"type\":\"turn\",") {
    session = text("session"); seat = number("seat"); decision = number("decision")
    choice = lot(seed "/" seat "/" decision "/" deal[session, seat], number("legal_count"))
    print "{\"session\":\"" session "\",\"seat\":" seat ",\"decision\":" decision ",\"choose\":" choice "}"
    fflush()
}

starts("{\"type\":\"game_over\",") { delete deal[text("session"), number("seat")] }
'
