"""A kernel's folder: where things are, and what it begins with."""

import re
from dataclasses import dataclass
from pathlib import Path

from tilesmith.document import Failure

TEMPLATES = Path(__file__).parent / "templates"
PLATFORM = "Ascend950PR_9599"
DTYPES = {"float32": (4096, 4, "1e-5"), "float16": (8192, 2, "2e-3")}  # tile, bytes, tolerance
# What a new kernel computes: formula, API, the tile's expression, NumPy's, and the same for float16, computed wide.
OPS = {
    "double": ("2 * x", "`*`", "{x} * 2", "wide * 2"),
    "abs": ("|x|", "asc2.abs", "asc2.abs({x})", "np.abs(wide)"),
    "relu": ("max(x, 0)", "asc2.relu", "asc2.relu({x})", "np.maximum(wide, 0)"),
    "exp": ("exp(x)", "asc2.exp", "asc2.exp({x})", "np.exp(wide)"),
}


@dataclass(frozen=True)
class Project:
    folder: Path

    @property
    def name(self):
        return self.folder.name

    def path(self, *parts):
        return self.folder.joinpath(*parts)

    @property
    def kernel(self):
        return self.path("kernel.py")

    @property
    def design(self):
        return self.path("docs", "design.md")

    @property
    def environment(self):
        return self.path("docs", "environment.json")

    @property
    def review(self):
        return self.path("docs", "review.json")

    @property
    def record(self):
        return self.path("docs", "gate.json")


def find(name, must_exist=True):
    """The project of this name: a folder here, or in kernels/."""
    if not re.fullmatch(r"[\w./-]+", name):
        raise Failure(f"'{name}' is not the name of a kernel")
    given = Path(name)
    here = [path for path in (given, Path("kernels") / name) if (path / "docs").is_dir() or (path / "kernel.py").is_file()]
    if not here and must_exist:
        raise Failure(f"there is no kernel '{name}' here or in kernels/; `tilesmith new {given.name}` begins one")
    return Project((here[0] if here else Path("kernels") / name).resolve())


def create(name, op, dtype, backend, platform):
    """Writes the folder of a new kernel. Returns the project, and whether it was there already."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    if not re.fullmatch(r"[a-z][a-z0-9_]{0,63}", name):
        raise Failure(f"'{name}' is not the name of a kernel: small letters, digits and _ are")
    project = Project((Path("kernels") / name).resolve())
    if project.folder.exists():
        return project, True
    formula, api, kernel, reference = OPS[op]
    tile, size, rtol = DTYPES[dtype]
    loaded = "asc2.load(x, [tile], tile_id=[i])"
    if dtype == "float16":
        loaded += ".to(asc.float32)"
    kernel = kernel.format(x=loaded) + (".to(y.dtype)" if dtype == "float16" else "")
    if dtype == "float16" and op == "double":
        kernel = f"({loaded} * 2).to(y.dtype)"
    facts = {"name": name, "formula": formula, "api": api, "kernel": kernel, "reference": reference, "dtype": dtype}
    facts |= {"tile": tile, "size": size, "rtol": rtol, "backend": backend, "platform": platform}
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False
    )
    files = {"docs/design.md": "design.md", "kernel.py": "kernel.py", "conftest.py": "conftest.py", "README.md": "README.md"}
    for folder in ("docs", "test"):
        project.path(folder).mkdir(parents=True)
    for path, template in files.items():
        project.path(path).write_text(environment.get_template(f"{template}.j2").render(facts), encoding="utf-8")
    return project, False


def environment(project, platform=PLATFORM):
    """Writes docs/environment.json: what there is on this machine. Returns it."""
    import os
    import platform as host
    import shutil
    from importlib import metadata

    from tilesmith import __version__, records

    def version(package):
        try:
            return metadata.version(package)
        except metadata.PackageNotFoundError:
            return None

    home = os.environ.get("ASCEND_HOME_PATH")
    blocking = []
    try:
        import asc2  # noqa: F401
    except ImportError as error:
        blocking.append(f"kernels cannot be compiled: {error}")
    content = {
        "schema_version": 1,
        "kernel_name": project.name,
        "timestamp": records.now(),
        "python": {"version": host.python_version()},
        "pyasc": {"version": __version__, "implementation": "tilesmith"},
        "numpy": {"version": version("numpy")},
        "torch": {"version": version("torch"), "torch_npu": version("torch_npu")},
        "cann": {
            "ascend_home_path": home,
            "version": None,
            "status": "found" if home and os.path.isdir(home) else "missing: the model needs none",
            "simulator": "tilesmith",
        },
        "npu": {"available": bool(shutil.which("npu-smi"))},
        "backend": {"model": platform},
        "blocking": blocking,
    }
    records.write(project.environment, content)
    return content
