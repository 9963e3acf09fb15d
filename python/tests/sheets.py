"""Many small tile expressions in one kernel, each with its own result and its own judgement.

A sheet names input arrays and runtime scalars; a case is an expression over the tiles `a`, `b`, ... loaded from them, and
what it must give. Running a sheet compiles one kernel for one platform and launches it in checked mode, under both late
policies and on one host thread: no findings, and the same bytes every time.
"""

import hashlib
import importlib.util
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import torch
from gate import compare

import asc
from asc.runtime import config

PLATFORMS = ["Ascend910B1", "Ascend950PR_9599"]
FLOATS = {"float16": torch.float16, "bfloat16": torch.bfloat16, "float32": torch.float32}
INTEGERS = {"int8": torch.int8, "int16": torch.int16, "int32": torch.int32}
DTYPES = {**FLOATS, **INTEGERS}
NAMES = {dtype: name for name, dtype in DTYPES.items()}

folder = tempfile.TemporaryDirectory(prefix="tilesmith-sheets-")


def define(source):
    """The module with this text. In a file: a kernel is read from its source."""
    name = "sheet_" + hashlib.sha1(source.encode()).hexdigest()[:12]
    path = Path(folder.name) / f"{name}.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def bits(tensor):
    """What must be equal bit for bit. All NaNs are one."""
    tensor = tensor.detach().clone().contiguous().reshape(-1)
    if tensor.is_floating_point():
        tensor[tensor.isnan()] = float("nan")
        return tensor.view({2: torch.int16, 4: torch.int32}[tensor.element_size()])
    return tensor


def assert_exact(label, actual, expected, show=()):
    assert actual.dtype == expected.dtype and actual.numel() == expected.numel(), label
    differ = (bits(actual) != bits(expected)).nonzero().flatten()
    if len(differ):
        at = differ[:8].tolist()
        rows = [f"  [{i}] {actual.reshape(-1)[i].item()!r} is not {expected.reshape(-1)[i].item()!r}"
                + "".join(f", {name} = {t.reshape(-1)[i].item()!r}" for name, t in show if t.numel() == actual.numel())
                for i in at]
        raise AssertionError(f"{label}: {len(differ)} of {actual.numel()} differ\n" + "\n".join(rows))


def assert_near(label, actual, expected, show=()):
    verdict = compare(actual, expected)
    if not verdict.passed:
        a, e = actual.reshape(-1).double(), expected.reshape(-1).double()
        bad = ((a - e).abs() / e.abs().clamp(min=1e-30)).nan_to_num(nan=0.0)
        bad[a.isnan() != e.isnan()] = torch.inf
        at = bad.argsort(descending=True)[:8].tolist()
        rows = [f"  [{i}] {a[i].item()!r} for {e[i].item()!r}"
                + "".join(f", {name} = {t.reshape(-1)[i].item()!r}" for name, t in show if t.numel() == len(a)) for i in at]
        raise AssertionError(f"{label}: {verdict}\n" + "\n".join(rows))


def load(name, tensor):
    """A whole tensor as a tile. Rows of tiles are whole 32-byte blocks in memory; others come through a flat tile."""
    shape, size = list(tensor.shape), tensor.numel()
    if len(shape) == 1 or shape[-1] * tensor.element_size() % 32 == 0:
        return f"asc2.load(asc2.tensor({name}_ptr, {shape}), {shape}, offsets={[0] * len(shape)})"
    return f"asc2.load(asc2.tensor({name}_ptr, [{size}]), [{size}], offsets=[0]).reshape({', '.join(map(str, shape))})"


@dataclass
class Case:
    text: str  # an expression; it may need lines before it
    expected: torch.Tensor
    judge: object
    before: tuple = ()


@dataclass
class Sheet:
    inputs: dict  # tile name -> tensor, loaded whole
    scalars: dict = field(default_factory=dict)
    cases: list = field(default_factory=list)

    def exact(self, text, expected, before=()):
        self.cases.append(Case(text, expected, assert_exact, tuple(before)))

    def near(self, text, expected, before=()):
        self.cases.append(Case(text, expected, assert_near, tuple(before)))

    def source(self):
        outputs = sorted({NAMES[case.expected.dtype] for case in self.cases})
        lines = ["import asc", "import asc2", "", "", "@asc2.jit",
                 f"def sheet({', '.join([f'{n}_ptr' for n in self.inputs] + [f'{o}_ptr' for o in outputs] + [*self.scalars])}):"]
        for output in outputs:
            lines.append(f"    {output} = asc2.tensor({output}_ptr, [{self.total(output)}])")
        for name, tensor in self.inputs.items():
            lines.append(f"    {name} = {load(name, tensor)}")
        at = dict.fromkeys(outputs, 0)
        for case in self.cases:
            output = NAMES[case.expected.dtype]
            lines += ["    " + line for line in case.before]
            value = case.text if case.expected.dim() <= 1 else f"({case.text}).ravel()"
            lines.append(f"    asc2.store({value}, {output}, offsets=[{at[output]}])")
            at[output] += case.expected.numel()
        return "\n".join(lines) + "\n"

    def total(self, output):
        return sum(case.expected.numel() for case in self.cases if NAMES[case.expected.dtype] == output)

    def launch(self, kernel):
        outputs = sorted({NAMES[case.expected.dtype] for case in self.cases})
        results = {o: torch.full([self.total(o)], 77, dtype=DTYPES[o]) for o in outputs}
        kernel[1](*self.inputs.values(), *results.values(), *self.scalars.values())
        return results

    def run(self, platform):
        config.set_platform("Model", platform)
        kernel = define(self.source()).sheet
        with asc.check() as report:
            results = self.launch(kernel)
        assert not report.findings, "\n".join(map(str, report.findings))
        for mode in ({"late": "consumers"}, {"late": "producers"}, {"threads": 1}):
            with asc.launch_mode(**mode):
                for name, again in self.launch(kernel).items():
                    assert torch.equal(bits(again), bits(results[name])), f"other bytes with {mode}"
        self.judge(results)

    def judge(self, results):
        at, wrong = dict.fromkeys(results, 0), []
        for case in self.cases:
            name = NAMES[case.expected.dtype]
            actual = results[name][at[name]:at[name] + case.expected.numel()].reshape(case.expected.shape)
            at[name] += case.expected.numel()
            try:
                case.judge(f"{case.text} -> {name}", actual, case.expected, list(self.inputs.items()))
            except AssertionError as error:
                wrong.append(str(error))
        assert not wrong, "\n".join(wrong)

