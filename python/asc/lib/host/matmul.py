"""Tilings of matrix products.

The result is cut into parts of single_core_m x single_core_n, one for each core, and these into tiles of base_m x base_n that fit into L0C.
A tile is summed in steps of base_k, whose factors fit into L0A and L0B; step_k_a and step_k_b of them are fetched into L1 at once.
"""

from __future__ import annotations

from dataclasses import dataclass

from asc.lib.host.enums import BITS, CubeFormat, DataType, MatrixTraverse, TPosition
from asc.lib.host.platform import Platform, get_ascendc_platform

FAILED = -1
ROWS = 16  # of a fractal
BLOCK = 32  # bytes of a row of a fractal


def up(value, unit):
    return -(-value // unit) * unit


@dataclass
class Matrix:
    """Where a matrix lies, in which layout and type."""

    pos: int = TPosition.GM
    format: int = CubeFormat.ND
    dtype: int = DataType.DT_FLOAT16
    trans: bool = False

    @property
    def bits(self):
        return BITS.get(DataType(self.dtype), 16)


class MatmulApiTiling:
    """The tiling of a product on one core. Setters return 0; `get_tiling` fills a TCubeTiling and returns 0, or -1 where nothing fits."""

    def __init__(self, platform: Platform | None = None):
        self.platform = platform or get_ascendc_platform()
        self.a, self.b, self.c = Matrix(), Matrix(), Matrix(dtype=DataType.DT_FLOAT)
        self.bias, self.has_bias = Matrix(dtype=DataType.DT_FLOAT), False
        self.shape = self.org = (-1, -1, -1, -1)
        self.fixed, self.most, self.least = (-1, -1, -1), (-1, -1, -1), (-1, -1, -1)
        self.space = {"l1": -1, "l0c": -1, "ub": -1, "bt": -1}
        self.traverse = MatrixTraverse.NOSET
        self.layouts = {"a": (0,) * 5, "b": (0,) * 5, "c": (0,) * 5}
        self.batch_num, self.batch = 0, (0, 0, 0, 0, 0)
        self.doubles = True
        self.dim, self.single, self.splits_k, self.align = 1, (-1, -1, -1), False, (-1, -1, -1)
        self.options: dict[str, object] = {}
        self.base = (0, 0, 0)

    # Matrices.

    def set_a_type(self, pos, format, dtype, trans=False) -> int:
        """Where the left factor lies."""
        self.a = Matrix(pos, format, dtype, bool(trans))
        return 0

    def set_b_type(self, pos, format, dtype, trans=False) -> int:
        """Where the right factor lies."""
        self.b = Matrix(pos, format, dtype, bool(trans))
        return 0

    def set_c_type(self, pos, format, dtype) -> int:
        """Where the result goes."""
        self.c = Matrix(pos, format, dtype)
        return 0

    def set_bias_type(self, pos, format, dtype) -> int:
        """Where the bias lies."""
        self.bias = Matrix(pos, format, dtype)
        return 0

    def enable_bias(self, is_bias=False) -> int:
        """Whether there is a bias."""
        self.has_bias = bool(is_bias)
        return 0

    def set_bias(self, is_bias=False) -> int:
        """Whether there is a bias."""
        return self.enable_bias(is_bias)

    # Sizes.

    def set_shape(self, m, n, k) -> int:
        """What is computed."""
        self.shape = (m, n, k, k)
        return 0

    def set_org_shape(self, m, n, k=None, kb=None, *, ka=None) -> int:
        """The matrices it is a part of."""
        first = k if ka is None else ka
        self.org = (m, n, first, first if kb is None else kb)
        return 0

    def set_fix_split(self, base_m=-1, base_n=-1, base_k=-1) -> int:
        """Tiles of these sizes; -1: free."""
        self.fixed = (base_m, base_n, base_k)
        return 0

    def set_split_range(self, max_base_m=-1, max_base_n=-1, max_base_k=-1, min_base_m=-1, min_base_n=-1, min_base_k=-1) -> int:
        """Tiles between these sizes; -1: free."""
        self.most, self.least = (max_base_m, max_base_n, max_base_k), (min_base_m, min_base_n, min_base_k)
        return 0

    def set_buffer_space(self, l1_size=-1, l0c_size=-1, ub_size=-1, bt_size=-1) -> int:
        """Bytes of memories the product may use; -1: all."""
        self.space = {"l1": l1_size, "l0c": l0c_size, "ub": ub_size, "bt": bt_size}
        return 0

    def set_traverse(self, traverse) -> int:
        """Which way tiles are walked first."""
        self.traverse = traverse
        return 0

    def set_double_buffer(self, a=True, b=True, c=True, bias=True, trans_nd2nz=True, trans_nz2nd=True) -> int:
        """Whether factors have two buffers."""
        self.doubles = bool(a and b)
        return 0

    def set_mad_type(self, mad_type) -> int:
        """How float32 is multiplied."""
        return self._keep("mad_type", mad_type)

    def set_dequant_type(self, dequant_type) -> int:
        """How integers are scaled."""
        return self._keep("dequant_type", dequant_type)

    def set_sparse(self, is_sparse=False) -> int:
        """Whether the right factor is sparse."""
        return self._keep("sparse", is_sparse)

    def set_matmul_config_params(self, *arguments, **keywords) -> None:
        """Which template of the matrix object is meant; the tiling is the same for all."""
        self._keep("config", (arguments, keywords))

    def set_a_layout(self, b, s, n, g, d) -> int:
        """Dimensions of a batch of left factors."""
        return self._layout("a", b, s, n, g, d)

    def set_b_layout(self, b, s, n, g, d) -> int:
        """Dimensions of a batch of right factors."""
        return self._layout("b", b, s, n, g, d)

    def set_c_layout(self, b, s, n, g, d) -> int:
        """Dimensions of a batch of results."""
        return self._layout("c", b, s, n, g, d)

    def set_batch_num(self, batch) -> int:
        """How many products there are."""
        self.batch_num = batch
        return 0

    def set_batch_info_for_normal(self, batch_a, batch_b, m, n, k) -> int:
        """Batches of matrices one after another."""
        self.batch = (batch_a, batch_b, m, n, k)
        return 0

    def get_base_m(self) -> int:
        """Rows of a tile."""
        return self.base[0]

    def get_base_n(self) -> int:
        """Columns of a tile."""
        return self.base[1]

    def get_base_k(self) -> int:
        """The step of a sum."""
        return self.base[2]

    def _keep(self, name, value):
        self.options[name] = value
        return 0

    def _layout(self, which, *dims):
        self.layouts[which] = dims
        return 0

    # The tiling.

    def _sizes(self):
        """(m, n, ka, kb) of what is computed, and of the matrices."""
        shape = self.shape if self.shape[0] > 0 else self.org
        return shape, tuple(o if o > 0 else s for o, s in zip(self.org, shape))

    def _capacity(self, memory):
        given, all_of_it = self.space.get(memory, -1), getattr(self.platform, memory)
        return min(given, all_of_it) if given >= 0 else all_of_it

    def _limited(self, i, size, wanted, unit):
        """A tile's size: the fixed one, or the wanted one between its limits and inside what there is."""
        if self.fixed[i] > 0:
            return up(self.fixed[i], unit)
        most = min(wanted, up(size, unit))
        if self.most[i] > 0:
            most = min(most, max(self.most[i] // unit * unit, unit))
        return max(most, up(self.least[i], unit)) if self.least[i] > 0 else most

    def _base(self, m, n, k):
        """(base_m, base_n, base_k), or None where nothing fits."""
        bits = max(self.a.bits, self.b.bits)
        unit = BLOCK * 8 // bits
        base_m, base_n = self._limited(0, m, 128, ROWS), self._limited(1, n, 256, ROWS)
        while base_m * base_n * 4 > self._capacity("l0c"):
            if base_n >= base_m and base_n > ROWS and self.fixed[1] <= 0:
                base_n -= ROWS
            elif base_m > ROWS and self.fixed[0] <= 0:
                base_m -= ROWS
            else:
                return None
        buffers = 2 if self.doubles else 1

        def most_k(rows, memory):
            return getattr(self.platform, memory) * 8 // (buffers * rows * bits) // unit * unit

        room = min(most_k(base_m, "l0a"), most_k(base_n, "l0b"))
        base_k = self._limited(2, k, room, unit) if self.fixed[2] > 0 else min(self._limited(2, k, max(room, unit), unit), room)
        # With a fixed step one buffer may have to do.
        fits = base_m * base_k * bits // 8 <= self.platform.l0a and base_n * base_k * bits // 8 <= self.platform.l0b
        return (base_m, base_n, base_k) if base_k >= unit and fits else None

    def _parts(self):
        """(cores, m, n, k of a core)."""
        (m, n, k, _), _ = self._sizes()
        return 1, m, n, k

    def get_tiling(self, tiling) -> int:
        """Fills the struct. 0, or -1 where the sizes are missing or nothing fits."""
        (m, n, ka, kb), (org_m, org_n, org_ka, org_kb) = self._sizes()
        if min(m, n, ka, kb) <= 0:
            return FAILED
        cores, single_m, single_n, single_k = self._parts()
        base = self._base(single_m, single_n, single_k)
        if base is None:
            return FAILED
        base_m, base_n, base_k = self.base = base
        bits_a, bits_b = self.a.bits, self.b.bits
        l1 = self._capacity("l1") - (base_n * 4 if self.has_bias else 0)
        tile_a, tile_b = base_m * base_k * bits_a // 8, base_n * base_k * bits_b // 8
        buffers = 2 if self.doubles and 2 * (tile_a + tile_b) <= l1 else 1
        if tile_a + tile_b > l1:
            return FAILED
        steps = -(-single_k // base_k)
        step_k = max(min(l1 // (buffers * (tile_a + tile_b)), steps, 4), 1)
        double_c = 2 if 2 * base_m * base_n * 4 <= self._capacity("l0c") and self.options.get("double_c") else 1
        values = dict(
            used_core_num=cores, m=org_m, n=org_n, k_a=org_ka, k_b=org_kb, single_core_m=single_m, single_core_n=single_n,
            single_core_k=single_k, base_m=base_m, base_n=base_n, base_k=base_k, depth_a1=step_k * buffers, depth_b1=step_k * buffers,
            step_m=1, step_n=1, is_bias=int(self.has_bias), trans_length=max(base_m * base_n * 4, tile_a, tile_b),
            iterate_order=1 if self.traverse == MatrixTraverse.FIRSTN else 0, share_mode=0,
            share_l1_size=buffers * step_k * (tile_a + tile_b), share_l0c_size=double_c * base_m * base_n * 4, share_ub_size=0,
            batch_m=max(self.batch[0], 1), batch_n=max(self.batch[1], 1), single_batch_m=max(self.batch[0], 1),
            single_batch_n=max(self.batch[1], 1), step_k_a=step_k, step_k_b=step_k, db_l0a=2 if self._doubled(base_m, base_k, "l0a") else 1,
            db_l0b=2 if self._doubled(base_n, base_k, "l0b") else 1, db_l0c=double_c, batch_num=self.batch_num,
        )  # fmt: skip
        for which, names in (("a", "b s n g d"), ("b", "b s n g d"), ("c", "b s1 n g s2")):
            values |= {f"{which}_layout_info_{name}": dim for name, dim in zip(names.split(), self.layouts[which])}
        for name, value in values.items():
            setattr(tiling, name, value)
        return 0

    def _doubled(self, rows, base_k, memory):
        bits = max(self.a.bits, self.b.bits)
        return self.doubles and 2 * rows * base_k * bits // 8 <= getattr(self.platform, memory)


class MultiCoreMatmulTiling(MatmulApiTiling):
    """The tiling of a product on several cores."""

    def set_dim(self, dim) -> int:
        """How many cores there are."""
        self.dim = dim
        return 0

    def set_single_shape(self, single_m=-1, single_n=-1, single_k=-1) -> int:
        """The part of a core; -1: free."""
        self.single = (single_m, single_n, single_k)
        return 0

    def set_single_range(self, max_m=-1, max_n=-1, max_k=-1, min_m=-1, min_n=-1, min_k=-1) -> int:
        """Parts between these sizes; -1: free."""
        return self._keep("range", (max_m, max_n, max_k, min_m, min_n, min_k))

    def set_align_split(self, align_m=-1, align_n=-1, align_k=-1) -> int:
        """Of what the sizes of parts are multiples; -1: of a fractal."""
        self.align = (align_m, align_n, align_k)
        return 0

    def enable_multi_core_split_k(self, flag) -> None:
        """Whether the sum may be cut, too."""
        self.splits_k = bool(flag)

    def get_core_num(self):
        """(cores, parts along m, parts along n)."""
        (m, n, _, _), _ = self._sizes()
        cores, single_m, single_n, _ = self._parts()
        return cores, -(-m // single_m), -(-n // single_n)

    def get_single_shape(self):
        """(m, n, k) of a core's part."""
        return self._parts()[1:]

    def _parts(self):
        (m, n, k, _), _ = self._sizes()
        unit_m, unit_n = (max(align, ROWS) if align > 0 else ROWS for align in self.align[:2])
        most_m, most_n, _, least_m, least_n, _ = self.options.get("range", (-1,) * 6)
        best = None
        for parts in range(1, max(self.dim, 1) + 1):
            single_m = self.single[0] if self.single[0] > 0 else min(up(-(-m // parts), unit_m), m)
            single_m = min(single_m, most_m) if most_m > 0 and self.single[0] <= 0 else single_m
            single_m = min(max(single_m, least_m), m) if least_m > 0 and self.single[0] <= 0 else single_m
            along_m = -(-m // single_m)
            rest = max(self.dim // along_m, 1)
            single_n = self.single[1] if self.single[1] > 0 else min(up(-(-n // rest), unit_n), n)
            single_n = min(single_n, most_n) if most_n > 0 and self.single[1] <= 0 else single_n
            single_n = min(max(single_n, least_n), n) if least_n > 0 and self.single[1] <= 0 else single_n
            cores = along_m * -(-n // single_n)
            # The part that takes longest decides; of equal ones the squarest moves least.
            cost = (cores > self.dim, single_m * single_n, single_m + single_n)
            if best is None or cost < best[0]:
                best = cost, (cores, single_m, single_n)
        cores, single_m, single_n = best[1]
        return cores, single_m, single_n, self.single[2] if self.single[2] > 0 else k


class BatchMatmulTiling(MatmulApiTiling):
    """The tiling of a batch of products on one core."""
