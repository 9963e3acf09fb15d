"""The device of a judged candidate: a process that has its global memory, its kernels and its clock.

It takes orders from two sides. The judge hands inputs in, says when a call begins and ends, and takes results and facts; the candidate's
process allocates, copies, launches (_tilesmith.DeviceServer, RemoteDevice). Neither sees the memory, and nothing the candidate says is
believed: kernels come as isa IR, which is verified and compiled here, addresses are looked up, and what a call did is what was seen here.
"""

import ctypes
import json
import mmap
import os
import sys

from tilesmith.judge.isolation import channel, syscalls, wire

from .brought import Brought
from .known import Known

_GIVEN_BACK = 1 << 20  # bytes the candidate gets back at a time
_SHOWN = 1000  # launches that are told one by one
_libc = ctypes.CDLL(None)
_libc.memcmp.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t]


class _Refused(ValueError):
    """What a candidate asked for is not done."""


class _Placed:
    """A tensor of the device as kernels in C++ take it."""

    def __init__(self, tensor):
        dtype = str(tensor.dtype).removeprefix("torch.")
        self.__tilesmith_place__ = tensor.data_ptr(), tensor.nbytes, dtype, tuple(tensor.shape)


class _Inputs:
    """Values of the judge's in the device's memory, and the file they came in."""

    def __init__(self, server, bundle, fd):
        self.server, self.bundle = server, bundle
        size = os.fstat(fd).st_size
        self.file = mmap.mmap(fd, size, mmap.MAP_SHARED, mmap.PROT_READ) if size else None
        self.blobs = []
        for offset, length in bundle["blobs"]:
            address = server.allocate(length)
            self.blobs.append([address, length])
            if length:
                ctypes.memmove(address, self._original(offset), length)
                server.assign(address, [length], [1], 1, "input")

    def _original(self, offset):
        import numpy as np

        return np.frombuffer(self.file, np.uint8, offset=offset).ctypes.data

    def changed(self):
        """Whether a byte is another one than it was."""
        return any(
            length and _libc.memcmp(address, self._original(offset), length)
            for (address, length), (offset, _) in zip(self.blobs, self.bundle["blobs"])
        )

    def which(self, begin, end):
        """The number of the first tensor that shares memory with a range, or None."""
        tensors = [entry for value in self.bundle["values"] for entry in wire.tensors(value)]
        for number, entry in enumerate(tensors):
            address, length = self.blobs[entry["blob"]]
            if begin < address + length and address < end:
                return number
        return None

    def drop(self):
        for address, _ in self.blobs:
            self.server.release(address)


def _extent(shape, strides, item):
    """Bytes from the first element to the end of the last one."""
    return item + sum((extent - 1) * stride for extent, stride in zip(shape, strides)) if wire.numel(shape) else 0


