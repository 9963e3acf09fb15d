"""Tensors of the `asc` language. They exist in kernels only; the classes are for `isinstance`, annotations and reading."""

from __future__ import annotations

from asc.language.core.ir_value import KernelObject


class BaseTensor(KernelObject):
    """What local and global tensors have in common."""

    @property
    def dtype(self) -> DataType:
        """Type of the elements."""

    def get_value(self, offset: RuntimeInt) -> PlainValue:
        """Reads one element on the scalar unit."""

    def set_value(self, offset: RuntimeInt, value: Scalar) -> None:
        """Writes one element on the scalar unit."""

    def get_size(self) -> PlainValue:
        """Number of elements."""

    def get_shape_info(self) -> ShapeInfo:
        """The shape the tensor was given."""

    def set_shape_info(self, shape_info: ShapeInfo) -> None:
        """Gives the tensor a shape."""

    def __getitem__(self, offset) -> BaseTensor:
        """`tensor[n]`, `tensor[n:]`: the view that begins n elements further on."""

    def __call__(self, offset: RuntimeInt) -> BaseTensor:
        """As `tensor[offset]`."""


class GlobalTensor(BaseTensor):
    """An array in global memory: `GlobalTensor()`, then `set_global_buffer`."""

    __tilesmith_name__ = "asc.GlobalTensor"

    def set_global_buffer(self, buffer: GlobalAddress, buffer_size: RuntimeInt | None = None) -> None:
        """The array the tensor stands for, and how many elements of it."""

    def get_phy_addr(self, offset: RuntimeInt = 0) -> GlobalAddress:
        """The address of an element."""

    def set_l2_cache_hint(self, mode: CacheMode = 0, rw_mode: CacheRwMode = 3) -> None:
        """How copies from and to the tensor use L2."""


class LocalTensor(BaseTensor):
    """A tensor in a memory of the core: `LocalTensor(dtype, pos, addr, tile_size)`, or from a queue, a buffer, an allocator."""

    __tilesmith_name__ = "asc.LocalTensor"

    def set_size(self, size: RuntimeInt) -> None:
        """Changes the number of elements."""

    def get_length(self) -> PlainValue:
        """Number of bytes."""

    def set_buffer_len(self, data_len: RuntimeInt) -> None:
        """Changes the number of elements, given in bytes."""

    def get_phy_addr(self, offset: RuntimeInt = 0) -> PlainValue:
        """Where an element lies in its memory, in bytes."""

    def get_position(self) -> int:
        """The TPosition."""

    def get_user_tag(self) -> PlainValue:
        """The number the tensor was given with set_user_tag."""

    def set_user_tag(self, tag: RuntimeInt = 0) -> None:
        """Gives the tensor a number."""

    def reinterpret_cast(self, dtype: DataType) -> LocalTensor:
        """The same bytes as elements of another type."""

    def set_addr_with_offset(self, src: LocalTensor, offset: RuntimeInt) -> None:
        """The tensor becomes the view of another that begins `offset` elements further on."""

    def print(self, data_len: int = 0) -> None:
        """For the vendor's CPU debugger; does nothing here. Use dump_tensor."""

    def to_file(self, file_name: str) -> None:
        """For the vendor's CPU debugger; does nothing here."""


class LocalTensorAuto(KernelObject):
    """A tensor that is placed by the compiler: `LocalTensorAuto(dtype, shape)`."""

    __tilesmith_name__ = "asc.LocalTensorAuto"


class LocalMemAllocator(KernelObject):
    """Hands out addresses one after another, without queues: `LocalMemAllocator(hard)`."""

    __tilesmith_name__ = "asc.LocalMemAllocator"

    def get_cur_addr(self) -> PlainValue:
        """The next address."""

    def alloc(self, pos: TPosition, data_type: DataType, tile_size: RuntimeInt) -> LocalTensor:
        """A tensor of `tile_size` elements at the next address."""


class TensorDesc(KernelObject):
    """A tensor of a list, with its shape; not in the model."""

    __tilesmith_name__ = "asc.TensorDesc"

    def set_shape_addr(self, shape_ptr: RuntimeInt) -> None:
        """Where its shape is written."""

    def get_dim(self) -> PlainValue:
        """Number of dimensions."""

    def get_index(self) -> PlainValue:
        """Its place in the list."""

    def get_shape(self, offset: RuntimeInt) -> PlainValue:
        """Size of a dimension."""

    def get_data_ptr(self) -> GlobalAddress:
        """Where its elements are."""

    def get_data_obj(self) -> GlobalTensor:
        """The tensor."""


class ListTensorDesc(KernelObject):
    """A list of tensors; not in the model."""

    __tilesmith_name__ = "asc.ListTensorDesc"

    def init(self, data: GlobalAddress, length: RuntimeInt | None = None, shape_size: RuntimeInt | None = None) -> None:
        """Where the list is."""

    def get_desc(self, desc: TensorDesc, index: RuntimeInt) -> None:
        """A tensor of the list."""

    def get_data_ptr(self, index: RuntimeInt, dtype: DataType) -> GlobalAddress:
        """Where the elements of a tensor are."""

    def get_size(self) -> PlainValue:
        """Tensors in the list."""
