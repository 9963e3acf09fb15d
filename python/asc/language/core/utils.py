"""Access to what the front end built, for tests that look at the IR."""

from tilesmith.extension import _tilesmith


class IrModule:
    """A module as text."""

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text

    def __repr__(self):
        return self.text


class GlobalBuilder:
    """The front end's last work."""

    def get_ir_module(self):
        """The module of the kernel traced last; kernels found in a cache are not traced."""
        text = _tilesmith.last_ir()
        if not text:
            raise RuntimeError("no kernel was traced since asc.language.core.utils was imported")
        return IrModule(text)


_tilesmith.set_hooks(keep_ir=True)
global_builder = GlobalBuilder()
