"""The languages that Croupier has bots in: what each needs, how it is built and tested, and its bots as commands.

    python clients/languages.py              builds all, and says which cannot be built here
    python clients/languages.py go rust      builds these
    python clients/languages.py --test       builds all and runs their own tests

A language whose programs are not on this machine is named, never passed over in silence.
"""

import argparse
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

CLIENTS = Path(__file__).resolve().parent


@dataclass(frozen=True, slots=True)
class Language:
    """One language, or one way to write a bot in it."""

    name: str
    folder: str
    random: tuple[str, ...]
    """The bot that knows no game, as it is started from the folder of the clients."""
    lie: tuple[str, ...] = ()
    """The bot that plays LIE by the odds; empty if there is none."""
    protocol: str = "grpc"
    needs: tuple[str, ...] = ()
    """The programs that building and running it takes."""
    build: tuple[str, ...] = ()
    """Run in its folder; empty if nothing has to be built."""
    test: tuple[str, ...] = ()
    """Its own tests, run in its folder; empty if pytest has them."""

    @property
    def missing(self) -> list[str]:
        """The programs that are not on this machine."""
        return [program for program in self.needs if shutil.which(program) is None]


def _stdio(name: str, script: str, *needs: str, build: tuple[str, ...] = ()) -> Language:
    return Language(name, "stdio", (f"stdio/{script}",), protocol="stdio", needs=needs, build=build)


LANGUAGES = (
    Language(
        "python",
        "python",
        random=(sys.executable, "python/examples/random_bot.py"),
        lie=(sys.executable, "python/examples/lie_bot.py"),
    ),
    Language(
        "node",
        "node",
        random=("node", "node/dist/src/bots/random.js"),
        lie=("node", "node/dist/src/bots/lie.js"),
        needs=("node", "npm"),
        build=("npm", "install", "--no-audit", "--no-fund", "--silent"),
        test=("npm", "test", "--silent"),
    ),
    Language(
        "go",
        "go",
        random=("go/build/random",),
        lie=("go/build/lie",),
        needs=("go",),
        build=("go", "run", "./internal/build"),
        test=("go", "run", "./internal/build", "-test"),
    ),
    Language(
        "rust",
        "rust",
        random=("rust/target/release/random",),
        lie=("rust/target/release/lie",),
        needs=("cargo", "rustc"),
        build=("cargo", "build", "--release", "--quiet"),
        test=("cargo", "test", "--release", "--quiet"),
    ),
    Language(
        "java",
        "java",
        random=("java", "@java/jvm.args", "-cp", "java/target/croupier.jar", "croupier.bots.RandomBot"),
        lie=("java", "@java/jvm.args", "-cp", "java/target/croupier.jar", "croupier.bots.LieBot"),
        needs=("java", "javac", "mvn"),
        build=("mvn", "--batch-mode", "--quiet", "-DskipTests", "package"),
        test=("mvn", "--batch-mode", "--quiet", "test"),
    ),
    Language(
        "cpp",
        "cpp",
        random=("cpp/build/random",),
        lie=("cpp/build/lie",),
        needs=("g++", "cmake", "protoc", "grpc_cpp_plugin"),
        build=("cmake", "--workflow", "--preset", "bots"),
        test=("cmake", "--workflow", "--preset", "test"),
    ),
    _stdio("sh", "random_bot.sh", "sh"),
    _stdio("awk", "random_bot_awk.sh", "awk"),
    _stdio("perl", "random_bot.pl", "perl"),
    _stdio("c", "build/random_bot", "cc", "make", build=("make", "--silent")),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Builds, and tests if asked to; returns 1 if something that could be built could not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [language.name for language in LANGUAGES]
    parser.add_argument("languages", nargs="*", metavar="LANGUAGE", help=f"one of {', '.join(names)}; all unless given")
    parser.add_argument("--test", action="store_true", help="run their own tests as well")
    flags = parser.parse_args(arguments)
    if unknown := set(flags.languages) - set(names):
        parser.error(f"there is no client in {', '.join(sorted(unknown))}; there are {', '.join(names)}")
    chosen = [each for each in LANGUAGES if each.name in (flags.languages or names)]
    results = [_made(language, test=flags.test) for language in chosen]  # all of them, also after one that failed
    return int(not all(results))


def _made(language: Language, *, test: bool) -> bool:
    """Whether all went well; a language that cannot be made here is said, and no failure."""
    if language.missing:
        print(f"NOT BUILT, NOT TESTED: {language.name}: {', '.join(language.missing)} is missing here", flush=True)
        return True
    commands = [command for command in (language.build, language.test if test else ()) if command]
    return all(_ran(language, command) for command in commands)


def _ran(language: Language, command: tuple[str, ...]) -> bool:
    started_s = time.monotonic()
    done = subprocess.run(  # noqa: S603  # our own words
        command, cwd=CLIENTS / language.folder, capture_output=True, text=True, check=False
    )
    took = f"{' '.join(command)} in clients/{language.folder}, {time.monotonic() - started_s:.0f} s"
    if done.returncode == 0:
        print(f"{language.name}: {took}", flush=True)
        return True
    print(f"{language.name}: FAILED: {took}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}", file=sys.stderr, flush=True)
    return False


if __name__ == "__main__":
    sys.exit(main())
