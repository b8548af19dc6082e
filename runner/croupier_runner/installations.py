"""Where a program lives: the folders that a box must show for it to run, besides those of the system.

Only what the organiser chose counts: the words of a command, and what stands on PATH. Whatever is in the folder of the
bots is theirs, and may name or link to anything to have it shown.
"""

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

_SYSTEM = (Path("/usr"), Path("/bin"), Path("/sbin"), Path("/lib"), Path("/lib64"))
_NEVER = tuple(
    Path("/") / name for name in ("", "etc", "home", "root", "run", "var", "tmp", "proc", "sys", "dev", "opt")
)
"""Never shown whole, whatever is installed there."""
_FIRST_LINE_BYTES = 256
_BY_NAME = re.compile(rb"#!\s*/usr/bin/env\s+([A-Za-z0-9][A-Za-z0-9_.+-]*)\s*$")


def installations(program: str, folder: Path, private: Sequence[Path] = ()) -> list[Path]:
    """The folders that the program, started in that folder, needs: its own, and that of the interpreter it asks for.

    Never one that holds the user's home or something private: of such only the innermost folder, or the file alone."""
    spared = [Path.home().resolve(), folder, *private]
    found = [path for name in _chosen(program, folder) for path in _way_to(name)]
    needed = {_tree(path, spared) for path in found}
    if program == sys.executable:
        needed |= {Path(path).resolve() for path in sys.path[not sys.flags.safe_path :] if os.path.exists(path)}
    return sorted(path for path in needed if not is_within(path, [*_SYSTEM, folder]))


def is_within(path: Path, folders: Sequence[Path]) -> bool:
    """Whether the path is one of the folders, or lies in one."""
    return any(path.is_relative_to(folder) for folder in folders)


def _chosen(program: str, folder: Path) -> Iterator[Path]:
    """The program, unless it is the bots' own; and of a script the interpreter it names, as PATH has it."""
    path = _find(program, folder)
    if path is None:
        return
    if not is_within(path, [folder]):
        yield path
    with path.open("rb") as file:
        first = file.read(_FIRST_LINE_BYTES).partition(b"\n")[0]
    if (by_name := _BY_NAME.match(first)) is not None:
        interpreter = _find(by_name[1].decode(), folder)
        if interpreter is not None and not is_within(interpreter, [folder]):
            yield interpreter


def _find(program: str, folder: Path) -> Path | None:
    """Its file, as a shell in that folder would find it; None if there is none, or none that can be read."""
    found = os.path.normpath(folder / program) if "/" in program else shutil.which(program)
    return Path(found) if found and os.path.isfile(found) and os.access(found, os.R_OK) else None


def _way_to(path: Path) -> Iterator[Path]:
    """The path and every file on the way that its links lead: an environment links to what it was made of."""
    yield path
    for _ in range(40):
        if not path.is_symlink():
            break
        path = Path(os.path.normpath(path.parent / path.readlink()))
        yield path
    yield path.resolve()


def _tree(path: Path, spared: Sequence[Path]) -> Path:
    """What was installed together with a program: all beside its bin, or else its folder."""
    tree = path.parent.parent if path.parent.name in ("bin", "sbin") else path.parent
    for wide in (tree, path.parent):
        if wide not in _NEVER and not any(each.is_relative_to(wide) for each in spared):
            return wide
    return path
