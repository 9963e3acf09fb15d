"""Matrix objects: products of matrices that a kernel asks for, tile by tile or all at once (docs/matmul.md).

On a vector core of a mixed kernel a Matmul is a service of the block's cube core; in a kernel of cube cores it is computed there.
"""

from __future__ import annotations

from dataclasses import dataclass

from asc._builtin import instruction
from asc.language.adv.tiling import TCubeTiling
from asc.language.core.enums import (
    BatchMode,
    BatchOutMode,
    CubeFormat,
    IterateOrder,
    LayoutMode,
    MatmulConfigMode,
    ScheduleType,
    TPosition,
)  # fmt: skip
from asc.language.core.ir_value import KernelObject

_ENUMS = {"BatchMode": BatchMode, "BatchOutMode": BatchOutMode, "IterateOrder": IterateOrder, "ScheduleType": ScheduleType}


def _config_members():
    import _tilesmith

    return {
        name: _ENUMS.get(kind, bool if kind == "bool" else int)(value)
        for name, _, kind, value in _tilesmith.matmul_config_members()
    }


@dataclass(frozen=True)
class MatmulType:
    """Where a matrix of a Matmul lies, in which layout and type; whether it is stored turned; how batches of it lie."""

    position: int = TPosition.GM
    format: int = CubeFormat.ND
    dtype: DataType | None = None
    is_trans: bool = False
    layout: int = LayoutMode.NONE


class MatmulConfig:
    """A variant of a Matmul: its members are those of Ascend C, in its order."""

    def __init__(self, *values, **named):
        members = _config_members()
        if len(values) > len(members):
            raise TypeError(f"MatmulConfig has {len(members)} members, {len(values)} were given")
        given = dict(zip(members, values)) | named
        unknown = sorted(set(given) - set(members))
        if unknown:
            raise TypeError(f"MatmulConfig has no member {unknown[0]!r}")
        self.__dict__.update(members | given)

    def __eq__(self, other):
        return type(self) is type(other) and vars(self) == vars(other)

    def __repr__(self):
        usual = _config_members()
        return f"MatmulConfig({', '.join(f'{name}={value!r}' for name, value in vars(self).items() if usual[name] != value)})"

    __hash__ = None  # type: ignore[assignment]

    def __tilesmith_state__(self):
        return ("asc.MatmulConfig", tuple(int(value) for value in vars(self).values()))


class MatmulApiStaticTiling:
    """A configuration with the members of its tiling that are known while compiling; the others are -1."""

    def __init__(self, cfg: MatmulConfig | None = None, **members):
        self.__dict__.update(dict.fromkeys(TCubeTiling._fields, -1) | members)
        self.cfg = cfg or MatmulConfig()


def _mode(mode, **members):
    modes = ("do_norm", "do_multi_data_load", "do_special_mdl", "do_ib_share_norm")
    return MatmulConfig(**{name: mode == number for number, name in enumerate(modes, 1)} | members)


def get_normal_config(
    intrinsics_limit=False, batch_loop=False, is_vec_nd2nz=False, bmm_mode=BatchMode.BATCH_LESS_THAN_L1, is_msg_reuse=True,
    iterate_order=IterateOrder.UNDEF, schedule_type=ScheduleType.INNER_PRODUCT, en_unit_flag=True, enable_mix_dual_master=False,
) -> MatmulConfig:  # fmt: skip
    """Factors are fetched step by step."""
    return _mode(
        MatmulConfigMode.CONFIG_NORM, intrinsics_check=intrinsics_limit, is_n_batch=batch_loop, en_vec_nd2nz=is_vec_nd2nz,
        batch_mode=bmm_mode, enable_reuse=is_msg_reuse, iterate_order=iterate_order, schedule_type=schedule_type,
        en_unit_flag=en_unit_flag, enable_mix_dual_master=enable_mix_dual_master,
    )  # fmt: skip


def get_mdl_config(
    intrinsics_limit=False, batch_loop=False, do_mte2_preload=0, is_vec_nd2nz=False, is_per_tensor=False, has_anti_quant_offset=False,
    en_unit_flag=False, is_msg_reuse=True, enable_ub_reuse=True, enable_l1_cache_ub=False, enable_mix_dual_master=False,
    enable_kdim_reorder_load=False,
) -> MatmulConfig:  # fmt: skip
    """Several steps of the factors are fetched at once."""
    return _mode(
        MatmulConfigMode.CONFIG_MDL, intrinsics_check=intrinsics_limit, is_n_batch=batch_loop, do_mte2_preload=do_mte2_preload,
        en_vec_nd2nz=is_vec_nd2nz, is_per_tensor=is_per_tensor, has_anti_quant_offset=has_anti_quant_offset, en_unit_flag=en_unit_flag,
        enable_reuse=is_msg_reuse, enable_ub_reuse=enable_ub_reuse, enable_l1_cache_ub=enable_l1_cache_ub,
        enable_mix_dual_master=enable_mix_dual_master, enable_kdim_reorder_load=enable_kdim_reorder_load,
    )  # fmt: skip


