"""Instructions that change the element type, choose by scalars and the compare register, gather blocks, scatter, merge and turn
rows, through the headers against NumPy written from the manual's words (see test_ascendc_conformance.py)."""

import numpy as np
import pytest

import _tilesmith
import ascendc
from test_ascendc_conformance import COUNT, FLOATS, FORMS, MASK, NUMPY, PLATFORMS, SLOT, Case, same


@pytest.fixture(scope="module")
def kernels():
    return ascendc.load(ascendc.ROOT / "python/tests/conformance_mixed.cpp")


@pytest.fixture(autouse=True, params=PLATFORMS)
def arch(request):
    before = _tilesmith.current_platform()
    _tilesmith.set_platform(PLATFORMS[request.param])
    yield request.param
    _tilesmith.set_platform(before)


def saturated(values, dtype):
    if "int" not in dtype:
        return np.asarray(values, np.float64).astype(NUMPY[dtype])
    info = np.iinfo(NUMPY[dtype])
    return np.clip(np.rint(np.asarray(values, np.float64)), info.min, info.max).astype(NUMPY[dtype])


def single(values):
    return np.asarray(values, np.float64).astype(np.float32)


# op: number in conformance_mixed.cpp, from, to, function of (src0, src1, dst, scale) in double
MIXED = {
    "Axpy": (0, "float16", "float32", lambda a, b, d, s: a * s + d),
    "MulAddDst": (1, "float16", "float32", lambda a, b, d, s: a * b + d),
    "Cast": (2, "int32", "float16", lambda a, b, d, s: single(a) * np.float32(s)),
    "AddDeqRelu": (3, "int32", "float16", lambda a, b, d, s: np.maximum(single(a + b) * np.float32(s), 0)),
    "AddReluCast int8": (4, "float16", "int8", lambda a, b, d, s: np.maximum(a + b, 0).astype(np.float16)),
    "AddReluCast half": (5, "float32", "float16", lambda a, b, d, s: single(np.maximum(a + b, 0))),
    "SubReluCast int8": (6, "int16", "int8", lambda a, b, d, s: np.clip(np.maximum(a - b, 0), -32768, 32767)),
    "SubReluCast half": (7, "float32", "float16", lambda a, b, d, s: single(np.maximum(a - b, 0))),
    "MulCast int8": (8, "float16", "int8", lambda a, b, d, s: (a * b).astype(np.float16)),
    "MulCast uint8": (9, "float16", "uint8", lambda a, b, d, s: (a * b).astype(np.float16)),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", MIXED)
def test_mixed_types(kernels, name, form):
    op, source, target, function = MIXED[name]
    if name == "Cast" and form == "bits":
        pytest.skip("Cast with a scale takes a number of lanes")
    for seed in range(3):
        case = Case(seed, FORMS[form], source, wide=target)
        case.request["op"], case.request["scalar"] = op, 0.0625
        case.operands[0] = case.values(target)
        if source == "int32":  # what float and half can hold
            for i in (1, 2):
                case.operands[i] = (case.operands[i] % 4096 - 2048).astype(np.int32)
        dst = case.operands[0].copy()
        places = case.places("dst", NUMPY[target].itemsize)
        a, b = (case.operands[i + 1][case.places(f"src{i}")].astype(np.float64) for i in (0, 1))
        dst[places] = saturated(function(a, b, dst[places].astype(np.float64), 0.0625), target)
        # The second source of the unary ones is not asked for.
        same(case.run(kernels["mixed"]), dst, target, ulps=1 if op < 2 else 0)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_select_against_a_scalar(kernels, dtype, form):
    case = Case(4, FORMS[form], dtype)
    case.request["scalar"] = -2.5
    chosen = np.unpackbits(case.selector, bitorder="little").astype(bool)
    order = np.arange(case.count) if form == "count" else np.array([r * case.lanes + lane for r, lane in case.active()])
    expected = case.operands[0].copy()
    expected[case.places("dst")] = np.where(chosen[order], case.operands[1][case.places("src0")], NUMPY[dtype].type(-2.5))
    same(case.run(kernels["chosen"]), expected, dtype)


COMPARISONS = [np.less, np.greater, np.equal, np.less_equal, np.greater_equal, np.not_equal]


@pytest.mark.parametrize("mode", range(6))
@pytest.mark.parametrize("dtype", FLOATS)
def test_the_compare_register(kernels, dtype, mode):
    """One repeat is compared; every repeat chooses by the same bits, lanes that were not compared choose the second source."""
    case = Case(mode, MASK, dtype)
    case.operands[2][::2] = case.operands[1][::2]
    case.request["op"], case.request["mode"] = 1, mode
    lanes = int(case.random.integers(1, case.lanes + 1))
    case.request["count"] = lanes
    first = {operand: case.places(operand)[:case.mask] for operand in ("src0", "src1")}
    bits = np.zeros(case.lanes, bool)
    bits[:case.mask] = COMPARISONS[mode](case.operands[1][first["src0"]], case.operands[2][first["src1"]])
    case.mask = lanes
    places = {operand: case.places(operand) for operand in ("dst", "src0", "src1")}
    expected = case.operands[0].copy()
    expected[places["dst"]] = np.where(np.tile(bits[:lanes], case.repeat), case.operands[1][places["src0"]],
                                       case.operands[2][places["src1"]])
    same(case.run(kernels["chosen"]), expected, dtype)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("counted", [False, True])
def test_gather_by_bits(kernels, dtype, counted):
    """Each repeat has its own bits; what is kept follows without gaps, and its number is known."""
    case = Case(6, MASK, dtype)
    case.mask = case.count if counted else case.lanes
    case.request["op"], case.request["index"], case.request["src1_rep"] = 2, counted, 8
    if counted:
        case.request["src0_blk"] = 1
    bits = [np.unpackbits(case.selector[r * 256:], bitorder="little")[:case.mask].astype(bool) for r in range(case.repeat)]
    kept = np.concatenate([case.operands[1][part][bit] for part, bit in zip(np.split(case.places("src0"), case.repeat), bits)])
    expected = case.operands[0].copy()
    expected[:kept.size] = kept
    expected.view(np.uint32)[-1] = kept.size
    same(case.run(kernels["chosen"]), expected, dtype)


@pytest.mark.parametrize("dtype", FLOATS)
def test_gather_of_blocks(kernels, dtype):
    case = Case(7, COUNT, dtype)
    case.request["op"] = 3
    offsets = case.random.integers(0, SLOT // 32, SLOT // 4) * 32
    case.operands[2] = offsets.astype(np.uint32)
    source, expected = case.operands[1].view(np.uint8), case.operands[0].view(np.uint8).copy()
    for r in range(case.repeat):
        for i in range(8):
            to = (r * int(case.request["dst_rep"]) + i * int(case.request["dst_blk"])) * 32
            expected[to:to + 32] = source[offsets[r * 8 + i]:][:32]
    assert case.run(kernels["chosen"]).tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", FLOATS)
def test_scatter(kernels, arch, dtype):
    if arch == "c220":
        pytest.skip("the 910B has no Scatter")
    case = Case(8, COUNT, dtype)
    case.request["op"], case.request["integer"] = 4, 4 * case.size
    index = case.random.permutation(SLOT // case.size - 8)[:case.count]
    offsets = np.zeros(SLOT // 4, np.uint32)
    offsets[:case.count] = index * case.size
    case.operands[2] = offsets
    expected = case.operands[0].copy()
    expected[index + 4] = case.operands[1][:case.count]
    same(case.run(kernels["chosen"]), expected, dtype)


@pytest.mark.parametrize("dtype", FLOATS)
def test_counting_up(kernels, dtype):
    case = Case(9, COUNT, dtype)
    case.request["op"], case.request["scalar"], case.request["integer"] = 5, 0.5, 3
    expected = case.operands[0].copy()
    expected[:case.count] = (0.5 + 3.0 * np.arange(case.count)).astype(NUMPY[dtype])
    same(case.run(kernels["chosen"]), expected, dtype)


@pytest.mark.parametrize("stops", [False, True])
@pytest.mark.parametrize("valid", [3, 7, 15])
def test_merges_of_sorted_lists(kernels, valid, stops):
    """Largest first, equal scores list by list; with stops the merge ends with its first empty list."""
    case = Case(valid, COUNT, "float32")
    lengths = [int(case.random.integers(1, 60)) if valid >> i & 1 else 9 for i in range(4)]
    for name, length in zip(("dst_blk", "src0_blk", "src1_blk", "dst_rep"), lengths):
        case.request[name] = length
    case.request["mask"], case.request["index"] = valid, stops
    lists = []
    for i, length in enumerate(lengths):
        scores = -np.sort(-case.random.integers(0, 20, length).astype(np.float32))
        index = case.random.integers(0, 1 << 32, length).astype(np.uint32)
        words = case.operands[1 + i // 2].view(np.uint32)[i % 2 * SLOT // 8:]
        words[0:2 * length:2], words[1:2 * length:2] = scores.view(np.uint32), index
        lists.append(list(zip(scores, index)) if valid >> i & 1 else [])
    heads, merged = [0] * 4, []
    used = [i for i in range(4) if lists[i]]
    while any(heads[i] < len(lists[i]) for i in used) and not (stops and any(heads[i] == len(lists[i]) for i in used)):
        best = max((i for i in used if heads[i] < len(lists[i])), key=lambda i: (lists[i][heads[i]][0], -i))
        merged.append(lists[best][heads[best]])
        heads[best] += 1
    expected = case.operands[0].copy()
    words = expected.view(np.uint32)
    words[0:2 * len(merged):2] = np.array([score for score, _ in merged], np.float32).view(np.uint32)
    words[1:2 * len(merged):2] = [index for _, index in merged]
    words[-4:] = heads
    assert case.run(kernels["merge"]).tobytes() == expected.tobytes()


@pytest.mark.parametrize("form", [0, 1])
@pytest.mark.parametrize("dtype", ["uint8", "float16", "float32"])
def test_turned_rows(kernels, dtype, form):
    """16 rows of 32 bytes by tensors and by addresses; of bytes one half of the rows, of words two blocks for a column."""
    case = Case(11, form, dtype)
    case.request["dst_blk"], case.request["src0_blk"] = 5, 6
    case.request["dst_rep"], case.request["src0_rep"], case.request["repeat"] = 80, 96, 2
    case.request["index"], case.request["mode"] = 1, 1  # high halves, of bytes
    source, expected = case.operands[1].view(np.uint8), case.operands[0].view(np.uint8).copy()
    for r in range(2):
        rows = np.stack([source[(r * 96 + i * 6) * 32:][:32] for i in range(16)]).view(NUMPY[dtype])
        if dtype == "uint8":
            turned, width, at = rows[:, 16:].T, 16, 16
        else:
            turned, width, at = rows.T, 32, 0
        pieces = np.ascontiguousarray(turned).view(np.uint8).reshape(16, width)
        for i in range(16):
            to = (r * 80 + i * 5) * 32 + at
            expected[to:to + width] = pieces[i]
    assert case.run(kernels["turn"]).tobytes() == expected.tobytes()
