"""What a library of C++ kernels calls, and the data in it: a chip has no threads, no files and no library of C beyond moving bytes and
plain arithmetic, and a table in a source is one that the candidate brings."""

import ctypes
import re
import struct
import zlib

_ALLOWED = re.compile(
    "|".join(
        (
            # what every shared object, and code with exceptions and thread-local data, asks for
            r"__gmon_start__|_ITM_\w+|__cxa_\w+|__gxx_personality_v0|_Unwind_\w+|__tls_get_addr|__stack_chk_fail|__\w+_chk",
            r"mem(cpy|move|set|cmp|chr)|str(n?cmp|n?len|n?cpy|r?chr|str)|v?s?n?printf|fprintf|puts|putchar|fputs|fputc|fwrite|fflush",
            r"stdout|stderr|abort|malloc|calloc|realloc|free",
            # rounding and roots, which the scalar unit has
            r"(sqrt|floor|ceil|round|trunc|rint|nearbyint|l?lround|l?lrint|fabs|fmax|fmin|fma|fmod|copysign)[fl]?",
            # C++: types, memory, errors of containers and strings
            r"_ZT[IVS]\w+|_Z(dl|da|nw|na)\w+|_ZSt9terminatev|_ZSt\d+__throw_\w+|_ZNK?St7__cxx1112basic_string\w+",
            r"_ZNK?St(9exception|9bad_alloc|11logic_error|13runtime_error|12length_error|12out_of_range|16invalid_argument)\w+",
        )
    )
)


_OF_LINKER = re.compile(r"\.(eh_frame|gcc_except_table|interp|note|got|init_array|fini_array|dynamic|comment)")
_TEXT = re.compile(rb"[\t\n\r\x20-\x7e]{3,}\0")


class NotOnAChip(ValueError):
    """A library that calls what a chip does not have."""


def _sections(path):
    """(the bytes of a shared object, its sections as (name, kind, flags, address, offset, length, link, ...))."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:6] != b"\x7fELF\x02\x01":
        raise NotOnAChip(f"{path} is not a shared object")
    (at,) = struct.unpack_from("<Q", data, 40)
    size, count, of_names = struct.unpack_from("<HHH", data, 58)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, at + number * size) for number in range(count)]
    texts = sections[of_names][4]
    named = [(data[texts + each[0] : data.index(b"\0", texts + each[0])].decode(errors="replace"), *each[1:]) for each in sections]
    return data, named


def data_in(path):
    """How much the data of a shared object says, in bytes: (constants and variables, texts). What the linker made is neither."""
    data, sections = _sections(path)
    found = b"".join(
        data[offset : offset + length]
        for name, kind, flags, _, offset, length, *_ in sections
        if kind == 1 and flags & 2 and not flags & 4 and not _OF_LINKER.match(name)  # SHT_PROGBITS, SHF_ALLOC, SHF_EXECINSTR
    )
    texts = b"".join(_TEXT.findall(found))
    return len(zlib.compress(_TEXT.sub(b"", found), 9)), len(zlib.compress(texts, 9))


def undefined(path):
    """Names a shared object takes from elsewhere (64-bit ELF, little-endian)."""
    data, sections = _sections(path)
    names = []
    for _, kind, _, _, offset, length, link, _, _, entry in sections:
        if kind != 11:  # SHT_DYNSYM
            continue
        texts = sections[link][4]
        for symbol in range(offset, offset + length, entry):
            name, _, _, section, _, _ = struct.unpack_from("<IBBHQQ", data, symbol)
            if name and section == 0:
                names.append(data[texts + name : data.index(b"\0", texts + name)].decode(errors="replace"))
    return names


def _readable(name):
    try:
        library = ctypes.CDLL("libstdc++.so.6")
        library.__cxa_demangle.restype = ctypes.c_void_p
        status = ctypes.c_int()
        found = library.__cxa_demangle(name.encode(), None, None, ctypes.byref(status))
        if found:
            text = ctypes.string_at(found).decode(errors="replace")
            ctypes.CDLL(None).free(ctypes.c_void_p(found))
            return text
    except OSError:
        pass
    return name


def check(path):
    """Refuses a library that calls what a chip does not have, by name."""
    wrong = sorted({_readable(name) for name in undefined(path) if not _ALLOWED.fullmatch(name)})
    if wrong:
        more = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
        raise NotOnAChip(f"the source calls {', '.join(wrong[:5])}{more}, which a chip does not have")
