"""The framework: memory, queues and events of a core."""

from asc.language.basic.functions import get_tpipe_ptr
from asc.language.fwk.tpipe import TBuf, TBufPool, TPipe, TQue, TQueBind

__all__ = ["TBuf", "TBufPool", "TPipe", "TQue", "TQueBind", "get_tpipe_ptr"]
