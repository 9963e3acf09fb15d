"""Every op and type of the dialects is described, and the IR in descriptions is IR."""

import functools
import json
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@functools.cache
def records(dialect):
    """The dialect's ops and types as TableGen sees them."""
    path = ROOT / f"include/tilesmith/Dialect/{dialect}/{dialect}Ops.td"
    bindir, include = (subprocess.run(["llvm-config-22", f"--{what}"], capture_output=True, text=True, check=True).stdout.strip()
                       for what in ("bindir", "includedir"))
    folders = [ROOT / "include", ROOT / "build/include", include]
    done = subprocess.run([f"{bindir}/llvm-tblgen", "--dump-json", path, *(f"-I{folder}" for folder in folders)],
                          capture_output=True, text=True, check=True)
    table = json.loads(done.stdout)
    names = [name for kind in ("Op", "TypeDef") for name in table["!instanceof"][kind]]
    return {name: table[name] for name in names if table[name].get("opDialect", table[name].get("dialect"))["def"] == f"{dialect}_Dialect"}


def is_instruction(record):
    return any(parent == "Isa_Instruction" for parent in record["!superclasses"])


@pytest.mark.parametrize("dialect", ["Tile", "Graph", "Isa"])
def test_every_op_and_type_is_described(dialect):
    found = records(dialect)
    assert len(found) >= 20
    missing = [name for name, record in found.items() if not record["summary"].strip() or not record["description"].strip()]
    assert not missing, f"without summary or description: {missing}"


@pytest.mark.parametrize("dialect", ["Tile", "Graph", "Isa"])
def test_every_op_has_an_example_that_is_tested(dialect):
    """Names of values may differ from those in the lit test that parses the examples; nothing else may."""

    def shape(line):
        return re.sub(r"%\w+", "%", line).strip()

    tested = {shape(line) for line in (ROOT / f"test/Dialect/{dialect}/examples.mlir").read_text().splitlines()}
    for name, record in records(dialect).items():
        fence = "cpp" if is_instruction(record) else "mlir"
        examples = re.findall(rf"```{fence}\n(.*?)```", record["description"], re.S)
        if "opName" in record:
            assert examples, f"{name} has no example"
        if fence == "cpp":  # compiled elsewhere: it is the record's
            continue
        for line in "".join(examples).splitlines():
            assert shape(line) in tested, f"{name}: not in test/Dialect/{dialect}/examples.mlir: {line.strip()}"
