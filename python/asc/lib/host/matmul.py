"""Tilings of matrix products: what is asked for, collected by setters, and what the Machine's library makes of it
(include/tilesmith/Machine/CubeTiling.h)."""

from __future__ import annotations

from dataclasses import dataclass

import _tilesmith

from asc.lib.host.enums import BITS, CubeFormat, DataType, MatrixTraverse, TPosition
from asc.lib.host.platform import Platform, get_ascendc_platform

FAILED = -1


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
        self.bias = Matrix(dtype=DataType.DT_FLOAT)
        self.problem: dict[str, int] = {}  # what was asked for, by the names of the library
        self.space: dict[str, int] = {}
        self.options: dict[str, object] = {}  # what no tiling depends on
        self.base = (0, 0, 0)

    def _ask(self, **values) -> int:
        numbers = {name: int(value) for name, value in values.items() if value is not None}
        if any(abs(number) >= 1 << 31 for number in numbers.values()):
            return FAILED
        self.problem.update(numbers)
        return 0

    def _keep(self, name, value) -> int:
        self.options[name] = value
        return 0

    # Matrices.

    def set_a_type(self, pos, format, dtype, trans=False) -> int:
        """Where the left factor lies."""
        self.a = Matrix(pos, format, dtype, bool(trans))
        return self._ask(bitsA=self.a.bits)

    def set_b_type(self, pos, format, dtype, trans=False) -> int:
        """Where the right factor lies."""
        self.b = Matrix(pos, format, dtype, bool(trans))
        return self._ask(bitsB=self.b.bits)

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
        return self._ask(hasBias=bool(is_bias))

    def set_bias(self, is_bias=False) -> int:
        """Whether there is a bias."""
        return self.enable_bias(is_bias)

    # Sizes.

    def set_shape(self, m, n, k) -> int:
        """What is computed."""
        return self._ask(m=m, n=n, k=k)

    def set_org_shape(self, m, n, k=None, kb=None, *, ka=None) -> int:
        """The matrices it is a part of."""
        first = k if ka is None else ka
        return self._ask(orgM=m, orgN=n, orgKa=first, orgKb=first if kb is None else kb)

    def set_fix_split(self, base_m=-1, base_n=-1, base_k=-1) -> int:
        """Tiles of these sizes; -1: free."""
        return self._ask(fixM=base_m, fixN=base_n, fixK=base_k)

    def set_split_range(self, max_base_m=-1, max_base_n=-1, max_base_k=-1, min_base_m=-1, min_base_n=-1, min_base_k=-1) -> int:
        """Tiles between these sizes; -1: free."""
        return self._ask(maxM=max_base_m, maxN=max_base_n, maxK=max_base_k, minM=min_base_m, minN=min_base_n, minK=min_base_k)

    def set_buffer_space(self, l1_size=-1, l0c_size=-1, ub_size=-1, bt_size=-1) -> int:
        """Bytes of memories the product may use; -1: all."""
        self.space = {"l1": l1_size, "l0c": l0c_size, "bt": bt_size}
        return self._keep("ub", ub_size)

    def set_traverse(self, traverse) -> int:
        """Which way tiles are walked first."""
        return self._ask(firstN=traverse == MatrixTraverse.FIRSTN)

    def set_double_buffer(self, a=True, b=True, c=True, bias=True, trans_nd2nz=True, trans_nz2nd=True) -> int:
        """Whether factors and results have two buffers."""
        return self._ask(doubleA=bool(a), doubleB=bool(b), doubleC=bool(c))

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
        return self._ask(layoutAB=b, layoutAS=s, layoutAN=n, layoutAG=g, layoutAD=d)

    def set_b_layout(self, b, s, n, g, d) -> int:
        """Dimensions of a batch of right factors."""
        return self._ask(layoutBB=b, layoutBS=s, layoutBN=n, layoutBG=g, layoutBD=d)

    def set_c_layout(self, b, s, n, g, d) -> int:
        """Dimensions of a batch of results."""
        return self._ask(layoutCB=b, layoutCS1=s, layoutCN=n, layoutCG=g, layoutCS2=d)

    def set_batch_num(self, batch) -> int:
        """How many products there are."""
        return self._ask(batchNum=batch)

    def set_batch_info_for_normal(self, batch_a, batch_b, m, n, k) -> int:
        """Batches of matrices one after another, of this shape where no other is given."""
        shape = {"m": m, "n": n, "k": k} if self.problem.get("m", -1) <= 0 else {}
        return self._ask(batchA=batch_a, batchB=batch_b, **shape)

    def get_base_m(self) -> int:
        """Rows of a tile."""
        return self.base[0]

    def get_base_n(self) -> int:
        """Columns of a tile."""
        return self.base[1]

    def get_base_k(self) -> int:
        """The step of a sum."""
        return self.base[2]

    # The tiling.

    def _problem(self):
        def room(memory):
            given, whole = self.space.get(memory, -1), getattr(self.platform, memory)
            return min(given, whole) if given >= 0 else whole

        return self.problem | {memory: room(memory) for memory in ("l1", "l0a", "l0b", "l0c", "bt")}

    def get_tiling(self, tiling) -> int:
        """Fills the struct. 0, or -1 where the sizes are missing or nothing fits."""
        members = _tilesmith.cube_tiling(self._problem())
        if members is None:
            return FAILED
        for name, value in members.items():
            setattr(tiling, name, value)
        self.base = members["base_m"], members["base_n"], members["base_k"]
        return 0


class MultiCoreMatmulTiling(MatmulApiTiling):
    """The tiling of a product on several cores."""

    def set_dim(self, dim) -> int:
        """How many cores there are."""
        return self._ask(cores=dim)

    def set_single_shape(self, single_m=-1, single_n=-1, single_k=-1) -> int:
        """The part of a core; -1: free."""
        return self._ask(singleM=single_m, singleN=single_n, singleK=single_k)

    def set_single_range(self, max_m=-1, max_n=-1, max_k=-1, min_m=-1, min_n=-1, min_k=-1) -> int:
        """Parts between these sizes; -1: free."""
        return self._ask(
            maxSingleM=max_m, maxSingleN=max_n, maxSingleK=max_k, minSingleM=min_m, minSingleN=min_n, minSingleK=min_k
        )  # fmt: skip

    def set_align_split(self, align_m=-1, align_n=-1, align_k=-1) -> int:
        """Of what the sizes of parts are multiples; -1: of a fractal."""
        return self._ask(alignM=align_m, alignN=align_n, alignK=align_k)

    def enable_multi_core_split_k(self, flag) -> None:
        """Whether the sum may be cut, too."""
        self._ask(splitsK=bool(flag))

    def get_core_num(self):
        """(cores, parts along m, parts along n)."""
        cores, single_m, single_n, _ = _tilesmith.cube_parts(self._problem())
        sizes = [self.problem.get(name, -1) for name in ("m", "n", "orgM", "orgN")]
        m, n = sizes[:2] if sizes[0] > 0 else sizes[2:]
        if single_m <= 0 or single_n <= 0:
            return cores, 1, 1
        return cores, -(-m // single_m), -(-n // single_n)

    def get_single_shape(self):
        """(m, n, k) of a core's part."""
        return tuple(_tilesmith.cube_parts(self._problem())[1:])


class BatchMatmulTiling(MatmulApiTiling):
    """The tiling of a batch of products on one core."""
