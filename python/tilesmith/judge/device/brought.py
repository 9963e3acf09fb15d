"""What a candidate brings to a call besides its inputs: arrays, numbers for launches, values of fills; and how much of it may be.

A table of the answers can come in many ways. Whatever way it takes, it is data of the candidate's that launches read, and all ways count
together.
"""

import ctypes
import struct

import numpy as np

from .known import says_nothing

SMALL = 4096  # bytes of an array that nobody asks about
ALL_SMALL = 2 * SMALL  # the same, of all that comes in small pieces
TABLE = 256  # the same, of an array that is looked up in by numbers: it may hold all answers there are
_NUMBER = 8  # bytes of a number, however it comes


class Brought:
    """Of one call; `known` has the reference's parameters (known.Known) once the judge has told them."""

    def __init__(self):
        self.known = None
        self._filled, self._numbers = set(), {}

    def clear(self):
        """Another call begins."""
        self._filled.clear()
        self._numbers.clear()

    def fill(self, value):
        """A fill with a value; what its bytes are: a table can be filled in, one element after another."""
        self._filled.add(str(value))
        return "given" if _NUMBER * len(self._filled) > SMALL else "filled"

    def number(self, value, parameter):
        """A scalar or a struct for a parameter of a kernel in C++, as it was sent."""
        if "bytes" in value:
            data = bytes.fromhex(value["bytes"])
            for begin in range(0, len(data), _NUMBER):
                self._note(int.from_bytes(data[begin : begin + _NUMBER], "little", signed=True), (*parameter, begin))
        elif "value" in value:
            given = value["value"]
            number = struct.unpack("<q", struct.pack("<d", float.fromhex(given)))[0] if isinstance(given, str) else int(given or 0)
            self._note((number + (1 << 63)) % (1 << 64) - (1 << 63), parameter)

    def _note(self, number, parameter):
        self._numbers.setdefault(parameter, set()).add(number)

    def too_much(self, server):
        """Bytes of each array of the candidate's own that launches have read from, and of what it brought in small pieces, where it is
        more than nobody asks about and no parameter of the reference."""
        every = (
            np.sort(np.array(list(numbers), np.int64)).view(np.uint8)
            for numbers in (*server.numbers_given(), *self._numbers.values())
        )
        small = sum(len(numbers) for numbers in every if not says_nothing(numbers)) + _NUMBER * len(self._filled)
        found = []
        for address, size, looked_up, ranges in server.own_data():
            mine = sum(end - begin for begin, end in ranges)
            if looked_up <= TABLE and mine <= SMALL and small + mine <= ALL_SMALL:
                small += mine  # whatever it is
            elif not self._is_known(address, size, ranges):
                if looked_up > TABLE or mine > SMALL:
                    found.append(mine)
                else:
                    small += mine
        return [*found, *([small] if small > ALL_SMALL else [])]

    def _is_known(self, address, size, ranges):
        """Whether a block is, or what of it is the candidate's."""
        if self.known is None:
            return False
        if self.known.has((ctypes.c_uint8 * size).from_address(address)):
            return True
        return ranges != [(address, address + size)] and self.known.has(b"".join(ctypes.string_at(a, b - a) for a, b in ranges))
