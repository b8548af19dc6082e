"""The clients of all languages, as `make clients` has built them."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

CLIENTS = Path(__file__).resolve().parents[3] / "clients"


def _load() -> Any:
    """clients/languages.py is a program beside the clients, and in no package."""
    spec = importlib.util.spec_from_file_location("croupier_languages", CLIENTS / "languages.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


LANGUAGES = {language.name: language for language in _load().LANGUAGES}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test is run for every language, for those whose bot reasons, or for those that have tests of their own."""
    chosen = {
        "language": list(LANGUAGES),
        "reasoning": [name for name, each in LANGUAGES.items() if each.lie],
        "tested": [name for name, each in LANGUAGES.items() if each.test],
    }
    for fixture, names in chosen.items():
        if fixture in metafunc.fixturenames:
            metafunc.parametrize(fixture, names, indirect=True)


@pytest.fixture
def language(request: pytest.FixtureRequest) -> Any:
    """A language whose bots are ready; one that cannot be had here is named."""
    return ready(LANGUAGES[request.param])


reasoning = tested = language


@pytest.fixture
def languages() -> list[Any]:
    """All languages whose bots are ready."""
    there = []
    for each in LANGUAGES.values():
        if each.missing:
            print(f"NOT TESTED: {each.name}: {', '.join(each.missing)} is missing here")
        else:
            there.append(ready(each))
    return there


def ready(language: Any) -> Any:
    if language.missing:
        pytest.skip(f"NOT TESTED: the {language.name} client: {', '.join(language.missing)} is missing here")
    for command in (language.random, language.lie):
        for word in command:
            file = CLIENTS / word.removeprefix("@")
            if word.startswith(f"{language.folder}/") and not file.exists():
                pytest.fail(f"{word} is not built; run make clients")
    return language


@pytest.fixture
def absolute() -> Any:
    """A bot's command as it can be started from anywhere."""

    def made(command: tuple[str, ...]) -> list[str]:
        return [_absolute(word) for word in command]

    return made


def _absolute(word: str) -> str:
    at = "@" if word.startswith("@") else ""
    path = CLIENTS / word.removeprefix("@")
    return f"{at}{path}" if "/" in word and path.exists() else word
