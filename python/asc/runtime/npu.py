"""Backend.NPU: launches on a device, with the compiler and the runtime library of an installed CANN.

Nothing here has run on silicon: it is tested with a stand-in for the compiler and the library.
"""

import ctypes
import hashlib
import os
import shutil
import subprocess

import _tilesmith

from .emit import EmittedLaunch

_HOME_VARIABLES = ("ASCEND_HOME_PATH", "ASCEND_TOOLKIT_HOME")
_HOST_TO_DEVICE, _DEVICE_TO_HOST = 1, 2  # aclrtMemcpyKind
_HUGE_FIRST = 0  # aclrtMemMallocPolicy

device_id = 0


class NpuError(RuntimeError):
    """The device cannot be used, or what was asked of it failed."""


class _Toolchain:
    """Where CANN is. What is missing is said when it is needed."""

    def __init__(self):
        self.home = next((os.environ[name] for name in _HOME_VARIABLES if os.environ.get(name)), None)
        self.compiler = self._find_compiler()
        self.library = self._find(("lib64/libascendcl.so", "lib/libascendcl.so", "runtime/lib64/libascendcl.so"))

    def _find(self, places):
        for place in places if self.home else ():
            path = os.path.join(self.home, place)
            if os.path.exists(path):
                return path
        return None

    def _find_compiler(self):
        chosen = os.environ.get("PYASC_COMPILER")
        if chosen:
            return shutil.which(chosen)
        return self._find(
            ("compiler/ccec_compiler/bin/bisheng", "bin/bisheng", "tools/bisheng_compiler/bin/bisheng")
        ) or shutil.which("bisheng")

    def missing(self):
        if not self.home:
            yield f"no CANN is installed: {' and '.join(_HOME_VARIABLES)} are not set"
        if not self.compiler:
            chosen = os.environ.get("PYASC_COMPILER")
            yield f"no compiler: PYASC_COMPILER names '{chosen}', which cannot be run" if chosen else "no compiler 'bisheng'"
        if self.home and not self.library:
            yield f"no libascendcl.so below {self.home}"


def _folder(text):
    """A folder for the files of one kernel, the same for the same text."""
    root = os.environ.get("PYASC_DUMP_PATH") or os.path.join(_tilesmith.cache_folder(), "npu")
    folder = os.path.join(root, hashlib.sha256(text.encode()).hexdigest()[:16])
    os.makedirs(folder, exist_ok=True)
    return folder


def _write(path, text):
    # Another process may write the same file: it appears whole or not at all.
    staged = f"{path}.{os.getpid()}"
    with open(staged, "w") as file:
        file.write(text)
    os.replace(staged, path)
    return path


def _compile(launch, tools, folder, source):
    library = os.path.join(folder, "launch.so")
    if os.path.exists(library):
        return library
    entry = _write(os.path.join(folder, "launch.cpp"), launch.launch_function(os.path.basename(source)))
    staged = f"{library}.{os.getpid()}"
    command = [
        tools.compiler,
        "-x",
        "asc",
        f"--npu-arch={launch.npu_arch}",
        "-O3",
        "-std=c++17",
        "-shared",
        "-fPIC",
        "-o",
        staged,
        entry,
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise NpuError(
            f"the compiler could not compile kernel '{launch.kernel}' (exit code {done.returncode}): {' '.join(command)}\n"
            f"{done.stderr.strip()}\nnote: the source is in {source}"
        )
    os.replace(staged, library)
    return library


class _Device:
    """The runtime library with one stream; arrays go to the device for a launch and come back."""

    def __init__(self, library):
        try:
            self.acl = ctypes.CDLL(library)
        except OSError as error:
            raise NpuError(f"the runtime library cannot be loaded: {error}") from None
        self("aclInit", None)
        self("aclrtSetDevice", ctypes.c_int(device_id))
        self.stream = ctypes.c_void_p()
        self("aclrtCreateStream", ctypes.byref(self.stream))

    def __call__(self, name, *arguments):
        try:
            function = getattr(self.acl, name)
        except AttributeError:
            raise NpuError(f"the runtime library has no function {name}") from None
        status = function(*arguments)
        if status:
            raise NpuError(f"{name} failed with code {status}")

    def copy(self, to, source, size, kind):
        self(
            "aclrtMemcpy",
            ctypes.c_void_p(to),
            ctypes.c_size_t(size),
            ctypes.c_void_p(source),
            ctypes.c_size_t(size),
            ctypes.c_int(kind),
        )

    def run(self, launch, function):
        pointers, keep, arrays = [], [], []
        try:
            for argument in launch.arguments:
                if argument.is_array:
                    memory = ctypes.c_void_p()
                    self("aclrtMalloc", ctypes.byref(memory), ctypes.c_size_t(max(argument.bytes, 32)), ctypes.c_int(_HUGE_FIRST))
                    arrays.append((argument, memory.value))
                    self.copy(memory.value, argument.address, argument.bytes, _HOST_TO_DEVICE)
                    pointers.append(memory.value)
                else:
                    keep.append(ctypes.create_string_buffer(argument.packed()))
                    pointers.append(ctypes.addressof(keep[-1]))
            function(ctypes.c_uint32(launch.blocks), self.stream, (ctypes.c_void_p * len(pointers))(*pointers))
            self("aclrtSynchronizeStream", self.stream)
            for argument, memory in arrays:
                if argument.written:
                    self.copy(argument.address, memory, argument.bytes, _DEVICE_TO_HOST)
        finally:
            for _, memory in arrays:
                self("aclrtFree", ctypes.c_void_p(memory))


_devices: dict = {}
_functions: dict = {}


def _refuse_overlap(launch):
    """Each array has its own memory on the device, so two that share bytes here would not there."""
    arrays = sorted((a for a in launch.arguments if a.is_array and a.bytes), key=lambda a: a.address)
    for first, second in zip(arrays, arrays[1:]):
        if first.address + first.bytes > second.address and (first.written or second.written):
            raise NpuError(
                f"arguments '{first.name}' and '{second.name}' of kernel '{launch.kernel}' overlap and are written, "
                "which Backend.NPU does not support"
            )


def launch(facts):
    """Compiles and runs one launch. `facts` are what the extension knows about it."""
    wanted = EmittedLaunch(facts)
    for argument in wanted.arguments:
        if argument.is_array and argument.written and argument.read_only:
            raise ValueError(f"argument '{argument.name}' is read-only, but the kernel '{wanted.kernel}' writes to it")
        if argument.is_array and not argument.contiguous:
            raise ValueError(f"argument '{argument.name}' is not contiguous, which Backend.NPU does not support; pass a copy")
    _refuse_overlap(wanted)
    tools = _Toolchain()
    folder = _folder(wanted.source + wanted.npu_arch + str(tools.compiler))
    source = _write(os.path.join(folder, f"{wanted.kernel}.cpp"), wanted.source)
    missing = list(tools.missing())
    if missing:
        raise NpuError(
            f"kernel '{wanted.kernel}' cannot run on an NPU: {'; '.join(missing)}\nnote: its source is in {source}\n"
            "help: install CANN and source its set_env.sh, or use Backend.Model"
        )
    library = _compile(wanted, tools, folder, source)
    if tools.library not in _devices:
        _devices[tools.library] = _Device(tools.library)
    if library not in _functions:
        function = ctypes.CDLL(library).tilesmith_launch
        function.restype = None
        _functions[library] = function
    _devices[tools.library].run(wanted, _functions[library])
