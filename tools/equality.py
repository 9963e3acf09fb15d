#!/usr/bin/env python3
"""The two roads of every kernel of kernels/, compared: machine code of the JIT, and emitted Ascend C compiled by ordinary compilers.

Each kernel runs its own test data, natural and awkward shapes, on both platforms. Equal means: the same calls of the Machine in the
same order with the same operands, the same bytes, the same cycles. A difference shows its first call.

    ./dev equality --kernel softmax --compiler g++
"""

import argparse
import importlib
import itertools
import json
import os
import shutil
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [
    str(path)
    for path in (ROOT / "kernels", ROOT / "kernels/asc", ROOT / "kernels/pypto", ROOT / "python")
    if str(path) not in sys.path
]

import _tilesmith  # noqa: E402
import asc  # noqa: E402
import golden  # noqa: E402
import launches as by_hand  # noqa: E402
import torch  # noqa: E402
from asc.codegen.errors import CodegenError  # noqa: E402
from asc.runtime import config  # noqa: E402
from asc.runtime.ascendc import AscendCError, Builder  # noqa: E402
from asc.runtime.emit import EmittedLaunch, captured  # noqa: E402
from pypto_cases import CASES  # noqa: E402

NOT_KERNELS = {"golden", "gate"}  # what the kernels share
WARNINGS = ["-Wall", "-Werror"]  # emitted source gives none


def compilers():
    """g++ and clang, as far as they are here."""
    found = [next(filter(shutil.which, names), None) for names in (["g++"], ["clang++-22", "clang++"])]
    return [name for name in found if name]


def test_of(launch):
    """A launch of kernels/asc as a test of one shape. Its author ordered it: what the vendor's compiler adds is added on both roads."""

    def test(platform, dtype, shape):
        config.set_platform(config.Backend.Model, platform)
        for array in launch.run():
            golden.check(array, None)

    test.__module__ = f"asc/{launch.name}"
    test.dtypes, test.shapes, test.platforms, test.by_hand = ["as is"], [(launch.blocks,)], launch.platforms, True
    return test


def test_of_operator(name, case):
    """An operator of kernels/pypto as a test whose shapes are its tilings."""

    def test(platform, dtype, shape):
        config.set_platform(config.Backend.Model, platform)
        torch.manual_seed(3)
        tensors, others, expected = case.make()
        case.kernel(*tensors, *others, tile=shape)
        for index in expected:
            golden.check(tensors[index].view(torch.uint8).numpy(), None)

    test.__module__ = f"pypto/{name}"
    test.dtypes, test.shapes = ["as is"], case.tiles[:2]
    return test


def kernels():
    """{name: test} of everything in kernels/, kernels/asc and kernels/pypto. A file without a test that names its shapes could not be compared."""
    found = {f"asc/{launch.name}": test_of(launch) for launch in by_hand.LAUNCHES}
    found |= {f"pypto/{name}": test_of_operator(name, case) for name, case in CASES.items()}
    for path in sorted((ROOT / "kernels").glob("*.py")):
        if path.stem in NOT_KERNELS:
            continue
        module = importlib.import_module(path.stem)
        tests = {name[5:]: test for name, test in vars(module).items() if name.startswith("test_") and hasattr(test, "shapes")}
        if not tests:
            raise LookupError(f"{path} has no test marked with golden.cases")
        found |= {name if name.startswith(path.stem) else f"{path.stem}.{name}": test for name, test in tests.items()}
    return found


@dataclass
class Row:
    """What was compared, and the first difference in words, if there is one."""

    kernel: str
    platform: str
    dtype: str
    compiler: str
    shapes: int = 0
    launches: int = 0
    sources: int = 0
    calls: int = 0
    cycles: int = 0
    difference: str | None = None

    def __str__(self):
        verdict = "equal" if self.difference is None else "DIFFERENT"
        return (
            f"{self.kernel:<18} {self.platform:<17} {self.dtype:<8} {self.compiler:<11} {self.shapes:>6} {self.launches:>8} "
            f"{self.sources:>7} {self.calls:>8} {self.cycles:>10}  {verdict}"
        )


