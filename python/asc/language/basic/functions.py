"""Functions of kernels that are not one instruction of the table: registers, order between cores, sorting, prints, numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from asc._builtin import Builtin, instruction
from asc.language.basic.types import BrcbRepeatParams

GatherRepeatParams = BrcbRepeatParams

_FORMS = {
    # What a block knows of itself.
    "get_sub_block_idx": ("() -> PlainValue", "Which of the block's cores of its kind this one is."),
    "get_sub_block_num": ("() -> PlainValue", "How many cores of its kind the block has."),
    "get_task_ratio": ("() -> PlainValue", "Vector cores for each block, as a vector core sees it."),
    "get_system_cycle": ("() -> PlainValue", "Counts its calls: blocks have no clock while they run, time is computed afterwards."),
    "get_data_block_size_in_bytes": ("() -> int", "Bytes of a block of UB."),
    "get_program_counter": ("() -> int", "0: kernels of the model have none."),
    "get_arch_version": ("(core_version: object = None) -> int", "The architecture."),
    "get_icache_preload_status": ("() -> int", "0: nothing is preloaded."),
    "ascend_is_aic": ("() -> PlainValue", "Whether the kernel runs on a cube core."),
    "ascend_is_aiv": ("() -> PlainValue", "Whether the kernel runs on a vector core."),
    "get_tpipe_ptr": ("() -> TPipe", "The kernel's TPipe."),
    "get_sys_workspace": ("() -> GlobalAddress", "The workspace of the system."),
    "set_sys_workspace": ("(workspace: GlobalAddress) -> None", "Says which array the system's workspace is."),
    "trap": ("() -> None", "Ends the kernel with an error."),
    "property": ("(prop: KernelProperty) -> int", "A number of the chip: `asc.property(asc.TOTAL_L1_SIZE)`."),
    # Masks and registers.
    "set_mask_count": ("() -> None", "From here on a mask is a number of elements for the whole call."),
    "set_mask_norm": ("() -> None", "From here on a mask chooses lanes of each repeat."),
    "reset_mask": ("() -> None", "All lanes."),
    "set_vector_mask": (
        "(length_or_high: RuntimeInt, mask_low: RuntimeInt | None = None, *, dtype: DataType | None = None, mode: MaskMode = 0) -> None",
        "The mask register: the first lanes, or two words of bits. Calls with is_set_mask=False use it.",
    ),
    "set_deq_scale": (
        "(scale: Scalar | LocalTensor, offset: RuntimeInt | VdeqInfo | None = None, sign_mode: bool | None = None) -> None",
        "The scale of casts from int32 to half; with an offset and a sign, or for each place of a block, that of cast_deq.",
    ),
    "set_fix_pipe_pre_quant_flag": ("(config: RuntimeInt) -> None", "The scale a fixpipe without one of its own uses."),
    "set_fixpipe_nz2nd_flag": (
        "(nd_num: RuntimeInt, src_nd_stride: RuntimeInt, dst_nd_stride: RuntimeInt) -> None",
        "Several matrices of one result: their number and distances.",
    ),
    "set_hf32_mode": ("(hf32_mode: bool) -> None", "Products of float32 in fewer bits."),
    "set_hf32_trans_mode": ("(hf32_trans_mode: bool) -> None", "Whether those bits are cut off; else they are rounded to even."),
    "set_mm_layout_transform": ("(mm_layout_mode: bool) -> None", "The order in which fractals are finished; nothing here."),
    "init_soc_state": ("() -> None", "Nothing: a block begins in this state."),
    # Cores that wait for each other.
    "cross_core_set_flag": ("(flag_id: RuntimeInt, mode_id: int = 0, pipe: PipeID = 0) -> None", "Raises a flag for other cores."),
    "cross_core_wait_flag": ("(flag_id: RuntimeInt, mode_id: int = 0, pipe: PipeID = 0) -> None", "Waits for a flag of other cores."),
    "sync_all": (
        "(gm_workspace: GlobalTensor | bool = True, ub_workspace: LocalTensor | None = None, used_cores: RuntimeInt = 0, "
        "is_aiv_only: bool = True) -> None",
        "Everything of every core before it is complete when any core goes on.",
    ),
    "ib_set": (
        "(gm_workspace: GlobalTensor, ub_workspace: LocalTensor, block_idx: RuntimeInt, event_id: RuntimeInt, is_aiv_only: bool = True) -> None",
        "A signal of a block to whoever waits for it.",
    ),
    "ib_wait": (
        "(gm_workspace: GlobalTensor, ub_workspace: LocalTensor, block_idx: RuntimeInt, event_id: RuntimeInt, is_aiv_only: bool = True) -> None",
        "Waits for a signal of a block.",
    ),
    "wait_pre_block": ("(gm_workspace: GlobalTensor, ub_workspace: LocalTensor) -> None", "Waits for its turn: the block before."),
    "notify_next_block": ("(gm_workspace: GlobalTensor, ub_workspace: LocalTensor) -> None", "Lets the next block have its turn."),
    "init_determine_compute_workspace": ("(gm_workspace: GlobalTensor, ub_workspace: LocalTensor) -> None", "Nothing is needed here."),
    # Sorting, compaction, transposition.
    "sort": (
        "(dst: LocalTensor, concat: LocalTensor, index: LocalTensor, tmp: LocalTensor, repeat_time: RuntimeInt, is_full_sort: bool = False) -> None",
        "Sorts squares of 32 by themselves, or all of them.",
    ),
    "concat": ("(dst: LocalTensor, src: LocalTensor, tmp: LocalTensor, repeat_time: RuntimeInt) -> None", "Puts scores where sort takes them."),
    "extract": (
        "(dst_value: LocalTensor, dst_index: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt) -> None",
        "Scores and indices of sorted records, apart again.",
    ),
    "get_mrg_sort_result": ("() -> tuple[PlainValue, PlainValue, PlainValue, PlainValue]", "Records the last merge took from each list."),
    "get_sort_len": ("(elem_count: RuntimeInt, dtype: DataType = ...) -> int", "Elements that sorted records take."),
    "get_sort_offset": ("(elem_offset: RuntimeInt, dtype: DataType = ...) -> int", "Where a sorted record begins."),
    "gather_mask": (
        "(dst: LocalTensor, src0: LocalTensor, src1_pattern: LocalTensor | int, reduce_mode: bool, mask: RuntimeInt, params: GatherMaskParams, "
        "gather_mask_mode: GatherMaskMode = 0) -> PlainValue",
        "The elements a pattern chooses, one after the other; how many were kept.",
    ),
    "get_gather_mask_remain_count": ("() -> PlainValue", "Elements the last gather_mask kept."),
    "trans_data_to_5hd": (
        "(dst_list: list[LocalTensor], src_list: list[LocalTensor], params: TransDataTo5HDParams) -> None",
        "16 rows of 16 elements, turned. Rows are tensors, addresses, or a tensor of addresses.",
    ),
    # Prints.
    "printf": ("(fmt: str, *values: Scalar) -> None", "Prints a line, with C's conversions."),
    "dump_tensor": (
        "(tensor: LocalTensor | GlobalTensor, desc: int, dump_size: int, shape_info: ShapeInfo | None = None) -> None",
        "Prints the first elements of a tensor.",
    ),
    "print_time_stamp": ("(desc_id: int) -> None", "Nothing: time is computed after the launch."),
    "metrics_prof_start": ("() -> None", "Nothing: every launch can be profiled."),
    "metrics_prof_stop": ("() -> None", "Nothing: every launch can be profiled."),
    "dump_acc_chk_point": (
        "(tensor: LocalTensor | GlobalTensor, index: RuntimeInt, count_off: RuntimeInt, dump_size: RuntimeInt) -> None",
        "Nothing here; use dump_tensor.",
    ),
    # Scalars.
    "scalar_cast": ("(value_in: Scalar, dtype: DataType, round_mode: RoundMode) -> PlainValue", "A float as another type, by a rounding."),
    "scalar_get_count_of_value": ("(value_in: RuntimeInt, count_value: int = 1) -> PlainValue", "Bits that are set, or clear."),
    "scalar_get_sff_value": ("(value_in: RuntimeInt, count_value: int = 1) -> PlainValue", "The first bit that is set, or clear; -1: none."),
    "scalar_count_leading_zero": ("(value_in: RuntimeInt) -> PlainValue", "Zeros above the highest bit."),
    "count_bits_cnt_same_as_sign_bit": ("(value_in: RuntimeInt) -> PlainValue", "Bits below the sign that are as it is."),
    "get_shape_size": ("(shape_info: ShapeInfo) -> PlainValue", "Elements of a shape."),
    # Caches: the model has one, and it is always right.
    "data_cache_clean_and_invalid": (
        "(entire_type: CacheLine, dcci_dst: DcciDst | LocalTensor | GlobalTensor, dst: LocalTensor | GlobalTensor | None = None) -> None",
        "Nothing: scalar accesses of the model are never stale.",
    ),
    "data_cache_preload": ("(src: GlobalTensor, cache_offset: RuntimeInt) -> None", "Nothing."),
    "icache_preload": ("(pre_fetch_len: RuntimeInt) -> None", "Nothing."),
    "get_hccl_context": ("(index: int) -> int", "0: there is no communication between devices."),
    "set_hccl_context": ("(index: int, context: object) -> None", "Nothing."),
    # What the model does not have: a warning, and a finding when it runs.
    "set_pad_value": ("(padding_value: Scalar, pos: TPosition = ...) -> None", "What data_copy_pad fills up with where its parameters bring no value."),
    "set_aipp_functions": (
        "(src0: GlobalTensor, src1: GlobalTensor | None = None, input_format: AippInputFormat | None = None, config: AippParams | None = None) -> None",
        "Not in the model.",
    ),
    "check_local_memory_ia": ("(check_params: CheckLocalMemoryIAParam) -> None", "Not in the model."),
    "set_load_data_boundary": ("(boundary_value: RuntimeInt) -> None", "Not in the model."),
    "set_load_data_padding_value": ("(pad_value: Scalar) -> None", "Not in the model."),
    "bilinear_interpolation": ("(*arguments: object, **keywords: object) -> None", "Not in the model."),
    "load_image_to_local": ("(dst: LocalTensor, params: object) -> None", "Not in the model."),
    "load_data_with_sparse": ("(dst: LocalTensor, src: LocalTensor, idx: LocalTensor, params: object) -> None", "Not in the model."),
    "mmad_with_sparse": ("(dst: LocalTensor, fm: LocalTensor, filter: LocalTensor, mmad_params: object) -> None", "Not in the model."),
    "mrg_sort4": ("(dst: LocalTensor, src: object, params: object) -> None", "Not in the model: records of older chips."),
    "rp_sort16": ("(dst: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt) -> None", "Not in the model: records of older chips."),
    "proposal_concat": ("(dst: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt, mode_number: int) -> None", "Not in the model."),
    "proposal_extract": ("(dst: LocalTensor, src: LocalTensor, repeat_time: RuntimeInt, mode_number: int) -> None", "Not in the model."),
    "set_store_atomic_config": ("(*arguments: object, **keywords: object) -> None", "Not in the model."),
    "get_store_atomic_config": ("() -> tuple[int, int]", "Not in the model: no atomic stores are configured."),
    "set_load_data_repeat": ("(repeat_params: LoadDataRepeatParam) -> None", "Not in the model."),
}

__all__ = [*_FORMS, "GatherRepeatParams"]


if TYPE_CHECKING:

    def __getattr__(name: str) -> Builtin: ...


def _declare(name, form, text):
    def function(*args, **kwargs):
        pass

    function.__name__ = function.__qualname__ = name
    function.__doc__ = text
    return instruction(f"asc.basic.{name}", forms=(form,))(function)


for _name, (_form, _text) in _FORMS.items():
    globals()[_name] = _declare(_name, _form, _text)
