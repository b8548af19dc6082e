"""Records as files: serialised (`.record`), or JSON as protobuf maps it (`.json`). Read by content, not by name."""

from pathlib import Path

from google.protobuf import json_format
from google.protobuf.message import DecodeError

from croupier.v1 import records_pb2
from croupier_runner.errors import ConfigError, RunnerError


def read_record(path: Path) -> records_pb2.Record:
    """The record in that file, or ConfigError with what is wrong."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror}; name the record of a game") from None
    record = _json(data) or _serialised(data)
    if record is None or not record.session.game_id:
        raise ConfigError(f"{path} is no record of a game; name one that croupier play --record wrote, or a journal")
    return record


def check_absent(path: Path) -> None:
    """Refuses a file that is there already, for who wants to know before there is a record to write."""
    if path.exists():
        raise ConfigError(f"{path} is there already; name another file for the record")


def write_record(path: Path, record: records_pb2.Record) -> None:
    """Writes it, as JSON if the name says so; a file that is there already stays as it is."""
    check_absent(path)
    data = record.SerializeToString()
    if path.suffix == ".json":
        data = json_format.MessageToJson(record, indent=1).encode() + b"\n"
    try:
        path.write_bytes(data)
    except OSError as error:
        raise RunnerError(f"cannot write {path}: {error.strerror}; name another file for the record") from None


def _json(data: bytes) -> records_pb2.Record | None:
    if not data.lstrip().startswith(b"{"):
        return None
    try:
        return json_format.Parse(data, records_pb2.Record())
    except (json_format.ParseError, UnicodeDecodeError):
        return None


def _serialised(data: bytes) -> records_pb2.Record | None:
    try:
        return records_pb2.Record.FromString(data)
    except DecodeError:
        return None
