"""Every vector instruction x form x dtype through the headers, against NumPy written straight from the manual's words.

The oracle works on the bytes of whole operands: a repeat is 8 blocks of 32 bytes, block b of repeat r of an operand starts at
(r * rep + b * blk) * 32, lanes are active by count, by first lanes or by bits; inactive lanes keep what was there. The whole
destination is compared, so that a byte too many or too few shows.
"""

import numpy as np
import pytest

import _tilesmith
import asc
import ascendc

SLOT = 32768
PLATFORMS = {"c220": "Ascend910B1", "c310": "Ascend950PR_9599"}
REQUEST = np.dtype([(name, "i4") for name in (
    "op dtype dtype2 form count mask repeat mode order index dst_blk src0_blk src1_blk dst_rep src0_rep src1_rep".split())] +
    [("lanes", "u8", 2), ("scalar", "f4"), ("integer", "i4")])
DTYPES = ["float16", "float32", "int16", "int32", "uint16", "uint32", "int8", "uint8", "bfloat16"]
NUMPY = {name: np.dtype("uint16" if name == "bfloat16" else name) for name in DTYPES}
FLOATS = ["float16", "float32"]
COUNT, MASK, BITS = 0, 1, 2
FORMS = {"count": COUNT, "mask": MASK, "bits": BITS}


@pytest.fixture(scope="module")
def kernels():
    return ascendc.load(ascendc.ROOT / "python/tests/conformance.cpp", kernels=[
        "binary", "unary", "scalar", "fill", "choose", "reduction", "convert", "permute"])


@pytest.fixture(autouse=True)
def restore_platform():
    before = _tilesmith.current_platform()
    _tilesmith.set_platform("Ascend910B1")
    yield
    _tilesmith.set_platform(before)


def widen(values, dtype):
    """Elements as numbers the oracle computes with."""
    if dtype == "bfloat16":
        return (values.astype(np.uint32) << 16).view(np.float32)
    return values


def narrow(values, dtype):
    """Numbers as elements: rounded to nearest even, or wrapped."""
    if dtype == "bfloat16":
        bits = np.asarray(values, np.float32).view(np.uint32)
        return ((bits + 0x7fff + (bits >> 16 & 1)) >> 16).astype(np.uint16)
    return np.asarray(values).astype(NUMPY[dtype])


