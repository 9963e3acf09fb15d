"""What shows that kernels did the work, and not the host beside them.

A candidate's process is started once more with launches whose results are *replaced*: every byte that an instruction of a launch
stored becomes table[p] when the launch has ended, where p says which launch, array and place it was (Runtime/Poison.h). The case is run
twice, with two tables: one leaves p as it is, the other changes every value into another one, at random. If a launch of this call
wrote a byte of an output, and it was only moved since (views, slices, copies), then the second run's byte is the changed one of the
first's. A byte that was computed on the host is the same in both runs, or a function of replaced bytes that does not change as they do;
one that was chosen by its value comes from another place. Nothing in the process can switch the replacing off.

The same runs are checked, so that races between cores, missing synchronisation and memory that is read before it is written are
findings.
"""

import secrets
import threading

import numpy as np

from ..isolation import wire
from ..isolation.process import Died, Raised, TimedOut, WorkerError

SHOWN = 3  # findings of launches that are shown of a case
_PLAIN: np.ndarray = np.arange(256, dtype=np.uint8)


def scrambled():
    """A table that changes every byte but 0, which is never written, into another one."""
    order = list(range(1, 256))
    secrets.SystemRandom().shuffle(order)
    table = np.zeros(256, np.uint8)
    table[order] = order[1:] + order[:1]  # one cycle through all
    return table


def moved(first, second, table, dtype):
    """How many elements of a tensor launches did not write; `first` and `second` are its bytes in the two runs."""
    size = wire.SIZES[dtype]
    first, second = (np.frombuffer(data, np.uint8).reshape(-1, size) for data in (first, second))
    written = ((table[first] == second) & (first != 0)).all(axis=1)
    if dtype == "bool":
        written |= ((first == 1) & (second == 1)).all(axis=1)  # made of other bytes, none of which is 0
    return int(len(written) - written.sum())


class Evidence:
    """The process with replaced results, started when the first case asks for it. `judged` has the cases it was asked about."""

    def __init__(self, make_worker):
        self._make, self.worker, self.judged = make_worker, None, set()
        self._starting = None

    def begin(self):
        """Starts the process beside what the judge does meanwhile: it takes as long as judging a small case."""
        if self._starting is None:
            self._starting = threading.Thread(target=self._start)
            self._starting.start()

    def _start(self):
        try:
            self.worker = self._make()
        except WorkerError:  # asked for again when it is needed, it says so there
            pass

    def close(self):
        """Ends the process."""
        if self._starting is not None:
            self._starting.join()
        if self.worker is not None:
            self.worker.stop()

    def _running(self):
        if self._starting is not None:
            self._starting.join()
        if self.worker is None:
            self.worker = self._make()
        elif not self.worker.alive:
            self.worker.restart()
        return self.worker

    def look(self, case, inputs, init, seed, launches, note):
        """Runs a case. `launches` are those of the ordinary run on the same inputs; note(case, id, text, ...) takes findings."""
        self.judged.add(case.index)
        table = scrambled()
        try:
            with self._run(inputs, init, seed, _PLAIN) as first, self._run(inputs, init, seed, table) as second:
                facts = self.worker.facts
                found = self._not_written(first, second, table)
            if found:  # work that is done once for all calls is another number of launches: once more, the other way round
                with self._run(inputs, init, seed, table) as first, self._run(inputs, init, seed, _PLAIN) as second:
                    found = self._not_written(second, first, table)
        except TimedOut:
            raise
        except (Raised, Died) as error:
            text = f"with replaced results the candidate ends with {error.error_type}, so nothing shows what wrote its outputs"
            note(case, "not-by-kernels", text)
            return
        for index, left, count in found:
            text = f"{left} of {count} elements were not written by a launch of this call"
            note(case, "not-by-kernels", text, index, count=left)
        if facts.get("launches") != launches:
            note(case, "launches-differ", "with replaced results the candidate launches other kernels")
        self._findings_of_launches(case, facts.get("launch_findings"), note)

    def _run(self, inputs, init, seed, table):
        worker = self._running()
        worker.build("ModelNew", init, seed, poison=table.tobytes().hex() + secrets.token_hex(8))
        outputs, handed = worker.run(inputs)
        handed.close()
        return outputs

    @staticmethod
    def _not_written(first, second, table):
        """[(output, elements that no launch wrote, elements)]."""
        found = []
        for index, (one, other) in enumerate(zip(first.values, second.values)):
            for a, b in zip(wire.tensors(one), wire.tensors(other)):
                count = wire.numel(a["shape"])
                if (a["shape"], a["dtype"]) != (b["shape"], b["dtype"]):
                    found.append((index, count, count))
                elif count and (left := moved(first.bytes_of(a), second.bytes_of(b), table, a["dtype"])):
                    found.append((index, left, count))
        return found

    @staticmethod
    def _findings_of_launches(case, findings, note):
        """What checking the launches found, each kind once."""
        kinds = {}
        for finding in findings if isinstance(findings, list) else ():
            if isinstance(finding, list) and len(finding) == 2:
                kinds.setdefault(str(finding[0])[:100], str(finding[1])[:1000])
        for kind, text in list(kinds.items())[:SHOWN]:
            note(case, "hazard", text.strip().splitlines()[0] if text.strip() else kind, hazard=kind)
