"""`tilesmith sweep`: every candidate of every task below a folder, judged; what was judged before is not judged again.

The journal is the memory of a sweep. A record belongs to a *key*: the hashes of task, cases, candidate and tool, and the
options. Records of other keys stay in the file and are not looked at, so an edited file is judged anew and an undone edit is
not.
"""

import hashlib
import json
import os
import re
import signal
import sys
from pathlib import Path

from tilesmith import terminal
from tilesmith.document import Failure

from ..isolation.cases import TaskError
from ..timing.report import plural
from ..verdict import tasks
from ..verdict.result import bindings, write_text
from . import candidate_page, executors, summary, unit
from .journal import Journal, JournalError

OPTIONS = ("timeout", "strict", "validate", "bench", "warmup", "repeats", "hifloat32", "platform")  # those a verdict depends on


def make_jobs(folder, options):
    """[(job, identity)] of all candidates below the folder. Tasks without candidates are none."""
    jobs = []
    for task in tasks.discover(folder):
        for candidate in task.candidates:
            identity = {
                "task": task.name,
                "candidate": str(candidate.relative_to(folder)),
                **bindings(task.path, candidate),
                "options": options,
            }
            key = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()
            jobs.append(
                {
                    "key": key,
                    "folder": str(folder),
                    "task": str(task.path.relative_to(folder)),
                    "candidate": identity["candidate"],
                    "op_name": task.op_name,
                    "options": options,
                    "done": [],
                    "identity": identity,
                }
            )
    return jobs


def line_of(record):
    """What is said about a candidate that was judged."""
    verify, bench = record.get("verify") or {}, record.get("bench") or {}
    facts = [record["status"].ljust(5), record["candidate"]]
    if verify:
        facts.append(f"{verify['passed_cases']} of {plural(verify['total_cases'], 'case')}")
    if bench.get("speedup_vs_torch") is not None:
        facts.append(f"{bench['speedup_vs_torch']:.4g}x")
    if record.get("error_msg"):
        facts.append(f"{record['error_type']}: {record['error_msg'].strip().splitlines()[-1][:120]}")
    return "  ".join(facts)


class Sweep:
    """The jobs of a sweep and what is known of them."""

    def __init__(self, jobs, journal):
        self.jobs, self.journal = jobs, journal
        self.cases = {job["key"]: {} for job in jobs}  # key -> (index of a case, stage) -> its record
        self.units = {}  # key -> record of the candidate
        for record in journal.records:
            self._learn(record)

    def _learn(self, record):
        key = record.get("key")
        if key in self.cases:
            if record.get("record") == "case":
                self.cases[key][record["case_idx"], record["stage"]] = record
            elif record.get("record") == "candidate" and record.get("status") != "error":
                self.units[key] = record  # what could not be judged is tried again

    def waiting(self):
        """The jobs that are left, each with the records of the cases it need not judge again."""
        return [{**job, "done": list(self.cases[job["key"]].values())} for job in self.jobs if job["key"] not in self.units]

    def emit(self, job, record):
        record = {"record": record["record"], "key": job["key"], **job["identity"], **record}
        self.journal.append(record)
        self._learn(record)
        if record["record"] == "candidate":
            self.units[job["key"]] = record
        return record

    def known(self):
        """(record of a candidate, records of its cases) of those that were judged."""
        return [
            (self.units[job["key"]], [case for _, case in sorted(self.cases[job["key"]].items())])
            for job in self.jobs
            if job["key"] in self.units
        ]

    def write_pages(self, path, folder):
        """The page of all candidates, and in a folder beside it one of each."""
        known = self.known()
        beside = f"{os.path.splitext(path)[0]}_candidates"
        os.makedirs(beside, exist_ok=True)
        addresses, taken = {}, set()
        for record, cases in known:
            name = re.sub(r"[^A-Za-z0-9_.-]+", "_", record["candidate"].removesuffix(".py")) or "candidate"
            name = f"{name}-{record['key'][:8]}" if name in taken else name
            taken.add(name)
            write_text(
                os.path.join(beside, f"{name}.html"), candidate_page.page(folder, record, cases, f"../{os.path.basename(path)}")
            )
            addresses[record["key"]] = f"{os.path.basename(beside)}/{name}.html"
        title = f"Sweep of {Path(folder).name}"
        write_text(path, summary.page(title, known, len(self.jobs) - len(known), addresses))


