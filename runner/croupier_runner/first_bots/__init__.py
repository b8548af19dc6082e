"""The bots that `croupier init` hands out: one per game, each a file to copy, to read and to make better."""
