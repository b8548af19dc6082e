"""Every program gets a log file of its own, whatever its name."""

from pathlib import Path

import pytest

from croupier_runner.errors import ConfigError
from croupier_runner.logs import SERVICE, Logs


def test_names_are_made_safe_and_stay_apart(tmp_path: Path) -> None:
    logs = Logs(tmp_path / "new" / "folder")
    names = [SERVICE, "../up", "a b", "a_b", "A_B", SERVICE, "żółw"]
    files = [logs.file(name) for name in names]

    assert all(file is not None and file.parent == tmp_path / "new" / "folder" for file in files)
    stems = [file.stem for file in files if file is not None]
    assert stems == ["croupier-service", ".._up", "a_b", "a_b-2", "A_B-3", "croupier-service-2", "___w"]


def test_a_new_run_starts_with_empty_logs(tmp_path: Path) -> None:
    (tmp_path / "bot.log").write_text("yesterday")
    Logs(tmp_path).file("bot")

    assert (tmp_path / "bot.log").read_text() == ""


def test_without_a_folder_nothing_is_written() -> None:
    assert Logs().file("bot") is None


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(ConfigError, match=r"cannot write the log .*name another folder"):
        Logs(tmp_path / "file").file("bot")
