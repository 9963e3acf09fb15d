"""Importing this makes programs written for `cuda` use the device `npu`."""

from tilesmith.npu import transfer

transfer.install()
