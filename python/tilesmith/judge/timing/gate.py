"""The gate before a benchmark: only what `tilesmith verify` found right is timed.

The gate opens on one state alone: the result file of this variant is one JSON object that counts at least one case, all of
them passed, lists no failure, is bound to the very files that are about to be timed, and was signed by a judge (where the library for
it is installed). Everything else, whatever a file may
hold, is a `Refusal` that says what was found.
"""

import json
import os
import stat

from ..verdict import signature
from ..verdict.findings import WRONG
from ..verdict.result import result_name

__all__ = ["Refusal", "check", "result_name", "strict_json"]

LARGEST_RESULT = 64 << 20  # bytes; a result of thousands of failures is far below
SHOWN_FAILURES = 5


class Refusal(Exception):
    """Why the gate stays shut. `str()` is the text for stderr."""


def _read(path):
    """The bytes of a regular file. A pipe or a device in its place must not hold the judge up."""
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        facts = os.fstat(handle)
        if not stat.S_ISREG(facts.st_mode):
            raise OSError("not a regular file")
        if facts.st_size > LARGEST_RESULT:
            raise OSError(f"{facts.st_size} bytes, more than a result has")
        return file.read()


def _no_duplicates(pairs):
    object = dict(pairs)
    if len(object) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"key {next(name for name in names if names.count(name) > 1)!r} is there twice")
    return object


def _no_constants(name):
    raise ValueError(f"{name} is not JSON")


def strict_json(data):
    """Parses bytes as RFC 8259 has it: no duplicate keys, no NaN or Infinity. Raises ValueError for everything else."""
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=_no_duplicates, parse_constant=_no_constants)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _shown(value):
    text = repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def _count(result, name):
    value = result.get(name, 0)
    if type(value) is not int or value < 0:
        raise ValueError(f"{name} is {_shown(value)}, which is not a count")
    return value


def _failure_line(failure):
    message = str(failure.get("error_msg") or "").strip().splitlines()
    return f"  case {failure.get('case_idx', '?')}: {failure.get('error_type', 'unknown')}: {message[-1][:200] if message else ''}"


def check(path, binding, op_name=None, accept=()):
    """Returns the result in the file at `path` if it lets a benchmark of the files of `binding` run; raises Refusal otherwise.

    `binding` holds the names and values the result has to be bound to, as `verify` writes them. Findings that mean that the candidate
    is wrong, though every case passed, close the gate unless their ids are in `accept`.
    """
    counts, failures = "", []

    def refuse(reason):
        lines = [f"tilesmith: the gate is shut: {reason}", f"  result file: {path}"]
        if counts:
            lines.append(f"  passed/total: {counts}")
        lines += [_failure_line(failure) for failure in failures[:SHOWN_FAILURES]]
        if len(failures) > SHOWN_FAILURES:
            lines.append(f"  and {len(failures) - SHOWN_FAILURES} more")
        raise Refusal("\n".join(lines)) from None

    try:
        data = _read(path)
    except FileNotFoundError:
        refuse("there is no result file; run `tilesmith verify` first, with --output for a variant")
    except OSError as error:
        refuse(f"the result file cannot be read: {error.strerror or error}")
    try:
        result = strict_json(data)
    except ValueError as error:
        refuse(f"the result file is not JSON: {error}")
    if not isinstance(result, dict):
        refuse(f"the result file holds {_shown(result)}, not an object")

    try:
        total, passed = _count(result, "total_cases"), _count(result, "passed_cases")
        counts = f"{passed}/{total}"
        failed = _count(result, "failed_cases")
    except ValueError as error:
        refuse(str(error))
    listed = result.get("failures", [])
    if not isinstance(listed, list) or not all(isinstance(failure, dict) for failure in listed):
        refuse(f"failures is {_shown(listed)}, not a list of objects")
    failures = listed
    if total == 0:
        refuse("no case was verified")
    if passed != total:
        refuse("not every case passed")
    if failures:
        refuse("every case is counted as passed, and yet failures are listed")
    if failed != 0:
        refuse(f"every case is counted as passed, and yet failed_cases is {failed}")
    findings = result.get("findings", [])
    if not isinstance(findings, list) or not all(isinstance(finding, dict) for finding in findings):
        refuse(f"findings is {_shown(findings)}, not a list of objects")
    for finding in findings:
        if finding.get("id") in WRONG and finding["id"] not in accept:
            refuse(f"{str(finding.get('text'))[:300]} [{finding['id']}]\n  help: --accept {finding['id']} times it all the same")
    if op_name is not None and result.get("op_name") != op_name:
        refuse(f"the result is of operator {_shown(result.get('op_name'))}, not {op_name!r}")
    for name in dict.fromkeys([*binding, *(name for name in result if name.endswith("_sha256"))]):
        if name not in result:
            refuse(f"the result does not say what was verified ({name} is missing); run `tilesmith verify` again")
        if name not in binding or result[name] != binding[name]:
            refuse(
                f"the result is stale: {name} was {_shown(result[name])}, is {_shown(binding.get(name))}; run `tilesmith verify` again"
            )
    try:
        signature.check(result)
    except signature.BadSignature as error:
        refuse(f"the result cannot be trusted: {error}; run `tilesmith verify` again")
    return result