class Device:
    """Serves until the judge is gone."""

    def __init__(self, connection, options):
        import _tilesmith

        self.connection, self.options, self.module = connection, options, _tilesmith
        self.server, self.inputs, self.recorded, self.moves = None, {}, [], []
        self.libraries, self.data_of, self.segments, self.stopped = [], [], {}, []
        self.brought = Brought()
        os.environ[syscalls.WANTED] = "1"
        syscalls.hide_memory()
        _tilesmith.heap_poison(True)
        if options.get("platform"):
            _tilesmith.set_platform(options["platform"])

    # What the judge asks.

    def attach(self, request, fd):
        """The candidate is at the other end of this connection."""
        self.server = self.module.DeviceServer(os.dup(fd), self.connection.fileno(), self._asked)
        if self.options.get("platform"):
            self.server.lock(self.options["platform"])
        return {}

    def put(self, request, fd):
        self.server.end()  # what a constructor left running does not meet them before the call
        inputs = _Inputs(self.server, request["inputs"], fd)
        old = self.inputs.get(request["slot"])
        self.inputs[request["slot"]] = inputs
        if old is not None:
            old.drop()
        return {"blobs": inputs.blobs}

    def drop(self, request, fd):
        for inputs in self.inputs.values():
            inputs.drop()
        self.inputs.clear()
        return {}

    def changed(self, request, fd):
        return {"changed": self.inputs[request["slot"]].changed()}

    def build(self, request, fd):
        """A model is about to be made."""
        self.server.build()
        return {}

    def parameters(self, request, fd):
        """What the reference's model has."""
        import torch

        size = os.fstat(fd).st_size  # the file is sealed: only a private mapping may be written
        file = mmap.mmap(fd, size, mmap.MAP_PRIVATE, mmap.PROT_READ | mmap.PROT_WRITE) if size else None
        bases = [
            torch.frombuffer(file, dtype=torch.uint8, count=length, offset=offset) if length else torch.empty(0, dtype=torch.uint8)
            for offset, length in request["parameters"]["blobs"]
        ]
        self.brought.known = Known(wire.values_over(request["parameters"]["values"], bases))
        return {}

    def begin(self, request, fd):
        """A call is about to begin. With evidence on the model's clock launches are not checked, which would take the time of several."""
        evidence = bool(request.get("evidence"))
        mode = "timed" if request.get("clock") == "model" else "checked" if evidence else "fast"
        self.recorded, self.moves, self.stopped = [], [], []
        self.brought.clear()
        self.module.set_settings(recorder=self.recorded, mode=mode, raise_findings=mode != "checked", judged=evidence)
        self.server.begin(evidence)
        self.evidence = evidence
        return {}

    def end(self, request, fd):
        """What the call did on the device."""
        self.server.end()
        facts = self.recorded
        answer = {
            "stopped": [text[:10000] for text in (*self.server.why_stopped(), *self.stopped)][:3],
            "model_launches": len(facts),
            "copies": len(self.moves),
            "platforms": sorted({each["platform"] for each in facts}),
            "launches": [[each["kernel"], each["blocks"]] for each in facts[:_SHOWN]],
            "launch_findings": [[f["id"], f["rendered"][:1000]] for each in facts for f in each["findings"]][:20],
        }
        if all("cycles" in each for each in facts):
            self._add_times(answer, facts)
        if self.evidence:
            touched = [each["touched"] for each in facts if "touched" in each]
            answer["plain_stores"] = sum(each["plain_stores"] for each in touched)
            answer["plain_loads"] = max((each["plain_loads"] for each in touched), default=0)
            answer["order_matters"] = [[kernel, where] for kernel, where in self.server.launches() if where][:20]
            answer["own_data"] = self.brought.too_much(self.server)[:_SHOWN]
        return answer

    def _add_times(self, answer, facts):
        from tilesmith import transfers

        operators = {}
        for each in facts:
            took = each["cycles"] / each["clock_mhz"]
            operators[each["kernel"]] = operators.get(each["kernel"], 0.0) + took
        for kind, size, pieces in self.moves:
            operators[f"({kind})"] = operators.get(f"({kind})", 0.0) + transfers.microseconds(kind, size, pieces)
        answer.update(model_ns=sum(operators.values()) * 1000.0, cycles=sum(each["cycles"] for each in facts), operators=operators)

    def take(self, request, fd):
        """The bytes of results, and where they come from."""
        values = request["values"]
        for value in values:
            wire.check_description(value)
        described = [entry for value in values for entry in wire.tensors(value)]
        found = [self._tensor(entry) for entry in described]
        bundle, file = wire.pack(found, contiguous=True)
        for entry, packed, tensor in zip(described, bundle["values"], found):
            address, strides = entry.pop("at"), [stride * tensor.itemsize for stride in entry["stride"]]
            entry.update({name: packed[name] for name in ("stride_in_file", "blob", "offset")})
            if not tensor.numel():
                continue
            shared = self.inputs[request["slot"]].which(address, address + _extent(entry["shape"], strides, tensor.itemsize))
            if shared is not None:
                entry["alias"] = shared
            if self.evidence:
                entry["sources"] = self.server.sources(address, entry["shape"], strides, tensor.itemsize)
        return {"values": values, "blobs": bundle["blobs"]}, file

    def _tensor(self, entry):
        """A tensor over the device's memory, if that is what the description says."""
        import torch

        dtype, shape, strides = getattr(torch, entry["dtype"]), entry["shape"], entry["stride"]
        size = wire.SIZES[entry["dtype"]]
        address, bytes_ = entry.get("at"), _extent(shape, [stride * size for stride in strides], size)
        if not wire.numel(shape):
            return torch.empty(shape, dtype=dtype)
        if type(address) is not int or bytes_ <= 0 or min(strides, default=0) < 0 or not self.server.holds(address, bytes_):
            raise _Refused("a tensor that is not in the device's memory")
        raw = torch.frombuffer((ctypes.c_uint8 * bytes_).from_address(address), dtype=torch.uint8)
        whole = torch.empty(0, dtype=dtype).set_(raw.untyped_storage(), 0, shape, strides) if address % size == 0 else None
        if whole is None:
            raise _Refused("a tensor that is not aligned to its elements")
        return whole

    # What the candidate asks; its answer is JSON, too.

    def _asked(self, message):
        head, _, data = message.partition(b"\n")
        try:
            request = json.loads(head)
            kinds = {"upload": self._upload, "copy": self._copy, "fill": self._fill, "give back": self._give_back}
            action = {**kinds, "library": self._library, "launch": self._launch}.get(request["do"])
            if action is None:
                raise _Refused(f"the device does not do {request['do']!r}")
            return json.dumps(action(request, data)).encode()
        except (KeyError, TypeError, ValueError, RecursionError, AttributeError) as error:
            raise _Refused(str(error)) from None

    def _upload(self, request, data):
        address = request["at"]
        if not self.server.holds(address, len(data)):
            raise _Refused("an upload that is not into the device's memory")
        self._about_to_change("upload", address, len(data))
        ctypes.memmove(address, data, len(data))
        self.server.assign(address, [len(data)], [1], 1, "given")
        self._moved("to device", len(data), 1)
        return {}

    def _about_to_change(self, what, address, size):
        self.brought.place(what, address)
        self.server.about_to_change(address, size)

    def _described(self, entry):
        entry = {"k": "tensor", "stride_in_file": [0] * len(entry["shape"]), **entry}
        wire.check_description(entry)
        return self._tensor(entry), [stride * wire.SIZES[entry["dtype"]] for stride in entry["stride"]]

    def _copy(self, request, data):
        (target, to), (source, strides) = self._described(request["target"]), self._described(request["source"])
        if target.shape != source.shape:
            raise _Refused("a copy between tensors of two shapes")
        self._about_to_change("copy", target.data_ptr(), _extent(list(target.shape), to, target.itemsize))
        self.brought.place("source", source.data_ptr())
        target.copy_(source)
        shape, item = list(target.shape), target.itemsize
        if target.dtype == source.dtype:
            self.server.moved(target.data_ptr(), to, source.data_ptr(), strides, shape, item)
        else:
            at = source.data_ptr(), strides, source.itemsize
            self.server.converted(target.data_ptr(), to, item, *at, shape, _computes(target, source))
        self._moved("on device", target.nbytes, max(_pieces(shape, to, item), _pieces(shape, strides, source.itemsize)))
        return {}

    def _fill(self, request, data):
        target, strides = self._described(request["target"])
        value = request["value"]
        value = complex(*value) if isinstance(value, list) else float.fromhex(value) if isinstance(value, str) else value
        self._about_to_change("fill", target.data_ptr(), _extent(list(target.shape), strides, target.itemsize))
        target.fill_(value)
        says = self.brought.fill(value)
        self.server.assign(target.data_ptr(), list(target.shape), strides, target.itemsize, says)
        self._moved("fill", target.nbytes, _pieces(list(target.shape), strides, target.itemsize))
        return {}

    def _give_back(self, request, data):
        """Bytes the candidate brought itself, which tell it nothing; None of others."""
        tensor, strides = self._described(request["source"])
        sources = self.server.sources(tensor.data_ptr(), list(tensor.shape), strides, tensor.itemsize)
        if tensor.nbytes > _GIVEN_BACK or sources.keys() - {"given", "filled", "derives"}:
            return {"bytes": None}
        import torch

        return {"bytes": tensor.contiguous().view(-1).view(torch.uint8).numpy().tobytes().hex()}

    # Kernels in C++, which run in a process of the device's.

    def _library(self, request, data):
        from .sources import load

        try:
            library, data = load(os.path.join(os.getcwd(), f"sources{len(self.libraries)}"), request)
        except Exception as error:
            return {"error": str(error)}
        self.libraries.append(library)
        self.data_of.append(data)
        return {"number": len(self.libraries) - 1, "kernels": list(library)}

    def _launch(self, request, data):
        from asc.runtime.errors import KernelError

        kernel = self.libraries[request["library"]][request["kernel"]]
        arguments = [self._argument(value) for value in request["args"]]
        keywords = {name: self._argument(value) for name, value in request["keywords"].items()}
        for name, value in (*enumerate(request["args"]), *request["keywords"].items()):
            self.brought.number(value, (request["library"], request["kernel"], name))
        self.brought.library(request["library"], self.data_of[request["library"]])
        for argument in (*arguments, *keywords.values()):
            if isinstance(argument, _Placed):
                self.server.about_to_launch(*argument.__tilesmith_place__[:2])
        try:
            kernel[request["blocks"]](*arguments, **keywords)
        except KernelError as error:
            if self.server.building:
                raise
            self.stopped.append(str(error))  # it may tell of the inputs: only the judge hears it
            raise KernelError(f"kernel '{request['kernel']}' was stopped; the judge's result says why") from None
        facts = self.recorded[-1] if self.recorded else {}
        touched = facts.get("touched")
        if touched is None:
            return {}
        begins = {number: begin for number, begin in self.segments.items()}
        spans = {
            kind: [(begins[number] + begin, begins[number] + end) for number, begin, end in touched[kind]]
            for kind in ("reads", "writes", "tables")
        }
        self.server.did(facts["kernel"], **spans)
        return {}

    def _argument(self, value):
        if "bytes" in value:
            return bytes.fromhex(value["bytes"])
        if "value" in value:
            return float.fromhex(value["value"]) if isinstance(value["value"], str) else value["value"]
        tensor, _ = self._described(value)
        if not tensor.is_contiguous():
            raise _Refused("an array that is not contiguous")
        if tensor.numel():
            number, begin, _, _ = self.module.heap_segment(tensor.data_ptr())
            self.segments[number] = begin
        return _Placed(tensor)

    def _moved(self, kind, size, pieces):
        self.moves.append((kind, size, pieces))

    def serve(self):
        requests = {
            name: getattr(self, name)
            for name in ("attach", "put", "drop", "changed", "build", "parameters", "begin", "end", "take")
        }
        while True:
            if self.server is not None:
                self.server.serve()
            try:
                request, fds = channel.receive(self.connection)
            except channel.Closed:
                return
            file = -1
            try:
                answer = requests[request["request"]](request, fds[0] if fds else -1)
                if isinstance(answer, tuple):
                    answer, file = {"bundle": answer[0]}, answer[1]
            except Exception as error:
                answer = {"error": type(error).__name__, "text": str(error)}
            for opened in fds:
                os.close(opened)
            sys.stdout.flush()
            answer["nonce"] = request["nonce"]
            channel.send(self.connection, answer, [file] if file >= 0 else [])
            if file >= 0:
                os.close(file)


def _computes(target, source):
    """Whether a conversion changed values as a computation does, and not to the nearest number of another format."""
    import torch

    if target.is_floating_point() or target.is_complex():
        return False
    return not torch.equal(target.to(source.dtype), source)


def _pieces(shape, strides, item):
    """In how many contiguous pieces elements lie."""
    inner, bytes_ = len(shape), item
    while inner and (shape[inner - 1] == 1 or strides[inner - 1] == bytes_):
        inner -= 1
        bytes_ *= shape[inner]
    return wire.numel(extent for extent, stride in zip(shape[:inner], strides) if stride)
