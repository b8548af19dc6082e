"""The program `croupier`: hears an interrupt from its first moment on. What it can do is in `commands`."""

import os

from croupier_runner import signals


def main() -> None:
    """Runs the command line."""
    signals.leave_at_once()
    from croupier_runner.commands import app  # takes half a second, in which somebody may press ^C

    try:
        app()
    except SystemExit as end:
        if end.code == signals.INTERRUPTED:
            # A second ^C while Python clears up would end it by the signal, and with another code.
            os._exit(signals.INTERRUPTED)
        raise


if __name__ == "__main__":
    main()
