"""docs/records.md specifies the chain: its vectors hold for the code, and for who has read only the page."""

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from typer.testing import CliRunner

from croupier.v1 import records_pb2
from croupier_client import entropy_commitment as clients_commitment
from croupier_runner.chain import entropy_commitment, heads, lines
from croupier_runner.commands import app
from croupier_runner.records import verify

PAGE = (Path(__file__).parents[2] / "docs" / "records.md").read_text(encoding="utf-8")
VECTORS: dict[str, Any] = json.loads(re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)[-1])


@pytest.fixture
def record() -> records_pb2.Record:
    """The record on the page."""
    return json_format.ParseDict(VECTORS["record"], records_pb2.Record())


def test_the_record_on_the_page_holds(record: records_pb2.Record) -> None:
    assert verify(record, [bytes.fromhex(head) for _, head in VECTORS["lines"]]) == []


def test_the_lines_and_heads_on_the_page_are_those_of_the_record(record: records_pb2.Record) -> None:
    assert [[line, head.hex()] for line, head in zip(lines(record), heads(record), strict=True)] == VECTORS["lines"]


def test_the_heads_follow_from_the_page(record: records_pb2.Record) -> None:
    link = sha256(b"croupier/chain/1" + record.commitment_salt + record.service_seed).digest()
    assert link.hex() == VECTORS["first_link"]
    for line, head in VECTORS["lines"]:
        link = sha256(b"croupier/chain/1" + link + line.encode()).digest()
        assert sha256(b"croupier/head/1" + link).hexdigest() == head
    assert head == record.session.head.hex()


def test_croupier_verify_holds_a_record_against_the_heads_that_somebody_kept(tmp_path: Path) -> None:
    path = tmp_path / "game.json"
    path.write_text(json.dumps(VECTORS["record"]), encoding="utf-8")
    kept = VECTORS["lines"][-3][1]

    assert CliRunner().invoke(app, ["verify", str(path), "--head", kept]).exit_code == 0
    other = CliRunner().invoke(app, ["verify", str(path), "--head", kept, "--head", "00" * 32])
    assert (other.exit_code, "0000 was told" in other.output) == (1, True)
    assert CliRunner().invoke(app, ["verify", str(path), "--head", "x"]).exit_code == 2


def test_every_kind_of_line_is_on_the_page(record: records_pb2.Record) -> None:
    for line in lines(record):
        assert f"`{line.split(' ')[0]} " in PAGE


@pytest.mark.parametrize("vector", VECTORS["entropy_commitments"], ids=lambda vector: vector["session_id"])
def test_the_commitments_on_the_page_hold_for_the_client_the_runner_and_the_page(vector: dict[str, str]) -> None:
    session_id, entropy = vector["session_id"], bytes.fromhex(vector["entropy"])
    by_hand = sha256(b"croupier/entropy/1" + session_id.encode() + b"\0" + entropy).digest()
    assert by_hand == clients_commitment(session_id, entropy) == entropy_commitment(session_id, entropy)
    assert by_hand.hex() == vector["commitment"]
