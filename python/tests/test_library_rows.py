"""The functions of rows of the library in Ascend C, by each compiler, on both platforms: launched kernels against NumPy in double precision,
with a temporary buffer and without, odd numbers of rows, short and long ones, and rows of which only a part counts. Memory behind the
results must keep what it was."""

import datetime
import os
from pathlib import Path

import _tilesmith
import ascendc
import numpy as np
import pytest

import asc

PLATFORMS = ("Ascend910B1", "Ascend950PR_9599")
REQUEST = np.dtype([(name, "i4") for name in ("function", "rows", "columns", "length", "work")] + [("scalar", "f4")])
NAMES = ("Softmax Simple Flash FlashFirst FlashV2 Grad GradFront Rms Layer LayerRstd RowSum RowMean RowMax RowMin ColumnSum ColumnMean "
         "ColumnMax ColumnMin Cumulative Dequant DequantScalar SoftmaxAlone").split()  # fmt: skip
KERNELS = {"rows_float": ("float32", "float32"), "rows_half": ("float16", "float16"), "rows_mixed": ("float16", "float32")}
SLOT = 16384
SHAPES = (
    (1, 64, 64),
    (3, 16, 16),
    (8, 32, 20),
    (17, 64, 50),
    (5, 128, 128),
    (9, 144, 130),
    (16, 80, 80),
    (2, 1024, 1000),
    (40, 16, 9),
)
LONG = os.environ.get("TILESMITH_LONG") == "1"


@pytest.fixture(scope="module", params=ascendc.COMPILERS)
def kernels(request):
    return ascendc.load(Path(__file__).with_name("library_rows.cpp"), request.param, list(KERNELS))


@pytest.fixture(autouse=True)
def restore_platform():
    before = _tilesmith.current_platform()
    yield
    _tilesmith.set_platform(before)