class Case:
    """One random call: operands, form and strides, and which elements of each operand belong together."""

    def __init__(self, seed, form, dtype, positive=False, wide=None):
        self.random = np.random.default_rng(seed)
        self.form, self.dtype = form, dtype
        self.size = NUMPY[dtype].itemsize
        self.lanes = 256 // max(self.size, NUMPY[wide].itemsize if wide else 0)
        rng = self.random
        self.request = np.zeros((), REQUEST)
        self.request["form"], self.request["dtype"] = form, DTYPES.index(dtype)
        self.request["repeat"] = self.repeat = int(rng.integers(1, 5))
        self.request["count"] = self.count = int(rng.integers(1, 700))
        self.request["mask"] = self.mask = int(rng.integers(1, self.lanes + 1))
        self.bits = rng.random(self.lanes) < rng.choice([0.3, 0.9])
        self.bits[0] = True
        for word in range(2):
            for i, bit in enumerate(self.bits[64 * word:64 * word + 64]):
                self.request["lanes"][word] |= np.uint64(int(bit) << i)
        for operand in ("dst", "src0", "src1"):
            self.request[operand + "_blk"] = rng.integers(1, 4)
            self.request[operand + "_rep"] = rng.integers(0 if operand != "dst" else 24, 40)
        self.operands = [self.values(dtype, positive) for _ in range(3)]
        self.selector = rng.integers(0, 256, SLOT).astype(np.uint8)

    def values(self, dtype, positive=False):
        rng, count = self.random, SLOT // NUMPY[dtype].itemsize
        if dtype in ("float16", "float32", "bfloat16"):
            numbers = rng.standard_normal(count) * rng.choice([0.5, 4.0], count)
            return narrow(np.abs(numbers) + 0.01 if positive else numbers, dtype)
        info = np.iinfo(NUMPY[dtype])
        numbers = rng.integers(info.min, info.max, count, dtype=NUMPY[dtype], endpoint=True)
        return np.where(numbers == 0, 1, numbers).astype(NUMPY[dtype])

    def active(self):
        """[(repeat, lane)] in the order of the elements."""
        if self.form == COUNT:
            return None
        lanes = np.flatnonzero(self.bits) if self.form == BITS else np.arange(self.mask)
        return [(r, int(lane)) for r in range(self.repeat) for lane in lanes]

    def places(self, operand, size=None):
        """Indices of the active elements in an operand."""
        size = size or self.size
        if self.form == COUNT:
            return np.arange(self.count)
        per_block = 32 // size
        blk, rep = int(self.request[operand + "_blk"]), int(self.request[operand + "_rep"])
        return np.array([((r * rep + lane // per_block * blk) * 32 + lane % per_block * size) // size for r, lane in self.active()])

    def run(self, kernel, out=None):
        out = (self.operands[0] if out is None else out).copy()
        buffers = [array.view(np.uint8).copy() for array in (out, self.operands[1], self.operands[2], self.selector)]
        request = np.ascontiguousarray(self.request.reshape(1)).view(np.uint8)
        with asc.check(late=False) as report:
            kernel[1](*buffers, request)
        assert not report.findings, report.findings[0]["rendered"]
        return buffers[0]


def elementwise(case, function, sources, reads_dst=False):
    """dst with the results at its active places. A repeat may overlap one before it only in what it reads."""
    dst = case.operands[0].copy()
    places = case.places("dst")
    arguments = [widen(case.operands[i + 1][case.places(f"src{i}")], case.dtype) for i in range(sources)]
    if reads_dst:
        arguments.append(widen(dst[places], case.dtype))
    with np.errstate(all="ignore"):
        dst[places] = narrow(function(*arguments), case.dtype)
    return dst


def same(actual, expected, dtype, ulps=0):
    actual = actual.view(NUMPY[dtype])
    if ulps == 0 or dtype not in FLOATS:
        assert actual.tobytes() == expected.tobytes()
        return
    signed = {2: np.int16, 4: np.int32}[NUMPY[dtype].itemsize]
    distance = np.abs(actual.view(signed).astype(np.int64) - expected.view(signed).astype(np.int64))
    assert distance.max() <= ulps


def f64(function):
    """Computed in double and rounded once."""
    return lambda *arguments: function(*(a.astype(np.float64) for a in arguments))


def truncated(a, b):
    quotient = np.abs(a.astype(np.int64)) // np.abs(b.astype(np.int64))
    return np.where((a < 0) != (b < 0), -quotient, quotient)


def divide(a, b):
    return a / b if a.dtype.kind == "f" else truncated(a, b)


def fused(a, b, c):
    return a.astype(np.float64) * b.astype(np.float64) + c.astype(np.float64)


ARITHMETIC = {"c220": ["float16", "float32", "int16", "int32"],
              "c310": ["float16", "float32", "bfloat16", "int8", "uint8", "int16", "uint16", "int32", "uint32"]}
BITWISE = {"c220": ["int16", "uint16"], "c310": ["int8", "uint8", "int16", "uint16", "int32", "uint32"]}
BOTH = {"c220": FLOATS, "c310": FLOATS}
WITH_I16 = {arch: [*FLOATS, "int16"] for arch in PLATFORMS}


def relu(x):
    return np.where(x > 0, x, np.zeros_like(x))


# op: number in conformance.cpp, function, dtypes, ulps, reads dst
BINARY = {
    "Add": (0, np.add, ARITHMETIC, 0, False),
    "Sub": (1, np.subtract, ARITHMETIC, 0, False),
    "Mul": (2, np.multiply, {"c220": ARITHMETIC["c220"], "c310": ["float16", "float32", "bfloat16", "int16", "uint16", "int32", "uint32"]}, 0, False),
    "Div": (3, divide, {"c220": FLOATS, "c310": [*FLOATS, "int16", "uint16", "int32", "uint32"]}, 0, False),
    "Max": (4, np.maximum, ARITHMETIC, 0, False),
    "Min": (5, np.minimum, ARITHMETIC, 0, False),
    "And": (6, np.bitwise_and, BITWISE, 0, False),
    "Or": (7, np.bitwise_or, BITWISE, 0, False),
    "MulAddDst": (8, lambda a, b, d: fused(a, b, d), BOTH, 1, True),
    "FusedMulAdd": (9, lambda a, b, d: fused(a, d, b), BOTH, 1, True),
    "FusedMulAddRelu": (10, lambda a, b, d: relu(fused(a, d, b)), BOTH, 1, True),
    "AddRelu": (11, lambda a, b: relu(a + b), WITH_I16, 0, False),
    "SubRelu": (12, lambda a, b: relu(a - b), WITH_I16, 0, False),
}
SIGNED = {"c220": FLOATS, "c310": [*FLOATS, "int8", "int16", "int32"]}
UNARY = {
    "Abs": (0, np.abs, SIGNED, 0, False),
    "Neg": (1, np.negative, {"c310": SIGNED["c310"]}, 0, False),
    "Exp": (2, f64(np.exp), BOTH, 1, False),
    "Ln": (3, f64(np.log), BOTH, 1, True),
    "Sqrt": (4, f64(np.sqrt), BOTH, 0, True),
    "Rsqrt": (5, lambda x: np.float32(1) / np.sqrt(x.astype(np.float32)), BOTH, 0, True),
    "Reciprocal": (6, f64(lambda x: 1 / x), BOTH, 0, True),
    "Relu": (7, relu, {arch: [*FLOATS, "int32"] for arch in PLATFORMS}, 0, False),
    "Not": (8, np.invert, BITWISE, 0, False),
}
SCALARS = {"c220": ARITHMETIC["c220"], "c310": ["int8", "uint8", "int16", "float16", "bfloat16", "int32", "float32"]}
SHIFTS = {"c220": ["int16", "uint16", "int32", "uint32"], "c310": ["int8", "uint8", "int16", "uint16", "int32", "uint32"]}
SCALAR = {
    "Adds": (0, lambda x, s, d: x + s, SCALARS, 0, False),
    "Muls": (1, lambda x, s, d: x * s, {"c220": SCALARS["c220"], "c310": ["int16", "float16", "bfloat16", "int32", "float32"]}, 0, False),
    "Maxs": (2, lambda x, s, d: np.maximum(x, s), SCALARS, 0, False),
    "Mins": (3, lambda x, s, d: np.minimum(x, s), SCALARS, 0, False),
    "LeakyRelu": (4, lambda x, s, d: np.where(x >= 0, x, x * s), BOTH, 0, False),
    "ShiftLeft": (5, lambda x, s, d: np.left_shift(x, s), SHIFTS, 0, False),
    "ShiftRight": (6, lambda x, s, d: np.right_shift(x, s), SHIFTS, 0, False),
    "Axpy": (7, lambda x, s, d: fused(x, np.full_like(x, s), d), BOTH, 1, True),
}


def cases(table):
    for name, (_, _, dtypes, _, _) in table.items():
        for arch, of_arch in dtypes.items():
            for dtype in of_arch:
                for form in FORMS:
                    if form == "bits" and NUMPY[dtype].itemsize == 1:
                        continue  # two words name 128 lanes
                    yield pytest.param(name, arch, dtype, FORMS[form], id=f"{name}-{arch}-{dtype}-{form}")


def seeds(name, form):
    return [len(name) * 7 + form * 3 + i for i in range(2)]


@pytest.mark.parametrize("name, arch, dtype, form", list(cases(BINARY)))
def test_binary(kernels, name, arch, dtype, form):
    _tilesmith.set_platform(PLATFORMS[arch])
    op, function, _, ulps, reads_dst = BINARY[name]
    for seed in seeds(name, form):
        case = Case(seed, form, dtype)
        case.request["op"] = op
        same(case.run(kernels["binary"]), elementwise(case, function, 2, reads_dst), dtype, ulps)


@pytest.mark.parametrize("name, arch, dtype, form", list(cases(UNARY)))
def test_unary(kernels, name, arch, dtype, form):
    _tilesmith.set_platform(PLATFORMS[arch])
    op, function, _, ulps, positive = UNARY[name]
    for seed in seeds(name, form):
        case = Case(seed, form, dtype, positive=positive)
        case.request["op"] = op
        same(case.run(kernels["unary"]), elementwise(case, function, 1), dtype, ulps)


@pytest.mark.parametrize("name, arch, dtype, form", list(cases(SCALAR)))
def test_scalar(kernels, name, arch, dtype, form):
    _tilesmith.set_platform(PLATFORMS[arch])
    op, function, _, ulps, reads_dst = SCALAR[name]
    for seed in seeds(name, form):
        case = Case(seed, form, dtype)
        case.request["op"] = op
        case.request["scalar"], case.request["integer"] = 1.7, 3
        scalar = widen(narrow(np.array([3 if "int" in dtype else np.float32(1.7)]), dtype), dtype)[0]
        if reads_dst:
            expected = elementwise(case, lambda x, d: function(x, scalar, d), 1, True)
        else:
            expected = elementwise(case, lambda x: function(x, scalar, None), 1)
        same(case.run(kernels["scalar"]), expected, dtype, ulps)


@pytest.mark.parametrize("arch", PLATFORMS)
@pytest.mark.parametrize("dtype", ["float16", "int32"])
@pytest.mark.parametrize("form", [3, 4])
def test_the_mask_may_be_set_before(kernels, arch, dtype, form):
    """isSetMask = false: lanes by SetVectorMask, or a number of elements in counter mode, the last repeat partial."""
    _tilesmith.set_platform(PLATFORMS[arch])
    for seed in range(4):
        case = Case(seed, BITS, dtype)
        if form == 4:
            whole, rest = divmod(case.count, case.lanes)
            case.active = lambda: [(r, lane) for r in range(whole + 1) for lane in range(case.lanes if r < whole else rest)]
            for operand in ("dst", "src0", "src1"):
                case.request[operand + "_rep"] = 30
        case.request["form"] = form
        same(case.run(kernels["binary"]), elementwise(case, np.add, 2), dtype)


@pytest.mark.parametrize("arch", PLATFORMS)
@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "int16", "uint16", "int32", "uint32"])
@pytest.mark.parametrize("form", FORMS)
def test_duplicate_copy_brcb(kernels, arch, dtype, form):
    _tilesmith.set_platform(PLATFORMS[arch])
    for seed in range(3):
        case = Case(seed, FORMS[form], dtype)
        case.request["scalar"], case.request["integer"] = -2.5, 77
        expected = case.operands[0].copy()
        expected[case.places("dst")] = narrow(np.array([77 if "int" in dtype else -2.5]), dtype)[0]
        same(case.run(kernels["fill"]), expected, dtype)

        case.request["op"] = 1
        expected = case.operands[0].copy()
        if form == "count":  # whole blocks only
            count = case.count * case.size // 32 * 32 // case.size
            expected[:count] = case.operands[1][:count]
        else:
            expected[case.places("dst")] = case.operands[1][case.places("src0")]
        same(case.run(kernels["fill"]), expected, dtype)

        case.request["op"] = 2
        expected = case.operands[0].copy()
        blk, rep = int(case.request["dst_blk"]), int(case.request["dst_rep"])
        for r in range(case.repeat):
            for i in range(8):
                start = (r * rep + i * blk) * 32 // case.size
                expected[start:start + 32 // case.size] = case.operands[1][r * 8 + i]
        same(case.run(kernels["fill"]), expected, dtype)


COMPARISONS = [np.less, np.greater, np.equal, np.less_equal, np.greater_equal, np.not_equal]
COMPARED = {"c220": [*FLOATS, "int32"], "c310": ["float16", "float32", "bfloat16", "int16", "uint16", "int32", "uint32"]}


# The 910B compares int32 for equality only.
@pytest.mark.parametrize("arch, dtype, mode", [(arch, dtype, mode) for arch in PLATFORMS for dtype in COMPARED[arch] for mode in range(6)
                                               if (arch, dtype) != ("c220", "int32") or COMPARISONS[mode] is np.equal])
@pytest.mark.parametrize("form", FORMS)
def test_compare(kernels, arch, dtype, form, mode):
    _tilesmith.set_platform(PLATFORMS[arch])
    for scalar in (False, True):
        case = Case(mode, FORMS[form], dtype)
        case.operands[2][::3] = case.operands[1][::3]  # some are equal
        case.count = case.request["count"] = max(1, case.count // case.lanes) * case.lanes
        case.request["mode"], case.request["op"] = mode, int(scalar)
        case.request["scalar"], case.request["integer"] = 0.25, 5
        left = widen(case.operands[1][case.places("src0")], dtype)
        right = widen(case.operands[2][case.places("src1")], dtype)
        if scalar:
            right = widen(narrow(np.array([5 if "int" in dtype else 0.25]), dtype), dtype)[0]
        result = COMPARISONS[mode](left, right)
        expected = case.operands[0].view(np.uint8).copy()
        if form == "count":
            expected[:case.count // 8] = np.packbits(result, bitorder="little")
        else:
            bits = np.zeros(case.repeat * case.lanes, bool)
            bits[[r * case.lanes + lane for r, lane in case.active()]] = result
            expected[:bits.size // 8] = np.packbits(bits, bitorder="little")
        assert case.run(kernels["choose"]).tobytes() == expected.tobytes()


@pytest.mark.parametrize("arch, dtype", [("c220", "float16"), ("c220", "float32"), ("c310", "bfloat16"), ("c310", "int32")])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("again", [False, True])
def test_select(kernels, arch, dtype, form, again):
    """Mode 2 takes bit after bit, mode 0 the same bits for every repeat."""
    _tilesmith.set_platform(PLATFORMS[arch])
    for seed in range(3):
        case = Case(seed, FORMS[form], dtype)
        case.request["op"] = 3 if again else 2
        bits = np.unpackbits(case.selector, bitorder="little").astype(bool)
        if form == "count":
            chosen = bits[np.arange(case.count) % case.lanes if again else np.arange(case.count)]
        else:
            chosen = bits[[(0 if again else r * case.lanes) + lane for r, lane in case.active()]]
        expected = case.operands[0].copy()
        expected[case.places("dst")] = np.where(chosen, case.operands[1][case.places("src0")], case.operands[2][case.places("src1")])
        same(case.run(kernels["choose"]), expected, dtype)


def tree(values, dtype):
    """Sum over neighbours in float32, rounded once."""
    values = list(np.asarray(values, np.float32))
    while len(values) > 1:
        values = [np.float32(values[i] + values[i + 1]) for i in range(0, len(values), 2)]
    return narrow(values[0], dtype)


def repeat_lanes(case, r, neutral):
    row = np.full(case.lanes, neutral, np.float32)
    lanes = np.flatnonzero(case.bits) if case.form == BITS else np.arange(case.mask)
    per_block, blk, rep = 32 // case.size, int(case.request["src0_blk"]), int(case.request["src0_rep"])
    row[lanes] = case.operands[1][[((r * rep + lane // per_block * blk) * 32) // case.size + lane % per_block for lane in lanes]]
    active = np.zeros(case.lanes, bool)
    active[lanes] = True
    return row, active


REDUCERS = {"Sum": (0, tree, 0.0), "Max": (1, lambda row, dtype: narrow(row.max(), dtype), -np.inf),
            "Min": (2, lambda row, dtype: narrow(row.min(), dtype), np.inf)}


@pytest.mark.parametrize("arch", PLATFORMS)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("form", ["mask", "bits"])
@pytest.mark.parametrize("name", REDUCERS)
def test_whole_reduce(kernels, arch, dtype, form, name):
    _tilesmith.set_platform(PLATFORMS[arch])
    number, function, neutral = REDUCERS[name]
    word = {2: np.uint16, 4: np.uint32}[NUMPY[dtype].itemsize]
    for order in range(4) if name != "Sum" else [2]:
        case = Case(order, FORMS[form], dtype)
        case.request["op"], case.request["order"], case.request["dst_rep"] = number, order, 3
        expected = case.operands[0].view(np.uint8).copy()
        for r in range(case.repeat):
            row, active = repeat_lanes(case, r, neutral)
            value = function(row, dtype)
            index = int(np.flatnonzero(active & (row == np.float32(value)))[0]) if name != "Sum" else 0
            parts = {0: [value.tobytes(), word(index).tobytes()], 1: [word(index).tobytes(), value.tobytes()],
                     2: [value.tobytes()], 3: [np.uint32(index).tobytes()]}[order]
            unit = b"".join(parts)
            start = r * 3 * len(unit)
            expected[start:start + len(unit)] = np.frombuffer(unit, np.uint8)
        assert case.run(kernels["reduction"]).tobytes() == expected.tobytes()


@pytest.mark.parametrize("arch", PLATFORMS)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("form", ["mask", "bits"])
@pytest.mark.parametrize("name", [*REDUCERS, "Pair"])
def test_block_and_pair_reduce(kernels, arch, dtype, form, name):
    _tilesmith.set_platform(PLATFORMS[arch])
    number, function, neutral = REDUCERS["Sum" if name == "Pair" else name]
    for seed in range(3):
        case = Case(seed, FORMS[form], dtype)
        case.request["op"], case.request["dst_rep"] = 6 if name == "Pair" else 3 + number, 2
        group = 2 if name == "Pair" else 32 // case.size
        results = case.lanes // group
        expected = case.operands[0].copy()
        for r in range(case.repeat):
            row, active = repeat_lanes(case, r, neutral)
            for i in range(results):
                if active[i * group:(i + 1) * group].any():
                    expected[r * 2 * results + i] = function(row[i * group:(i + 1) * group], dtype)
        same(case.run(kernels["reduction"]), expected, dtype)


@pytest.mark.parametrize("arch", PLATFORMS)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("name", REDUCERS)
def test_reduce_of_a_whole_tensor(kernels, arch, dtype, name):
    _tilesmith.set_platform(PLATFORMS[arch])
    number, function, neutral = REDUCERS[name]
    word = {2: np.uint16, 4: np.uint32}[NUMPY[dtype].itemsize]
    for index in (0, 1) if name != "Sum" else (0,):
        case = Case(index, COUNT, dtype)
        case.request["op"], case.request["index"] = 7 + number, index
        values = case.operands[1][:case.count]
        if name == "Sum":
            result = None
            for start in range(0, case.count, case.lanes):
                row = np.zeros(case.lanes, np.float32)
                row[:min(case.lanes, case.count - start)] = values[start:start + case.lanes]
                part = tree(row, dtype)
                result = part if result is None else narrow(np.float32(result) + np.float32(part), dtype)
        else:
            result = function(values.astype(np.float32), dtype)
        expected = case.operands[0].copy()
        expected[0] = result
        if index:
            expected.view(word)[1] = np.flatnonzero(values == result)[0]
        same(case.run(kernels["reduction"]), expected, dtype)


@pytest.mark.parametrize("arch", PLATFORMS)
@pytest.mark.parametrize("dtype", ["float16", "int16", "uint32", "float32"])
def test_gather(kernels, arch, dtype):
    """Byte offsets from the start of the source plus a base; by count, and by repeats whose offsets follow each other."""
    _tilesmith.set_platform(PLATFORMS[arch])
    for seed in range(3):
        case = Case(seed, COUNT, dtype)
        offsets = case.random.integers(0, SLOT // case.size - 8, SLOT // 4) * case.size
        case.operands[2] = offsets.astype(np.uint32)
        case.request["integer"] = 4 * case.size
        picked = case.operands[1][offsets // case.size + 4]
        expected = case.operands[0].copy()
        expected[:case.count] = picked[:case.count]
        same(case.run(kernels["permute"]), expected, dtype)
        case.request["op"], case.request["dst_rep"] = 1, 11
        expected = case.operands[0].copy()
        for r in range(case.repeat):
            start = r * 11 * 32 // case.size
            expected[start:start + case.mask] = picked[r * case.lanes:r * case.lanes + case.mask]
        same(case.run(kernels["permute"]), expected, dtype)


def test_an_offset_outside_of_the_tensor_is_found(kernels):
    case = Case(0, COUNT, "float32")
    case.operands[2] = np.full(SLOT // 4, SLOT - 3, np.uint32)
    with pytest.raises(AssertionError, match=f"{case.count} offsets of gather leave its source of {SLOT} bytes"):
        case.run(kernels["permute"])


@pytest.mark.parametrize("arch", PLATFORMS)
@pytest.mark.parametrize("dtype", ["float16", "int32"])
@pytest.mark.parametrize("pattern", range(1, 8))
@pytest.mark.parametrize("counted", [False, True])
def test_gather_by_pattern(kernels, arch, dtype, pattern, counted):
    _tilesmith.set_platform(PLATFORMS[arch])
    case = Case(pattern, MASK, dtype)
    case.mask = case.count if counted else case.lanes
    case.request["op"], case.request["mode"] = 2 + counted, pattern
    if counted:
        case.request["src0_blk"] = 1
    keep = {1: slice(0, None, 2), 2: slice(1, None, 2), 7: slice(None)}.get(pattern, slice(pattern - 3, None, 4))
    kept = np.concatenate([case.operands[1][part][keep] for part in np.split(case.places("src0"), case.repeat)])
    expected = case.operands[0].copy()
    expected[:kept.size] = kept
    expected.view(np.uint32)[-1] = kept.size
    same(case.run(kernels["permute"]), expected, dtype)


@pytest.mark.parametrize("arch", PLATFORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_sort32(kernels, arch, dtype):
    """Records of a score and its index, largest first; equal scores keep their order."""
    _tilesmith.set_platform(PLATFORMS[arch])
    case = Case(5, COUNT, dtype)
    case.request["op"] = 4
    case.operands[1][::3] = case.operands[1][1]
    case.operands[2] = case.random.integers(0, 1 << 32, SLOT // 4).astype(np.uint32)
    expected = case.operands[0].view(np.uint8).copy()
    for r in range(case.repeat):
        scores, index = case.operands[1][r * 32:r * 32 + 32], case.operands[2][r * 32:r * 32 + 32]
        for place, i in enumerate(np.argsort(-scores.astype(np.float64), kind="stable")):
            record = scores[i].tobytes().ljust(4, b"\0") + index[i].tobytes()
            expected[(r * 32 + place) * 8:(r * 32 + place) * 8 + 8] = np.frombuffer(record, np.uint8)
    assert case.run(kernels["permute"]).tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", ["float16", "int16", "uint16"])
def test_transpose(kernels, dtype):
    case = Case(0, COUNT, dtype)
    case.request["op"] = 5
    expected = case.operands[0].copy()
    expected[:256] = case.operands[1][:256].reshape(16, 16).T.ravel()
    same(case.run(kernels["permute"]), expected, dtype)


ROUNDINGS = {1: np.rint, 2: np.floor, 3: np.ceil, 4: lambda x: np.trunc(x + np.copysign(0.5, x)), 5: np.trunc}
CASTS = [("float32", "float16", 1), ("float16", "float32", 0), ("float32", "int32", 1), ("float32", "int32", 2), ("float32", "int32", 3),
         ("float32", "int32", 4), ("float32", "int32", 5), ("float32", "int16", 5), ("int32", "float32", 1), ("int16", "float16", 0),
         ("int16", "float32", 0), ("float16", "int32", 2), ("float16", "int16", 1), ("float16", "int8", 1), ("float16", "uint8", 3),
         ("int8", "float16", 0), ("uint8", "float16", 0), ("float32", "bfloat16", 1), ("bfloat16", "float32", 0), ("int32", "int16", 0)]


def cast(values, source, target, mode):
    values = widen(values, source)
    if "int" not in target:
        return narrow(values.astype(np.float64) if target != "bfloat16" else values, target)
    info = np.iinfo(NUMPY[target])
    if "int" in source:  # low bits
        return values.astype(NUMPY[target])
    return np.clip(ROUNDINGS[mode](values.astype(np.float64)), info.min, info.max).astype(NUMPY[target])


@pytest.mark.parametrize("arch", PLATFORMS)
@pytest.mark.parametrize("source, target, mode", CASTS)
@pytest.mark.parametrize("form", FORMS)
def test_cast(kernels, arch, source, target, mode, form):
    """Lanes and repeats are those of the wider type; floats saturate to integers, integers keep their low bits."""
    _tilesmith.set_platform(PLATFORMS[arch])
    for seed in range(3):
        case = Case(seed, FORMS[form], source, wide=target)
        case.request["dtype2"], case.request["mode"] = DTYPES.index(target), mode
        case.operands[0] = case.values(target)
        dst = case.operands[0].copy()
        values = case.operands[1][case.places("src0")]
        dst[case.places("dst", NUMPY[target].itemsize)] = cast(values, source, target, mode)
        same(case.run(kernels["convert"]), dst, target)
