"""The box of a bot: what it may take of the machine (limits.py), and at the level "strict" what it may see of it.

A box is words in front of a command: bubblewrap, then limits. What it promises and what not is in docs/limits.md.
"""

import os
import secrets
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from croupier_runner.clock import duration_ms
from croupier_runner.config import LimitsSection, size_bytes
from croupier_runner.errors import ConfigError
from croupier_runner.installations import installations, is_within
from croupier_runner.limits import Limits, check_processes, limited, trial

_SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
_ETC = ("ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives", "localtime", "ssl/certs", "ssl/openssl.cnf")
"""What the loader, time zones, TLS and Debian's choice of programs need; the JVM needs its own /etc/java-* as well."""
_KEPT = ("PATH", "LANG", "TZ", "JAVA_HOME", "PYTHONPATH")
_SCRATCH = "/tmp"  # noqa: S108  # in the box, where it belongs to one bot
_ROOT_MAY = "dac_override"
"""Root's bots run as nobody in particular; to read what root alone may read of what the box shows, they need this."""
_FIRST_FREE_UID, _FREE_UIDS = 1_879_048_192, 2**28 - 2
"""Numbers that no user, container or service has by the conventions of Linux distributions."""

_DEFAULTS: dict[str, dict[str, str | int]] = {
    "off": {},
    "basic": {"memory": "2GiB", "open_files": 1024, "file_size": "64MiB"},
    "strict": {"memory": "2GiB", "processes": 128, "open_files": 1024, "file_size": "64MiB"},
}
DEFAULT_SCRATCH = "64MiB"


@dataclass(frozen=True, slots=True)
class Sandbox:
    """What the bots of a tournament are kept in; each call of `around` makes another box."""

    level: str = "off"
    limits: Limits = field(default_factory=Limits)
    folder: Path = field(default_factory=Path)
    """Where their commands run: they see it and cannot write to it."""
    hidden: tuple[Path, ...] = ()
    """What they would see of the disk, and must not."""
    readable: tuple[Path, ...] = ()
    scratch_bytes: int = size_bytes(DEFAULT_SCRATCH)

    def around(self, command: Sequence[str], socket: Path | None = None) -> list[str]:
        """The command in a box of its own; of the service it sees that socket, or nothing."""
        inner = limited(command, self.limits)
        if self.level != "strict":
            return inner
        seen = [self.folder, *self.readable, *installations(command[0], self.folder, self.hidden)]
        # The box ends when bubblewrap does, so that must not heed the SIGTERM which asks the bot to end.
        return [
            *("env", "--ignore-signal=TERM", "bwrap", *_namespaces()),
            *_system(),
            *_scratch(self.scratch_bytes),
            *(word for path in _outermost(seen) for word in ("--ro-bind", str(path), str(path))),
            *(word for path in self.hidden if is_within(path, seen) for word in _mask(path)),
            *(("--ro-bind", str(socket), str(socket)) if socket else ()),
            *("--remount-ro", "/", "--chdir", str(self.folder), "--"),
            *_nobody(),
            *("env", "--default-signal=TERM", "--", *inner),
        ]

    def environment(self, ours: Mapping[str, str]) -> dict[str, str]:
        """What a bot gets of our environment. Bubblewrap could see to it, but anybody may read its command line."""
        if self.level != "strict":
            return dict(ours)
        return {name: value for name, value in ours.items() if name in _KEPT or name.startswith("LC_")}

    def hiding(self, *paths: Path) -> "Sandbox":
        """The same, and the bots do not see these either; raises ConfigError if they would then not see themselves."""
        if self.level != "strict":
            return self
        more = [path.resolve() for path in paths]
        for path in more:
            if is_within(self.folder, [path]):
                raise ConfigError(
                    f"{path} holds the bots, and results or logs that no bot may see; "
                    "name another folder with --into or --logs"
                )
        return replace(self, hidden=(*self.hidden, *more))

    @property
    def sentence(self) -> str:
        """What is in force, for people."""
        what = {
            "off": "bots are not limited" if not self.limits else "bots have limits, but no box",
            "basic": "bots have limits, but no box: they see files, network and processes as the organiser does",
            "strict": "bots see their own folder, no network and no other process, and have limits",
        }
        return f"sandbox {self.level}: {what[self.level]}"


def sandbox_for(section: LimitsSection, folder: Path) -> Sandbox:
    """The sandbox that a tournament in that folder asks for, or ConfigError if this machine cannot keep it."""
    limits = _limits(section)
    if section.sandbox != "strict":
        check_processes(limits)
        limited([], limits)  # says so now if it cannot be kept
        return Sandbox(section.sandbox, limits)
    if trouble := why_not():
        raise ConfigError(
            f'limits.sandbox = "strict" cannot be met here: {trouble}; install bubblewrap (0.8 or newer), util-linux '
            'and coreutils, allow user namespaces, or set sandbox = "basic"'
        )
    folder = folder.resolve()
    if is_within(Path.home().resolve(), [folder]):
        raise ConfigError(
            f'limits.sandbox = "strict" shows every bot the folder of the tournament file, and {folder} holds all that '
            "is yours; put the file and the bots into a folder of their own"
        )
    readable = tuple(_readable(folder / path) for path in section.readable)
    scratch_bytes = size_bytes(section.scratch or DEFAULT_SCRATCH)
    return Sandbox("strict", limits, folder, tuple(_tournaments(folder)), readable, scratch_bytes)


