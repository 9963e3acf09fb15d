"""What workers have around them: the files they see, the variables they get, the devices of the host."""

import glob
import os
import sys
import tempfile
from importlib.util import find_spec

_PASSED_ON = (
    "PATH",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "TZ",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "TILESMITH_THREADS",
    "TILESMITH_CPU",
    "CXX",
    "CUDA_VISIBLE_DEVICES",
    "CUDA_HOME",
)


def _folder(package):
    """Where a package of ours is; it is not imported."""
    return os.path.dirname(os.path.abspath(find_spec(package).origin))


def visible_paths():
    """What a worker needs to see of the file system: the system, Python, and our packages, but nothing beside them."""
    import _tilesmith

    beside = os.path.dirname(os.path.abspath(_tilesmith.__file__))
    paths = [
        "/usr",
        "/bin",
        "/sbin",
        "/lib",
        "/lib32",
        "/lib64",
        "/etc",
        "/opt",
        "/sys/devices/system",
        sys.prefix,
        sys.base_prefix,
        sys.exec_prefix,
        os.path.dirname(os.path.realpath(sys.executable)),
        _tilesmith.__file__,
        os.path.join(beside, "tilesmith_include"),
        os.path.join(beside, "tilesmith_lib"),
    ]
    paths += [_folder(package) for package in ("asc", "asc2", "pypto", "tilesmith")]
    paths += [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    kept = []
    for path in sorted({os.path.abspath(path) for path in paths if os.path.exists(path)}, key=lambda path: path.count("/")):
        if not any(path.startswith(other + "/") for other in kept if not os.path.islink(other)):
            kept.append(path)
    return kept


def environment():
    """Of all workers: nothing of the judge's own but where programs and libraries are."""
    import _tilesmith

    folders = [os.path.dirname(_folder(package)) for package in ("tilesmith", "asc")]
    folders.append(os.path.dirname(os.path.abspath(_tilesmith.__file__)))
    folders += [path for path in sys.path if path.endswith(("site-packages", "dist-packages"))]
    values = {"TMPDIR": tempfile.gettempdir()}
    values |= {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    values.update(
        PYTHONPATH=os.pathsep.join(dict.fromkeys(folders)),
        PYTHONDONTWRITEBYTECODE="1",
        PYTHONUNBUFFERED="1",
        PYTHONIOENCODING="utf-8",
        OMP_WAIT_POLICY="PASSIVE",
    )  # threads that wait must not look as if they worked
    return values


def devices():
    """Names in /dev a worker may use."""
    return [path.removeprefix("/dev/") for pattern in ("/dev/nvidia*", "/dev/kfd", "/dev/dri") for path in glob.glob(pattern)]
