"""Pipes, queues, buffers and pools of the framework. They exist in kernels only."""

from __future__ import annotations

from asc.language.core.ir_value import KernelObject


class TPipe(KernelObject):
    """Hands out memory and events of a core. A kernel has one."""

    __tilesmith_name__ = "asc.TPipe"

    def init(self) -> None:
        """Begins anew, after destroy."""

    def destroy(self) -> None:
        """Gives everything back."""

    def reset(self) -> None:
        """As destroy and init."""

    def init_buffer(self, que: TQueBind | TBuf, num: RuntimeInt, len: RuntimeInt | None = None) -> bool:
        """Memory of a queue, `num` buffers of `len` bytes; or of a TBuf, `num` bytes."""

    def init_buf_pool(self, buf_pool: TBufPool, len: RuntimeInt, share_buf: TBufPool | None = None) -> bool:
        """Memory of a pool, or the memory of another pool once more."""

    def alloc_event_id(self, event: HardEvent = 22) -> PlainValue:
        """An event id that stays taken until it is released."""

    def fetch_event_id(self, event: HardEvent = 22) -> PlainValue:
        """An event id that is free now."""

    def release_event_id(self, id: RuntimeInt, event: HardEvent = 22) -> None:
        """Gives an event id back."""

    def get_base_addr(self, pos: TPosition) -> int:
        """Where the memory of a position begins."""


class TQueBind(KernelObject):
    """A queue between two positions, whose buffers are handed from one pipe to another: `TQueBind(src, dst, depth)`."""

    __tilesmith_name__ = "asc.TQueBind"

    def alloc_tensor(self, tensor: DataType | LocalTensor | None = None, dtype: DataType | None = None) -> LocalTensor:
        """A buffer that is free, as a tensor of the dtype; a tensor that is given becomes it."""

    def enque(self, tensor: LocalTensor, src_user_pos: TPosition | None = None, dst_user_pos: TPosition | None = None) -> bool:
        """Hands a tensor to the consumer."""

    def deque(
        self,
        tensor: DataType | LocalTensor | None = None,
        src_user_pos: TPosition | None = None,
        dst_user_pos: TPosition | None = None,
        dtype: DataType | None = None,
    ) -> LocalTensor:
        """The tensor that has waited longest."""

    def free_tensor(self, tensor: LocalTensor) -> None:
        """Gives a buffer back."""

    def free_all_event(self) -> None:
        """Nothing is left to do: events end with their buffers."""

    def init_buf_handle(
        self, buf_pool: TBufPool, index: RuntimeInt, buf_handle: RuntimeInt, cur_pool_addr: RuntimeInt, len: RuntimeInt
    ) -> None:
        """Not in the model: a buffer of a pool that the kernel hands out by itself."""

    def init_start_buf_handle(self, start_buf_handle: RuntimeInt, num: RuntimeInt, len: RuntimeInt) -> None:
        """Not in the model: the first of such buffers."""

    def get_tensor_count_in_que(self) -> PlainValue:
        """Tensors that wait in the queue."""

    def has_tensor_in_que(self) -> PlainValue:
        """Whether a tensor waits in the queue."""

    def has_idle_buffer(self) -> PlainValue:
        """Whether alloc_tensor would find a buffer."""

    def vacant_in_que(self) -> PlainValue:
        """As has_idle_buffer."""


class TQue(TQueBind):
    """A queue of one position: `TQue(pos, depth)`."""

    __tilesmith_name__ = "asc.TQue"


class TBuf(KernelObject):
    """Memory without a queue: `TBuf(pos)`."""

    __tilesmith_name__ = "asc.TBuf"

    def get(self, dtype: DataType, len: RuntimeInt | None = None) -> LocalTensor:
        """The memory as a tensor, or its first `len` elements."""

    def get_with_offset(self, size: RuntimeInt, buf_offset: RuntimeInt, dtype: DataType) -> LocalTensor:
        """`size` elements that begin `buf_offset` bytes further on."""


class TBufPool(KernelObject):
    """A part of a memory that queues and buffers are made in: `TBufPool(pos)`."""

    __tilesmith_name__ = "asc.TBufPool"

    def init_buffer(self, que: TQueBind | TBuf, num: RuntimeInt, len: RuntimeInt | None = None) -> bool:
        """As TPipe.init_buffer, in the pool's memory."""

    def init_buf_pool(self, buf_pool: TBufPool, len: RuntimeInt, share_buf: TBufPool | None = None) -> bool:
        """A pool inside the pool."""

    def reset(self) -> None:
        """Ends all that was made in the pool."""
