"""How many attacks on the judge there are, of which kind, and how many get through; and how many honest candidates are refused.

`verify --strict` judges them alone, as if there were no `validate`, which is asked beside it. `--count` only counts, `--sample N` judges N
of each kind, drawn by `--seed`.
"""

import argparse
import contextlib
import io
import multiprocessing
import os
import random
import sys
import tempfile
from pathlib import Path

LIBRARY = "kernels of the library"
ROOT = Path(__file__).resolve().parent.parent
TESTS = ROOT / "python/tests"


def attacks():
    """{kind: {name: (task, candidate, C++ source)}}, those that a right judge refuses."""
    import attacks as host
    import attacks_in
    import device_attacks
    import judging
    import test_device
    import test_evidence
    import test_hostile
    import triton_attacks

    def loaded(before, body):
        return test_evidence.DOUBLE, test_evidence.LOADED, before + "\n" + test_evidence.ASCEND_C % body

    return {
        "computes on the host": {str(each): (host.TASK, each.candidate(), "") for each in host.attacks()},
        "computes beside launches": {name: (test_evidence.TASK, each[0], "") for name, each in test_evidence.ATTACKS.items()},
        "asks the device": {name: (test_evidence.TASK, each[0], "") for name, each in test_device.ATTACKS.items()},
        "brings data, or works at other times": {name: (each[0], each[1], "") for name, each in device_attacks.CALLS.items()},
        "in asc, PyPTO and Triton": {" ".join(key): (each[0], each[1], "") for key, each in attacks_in.attacks().items()},
        "in what Triton calls, and its kernels": {name: (each[0], each[1], "") for name, each in triton_attacks.CALLS.items()},
        "goes past the Machine in C++": {name: loaded(*each[:2]) for name, each in device_attacks.SOURCES.items()},
        "attacks processes and verdicts": {name: (judging.TASK, each[0], "") for name, each in test_hostile.DEFAULT.items()},
        "is right by chance": {name: (each[0], each[1], "") for name, each in test_hostile.STRICT.items()},
    }


def elsewhere():
    """{kind: number} of those that other commands refuse."""
    import device_attacks

    return {
        "degenerate, by validate": len(list((TESTS / "judge/candidates/degenerate").glob("*.py"))),
        "waits until it is timed, by bench": len(device_attacks.WAITING),
    }


def honest():
    """{kind: {name: (task, candidate, C++ source or files beside it)}}, those that a right judge accepts."""
    import library
    import public
    import public_triton_more
    import test_evidence

    def kernels():
        for index, (name, inputs, reference, text, beside) in enumerate(library.candidates()):
            task, lines = library.task(inputs, reference, library.FORMS[index % 2])
            yield name, (task, text, beside)

    return {
        LIBRARY: dict(kernels()),
        "as people publish them": {name: (task, text, "") for name, task, text in public.candidates()},
        "in Triton, as people publish them": {name: (task, text, "") for name, task, text in public_triton_more.candidates()},
        "beside the attacks": {name: (test_evidence.TASK, text, "") for name, text in test_evidence.HONEST.items()},
    }


def accepts(task, candidate, source, strict=True):
    """Whether `verify` accepts a candidate."""
    from tilesmith.__main__ import main

    with tempfile.TemporaryDirectory() as folder:
        beside = [("work.cpp", source)] if isinstance(source, str) else [(path.name, path.read_text()) for path in source]
        for name, text in (("op_torch.py", task), ("op_triton_ascend_impl.py", candidate), *beside):
            (Path(folder) / name).write_text(text)
        options = ["--op_name", "op", "--verify_dir", folder, "--timeout", "60", "--memory", "4", *(["--strict"] if strict else [])]
        with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
            return main(["verify", *options]) == 0


def validates(candidate):
    """Whether `validate` accepts a candidate."""
    from tilesmith.validate import validate

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "candidate.py"
        path.write_text(candidate)
        return validate(str(path))[0]


def judge(each):
    """A candidate's name, and whether `verify --strict` and `validate` accept it."""
    kind, name, (task, candidate, source) = each
    # Honest ones of instructions take lengths that divide evenly, some operators shapes of their own; other shapes are findings.
    strict = kind != LIBRARY or not name.startswith(("asc ", "ascendc ", "pypto "))
    return kind, name, accepts(task, candidate, source, strict), validates(candidate)


def report(kinds, judged, wanted, jobs):
    """Judges candidates; the names of those that were not judged as `wanted`."""
    drawn = {kind: judged(sorted(candidates)) for kind, candidates in kinds.items()}
    accepted = {kind: [0, 0, 0] for kind in kinds}
    wrong = []
    with multiprocessing.Pool(jobs) as pool:
        work = [(kind, name, kinds[kind][name]) for kind, names in drawn.items() for name in names]
        for kind, name, of_verify, of_validate in pool.imap_unordered(judge, work):
            accepted[kind] = [sum(pair) for pair in zip(accepted[kind], (of_verify, of_validate, of_verify and of_validate))]
            if of_verify != wanted:
                wrong.append(f"{kind}: {name}")
                print("    is refused:" if wanted else "    gets through:", name, flush=True)
    for kind, candidates in kinds.items():
        alone, validated, both = accepted[kind]
        of = f"judged {len(drawn[kind]):4}   accepted by verify alone {alone:4}, by validate alone {validated:4}, by both {both:4}"
        print(f"  {kind:40} {len(candidates):4}   {of}")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", action="store_true", help="judge none")
    parser.add_argument("--sample", type=int, help="how many of each kind are judged")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2, help="how many are judged at once")
    parser.add_argument("--only", default="", help="judge only kinds with this in their name")
    args = parser.parse_args()
    sys.path[:0] = [str(TESTS / "judge"), str(TESTS), str(ROOT / "python")]
    generator = random.Random(args.seed)

    def judged(names):
        if args.count:
            return []
        return names if args.sample is None else generator.sample(names, min(args.sample, len(names)))

    with tempfile.TemporaryDirectory() as keys:
        os.environ.setdefault("TILESMITH_JUDGE_KEY", os.path.join(keys, "judge.key"))
        hostile, fair, others = attacks(), honest(), elsewhere()
        hostile, fair = ({kind: those for kind, those in kinds.items() if args.only in kind} for kinds in (hostile, fair))
        print(f"{sum(map(len, hostile.values())) + sum(others.values())} attacks")
        for kind, number in others.items():
            print(f"  {kind:40} {number:4}")
        through = report(hostile, judged, wanted=False, jobs=args.jobs)
        print(f"{sum(map(len, fair.values()))} honest candidates")
        refused = report(fair, judged, wanted=True, jobs=args.jobs)
    print(f"{len(through)} attacks get through, {len(refused)} honest candidates are refused")
    return bool(through or refused)


if __name__ == "__main__":
    sys.exit(main())
