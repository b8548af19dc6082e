"""What can go wrong in the rules.

GameError
├── IllegalAction    the action is not legal for that seat now; nothing has changed
├── NotationError    a text that is no action of this game
├── OptionError      an unknown option, or a value it does not take
├── SeatsError       a number of seats the game does not have
└── RestoreError     bytes that are no saved state of this game and version
"""


class GameError(Exception):
    """The root of every error the rules raise. Messages never reveal hidden state."""


class IllegalAction(GameError):
    """The action is not legal for that seat now; the state is unchanged."""


class NotationError(GameError):
    """The text is no action of this game."""


class OptionError(GameError):
    """An option that does not exist, or a value that it does not take."""


class SeatsError(GameError):
    """A number of seats that the game does not have."""


class RestoreError(GameError):
    """Bytes that are no saved state of this game and version."""
