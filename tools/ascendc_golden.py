#!/usr/bin/env python3
"""Emitted Ascend C of some kernels, kept in test/Target/AscendC/golden to be read and compared.

./dev run tools/ascendc_golden.py --write    after a change that is meant to change the text
"""

import argparse
import difflib
import importlib
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "test/Target/AscendC/golden"
PLATFORMS = ["Ascend910B1", "Ascend950PR_9599"]
# A module of kernels/, its test, and the arguments of the test.
CASES = [
    ("gelu", "test_gelu_tanh", "float16", (72 * 4096 + 1,)),
    ("softmax", "test_softmax", "float16", (31, 127)),
    ("matmul", "test_matmul", "float16", (127, 129, 65)),
]

sys.path[:0] = [str(ROOT / "kernels"), str(ROOT / "python")]


def emitted(module, test, platform, dtype, shape):
    """The launches of a kernel's own test. Nothing runs, so its check of the results is left out."""
    import golden
    from asc.runtime.emit import captured

    function = getattr(importlib.import_module(module), test)
    check, golden.check = golden.check, lambda actual, expected: None
    try:
        with captured() as launches:
            function(platform, dtype, shape)
    finally:
        golden.check = check
    return launches


def texts():
    """{file name: text}"""
    result = {}
    for module, test, dtype, shape in CASES:
        for platform in PLATFORMS:
            launch, *_ = emitted(module, test, platform, dtype, shape)
            result[f"{launch.kernel}-{platform}.cpp"] = launch.source
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="write the files instead of comparing them")
    args = parser.parse_args()
    different = 0
    for name, text in texts().items():
        path = FOLDER / name
        kept = path.read_text() if path.exists() else ""
        if kept == text:
            continue
        different += 1
        if args.write:
            FOLDER.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            print(f"wrote {path.relative_to(ROOT)}")
        else:
            sys.stdout.writelines(difflib.unified_diff(kept.splitlines(True), text.splitlines(True), f"kept/{name}", f"now/{name}"))
    return 1 if different and not args.write else 0


if __name__ == "__main__":
    sys.exit(main())
