"""Who may call the system, and look into a process: from now on only code that is in the process already.

Code of a user's that is loaded later can still call functions of the libraries that are there, which can be told by their names. What it
cannot do any more is to go past them with instructions of its own. A filter of the kernel's (seccomp) compares where each call comes
from with what is mapped executable now; another place ends the process with SIGSYS.
"""

import ctypes
import struct

WANTED = "TILESMITH_SYSCALLS_FROM_HERE"  # in the environment of processes that load code nobody trusts

_SET_DUMPABLE, _SET_NO_NEW_PRIVS, _SET_SECCOMP, _FILTER = 4, 38, 22, 2
_LOAD, _JUMP, _JUMP_EQUAL, _JUMP_ABOVE, _JUMP_AT_LEAST, _RETURN = 0x20, 0x05, 0x15, 0x25, 0x35, 0x06
_ALLOW, _END = 0x7FFF0000, 0x80000000
_LOW, _HIGH = 8, 12  # where struct seccomp_data has the halves of the address a call comes from
_HALF = 1 << 32


def _executable():
    """Ranges of addresses, without those the processor uses for the kernel."""
    with open("/proc/self/maps") as file:
        for line in file:
            addresses, rights = line.split()[:2]
            begin, end = (int(number, 16) for number in addresses.split("-"))
            if "x" in rights and end < 1 << 63:
                yield begin, end


def _by_high_half(ranges):
    """{high half of the addresses: [(low half of the beginning, of the last byte)]}"""
    found = {}
    for begin, end in ranges:
        while begin < end:
            high = begin // _HALF
            stop = min(end, (high + 1) * _HALF)
            found.setdefault(high, []).append((begin % _HALF, (stop - 1) % _HALF))
            begin = stop
    return found


def _program(ranges):
    """Instructions (code, steps if true, steps if false, number)."""
    program = [(_LOAD, 0, 0, _HIGH)]
    for high, lows in _by_high_half(ranges).items():
        program += [(_JUMP_EQUAL, 1, 0, high), (_JUMP, 0, 0, 3 * len(lows) + 2), (_LOAD, 0, 0, _LOW)]
        for first, last in lows:
            program += [(_JUMP_AT_LEAST, 0, 2, first), (_JUMP_ABOVE, 1, 0, last), (_RETURN, 0, 0, _ALLOW)]
        program.append((_RETURN, 0, 0, _END))
    return [*program, (_RETURN, 0, 0, _END)]


def hide_memory():
    """Nobody reads this process's memory or files through /proc: a compiler it starts would read what a source tells it to."""
    ctypes.CDLL(None).prctl(_SET_DUMPABLE, 0, 0, 0, 0)


def only_from_here():
    """Installs the filter in this thread and those it starts. False where the system has none."""
    program = b"".join(struct.pack("<HBBI", *step) for step in _program(_executable()))
    code = ctypes.create_string_buffer(program, len(program))
    described = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(code))
    libc = ctypes.CDLL(None)
    if libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    return libc.prctl(_SET_SECCOMP, ctypes.c_ulong(_FILTER), ctypes.c_char_p(described), 0, 0) == 0
