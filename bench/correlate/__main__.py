"""Correlation: measured rows beside what the model says of the same kernels. `./dev correlate --help` lists the options."""

import argparse
import json
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import ablate
import fit
import page
import rows as rows_of
import table
import workers
from errors import Result

EPILOG = """
A row is a line of a CSV file; docs/correlation.md explains the columns and has an example of rows of your own. Exit status: 0, or 1 where a
file cannot be read or a row cannot be run.
"""


def parse(argv):
    parser = argparse.ArgumentParser(prog="./dev correlate", description=__doc__.splitlines()[0], epilog=EPILOG)
    choose = parser.add_argument_group("which rows")
    choose.add_argument("--rows", metavar="ID,...", help="these rows only; an id that ends in * is a prefix")
    choose.add_argument("--class", dest="kind", choices=rows_of.CLASSES, help="rows of this class only")
    choose.add_argument("--family", metavar="NAME", help="rows of this family only")
    choose.add_argument("--platform", metavar="PART", help="rows of this part only")
    choose.add_argument("--csv", nargs="+", action="extend", metavar="FILE", help="rows of your own instead of the public ones")
    choose.add_argument("--light", action="store_true", help="rows that take less than a second only")
    what = parser.add_argument_group("what to do with them")
    what.add_argument(
        "--sensitivity", action="store_true", help="what +-20 %% of each constant change, and leave-one-out for fitted ones"
    )
    what.add_argument("--ablate", action="store_true", help="the error of each class with each mechanism of the model switched off")
    what.add_argument("--scaling", action="store_true", help="compare rows that run in part with a third fraction of them")
    what.add_argument(
        "--fit", nargs="+", metavar="NAME", help="propose other values of constants (gmToUb.rate, PART:NAME); writes nothing"
    )
    what.add_argument("--plot", metavar="FILE", help="write predicted against measured as FILE.svg, and FILE-residuals.svg")
    what.add_argument("--json", action="store_true", help="everything as JSON on stdout")
    what.add_argument(
        "--page",
        action="store_true",
        help="write docs/correlation.md, its pictures and its data; rows that are not chosen, and what is not asked for, stay as they were",
    )
    what.add_argument("--all", action="store_true", help="--sensitivity --ablate --scaling")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, help="rows at once (default: %(default)s)")
    return parser.parse_args(argv)


def chosen(rows, args):
    def named(row):
        names = [] if args.rows is None else args.rows.split(",")
        return args.rows is None or any(row.id == name or (name[-1:] == "*" and row.id.startswith(name[:-1])) for name in names)

    wanted = lambda row: (
        args.kind in (None, row.kind) and args.platform in (None, row.platform) and args.family in (None, row.family)
    )
    return [row for row in rows if named(row) and wanted(row) and (row.is_light or not args.light)]


class Runner:
    """Runs tasks in workers and says how far they are."""

    def __init__(self, jobs):
        self.jobs = jobs
        self.failures = {}  # row id: text

    def __call__(self, what, tasks):
        """[(answer, seconds, error)] of [("module.function", arguments)]."""
        ended = 0

        def done(*_):
            nonlocal ended
            ended += 1
            if sys.stderr.isatty():
                print(f"\r{what}: {ended} of {len(tasks)} rows ", end="" if ended < len(tasks) else "\r\033[K", file=sys.stderr)

        answers = workers.run(tasks, self.jobs, done)
        for (_, arguments), (_, _, error) in zip(tasks, answers):
            if error:
                self.failures[arguments[0].id] = f"error: row {arguments[0].id} ({arguments[0].place}): {error}"
        return answers


def results_of(rows, run):
    answers = run("timing", [("record.predict", (row,)) for row in rows])
    return [Result(row, None if error else answer[0], seconds, error or "") for row, (answer, seconds, error) in zip(rows, answers)]


