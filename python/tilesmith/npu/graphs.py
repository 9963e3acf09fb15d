"""torch.npu.NPUGraph: work that is recorded once and done again."""

from __future__ import annotations

import torch
from asc.runtime.ascendc import library

from tilesmith.extension import _tilesmith

from . import memory


class NPUGraph:
    """Launches, in order. `replay()` does them again on the tensors they were recorded with.

    Recording does not launch kernels. Operators of torch run while they are recorded, since the program goes on with their results,
    but what they write into tensors that were there is put back at the end. Every replay runs them again, into the same memory.
    """

    def __init__(self, keep_graph=False):
        self._work, self._ended = [], False
        self._before_writing = {}  # by address: (all bytes of a storage, what they were)

    def capture_begin(self, pool=None, capture_error_mode="global"):
        """Records from now on."""
        if graph.active is not None:
            raise RuntimeError("a graph is being recorded already")
        self._work, self._ended = [], False
        graph.active = self
        self._before = _tilesmith.get_settings()["listener"], _tilesmith.get_settings()["dry_run"]
        _tilesmith.set_settings(listener=self._launch, dry_run=True)
        library.recorder_of_work = self.add

    def capture_end(self):
        """Ends recording."""
        if graph.active is not self:
            raise RuntimeError("this graph is not being recorded")
        graph.active, self._ended = None, True
        listener, dry_run = self._before
        _tilesmith.set_settings(listener=listener, dry_run=dry_run)
        library.recorder_of_work = None
        with torch.no_grad():
            for tensor, bytes_before in self._before_writing.values():
                memory.host_view(tensor, raw=True).copy_(bytes_before)
        self._before_writing = {}

    def _launch(self, kernel, blocks, arguments):
        if self._before[0] is not None:
            self._before[0](kernel, blocks, arguments)
        held = dict(arguments)
        self.add(lambda: kernel[blocks](**held))

    def writes(self, tensor):
        """An operator of torch is about to write a tensor: recording must leave its bytes as they are."""
        address = tensor.untyped_storage().data_ptr()
        if address not in self._before_writing:
            storage = tensor.untyped_storage()
            whole = memory.empty([0], [1], torch.uint8, tensor.device.index)
            memory.look_again(whole, storage, 0, [storage.nbytes()], [1])
            self._before_writing[address] = whole, memory.host_view(whole, raw=True).clone()

    def add(self, work):
        """Records a piece of work: a function."""
        self._work.append(work)

    def replay(self):
        """Does the work again."""
        if not self._ended:
            raise RuntimeError("a graph is replayed after it was recorded: with torch.npu.graph(g): ...")
        with torch.no_grad():
            for work in self._work:
                work()

    def reset(self):
        """Forgets the work."""
        self._work, self._ended = [], False

    def pool(self):
        """The memory of the graph's tensors is that of all others."""
        return graph_pool_handle()

    def debug_dump(self, path):
        """Writes how much work was recorded."""
        with open(path, "w") as file:
            file.write(f"{len(self._work)} pieces of work\n")


class graph:
    """with torch.npu.graph(g): what is launched in the block is recorded."""

    active: NPUGraph | None = None

    def __init__(self, npu_graph, pool=None, stream=None, capture_error_mode="global", **kwargs):
        self.graph, self.stream = npu_graph, stream

    def __enter__(self):
        from .streams import StreamContext

        self._stream = StreamContext(self.stream)
        self._stream.__enter__()
        self.graph.capture_begin()

    def __exit__(self, *exception):
        self.graph.capture_end()
        return self._stream.__exit__(*exception)


def graph_pool_handle():
    """All graphs share one memory."""
    return (0, 0)


def recorded(work):
    """Does a piece of torch's work; while a graph is being recorded, each replay does it again."""
    result = work()
    if graph.active is not None:
        graph.active.add(lambda: _again(work, result))
    return result


def _again(work, first):
    """Does work again, with its results where they were the first time."""
    active, graph.active = graph.active, None
    try:
        result = work()
    finally:
        graph.active = active
    _put(first, result)


def _put(into, result):
    if isinstance(into, torch.Tensor) and into is not result:
        if into.untyped_storage().data_ptr() != result.untyped_storage().data_ptr():
            memory.host_view(into).copy_(memory.host_view(result))
    elif isinstance(into, (list, tuple)):
        for one, other in zip(into, result):
            _put(one, other)
