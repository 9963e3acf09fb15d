"""Correlation: measured rows beside what the model says of the same kernels. `./dev correlate --help` lists the options."""

import argparse
import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import rows as rows_of
import table
import workers
from errors import Result


def parse(argv):
    parser = argparse.ArgumentParser(prog="./dev correlate", description=__doc__.splitlines()[0])
    parser.add_argument("--rows", metavar="ID,...", help="these rows only; a name that ends in * is a prefix")
    parser.add_argument("--class", dest="kind", choices=rows_of.CLASSES, help="rows of this class only")
    parser.add_argument("--family", help="rows of this family only")
    parser.add_argument("--platform", help="rows of this part only")
    parser.add_argument("--csv", nargs="+", action="extend", metavar="FILE", help="rows of your own instead of the public ones")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, help="rows at once (default: %(default)s)")
    return parser.parse_args(argv)


def chosen(rows, args):
    def named(row):
        return args.rows is None or any(
            row.id == name or (name.endswith("*") and row.id.startswith(name[:-1])) for name in args.rows.split(",")
        )

    return [
        row
        for row in rows
        if named(row)
        and args.kind in (None, row.kind)
        and args.platform in (None, row.platform)
        and args.family in (None, row.family)
    ]


def results_of(rows, jobs):
    results = [Result(row) for row in rows]

    def done(index, answer, seconds, error):
        results[index].seconds = seconds
        if error:
            results[index].failed = error
        else:
            results[index].prediction = answer[0]
        if sys.stderr.isatty():
            print(f"\r{sum(1 for each in results if each.failed or each.prediction)} of {len(rows)} rows ", end="", file=sys.stderr)

    workers.run([(row, [], [None], None) for row in rows], jobs, done)
    if sys.stderr.isatty():
        print("\r", end="", file=sys.stderr)
    return results


def main(argv):
    args = parse(argv)
    import _tilesmith

    try:
        rows = rows_of.read(args.csv or rows_of.ours(), _tilesmith.platforms())
    except rows_of.RowError as error:
        print(error, file=sys.stderr)
        return 1
    rows = chosen(rows, args)
    if not rows:
        print("error: no row is chosen", file=sys.stderr)
        return 1
    results = results_of(rows, args.jobs)
    for line in table.rows(results):
        print(line)
    print()
    for line in table.summary(results):
        print(line)
    if os.environ.get("CORRELATE_SECONDS"):
        for each in sorted(results, key=lambda each: -each.seconds)[:25]:
            print(f"{each.row.id:10} {each.seconds:.1f} s")
    return 1 if any(each.failed for each in results) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