def effects_of(rows, run):
    """{row id: {constant: effect}}; of rows with a stand-in that is another row, only of that one."""
    asked = [(row, parts) for row in rows for other, parts in [rows_of.stand_in(row, rows)] if other is row]
    answers = run("sensitivity", [("sensitivity.effects", asked_for) for asked_for in asked])
    return {row.id: answer for (row, _), (answer, _, error) in zip(asked, answers) if not error}


def ablations_of(results, run):
    """{name: [result]} with each mechanism off; the rows a mechanism does not touch are left out of its list."""
    known = ablate.read()
    counted = [each for each in results if each.row.counts]
    rows = [each.row for each in counted]
    timed = {}  # by the id of a stand-in: its ablations, and predictions, first of all as it is
    asked = list({other.id: (other, parts) for other, parts in (rows_of.stand_in(row, rows) for row in rows)}.values())
    those = [[each for each in known if each.texts(row.platform)] for row, _ in asked]
    tasks = [
        ("record.predict", (row, [{}, *(each.texts(row.platform) for each in some)], parts))
        for (row, parts), some in zip(asked, those)
    ]
    for (row, _), some, (answer, _, error) in zip(asked, those, run("ablation", tasks)):
        timed[row.id] = (some, answer) if not error else ([], [None])
    found = {each.name: [] for each in known}
    for each in counted:
        some, (first, *others) = timed[rows_of.stand_in(each.row, rows)[0].id]
        for ablation, other in zip(some, others):
            found[ablation.name].append(Result(each.row, each.prediction.scaled(first, other), 0.0))
    return found


def scaling_of(rows, run):
    """[(row, third fraction, its time as the two fractions have it, its time)]"""
    cut = [row for row in rows if row.part]
    thirds = [(min(2 * row.part[1], 1),) for row in cut]
    tasks = [("record.scaling", (row, third)) for row, (third,) in zip(cut, thirds)]
    return [(row, third, *answer) for row, (third,), (answer, _, error) in zip(cut, thirds, run("scaling", tasks)) if not error]


def fitted(rows, names, run):
    def evaluate(tasks):
        answers = run("fit", [("fit.evaluate", (row, points, rows_of.stand_in(row, rows)[1])) for row, points in tasks])
        for (row, _), (_, _, error) in zip(tasks, answers):
            if error:
                raise fit.FitError(f"row {row.id}: {error}")
        return [answer for answer, _, _ in answers]

    rows = [row for row in rows if row.counts and rows_of.stand_in(row, rows)[0] is row]
    return fit.fit(rows, fit.find(names, rows), evaluate)


def main(argv):
    args = parse(argv)
    if args.all:
        args.sensitivity = args.ablate = args.scaling = True
    if args.page and args.csv:
        print("error: the page is about the public rows", file=sys.stderr)
        return 1
    import _tilesmith

    try:
        every = rows_of.read(args.csv or rows_of.ours(), _tilesmith.platforms())
        rows = chosen(every, args)
    except (rows_of.RowError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    if not rows:
        print("error: no row is chosen", file=sys.stderr)
        return 1
    run = Runner(args.jobs)
    if args.fit:
        try:
            for line in fit.report(fitted(rows, args.fit, run)):
                print(line)
        except fit.FitError as error:
            print(f"error: {error}", file=sys.stderr)
            return 1
        return 0
    results = results_of(rows, run)
    good = [each for each in results if not each.failed]
    document = page.Document(results)
    if args.sensitivity:
        document.effects = effects_of([each.row for each in good if each.row.counts], run)
    if args.ablate:
        document.ablations = ablations_of(good, run)
    if args.scaling:
        document.scaling = scaling_of([each.row for each in good], run)
    if args.plot and good:
        for path, text in page.pictures(document.as_json()["rows"], Path(args.plot)).items():
            path.write_text(text)
    if args.page:
        document.results = list(page.with_kept(results, every))
        page.write(document)
    if args.json:
        json.dump(document.as_json(), sys.stdout, indent=1)
        print()
    else:
        for section in table.sections(document):
            print(*section, sep="\n", end="\n\n")
    for text in run.failures.values():
        print(text, file=sys.stderr)
    return 1 if run.failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
