"""What somebody asks for when they open a session, and what is wrong with it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from croupier_games import Game, OptionError, OptionValue, SeatsError
from croupier_games.chance import SEED_BYTES
from croupier_service.errors import BadOption, BadRequest, BadSeats
from croupier_service.store import NO_LIMIT, TimeControl

NAME_LENGTH = 64
ENTROPY_BYTES = 64
COMMITMENT_BYTES = 32
SALT_BYTES = 32
LONGEST_MS = 365 * 24 * 3_600_000


@dataclass(frozen=True, slots=True)
class Plan:
    """The session somebody asks for."""

    game_id: str
    seats: Sequence[tuple[str, str]]
    """Name and token by seat; an empty token leaves the seat open."""
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    time_control: TimeControl = NO_LIMIT
    auto_play_forced: bool = False
    seed: bytes = b""
    illegal_limit: int = 0
    commitment_salt: bytes = b""
    spectator_delay: int = 0
    """In events; NO_SPECTATORS: nobody looks on."""


def check_plan(game: Game, plan: Plan) -> dict[str, OptionValue]:
    """The complete options of the session, or an error that says what cannot be as planned."""
    if plan.seed and len(plan.seed) != SEED_BYTES:
        raise BadRequest(f"a seed has {SEED_BYTES} bytes, got {len(plan.seed)}; leave it empty to have one drawn")
    if plan.commitment_salt and len(plan.commitment_salt) != SALT_BYTES:
        raise BadRequest(
            f"a commitment_salt has {SALT_BYTES} bytes, got {len(plan.commitment_salt)}; or leave it empty"
        )
    _check_pace(plan.time_control)
    for name, _ in plan.seats:
        check_name(name)
    try:
        return game.check(len(plan.seats), plan.options)
    except SeatsError as error:
        raise BadSeats(f"{error}; name one SeatPlan per seat") from error
    except OptionError as error:
        raise BadOption(str(error)) from error


def check_name(name: str) -> None:
    """Refuses names that are too long or not printable."""
    if len(name) > NAME_LENGTH or not name.isprintable():
        raise BadRequest(f"a name has at most {NAME_LENGTH} printable characters")


def check_entropy(entropy: bytes, commitment: bytes) -> None:
    """Refuses a contribution to the deal that is too long, or made twice."""
    if len(entropy) > ENTROPY_BYTES:
        raise BadRequest(f"entropy has at most {ENTROPY_BYTES} bytes, got {len(entropy)}")
    if commitment and len(commitment) != COMMITMENT_BYTES:
        raise BadRequest(f"an entropy_commitment has {COMMITMENT_BYTES} bytes, got {len(commitment)} (docs/chance.md)")
    if entropy and commitment:
        raise BadRequest("give entropy, or an entropy_commitment and the entropy later; not both at once")


def _check_pace(pace: TimeControl) -> None:
    """Refuses time controls that contradict themselves or that no clock can keep."""
    if max(pace) > LONGEST_MS:
        raise BadRequest(f"a time limit is at most {LONGEST_MS} ms, a year; leave it out for none")
    if pace.increment_ms and not pace.game_ms:
        raise BadRequest("increment_ms is added to a game clock: set game_ms too, or leave increment_ms out")