class Call:
    """Seven operands of SLOT bytes: results (dst, of sums, of maxima), sources, and the factor of SoftmaxFlash."""

    def __init__(self, name, dtype, dtype2, shape, seed):
        self.name, self.dtype, self.dtype2 = name, np.dtype(dtype), np.dtype(dtype2)
        self.rows, self.columns, self.length = shape
        if name.startswith("Column") or name in ("Cumulative", "RowMax", "RowMin"):
            self.length = self.columns
        rng = np.random.default_rng(seed)
        self.buffers = [rng.integers(0, 4, SLOT).astype(np.uint8) for _ in range(7)]
        if name.startswith("Dequant"):
            self.x = self.put(3, rng.integers(-2000, 2000, self.matrix, np.int32))
            self.y = self.put(4, rng.uniform(0.01, 1, self.columns).astype(np.float32))
            return
        self.x = self.put(3, (rng.standard_normal(self.matrix) * 3).astype(dtype))
        self.y = self.z = None
        if name in ("Grad", "GradFront"):
            self.y = self.put(4, rng.random(self.matrix).astype(dtype))
        elif name in ("Rms", "Layer", "LayerRstd"):
            self.y = self.put(4, rng.standard_normal(self.columns).astype(dtype))
            self.z = self.put(5, rng.standard_normal(self.columns).astype(dtype))
        elif name in ("Simple", "Flash", "FlashV2", "FlashFirst"):
            self.y = rng.uniform(1, 5, self.rows).astype(dtype2)
            self.z = rng.uniform(0, 8, self.rows).astype(dtype2)
            self.put(4, self.blocks(self.y))
            self.put(5, self.blocks(self.z))

    @property
    def matrix(self):
        return self.rows, self.columns

    def blocks(self, numbers):
        """A block of 32 bytes for each row."""
        return np.repeat(numbers[:, None], 32 // numbers.dtype.itemsize, axis=1)

    def put(self, slot, values):
        self.buffers[slot][: values.nbytes] = np.ascontiguousarray(values).view(np.uint8).ravel()
        return values

    def launch(self, kernel, work):
        request = np.zeros(1, REQUEST)
        request["function"], request["work"], request["scalar"] = NAMES.index(self.name), work, 0.25
        request["rows"], request["columns"], request["length"] = self.rows, self.columns, self.length
        with asc.check() as report:
            kernel[1](*self.buffers, request.view(np.uint8))
        assert not report.findings, (self.name, self.matrix, self.length, work, report.findings[0]["rendered"])

    def expected(self):
        """{slot: values}, where rows of results are padded with what was there."""
        x = self.x[:, : self.length].astype(np.float64)
        y = None if self.y is None else self.y.astype(np.float64)
        z = None if getattr(self, "z", None) is None else self.z.astype(np.float64)
        out, out2 = self.dtype, self.dtype2
        largest = x.max(1)
        power = np.exp(x - largest[:, None])
        match self.name:
            case "Softmax":
                return {
                    0: power / power.sum(1)[:, None],
                    1: self.blocks(power.sum(1).astype(out2)),
                    2: self.blocks(largest.astype(out2)),
                }
            case "SoftmaxAlone":
                return {0: power / power.sum(1)[:, None]}
            case "Simple":
                return {0: np.exp(x - z[:, None]) / y[:, None]}
            case "FlashFirst":
                return {0: power, 1: self.blocks(power.sum(1).astype(out2)), 2: self.blocks(largest.astype(out2))}
            case "Flash" | "FlashV2":
                now = np.maximum(largest, z)
                factor, power = np.exp(z - now), np.exp(x - now[:, None])
                total = factor * y + power.sum(1)
                if self.name == "Flash":
                    factor, power = factor * y / total, power / total[:, None]
                return {
                    0: power,
                    1: self.blocks(total.astype(out2)),
                    2: self.blocks(now.astype(out2)),
                    6: self.blocks(factor.astype(out)),
                }
            case "Grad" | "GradFront":
                y = y[:, : self.length]
                total = (x * y).sum(1)
                return {0: (x - total[:, None]) * y} if self.name == "Grad" else {0: self.blocks(total.astype(out))}
            case "Rms":
                return {0: x / np.sqrt((x * x).mean(1) + 0.25)[:, None] * y[: self.length]}
            case "Layer" | "LayerRstd":
                variance = x.var(1)
                scale = 1 / np.sqrt(variance + 0.25)
                result = (x - x.mean(1)[:, None]) * scale[:, None] * y[: self.length] + z[: self.length]
                return {0: result, 1: x.mean(1), 2: variance if self.name == "Layer" else scale}
            case "RowSum":
                return {0: x.sum(1)}
            case "RowMean":
                return {0: x.mean(1)}
            case "RowMax":
                return {0: x.max(1)}
            case "RowMin":
                return {0: x.min(1)}
            case "ColumnSum":
                return {0: x.sum(0)}
            case "ColumnMean":
                return {0: x.mean(0)}
            case "ColumnMax":
                return {0: x.max(0)}
            case "ColumnMin":
                return {0: x.min(0)}
            case "Cumulative":
                return {0: np.cumsum(x, 0)}
            case "Dequant":
                return {0: x * y[: self.length]}
        return {0: x * 0.25}

    def check(self, before):
        for slot, values in self.expected().items():
            dtype = self.dtype2 if slot in (1, 2) else self.dtype
            pitch = self.columns if slot == 0 and values.ndim == 2 and values.shape[1] == self.length else values.shape[-1]
            if self.name.startswith("Dequant"):
                pitch = -(-self.columns * dtype.itemsize // 32) * 32 // dtype.itemsize
            rows = values.shape[0] if values.ndim == 2 else 1
            view = self.buffers[slot].view(dtype)
            actual = view[: rows * pitch].reshape(rows, pitch)[:, : values.shape[-1]].astype(np.float64)
            relative = 2e-6 if dtype == np.float32 else 1.5e-3
            np.testing.assert_allclose(actual, values.reshape(actual.shape), relative, relative * 5,
                                       err_msg=f"{self.name} {self.dtype} {self.matrix} of {self.length}, slot {slot}")  # fmt: skip
            assert (view[rows * pitch :] == before[slot].view(dtype)[rows * pitch :]).all(), (
                f"{self.name} wrote behind its result {slot}"
            )


def test_functions_of_rows(kernels):
    rng = np.random.default_rng(0 if LONG else datetime.date.today().toordinal())
    tried = 0
    for platform in PLATFORMS:
        _tilesmith.set_platform(platform)
        for number, name in enumerate(NAMES):
            for kernel, (dtype, dtype2) in KERNELS.items():
                if (
                    dtype != dtype2
                    and not (name in NAMES[:5] or name in ("LayerRstd",))
                    or name == "LayerRstd"
                    and dtype2 != "float32"
                ):
                    continue
                shapes = SHAPES if LONG else [SHAPES[i] for i in rng.choice(len(SHAPES), 2, False)]
                for shape in shapes:
                    if shape[0] * shape[1] * 4 > SLOT:
                        continue
                    call = Call(name, dtype, dtype2, shape, number)
                    before = [buffer.copy() for buffer in call.buffers]
                    call.launch(kernels[kernel], int(rng.choice([0, 65536])))
                    call.check(before)
                    tried += 1
    print(f"{tried} calls of {len(NAMES)} functions")
