"""What a candidate brings to a call besides its inputs: arrays, numbers for launches, values and places of fills and copies, constants in
kernels; and how much of it may be.

A table of the answers can come in many ways. Whatever way it takes, it is data of the candidate's that launches read, and all ways count
together.
"""

import ctypes
import struct

import numpy as np

from .known import information, information_of, pattern

SMALL = 4096  # bytes of an array that nobody asks about
ALL_SMALL = 2 * SMALL  # the same, of all that comes in small pieces
SOURCE = 2048  # bytes of tables in a C++ source
TABLE = 256  # the same, of an array that is looked up in by numbers: it may hold all answers there are
CONSTANTS = 192  # different constants that the kernels of a call have without any table
_NUMBER = 8  # bytes of a number, however it comes


class Brought:
    """Of one call; `known` has the reference's parameters (known.Known) once the judge has told them."""

    def __init__(self):
        self.known = None
        self._filled, self._numbers, self._places, self._libraries = set(), {}, {}, {}

    def clear(self):
        """Another call begins."""
        for each in (self._filled, self._numbers, self._places, self._libraries):
            each.clear()

    def fill(self, value):
        """A fill with a value; what its bytes are: a table can be filled in, one element after another."""
        self._filled.add(str(value))
        return "given" if _NUMBER * len(self._filled) > TABLE else "filled"

    def place(self, what, address):
        """Where something happens: one of many places says as much as a number."""
        self._places.setdefault(what, []).append(address)

    def library(self, number, size):
        """A kernel in C++ of a library with this much data in it is launched."""
        self._libraries[number] = size

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
        elif "at" in value:
            self.place(parameter, value["at"])

    def _note(self, number, parameter):
        self._numbers.setdefault(parameter, []).append(number)

    def _said(self, server):
        """Bytes of what came as numbers."""
        told = [*server.numbers_given(), *(struct.pack(f"<{len(each)}q", *each) for each in self._numbers.values())]
        told += [struct.pack(f"<{len(each)}q", *(address - each[0] for address in each)) for each in self._places.values()]
        return information_of(told) + _NUMBER * len(self._filled)

    @staticmethod
    def _constants_beyond(server):
        """How many constants the kernels have that may be entries of a table."""
        told = [np.frombuffer(each, np.int64) for each in server.constants_given()]
        return max(0, len(np.unique(np.concatenate(told))) - CONSTANTS) if told else 0

    def too_much(self, server):
        """Bytes of each array of the candidate's own that launches have read from, and of what it brought in small pieces, where it is
        more than nobody asks about and no parameter of the reference."""
        said = self._said(server)
        small = said + information_of(server.constants_given()) + sum(self._libraries.values())
        tables = min(server.looked_up_made(), said + _NUMBER * self._constants_beyond(server))  # what launches made of numbers
        prepared = 0
        found = [size for size in self._libraries.values() if size > SOURCE] + ([said] if said > SMALL else [])
        for address, size, looked_up, is_known, ranges in server.own_data():
            brought = sum(end - begin for begin, end, is_prepared in ranges if not is_prepared)
            earlier = sum(end - begin for begin, end, is_prepared in ranges if is_prepared)
            says = brought + earlier  # as much as it may say
            if is_known:
                mine = self._unknown(address, size, ranges)
                if mine is None:
                    continue
                says = pattern(mine)
            if looked_up:
                tables += min(looked_up, information(mine) if is_known else says)
            if brought and says > SMALL:
                found.append(says)
            elif brought:
                small += says
            else:
                prepared += says
        if prepared > ALL_SMALL + 4 * (self.known.bytes if self.known else 0):
            found.append(prepared)
        if tables > TABLE:
            found.append(tables)
        return [*found, *([small] if small > ALL_SMALL else [])]

    def _unknown(self, address, size, ranges):
        """What is the candidate's of a block, None of parameters of the reference."""
        whole = ctypes.string_at(address, size)
        mine = b"".join(whole[begin - address : end - address] for begin, end, _ in ranges)
        if self.known is not None and (self.known.are_parameters(whole) or len(mine) < size and self.known.are_parameters(mine)):
            return None
        return np.frombuffer(mine, np.uint8)
