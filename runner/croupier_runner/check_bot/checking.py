"""Makes the checks, one after the other, and says what came out."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict

import orjson
import typer

from croupier_client import CroupierError
from croupier_runner.check_bot.checks import CHECKS, Check
from croupier_runner.check_bot.findings import Fault, Finding, NotApplicable, Result
from croupier_runner.check_bot.stage import Patience, Stage, Subject, set_stage
from croupier_runner.errors import ConfigError, HostFault

Say = Callable[[str], None]

_INDENT = " " * 16


async def check_bot(
    subject: Subject,
    only: Sequence[str] = (),
    patience: Patience | None = None,
    *,
    json: bool = False,
    say: Say = typer.echo,
) -> list[Finding]:
    """Makes all checks, or just those that are named, and prints a line for each as it is done."""
    checks = chosen(only)
    program = subject.argv()[0]
    if shutil.which(program) is None:
        raise ConfigError(f"the bot cannot be started: there is no program {program!r}; correct the command after --")
    findings = []
    async with set_stage(subject, patience or Patience()) as stage:
        for check in checks:
            finding = await make(check, stage)
            findings.append(finding)
            say(as_json(finding) if json else as_text(finding))
    say(summary_json(findings) if json else summary(findings))
    return findings


async def make(check: Check, stage: Stage) -> Finding:
    """Makes one check."""
    start_s = time.monotonic()

    def found(result: Result, sentence: str) -> Finding:
        return Finding(check.id, check.promise, result, sentence, round(time.monotonic() - start_s, 3))

    try:
        return found("ok", await check.run(stage))
    except NotApplicable as reason:
        return found("not applicable", str(reason))
    except Fault as fault:
        return found("FAIL", str(fault))
    except CroupierError as error:
        raise HostFault(f"the service failed during the check {check.id!r}: {error}; this is no bot's fault") from None


def chosen(only: Sequence[str]) -> list[Check]:
    """The checks of these ids, in the order of the table; all if there are none."""
    known = [check.id for check in CHECKS]
    for name in only:
        if name not in known:
            raise ConfigError(f"there is no check {name!r}; there are {', '.join(known)}")
    return [check for check in CHECKS if check.id in only or not only]


def listed() -> str:
    """All checks and what they promise, a line each."""
    return "\n".join(f"{check.id:<12}{check.promise}" for check in CHECKS)


def as_text(finding: Finding) -> str:
    """A finding for people."""
    head = f"{finding.result:<4} {finding.check:<11}"
    if finding.result == "ok":
        return f"{head}{finding.promise}" + (f" ({finding.sentence})" if finding.sentence else "")
    if finding.result == "not applicable":
        return f"-    {finding.check:<11}not applicable: {finding.sentence}"
    said = ("\n" + _INDENT).join(finding.sentence.splitlines())
    return f"{head}{finding.promise}\n{_INDENT}{said}"


def as_json(finding: Finding) -> str:
    """A finding for programs."""
    return orjson.dumps({"event": "check", **asdict(finding)}).decode()


def summary(findings: Sequence[Finding]) -> str:
    """All findings in a sentence."""
    failed = [finding.check for finding in findings if finding.result == "FAIL"]
    held = sum(finding.result == "ok" for finding in findings)
    holding = "1 check holds" if held == 1 else f"{held} checks hold"
    if not failed:
        return f"{holding}: this bot can be seated."
    return f"{holding}, {len(failed)} {'does' if len(failed) == 1 else 'do'} not: {', '.join(failed)}."


def summary_json(findings: Sequence[Finding]) -> str:
    """How many there are of each kind."""
    counts = {result: sum(finding.result == result for finding in findings) for result in ("ok", "FAIL")}
    skipped = len(findings) - sum(counts.values())
    return orjson.dumps(
        {"event": "end", "ok": counts["ok"], "failed": counts["FAIL"], "not_applicable": skipped}
    ).decode()
