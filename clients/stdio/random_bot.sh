#!/bin/sh
# Plays any game at random, in POSIX shell alone: every move is cut out of its line and costs no process.
#
# It remembers nothing of its games, so its choices follow from CROUPIER_BOT_SEED and the order in which turns come.
# Its siblings remember the deal: they play it the same way whenever it comes again.

state=$((${CROUPIER_BOT_SEED:-0} % 2147483648))

echo '{"want":{"view":false,"legal":false,"events":false}}'
while IFS= read -r line; do
  case $line in
  '{"type":"turn",'*)
    asked=${line#*,} # session, seat and decision come first: the answer repeats them as they stand
    asked=${asked%%,\"legal_count\":*}
    count=${line#*\"legal_count\":}
    count=${count%%[!0-9]*}
    state=$(((state * 1103515245 + 12345) % 2147483648))
    # The low bits of such a sequence soon repeat, so the 23 high ones choose.
    printf '{%s,"choose":%d}\n' "$asked" $(((state >> 8) * count >> 23))
    ;;
  esac
done
