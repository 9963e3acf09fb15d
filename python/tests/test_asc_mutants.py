"""Kernels of kernels/asc with one line of order or memory left out: each is found, by a check, a refusal or its results."""

import re
from functools import partial

import numpy as np
import pytest

import ascendc
import asc
from test_asc_emit import equality
from asc.codegen.errors import CodegenError
from asc.runtime import config

ORDER = re.compile(r"^ +(asc\.(set_flag|wait_flag|pipe_barrier)\(|\w+\.(enque|free_tensor|init_buffer)\(|asc\.data_copy)")


def random(count, dtype=np.float32, seed=1):
    return np.random.default_rng(seed).standard_normal(count).astype(dtype)


def kernel_of(text, name, number=None):
    """The kernel of a file's text, without one of its lines."""
    lines = text.splitlines(keepends=True)
    if number is not None:
        lines[number] = re.match(r" *", lines[number])[0] + "pass\n"
    text = "".join(lines)
    path = f"{name}_{number}.py"
    names = {"__name__": f"mutant_{name}_{number}"}
    # jit takes the source of each function, for none of them is in a file.
    parts = re.split(r"(?m)^(?=@asc\.jit)", text)
    exec(compile(parts[0], path, "exec"), names)
    for part in parts[1:]:
        body = part.split("\n", 1)[1]
        function = re.match(r"def (\w+)", body)[1]
        exec(compile(body, path, "exec"), names)
        names[function] = asc.jit(names[function], source=part)
    return names[name]


def add(dtype, kernel):
    x, y, z = random(16384, dtype), random(16384, dtype, 2), np.zeros(16384, dtype)
    kernel[2](x, y, z, 16384)
    return np.array_equal(z, x + y)


def clip(kernel):
    x, y = random(4096), np.zeros(4096, np.float32)
    kernel[2](x, y, 4096, -0.5, 0.5, 9.0)
    return np.array_equal(y, np.where((x > -0.5) & (x < 0.5), x, np.float32(9)))


def softmax(kernel):
    x, y = random(500).reshape(5, 100), np.zeros((5, 100), np.float32)
    kernel[2](x, y, 5, 100)
    exact = np.exp(x - x.max(1, keepdims=True))
    return np.allclose(y, exact / exact.sum(1, keepdims=True), rtol=1e-5)


def top_k(kernel):
    x, scores, places = random(6 * 1024).reshape(6, 1024), np.zeros((6, 10), np.float32), np.zeros((6, 10), np.uint32)
    kernel[2](x, np.arange(1024, dtype=np.uint32), scores, places, 6, 10)
    order = np.argsort(-x, axis=1, kind="stable")[:, :10]
    return np.array_equal(places, order) and np.array_equal(scores, np.take_along_axis(x, order, 1))


def transpose(kernel):
    x, y = random(48 * 80, np.float16).reshape(48, 80), np.zeros((80, 48), np.float16)
    kernel[2](x, y, 48, 80)
    return np.array_equal(y, x.T)


def scale_to_bytes(kernel):
    x, y = random(8192), np.zeros(8192, np.int8)
    kernel[2](x, y, 8192, 40.0, 3.0)
    return np.array_equal(y, np.clip(np.rint((x * np.float32(40) + np.float32(3)).astype(np.float16)), -128, 127).astype(np.int8))


def gather(kernel):
    x, index, y = random(2048), np.random.default_rng(3).integers(0, 2048, 4096).astype(np.int32), np.zeros(4096, np.float32)
    kernel[2](x, index, y, 2048, 4096)
    return np.array_equal(y, x[index])


def sums(kernel):
    x, y = np.random.default_rng(1).integers(-9, 9, (256, 64)).astype(np.float32), np.zeros(256, np.float32)
    kernel[2](x, y, 256, 37)
    return np.array_equal(y, x[:, :37].sum(1))


KERNELS = {"add_flags": partial(add, np.float32), "add_custom": partial(add, np.float16), "clip_select": clip, "softmax_rows": softmax, "top_k": top_k,
           "transpose_squares": transpose, "scale_to_bytes": scale_to_bytes, "gather_rows": gather, "sum_masked": sums}  # fmt: skip


def is_found(kernel, check):
    try:
        with asc.check() as report:
            right = check(kernel)
    except (asc.KernelError, CodegenError):
        return True
    return bool(report.findings) or not right


# Nothing is left to take these buffers once more.
HARMLESS = {"index_queue.free_tensor(index)", "table_queue.free_tensor(table)"}


@pytest.mark.parametrize("name", KERNELS)
def test_every_line_of_order_matters(name):
    config.set_platform(config.Backend.Model, "Ascend910B1")
    text = (ascendc.ROOT / f"kernels/asc/{name}.py").read_text()
    assert not is_found(kernel_of(text, name), KERNELS[name]), "the kernel itself"
    numbers = [i for i, line in enumerate(text.splitlines()) if ORDER.match(line) and line.strip() not in HARMLESS]
    missed = [text.splitlines()[i].strip() for i in numbers if not is_found(kernel_of(text, name, i), KERNELS[name])]
    assert len(numbers) >= 5 and not missed


def product(kernel):
    a, b, bias, c, workspace, tiling, alpha = equality.by_hand.leaky(64, 96, 64)
    kernel[1](a, b, bias, c, workspace, tiling, alpha)
    exact = a.astype(np.float32) @ b.astype(np.float32) + bias
    return np.allclose(c, np.where(exact < 0, exact * np.float32(alpha), exact), atol=1e-3)


def test_every_line_of_a_matmul_object_matters():
    """But its end: nothing is left to wait for."""
    config.set_platform(config.Backend.Model, "Ascend910B1")
    name = "matmul_leaky_relu"
    text = (ascendc.ROOT / f"kernels/asc/{name}.py").read_text()
    assert not is_found(kernel_of(text, name), product), "the kernel itself"
    calls = re.compile(
        r" +(asc\.adv\.register_matmul\(|asc\.leaky_relu\(|asc\.data_copy\(|(queue|pipe)\.\w+\(|matmul\.(?!end)\w+\()"
    )
    numbers = [i for i, line in enumerate(text.splitlines()) if calls.match(line)]
    missed = [text.splitlines()[i].strip() for i in numbers if not is_found(kernel_of(text, name, i), product)]
    assert len(numbers) >= 10 and not missed


# A place 8 elements on, 8 elements fewer, one row fewer: what is damaged, and how.
DAMAGES = (
    (r"_gm\[", "_gm[8 + "),
    (r"\bTILE\)$", "TILE - 8)"),
    (r"\bROWS, 1, 1, 8\)", "ROWS - 1, 1, 1, 8)"),
    (r", width, ", ", width - 1, "),
)


@pytest.mark.parametrize("name", KERNELS)
def test_every_offset_count_and_mask_matters(name):
    config.set_platform(config.Backend.Model, "Ascend910B1")
    text = (ascendc.ROOT / f"kernels/asc/{name}.py").read_text()
    body = text.index("@asc.jit")
    damaged = [
        text[: match.start()] + replacement + text[match.end() :]
        for pattern, replacement in DAMAGES
        for match in re.finditer(pattern, text, re.MULTILINE)
        if match.start() > body and re.search(r"\basc\.[a-z_]+\(", text[text.rfind("\n", 0, match.start()) : match.start()])
    ]
    missed = [
        next(a for a, b in zip(one.splitlines(), text.splitlines()) if a != b)
        for one in damaged
        if not is_found(kernel_of(one, name), KERNELS[name])
    ]
    assert len(damaged) >= 2 and not missed
