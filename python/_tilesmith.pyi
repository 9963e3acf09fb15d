# Made by tools/stubs.py. Signatures and texts are in python/extension.

from typing import Any


class Kernel:
    """A jit function: its parameters, options and specialisations. kernel[core_num] and kernel[core_num, stream] give a Launcher."""

    def __init__(self, name: str, parameters: tuple[Any, ...], source: str, options: dict[str, Any], dump_folder: str,
                 /) -> None: ...
    def __getitem__(self, core_num: int | tuple[int] | tuple[int, Any], /) -> Launcher: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def clear_cache(self) -> None:
        """Forget the specialisations kept in memory."""


class Launcher:
    """A kernel with its number of blocks. Called with the kernel's arguments it launches, and returns when the launch is complete; options of jit may be given as keywords, too."""

    @property
    def core_num(self) -> int: ...
    @property
    def kernel(self) -> Kernel: ...
    def __call__(self, *args: Any, **kwargs: Any) -> None: ...
    def ascendc(self, *args: Any, **kwargs: Any) -> str:
        """The kernel as Ascend C source for these arguments, on the current platform. Nothing is launched."""


from collections.abc import Sequence


def add_platforms(path: str) -> None:
    """Reads a platform file, or a folder of them."""

def ask_device(text: bytes) -> bytes:
    """What the process that has the device answers to this."""

def build_info() -> dict:
    """What the extension was built with: llvm, compiler, python."""

def cache_clear() -> tuple:
    """Removes them; (kernels, bytes)."""

def cache_folder() -> str:
    """The folder of compiled kernels."""

def cache_usage() -> tuple:
    """(kernels, bytes) on disk."""

def check_options(options: dict) -> None:
    """RuntimeError for what no kernel can be compiled with."""

def closest(wanted: str, names: Sequence[str]) -> str:
    """The name a misspelt one is closest to; empty if none is close."""

def compare(candidate: object, candidate_dtype: str, golden: object, golden_dtype: str, count: int, threshold: float = 0.0, threads: int = 0) -> dict:
    """
    Judges contiguous elements by MERE and MARE. A side is a buffer or (file descriptor, offset); the candidate may also be a float, which stands for every element. threshold 0: by golden dtype.
    """

def compilations() -> int:
    """Kernels compiled by this process."""

def cpu_level() -> str:
    """
    How much of this CPU is used: baseline, avx2 or avx512 (TILESMITH_CPU).
    """

def cube_parts(problem: dict) -> tuple:
    """How cores share a product: (cores, m, n, k of one)."""

def cube_tiling(problem: dict) -> dict | None:
    """The members of a TCubeTiling by name; None where nothing fits."""

def cube_tiling_members() -> list:
    """The members of TCubeTiling, in order: (name, name in C++)."""

def current_platform() -> str:
    """Its name."""

def describe_platform(name: str) -> dict:
    """Cores, clock, memories of a platform."""

def device_is_remote() -> bool:
    """Whether another process has the device."""

def elsewhere() -> list:
    """
    Names of other languages and libraries: (where they are from, the names, what asc2 has for them).
    """

def finding_table() -> list:
    """
    Every finding there is: id, severity, what, why, and why no program reaches it, if none does.
    """

def finite_mean(golden: object, dtype: str, count: int, threads: int = 0) -> float:
    """Mean of the finite elements, rounded to their dtype."""

def get_settings() -> dict:
    """How launches run, as set_settings takes it."""

def give_device_away(connection: int) -> None:
    """
    From now on the device is in the process at the other end of this connection, for good.
    """

def heap_allocate(size: int, device: int) -> object:
    """
    New memory of a device as a DLPack capsule of bytes; None if there is no room.
    """

def heap_block(address: int, device: int) -> object:
    """(address, bytes) of the block an address is in, or None."""

def heap_bytes(address: int, size: int, device: int) -> object:
    """
    Memory of a device that somebody else keeps, as a DLPack capsule of bytes.
    """

heap_devices: int = 16

def heap_give_back(device: int) -> int:
    """Gives memory that nothing uses back to the host; its bytes."""

def heap_poison(on: bool) -> None:
    """Whether new memory is filled with NaN."""

def heap_reset_peaks(device: int) -> None:
    """The highest figures of the statistics become the current ones."""

def heap_segment(address: int) -> object:
    """
    The segment an address of a device is in: (number, address, bytes, file descriptor); None if it is in none.
    """

def heap_statistics(device: int) -> dict:
    """Bytes and numbers of a device's memory."""

def host_bytes(address: int, size: int) -> object:
    """
    Memory as a DLPack capsule of the host's bytes. Who calls keeps the memory alive.
    """

def install_crash_handler(arg: int, /) -> None: ...

def isa_names() -> dict:
    """
    What the numbers of a timeline stand for: pipes, instructions, dtypes (with dtype_bytes), memories.
    """

def last_host_reads() -> object:
    """Host values the last lower_to_tile read, for tests."""

def last_ir() -> str:
    """The tile IR the front end made last, where compiling is replaced."""

def lint_rules() -> str:
    """The rules about kernels and their documentation, as a JSON array."""

def lint_source(text: bytes, name: str, role: str, stage: int, profile: str, portable: bool, enable: Sequence[str], disable: Sequence[str], only: Sequence[str], exports: str, describe: bool) -> tuple[str, str]:
    """
    Rules about kernels on one file, given as UTF-8: (findings as a JSON array, what the file holds as a JSON object). SyntaxError for what does not parse.
    """

def load_kernel_library(arg: str, /) -> dict: ...

def lower_to_tile(source: str, filename: str, firstlineno: int, globals: dict, closure: dict, params: list, locations: bool = False) -> object:
    """
    The tile IR of a kernel as text, for tests: what the front end makes of it.
    """

def matmul_config_members() -> list:
    """
    The members of MatmulConfig, in order: (name, name in C++, type in C++, value where nothing is said).
    """

def model_id() -> str:
    """
    Identifies the compiler, the model and the current platform: times of equal launches are equal if it is.
    """

def options() -> list:
    """Every option: (group, name, type of its values, default)."""

def options_page() -> str:
    """docs/options.md."""

def platform_facts(name: str) -> dict:
    """Cores of a platform, and bytes of its memories."""

def platforms() -> list:
    """Names of all platforms."""

def rel_quantiles(candidate: object, candidate_dtype: str, golden: object, golden_dtype: str, count: int, shares: list, threshold: float = 0.0, threads: int = 0) -> list:
    """
    Relative errors at these shares of the finite elements, from at most 2**20 of them.
    """

def remember_source(file: str, first_line: int, text: str) -> None:
    """Source that is in no file, for the texts of errors."""

def set_hooks(**kwargs) -> None:
    """
    What tests put in the way of launches: compiler_replaced, launcher_replaced, keep_ir.
    """

def set_platform(name: str) -> None:
    """The platform launches run on from now on."""

def set_settings(**kwargs) -> None:
    """Changes how launches run."""

def threshold(dtype: str) -> float:
    """The threshold t of the accuracy gate for a golden dtype."""

def validate_rules() -> str:
    """The rules of the check and their documentation, as a JSON array."""

def validate_source(text: bytes, name: str, dsl: str, enable: Sequence[str], disable: Sequence[str]) -> object:
    """
    Static degeneration check of a candidate, given as UTF-8: (clean, report as JSON, report for people). enable, disable: ids of rules.
    """