def get_special_mdl_config(
    intrinsics_limit=False,
    batch_loop=False,
    do_mte2_preload=0,
    is_vec_nd2nz=False,
    is_per_tensor=False,
    has_anti_quant_offset=False,
) -> MatmulConfig:
    """As MDL, with steps along n as well."""
    return _mode(
        MatmulConfigMode.CONFIG_SPECIALMDL, intrinsics_check=intrinsics_limit, is_n_batch=batch_loop, do_mte2_preload=do_mte2_preload,
        en_vec_nd2nz=is_vec_nd2nz, is_per_tensor=is_per_tensor, has_anti_quant_offset=has_anti_quant_offset,
    )  # fmt: skip


def get_ib_share_norm_config(
    intrinsics_limit=False, batch_loop=False, is_vec_nd2nz=False, bmm_mode=BatchMode.BATCH_LESS_THAN_L1, is_double_cache=False,
    en_unit_flag=True,
) -> MatmulConfig:  # fmt: skip
    """The vector cores of a block share a factor."""
    return _mode(
        MatmulConfigMode.CONFIG_IBSHARE, intrinsics_check=intrinsics_limit, is_n_batch=batch_loop, en_vec_nd2nz=is_vec_nd2nz,
        batch_mode=bmm_mode, enable_double_cache=is_double_cache, en_unit_flag=en_unit_flag,
    )  # fmt: skip


def get_basic_config(
    basic_m, basic_n, basic_k, intrinsics_limit=False, batch_loop=False, bmm_mode=BatchMode.BATCH_LESS_THAN_L1
) -> MatmulConfig:
    """Tiles of one size, without edges."""
    return _mode(
        0, do_basic_block=True, basic_m=basic_m, basic_n=basic_n, basic_k=basic_k, intrinsics_check=intrinsics_limit,
        is_n_batch=batch_loop, batch_mode=bmm_mode,
    )  # fmt: skip


def get_special_basic_config(
    basic_m, basic_n, basic_k, single_core_m, single_core_n, single_core_k, step_m, step_n, intrinsics_limit=False, batch_loop=False,
    bmm_mode=BatchMode.BATCH_LESS_THAN_L1,
) -> MatmulConfig:  # fmt: skip
    """Tiles of one size and the part of a core, known while compiling."""
    return _mode(
        0, do_special_basic_block=True, basic_m=basic_m, basic_n=basic_n, basic_k=basic_k, single_core_m=single_core_m,
        single_core_n=single_core_n, single_core_k=single_core_k, step_m=step_m, step_n=step_n, base_mn=basic_m * basic_n,
        single_core_mn=single_core_m * single_core_n, intrinsics_check=intrinsics_limit, is_n_batch=batch_loop, batch_mode=bmm_mode,
    )  # fmt: skip


def get_mm_config(config_mode=MatmulConfigMode.CONFIG_NORM, *params, **members) -> MatmulConfig:
    """A configuration of a mode with these members; parameter structs may give them."""
    for given in params:
        members = vars(given) | members
    return _mode(config_mode, **members)


def get_matmul_api_tiling(mm_cfg: MatmulConfig, l1_size: int = 512 * 1024, *types) -> MatmulApiStaticTiling:
    """A tiling with the sizes of the configuration."""
    sizes = {}
    for axis in "mnk":
        sizes[f"base_{axis}"] = getattr(mm_cfg, f"basic_{axis}") or -1
        sizes[f"single_core_{axis}"] = getattr(mm_cfg, f"single_core_{axis}") or -1
    return MatmulApiStaticTiling(mm_cfg, **sizes)


