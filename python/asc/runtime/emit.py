"""Kernels as Ascend C source: what a launch is on the chip, and host code that does the same launch there.

    text = kernel[8].ascendc(x, y, n)

is the source alone. While `captured()` is active, launches are handed to it, and run only if it says so (`run=True`):

    with captured() as launches:
        kernel[8](x, y, n)
    launches[0].source, launches[0].host_program("kernel.cpp")
"""

import contextlib
import struct

import _tilesmith

from asc.language.core.dtype import DataType

_ARCH = {"c220": "dav-2201", "c310": "dav-3510"}


class EmittedArgument:
    """A parameter of the kernel with what this launch gives for it."""

    def __init__(self, facts):
        self.name, self.dtype, self.is_array = facts["name"], facts["dtype"], facts["array"]
        self.cpp_type = "bool" if self.dtype == "bool" else DataType(self.dtype).cpp_name
        if self.is_array:
            self.bytes, self.address = facts["bytes"], facts["address"]
            self.written, self.read_only, self.contiguous = facts["written"], facts["read_only"], facts["contiguous"]
            self.shape = tuple(getattr(facts["value"], "shape", ()))
            self.keep = facts["value"]
        else:
            self.bits = facts["bits"]

    @property
    def literal(self):
        """The scalar as C++ writes it."""
        if self.dtype in ("bool", "int1"):
            return "true" if self.bits else "false"
        if self.dtype.startswith("float") or self.dtype == "bfloat16":
            number = self.number
            if number != number:
                text = '__builtin_nanf("")'
            elif number in (float("inf"), float("-inf")):
                text = ("-" if number < 0 else "") + "__builtin_inff()"
            else:
                text = number.hex() + "f"
            return text if self.dtype == "float32" else f"{self.cpp_type}({text})"
        if self.bits == -(1 << 63):
            return "(-9223372036854775807LL - 1)"
        number = self.bits % (1 << 64) if self.dtype == "uint64" else self.bits
        return str(number) + ("ULL" if number > (1 << 63) - 1 else "LL" if abs(number) >= 1 << 31 else "")

    @property
    def number(self):
        """The value of a floating-point scalar."""
        bits = self.bits % (1 << 64)
        if self.dtype == "bfloat16":
            return struct.unpack("<f", struct.pack("<I", (bits & 0xFFFF) << 16))[0]
        kind, size = ("e", 2) if self.dtype == "float16" else ("f", 4)
        return struct.unpack("<" + kind, bits.to_bytes(8, "little")[:size])[0]

    def packed(self):
        """The scalar's bytes, as the kernel's parameter has them."""
        size = {"bool": 1, "int1": 1}.get(self.dtype) or int("".join(c for c in self.dtype if c.isdigit())) // 8
        return (self.bits % (1 << 64)).to_bytes(8, "little")[:size]

    def __str__(self):
        if self.is_array:
            return f"{self.name}: {self.dtype} {list(self.shape)}, {self.bytes} bytes" + (", written" if self.written else "")
        return f"{self.name} = {self.literal}"

    def to_json(self):
        """The facts, as `tilesmith emit --json` prints them."""
        facts = {"name": self.name, "dtype": self.dtype}
        if self.is_array:
            return facts | {"shape": list(self.shape), "bytes": self.bytes, "written": self.written}
        return facts | {"value": self.literal}