def _limits(section: LimitsSection) -> Limits:
    """What the section says, and where it does not what its level does."""
    defaults = _DEFAULTS[section.sandbox]

    def number(key: str) -> int | None:
        value = getattr(section, key)
        value = defaults.get(key) if value is None else value
        return size_bytes(value) if isinstance(value, str) else value

    return Limits(
        memory_bytes=number("memory"),
        address_space_bytes=number("address_space"),
        cpu_s=-(-duration_ms(section.cpu) // 1000) if section.cpu else None,
        processes=number("processes"),
        open_files=number("open_files"),
        file_bytes=number("file_size"),
    )


@cache
def why_not() -> str:
    """Why there can be no boxes on this machine; empty if there can. Tried once, with a box around nothing."""
    box = Sandbox("strict", Limits(processes=64), Path("/usr"))
    return trial(box.around(["true"])).replace("'env' does not work", "'bwrap' does not work")


def _namespaces() -> tuple[str, ...]:
    # No --new-session: whoever starts a bot does that, and SIGTERM goes to its group.
    common = ("--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try")
    if os.getuid() != 0:
        return (*common, "--die-with-parent", "--unshare-user", "--disable-userns")
    caps = (_ROOT_MAY, "setuid", "setgid", "setpcap")
    words = (word for cap in caps for word in ("--cap-add", f"cap_{cap}"))
    return (*common, "--die-with-parent", "--cap-drop", "ALL", *words)


def _nobody() -> tuple[str, ...]:
    """Makes root a user of whom there is no other: the kernel counts the processes of any user but root.

    In a user namespace it would still be root to the kernel."""
    if os.getuid() != 0:
        return ()
    number = _FIRST_FREE_UID + secrets.randbelow(_FREE_UIDS)
    may = f"-all,+{_ROOT_MAY}"
    users = (f"--reuid={number}", f"--regid={number}", "--clear-groups")
    return ("setpriv", *users, f"--inh-caps={may}", f"--ambient-caps={may}", f"--bounding-set={may}", "--")


def _system() -> Iterator[str]:
    """The programs and libraries of the machine, and of its settings what they cannot do without."""
    for path in map(Path, _SYSTEM):
        if path.is_symlink():
            yield from ("--symlink", str(path.readlink()), str(path))
        elif path.is_dir():
            yield from ("--ro-bind", str(path), str(path))
    for setting in (*(Path("/etc") / name for name in _ETC), *sorted(Path("/etc").glob("java-*"))):
        yield from ("--ro-bind-try", str(setting), str(setting))


def _scratch(size: int) -> Iterator[str]:
    """Where a bot can write: memory that is gone with it, and so much of it."""
    yield from ("--proc", "/proc", "--dev", "/dev")
    for path in (_SCRATCH, "/dev/shm"):  # noqa: S108
        yield from ("--perms", "1777", "--size", str(size), "--tmpfs", path)
    yield from ("--remount-ro", "/dev", "--symlink", _SCRATCH, "/var/tmp")  # noqa: S108
    for name in ("HOME", "TMPDIR"):
        yield from ("--setenv", name, _SCRATCH)


def _mask(path: Path) -> Iterator[str]:
    """Covers a folder with an empty one, and a file with one that cannot be opened."""
    if path.is_dir():
        yield from ("--size", "4096", "--tmpfs", str(path), "--remount-ro", str(path))
    elif path.exists():
        yield from ("--ro-bind", os.devnull, str(path))


def _outermost(paths: Sequence[Path]) -> Iterator[Path]:
    """Each path once, and none that lies within another: a later mount would cover an earlier one."""
    for path in sorted(set(paths)):
        if not is_within(path, [other for other in paths if other != path]):
            yield path


def _tournaments(folder: Path) -> Iterator[Path]:
    """The tournament files in a folder, which may name the seed, and the results of others."""
    yield from sorted(path.resolve() for path in folder.rglob("*.results") if path.is_dir())
    files = (path for path in folder.rglob("*") if ".toml" in path.name.lower() and path.is_file())
    for path in sorted({path.resolve() for path in files}):
        try:
            settings = tomllib.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            yield path  # nobody knows what it says
        else:
            if "bots" in settings and "game" in settings:
                yield path


def _readable(path: Path) -> Path:
    if not path.exists():
        raise ConfigError(f"limits.readable: there is no {path}; correct it or leave it out")
    return path.resolve()