class Matmul(KernelObject):
    """A matrix object: `Matmul(a, b, c, bias=None, matmul_config=None)`, each of the first four a MatmulType."""

    __tilesmith_name__ = "asc.adv.Matmul"

    def init(self, tiling: TCubeTiling) -> None:
        """The tiling; sizes are those it says."""

    def end(self) -> None:
        """Nothing more is asked of it."""

    def set_tensor_a(self, tensor: GlobalTensor | LocalTensor | Scalar, transpose: bool = False) -> None:
        """The left factor."""

    def set_tensor_b(self, tensor: GlobalTensor | LocalTensor | Scalar, transpose: bool = False) -> None:
        """The right factor."""

    def set_bias(self, tensor: GlobalTensor | LocalTensor) -> None:
        """A row that is added to every row of the result."""

    def disable_bias(self) -> None:
        """There is no bias from here on."""

    def set_tail(self, tail_m: RuntimeInt = -1, tail_n: RuntimeInt = -1, tail_k: RuntimeInt = -1) -> None:
        """The sizes of this core's part, where they are not those of the tiling; -1: as they were."""

    def set_org_shape(
        self, org_m: RuntimeInt, org_n: RuntimeInt, org_ka: RuntimeInt, org_kb: RuntimeInt = 0, org_kc: RuntimeInt = 0
    ) -> None:
        """The sizes of the whole matrices."""

    def set_single_shape(self, single_m: RuntimeInt, single_n: RuntimeInt, single_k: RuntimeInt) -> None:
        """The sizes of this core's part."""

    def iterate(self, en_partial_sum: bool = False, sync: bool = True, local_c_matrix: LocalTensor | None = None) -> object:
        """The tiles, one after another: `with mm.iterate() as i:` runs its body once for each."""

    def get_tensor_c(
        self, tensor: GlobalTensor | LocalTensor | None = None, en_atomic: int = 0, en_sequential_write: bool = False,
        sync: bool = True, optional_tensor: GlobalTensor | LocalTensor | None = None,
    ) -> None:  # fmt: skip
        """The tile: to its place in the result, or by itself."""

    def iterate_all(
        self, tensor: GlobalTensor | LocalTensor, en_atomic: int = 0, sync: bool = True, en_sequential_write: bool | None = None,
        wait_iterate_all: bool | None = None, fake_msg: bool | None = None,
    ) -> None:  # fmt: skip
        """All tiles."""

    def wait_iterate_all(self) -> None:
        """Goes on when all that was asked for is there."""

    def iterate_batch(
        self, tensor: GlobalTensor | LocalTensor, batch_a: RuntimeInt, batch_b: RuntimeInt, en_sequential_write: bool = False,
        matrix_stride_a: RuntimeInt = 0, matrix_stride_b: RuntimeInt = 0, matrix_stride_c: RuntimeInt = 0, en_partial_sum: bool = False,
        en_atomic: int = 0, sync: bool = True, wait_iterate_batch: bool = False,
    ) -> None:  # fmt: skip
        """Products of several pairs of matrices."""

    def wait_iterate_batch(self) -> None:
        """As wait_iterate_all."""

    def set_batch_num(self, batch_a: RuntimeInt, batch_b: RuntimeInt) -> None:
        """How many matrices a batch has."""

    def set_workspace(self, addr: GlobalTensor | GlobalAddress, size: int | None = None) -> None:
        """Where tiles go that are computed ahead."""

    def set_local_workspace(self, tensor: LocalTensor) -> None:
        """Memory that only other chips need."""

    def set_hf32(self, enable_hf32: bool = False, trans_mode: int = 0) -> None:
        """Factors of float32 in fewer bits."""

    def set_quant_scalar(self, scalar: int) -> None:
        """The scale of a result that is rounded, as the bits of a float32."""

    def set_quant_vector(self, tensor: GlobalTensor) -> None:
        """A scale for each column of a result that is rounded, one word each."""

    def async_get_tensor_c(self, tensor: LocalTensor) -> None:
        """The next of the tiles that are computed ahead."""

    def wait_get_tensor_c(self) -> None:
        """As wait_iterate_all."""

    def set_self_define_data(self, data_ptr: object) -> None:
        """What only callbacks read."""

    def set_user_def_info(self, tiling_ptr: object) -> None:
        """What only callbacks read."""

    def set_sparse_index(self, tensor: GlobalTensor) -> None:
        """Products of sparse matrices, which the model does not have."""

    def iterate_n_batch(self, *arguments: object) -> None:
        """Loops of batches, which the model does not have."""

    def get_batch_tensor_c(self, *arguments: object) -> object:
        """A batch of results, which the model does not have."""

    def get_offset_c(self) -> object:
        """Where the tile lies, which the model does not tell."""


@instruction("asc.adv.register_matmul", forms=("(pipe: TPipe, workspace: GlobalAddress | GlobalTensor | None, matmul: Matmul, tiling: TCubeTiling | None = None) -> None",))  # fmt: skip
def register_matmul(pipe, workspace, matmul, tiling=None):
    """Tells the cores of a block of the object. A cube core of a mixed kernel serves its vector cores here, and does nothing else."""


__all__ = [
    "Matmul", "MatmulApiStaticTiling", "MatmulConfig", "MatmulType", "get_basic_config", "get_ib_share_norm_config",
    "get_matmul_api_tiling", "get_mdl_config", "get_mm_config", "get_normal_config", "get_special_basic_config",
    "get_special_mdl_config", "register_matmul",
]  # fmt: skip