class EmittedLaunch:
    """One launch: the source of the kernel, the number of blocks, the arguments."""

    def __init__(self, facts):
        self.kernel, self.symbol, self.source, self.core = facts["kernel"], facts["symbol"], facts["source"], facts["core"]
        self.blocks, self.platform = facts["blocks"], facts["platform"]
        self.arguments = [EmittedArgument(entry) for entry in facts["arguments"]]

    @property
    def npu_arch(self):
        """What the compiler calls the platform's architecture."""
        return _ARCH[_tilesmith.describe_platform(self.platform)["arch"]]

    def host_program(self, source_file):
        """A program that makes this launch on a device. Arrays are read from <name>.bin (zeros where there is none), those
        the kernel writes are written to <name>.out.bin."""
        arrays = [argument for argument in self.arguments if argument.is_array]
        values = [f"static_cast<__gm__ {a.cpp_type} *>({a.name}Device)" if a.is_array else a.literal for a in self.arguments]
        lines = [
            f"// Launches {self.kernel} on {self.blocks} blocks of an {self.platform}. Written by Tilesmith.",
            "//",
            *(f"//   {argument}" for argument in self.arguments),
            "//",
            "// Build with the compiler of CANN, and run on a device:",
            f"//   bisheng -x asc --npu-arch={self.npu_arch} -O3 -std=c++17 <this file> -o {self.kernel} -lascendcl",
            f'#include "{source_file}"',
            '#include "acl/acl.h"',
            "#include <cstdint>",
            "#include <cstdio>",
            "#include <cstdlib>",
            "#include <vector>",
            "",
            "static void check(aclError status, const char *what) {",
            "  if (status == ACL_SUCCESS)",
            "    return;",
            '  std::fprintf(stderr, "%s failed: %d\\n", what, static_cast<int>(status));',
            "  std::exit(1);",
            "}",
            "",
            "static std::vector<uint8_t> readArray(const char *path, size_t bytes) {",
            "  std::vector<uint8_t> data(bytes);",
            '  if (std::FILE *file = std::fopen(path, "rb")) {',
            "    if (std::fread(data.data(), 1, bytes, file) != bytes)",
            '      std::fprintf(stderr, "%s is shorter than %zu bytes\\n", path, bytes);',
            "    std::fclose(file);",
            "  }",
            "  return data;",
            "}",
            "",
            "static void writeArray(const char *path, const std::vector<uint8_t> &data) {",
            '  std::FILE *file = std::fopen(path, "wb");',
            "  if (!file || std::fwrite(data.data(), 1, data.size(), file) != data.size())",
            '    std::fprintf(stderr, "%s cannot be written\\n", path);',
            "  if (file)",
            "    std::fclose(file);",
            "}",
            "",
            "int main() {",
            '  check(aclInit(nullptr), "aclInit");',
            '  check(aclrtSetDevice(0), "aclrtSetDevice");',
            "  aclrtStream stream = nullptr;",
            '  check(aclrtCreateStream(&stream), "aclrtCreateStream");',
        ]
        for a in arrays:
            lines += [
                "",
                f"  // {a}",
                f'  std::vector<uint8_t> {a.name}Host = readArray("{a.name}.bin", {a.bytes});',
                f"  void *{a.name}Device = nullptr;",
                f'  check(aclrtMalloc(&{a.name}Device, {max(a.bytes, 1)}, ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");',
                f"  check(aclrtMemcpy({a.name}Device, {a.bytes}, {a.name}Host.data(), {a.bytes}, ACL_MEMCPY_HOST_TO_DEVICE), "
                '"aclrtMemcpy");',
            ]
        lines += [
            "",
            f"  {self.symbol}<<<{self.blocks}, nullptr, stream>>>({', '.join(values)});",
            '  check(aclrtSynchronizeStream(stream), "aclrtSynchronizeStream");',
            "",
        ]
        for a in arrays:
            if a.written:
                lines += [
                    f"  check(aclrtMemcpy({a.name}Host.data(), {a.bytes}, {a.name}Device, {a.bytes}, ACL_MEMCPY_DEVICE_TO_HOST), "
                    '"aclrtMemcpy");',
                    f'  writeArray("{a.name}.out.bin", {a.name}Host);',
                ]
        lines += [f"  aclrtFree({a.name}Device);" for a in arrays]
        lines += ["  aclrtDestroyStream(stream);", "  aclrtResetDevice(0);", "  aclFinalize();", "  return 0;", "}", ""]
        return "\n".join(lines)

    def launch_function(self, source_file):
        """The launch as a function of a library: `tilesmith_launch(blocks, stream, arguments)`, one pointer for each argument:
        an array's device address, or where the scalar is."""
        values = [
            f"static_cast<__gm__ {a.cpp_type} *>(arguments[{i}])"
            if a.is_array
            else f"*static_cast<const {a.cpp_type} *>(arguments[{i}])"
            for i, a in enumerate(self.arguments)
        ]
        return (
            f'#include "{source_file}"\n#include <cstdint>\n\n'
            'extern "C" void tilesmith_launch(uint32_t blocks, void *stream, void *const *arguments) {\n'
            f"  {self.symbol}<<<blocks, nullptr, stream>>>({', '.join(values)});\n}}\n"
        )

    def to_json(self):
        """The facts, as `tilesmith emit --json` prints them."""
        return {
            "kernel": self.kernel,
            "blocks": self.blocks,
            "platform": self.platform,
            "core": self.core,
            "arguments": [argument.to_json() for argument in self.arguments],
        }


@contextlib.contextmanager
def captured(run=False):
    """Collects launches as EmittedLaunch; with `run` they also take place, else they do not."""
    launches = []

    def emitter(facts):
        launches.append(EmittedLaunch(facts))
        return run

    before = _tilesmith.get_settings()["emitter"]
    _tilesmith.set_settings(emitter=emitter)
    try:
        yield launches
    finally:
        _tilesmith.set_settings(emitter=before)
