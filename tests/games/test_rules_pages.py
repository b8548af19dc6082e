"""Every game has a rules page, and every rule on a page is proved by a test that names it."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from croupier_games import GAMES

ROOT = Path(__file__).resolve().parents[2]
RULE_LINE = re.compile(r"^- ([A-Z]{3}-D?[0-9]+(?:\.[0-9]+)*)\b", re.MULTILINE)


def rules_on(pages: Path) -> set[str]:
    """The numbers that start a line of a rules page."""
    return {number for page in pages.glob("*.md") for number in RULE_LINE.findall(page.read_text("utf-8"))}


def rules_named_in(tests: Path) -> set[str]:
    """The numbers in the `pytest.mark.rule` decorators of test functions and classes."""
    named = set()
    for module in tests.rglob("*.py"):
        named |= set(marked(ast.parse(module.read_text("utf-8"))))
    return named


def marked(module: ast.Module) -> Iterator[str]:
    for node in ast.walk(module):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            continue
        if not node.name.lower().startswith("test"):
            continue
        for mark in node.decorator_list:
            if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule":
                yield from (str(word.value) for word in mark.args if isinstance(word, ast.Constant))


def missing_pages(games: Iterable[str], pages: Path) -> set[str]:
    return {game for game in games if not (pages / f"{game}.md").is_file()}


def test_every_rule_of_every_page_is_named_by_a_test() -> None:
    assert rules_on(ROOT / "docs" / "rules") - rules_named_in(ROOT / "tests") == set()


def test_every_game_has_a_page_with_rules() -> None:
    pages = ROOT / "docs" / "rules"
    assert missing_pages(GAMES, pages) == set()
    for game in GAMES:
        assert RULE_LINE.search((pages / f"{game}.md").read_text("utf-8")), f"{game}.md states no numbered rule"


def test_no_test_names_a_rule_that_no_page_states() -> None:
    """A mistyped number would prove nothing. Rules common to all games (ALL-...) stand on no game's page."""
    named = {number for number in rules_named_in(ROOT / "tests") if not number.startswith("ALL-")}
    assert named - rules_on(ROOT / "docs" / "rules") == set()


def test_the_checker_notices_a_rule_without_a_test(tmp_path: Path) -> None:
    (tmp_path / "made_up.md").write_text(
        "# Made up\n- ZZZ-D1 Data.\n- ZZZ-1.1 A rule.\n- ZZZ-1.2 Another, see ZZZ-9.9.\n- ZZZ-1.10 A late one.\n"
    )
    (tmp_path / "test_made_up.py").write_text(
        "import pytest\n"
        "# @pytest.mark.rule('ZZZ-1.2')\n"
        "TEXT = '@pytest.mark.rule(\"ZZZ-1.2\")'\n"
        "@pytest.mark.rule('ZZZ-D1', 'ZZZ-1.1')\ndef test_one(): ...\n"
        "@pytest.mark.rule('ZZZ-1.2')\ndef not_a_test(): ...\n"
    )
    assert rules_on(tmp_path) == {"ZZZ-D1", "ZZZ-1.1", "ZZZ-1.2", "ZZZ-1.10"}
    assert rules_on(tmp_path) - rules_named_in(tmp_path) == {"ZZZ-1.2", "ZZZ-1.10"}


def test_the_checker_notices_a_game_without_a_page(tmp_path: Path) -> None:
    (tmp_path / "here.md").touch()
    assert missing_pages(["here", "gone"], tmp_path) == {"gone"}
