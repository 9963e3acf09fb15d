"""Settings upstream calls experimental."""


def set_operation_options(**options):
    """Accepted; how operations are combined changes no value."""


def nop(*tensors):
    """Accepted; does nothing."""
