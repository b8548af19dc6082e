#!/usr/bin/perl
# Plays any game at random, in Perl with nothing but its core modules.
#
# Its choices follow from CROUPIER_BOT_SEED and from which decision of which deal it is, not from the order of lines:
# they are those of clients/python/examples/random_bot.py with the same seed.
use strict;
use warnings;

use Digest::SHA qw(sha256);
use JSON::PP;

my $seed = $ENV{CROUPIER_BOT_SEED} // '0';
my $json = JSON::PP->new->utf8;
my %deal;    # by session and seat: the commitment, which is different for every deal

my %heard = (
    seated    => sub { my ($table) = @_; $deal{ place($table) } = pack 'H*', $table->{commitment} },
    turn      => \&play,
    game_over => sub { delete $deal{ place( $_[0] ) } },
);

local $| = 1;    # a pipe would hold back what is printed
print qq({"want":{"view":false,"legal":false,"events":false}}\n);
while ( my $line = <STDIN> ) {
    my $message = $json->decode($line);
    my $listen  = $heard{ $message->{type} } or next;    # what a newer version may say
    $listen->($message);
}

sub play {
    my ($turn) = @_;
    my ( $seat, $decision ) = @{$turn}{qw(seat decision)};
    my $words  = join '/', $seed, $deal{ place($turn) } // '', $seat, $decision;
    my $choice = unpack( 'Q>', sha256($words) ) % $turn->{legal_count};

    # A number that has been part of a text would be written as one by some versions of JSON::PP.
    my $answer = { session => $turn->{session}, seat => 0 + $seat, decision => 0 + $decision, choose => $choice };
    print $json->encode($answer), "\n";
    return;
}

sub place {
    my ($message) = @_;
    return "$message->{session}/$message->{seat}";
}