class _Interrupts:
    """Ctrl-C and SIGTERM raise KeyboardInterrupt, once, and never between a record in the journal and what we know of it."""

    SIGNALS = (signal.SIGINT, signal.SIGTERM)

    def __init__(self):
        self.busy = self.pending = False

    def __enter__(self):
        self.before = [signal.signal(number, self._handle) for number in self.SIGNALS]
        return self

    def __exit__(self, *exception):
        for number, handler in zip(self.SIGNALS, self.before):
            signal.signal(number, handler)
        return False

    def _handle(self, signum, frame):
        self.pending = True
        if not self.busy:
            self._raise()

    def _raise(self):
        for number in self.SIGNALS:  # what ends now ends by itself, and soon
            signal.signal(number, signal.SIG_IGN)
        raise KeyboardInterrupt

    def hold(self, action):
        """Runs an action as a whole; an interrupt comes after it."""
        self.busy = True
        try:
            action()
        finally:
            self.busy = False
        if self.pending:
            self._raise()


def command(args):
    """Runs the sweep. 0: every candidate was judged, whatever the verdicts; 1: some could not be; 2: nothing to do it with; 130: interrupted."""

    if args.jobs < 1 or args.repeats < 1 or args.warmup < 0 or not args.timeout > 0:
        raise Failure("--jobs and --repeats are at least 1, --warmup at least 0, --timeout is more than 0")
    if not os.path.isdir(args.folder):
        raise Failure(f"no folder '{args.folder}'")
    options = {name: getattr(args, name) for name in OPTIONS}
    if not args.bench:
        options["warmup"] = options["repeats"] = None
    try:
        jobs = make_jobs(Path(args.folder).resolve(), options)
        if not jobs:
            raise Failure(f"'{args.folder}' has no task with a candidate beside it (docs/sweep.md)")
        journal = Journal(args.output)
    except (TaskError, JournalError, OSError) as error:
        raise Failure(str(error)) from None
    code = 0
    say = lambda text: print(text, file=sys.stderr, flush=True)
    try:
        with journal, _Interrupts() as interrupts:
            sweep = Sweep(jobs, journal)
            waiting = sweep.waiting()
            failed = 0
            if journal.dropped:
                say(f"{args.output}: dropped {plural(journal.dropped, 'byte')} of a record that was not finished")
            if len(waiting) < len(jobs):
                say(f"{args.output}: {len(jobs) - len(waiting)} of {plural(len(jobs), 'candidate')} judged before")

            def learn(job, record):
                nonlocal failed
                record = sweep.emit(job, record)
                if record["record"] == "candidate":
                    failed += record["status"] != "pass"
                    progress.line(line_of(record))
                    progress.advance(text=f"judging, {failed} failed")

            def emit(job, record):
                interrupts.hold(lambda: learn(job, record))

            if args.validate and waiting and not unit.can_validate():
                say("this build has no `validate`: candidates are not checked statically")
            try:
                with terminal.progress("judging", len(jobs), len(jobs) - len(waiting)) as progress:
                    executors.make(args.executor, args.jobs, args.folder).run(waiting, emit)
            except KeyboardInterrupt:
                code = 130
            finally:
                if args.html:
                    sweep.write_pages(args.html, Path(args.folder).resolve())
    except (RuntimeError, JournalError, OSError) as error:
        raise Failure(str(error)) from None
    tally = {status: sum(record["status"] == status for record in sweep.units.values()) for status in ("pass", "fail", "error")}
    said = [
        f"{tally['pass']} passed",
        f"{tally['fail']} failed",
        *([f"{tally['error']} could not be judged"] if tally["error"] else []),
    ]
    args.document.update(
        folder=args.folder,
        journal=args.output,
        candidates=len(jobs),
        passed=tally["pass"],
        failed=tally["fail"],
        not_judged=tally["error"],
        waiting=len(jobs) - len(sweep.units),
        records=[unit for unit, _ in summary.ranked(sweep.known())],
    )
    if code:
        args.document.error("interrupted", "interrupted")
        said.append(f"interrupted with {len(jobs) - len(sweep.units)} to go; the same command continues")
    print(f"{plural(len(jobs), 'candidate')}: {', '.join(said)}; results in {args.output}", file=sys.stderr)
    return code or (1 if tally["error"] else 0)
