"""What older programs ask of the device; the model needs none of it."""


def _device_init():
    """Nothing is to be done."""


def _device_fini():
    """Nothing is to be done."""


def _device_synchronize():
    """Launches are complete when they return."""