HEADER = (
    f"{'kernel':<18} {'platform':<17} {'dtype':<8} {'compiler':<11} {'shapes':>6} {'launches':>8} {'sources':>7} {'calls':>8} "
    f"{'cycles':>10}"
)


@contextmanager
def unchecked(results):
    """Collects the bytes a test checks. Whether they are right is asked elsewhere; here they are compared."""
    check, golden.check = golden.check, lambda actual, expected: results.append(actual.tobytes())
    try:
        yield
    finally:
        golden.check = check


def observed(test, case, emitter=None):
    """(bytes of the results, launches) of a case; `emitter` runs the launches instead of the JIT."""
    results = []
    before = _tilesmith.get_settings()
    # A launch with findings is compared, too: the call that differs says more than the deadlock it leads to.
    _tilesmith.set_settings(keep_calls=True, emitter=emitter, raise_findings=False)
    try:
        with asc.profile() as profile, unchecked(results):
            test(*case)
    finally:
        _tilesmith.set_settings(**{name: before[name] for name in ("keep_calls", "emitter", "raise_findings")})
    return results, profile.launches


class Road:
    """Emitted source through one compiler."""

    def __init__(self, compiler, edit=lambda source: source):
        self.compiler, self.edit = compiler, edit
        self.builder = Builder(compiler, WARNINGS)
        self.loaded = {}

    def build(self, source):
        """Compiles a source, once."""
        if source not in self.loaded:
            file, _ = self.builder.build_text(self.edit(source))
            self.loaded[source] = _tilesmith.load_kernel_library(file)

    def launch(self, facts):
        """One launch of the kernel, as its emitted source. What synchronises it is in the source: nothing is added."""
        self.run(facts, lambda kernel: kernel.as_written())

    def launch_by_hand(self, facts):
        """One launch of a kernel that is written call by call."""
        self.run(facts, lambda kernel: kernel)

    def run(self, facts, how):
        launch = EmittedLaunch(facts)
        self.build(launch.source)
        kernel = how(self.loaded[launch.source][launch.symbol])
        values = [self.argument(given, parameter) for given, parameter in zip(facts["arguments"], kernel.parameters)]
        kernel[launch.blocks](*values)

    @staticmethod
    def argument(given, parameter):
        """The argument of a launch for a parameter of the source. Scalars of the IR have no sign, so the source's are signed."""
        if given["array"] or parameter["kind"] != "int":
            return given["value"]
        bits = 8 * parameter["size"]
        return (int(given["bits"]) + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


def first_difference(jit, emitted):
    """None, or what differs first between two runs as `observed` gives them."""
    (results, launches), (other_results, others) = jit, emitted
    if len(launches) != len(others):
        return f"{len(launches)} launches of the JIT, {len(others)} of the emitted source"
    for one, other in zip(launches, others):
        if text := one.call_trace.differs_from(other.call_trace):
            return text
        if one.call_trace.hash != other.call_trace.hash:
            return f"equal calls with different hashes, {one.call_trace.hash} and {other.call_trace.hash}"
        if found := one.findings or other.findings:
            return f"equal calls with findings:\n{found[0]['rendered']}"
        if one.cycles != other.cycles:
            return f"equal calls with different cycles, {one.cycles} and {other.cycles}"
    if results != other_results:
        return "equal calls that leave different bytes"
    return None


def compare(name, test, platform, dtype, roads, jobs):
    """A row for each road: all shapes of one kernel on one platform in one dtype."""
    cases = [(platform, dtype, shape) for shape in test.shapes]
    sources = {}
    with captured() as launches, unchecked([]):
        for case in cases:
            test(*case)
    for launch in launches:
        sources[launch.source] = None
    rows = [Row(name, platform, dtype, road.compiler, sources=len(sources)) for road in roads]
    with ThreadPoolExecutor(jobs) as pool:
        built = {(road, source): pool.submit(road.build, source) for source in sources for road in roads}
    for row, road in zip(rows, roads):
        for source in sources:
            try:
                built[road, source].result()
            except AscendCError as error:
                row.difference = row.difference or str(error)
    for case in cases:
        jit = observed(test, case)
        for row, road in zip(rows, roads):
            if row.difference is not None:
                continue
            launch = road.launch_by_hand if hasattr(test, "by_hand") else road.launch
            difference = first_difference(jit, observed(test, case, launch))
            row.shapes += 1
            row.launches += len(jit[1])
            row.calls += sum(launch.calls for launch in jit[1])
            row.cycles += sum(launch.cycles for launch in jit[1])
            if difference is not None:
                row.difference = f"{'x'.join(map(str, case[2]))}: {difference}"
    return rows


def groups(platforms):
    """(name, test, platform, dtype) of everything that is compared."""
    for name, test in kernels().items():
        for platform, dtype in itertools.product(platforms, test.dtypes):
            if platform in getattr(test, "platforms", platforms):
                yield name, test, platform, dtype


def table(names, platforms, chosen, jobs, edit=lambda source: source):
    """All rows, as they are made."""
    roads = [Road(compiler, edit) for compiler in chosen]
    for name, test, platform, dtype in groups(platforms):
        if not names or any(name == wanted or test.__module__ == wanted for wanted in names):
            yield from compare(name, test, platform, dtype, roads, jobs)


def parse(argv):
    parser = argparse.ArgumentParser(
        prog="./dev equality",
        description=__doc__.split("\n\n")[0],
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="Left of a difference is the JIT, right the emitted source. Exit code: 0 all is equal, 1 not.",
    )
    known = kernels()
    parser.add_argument(
        "--kernel",
        action="append",
        metavar="NAME",
        choices=sorted({*known, *(test.__module__ for test in known.values())}),
        help="only this one, or those of this file (may be repeated)",
    )
    parser.add_argument(
        "--platform",
        action="append",
        choices=golden.PLATFORMS,
        help="only this one; " + ", ".join(golden.PLATFORMS),
        metavar="NAME",
    )
    parser.add_argument(
        "--compiler", action="append", metavar="CXX", help=f"instead of {' and '.join(compilers())} (may be repeated)"
    )
    parser.add_argument("--json", action="store_true", help="the table as JSON")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count() or 1, help="compilers at once (default: %(default)s)")
    parser.add_argument(
        "--replace",
        nargs=2,
        metavar=("OLD", "NEW"),
        help="change the first OLD of each emitted source into NEW, to see that a difference is found",
    )
    return parser.parse_args(argv)


def main(argv=None):
    args = parse(argv)
    edit = (lambda source: source.replace(*args.replace, 1)) if args.replace else (lambda source: source)
    start, rows = time.monotonic(), []
    chosen = args.compiler or compilers()
    if not chosen:
        sys.exit("equality: no C++ compiler was found; install g++ or clang")
    if not args.json:
        print(HEADER)
    try:
        for row in table(args.kernel, args.platform or golden.PLATFORMS, chosen, args.jobs, edit):
            rows.append(row)
            if not args.json:
                print(row, flush=True)
                if row.difference is not None:
                    print("  " + row.difference.replace("\n", "\n  "), flush=True)
    except (AscendCError, CodegenError, asc.KernelError) as error:  # no compiler, or a kernel that does not run at all
        sys.exit(f"equality: {error}")
    different = sum(row.difference is not None for row in rows)
    if args.json:
        print(json.dumps({"equal": not different, "rows": [asdict(row) for row in rows]}, indent=2))
    else:
        launches = sum(row.launches for row in rows)
        print(
            f"{launches} launches compared, {time.monotonic() - start:.0f} s: "
            + (f"{different} of {len(rows)} rows differ" if different else "all equal")
        )
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
