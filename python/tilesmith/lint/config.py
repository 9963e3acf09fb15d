"""What a project says about its lint: the table `[tool.tilesmith.lint]` of the nearest pyproject.toml.

[tool.tilesmith.lint]
profile = "default"          # or "compat", "latest"
enable = ["small-loads"]     # rules that are off otherwise, by id or name
disable = ["TS701"]
portable = true              # tell what upstream's compiler refuses and ours takes
exclude = ["build/*"]        # of folders, relative to the file
[tool.tilesmith.lint.per-file-ignores]
"tests/*" = ["TS502"]
"""

import sys
from dataclasses import dataclass, field
from fnmatch import fnmatch
from pathlib import Path

from tilesmith.document import Failure

PROFILES = ("default", "compat", "latest")
KEYS = {"profile": str, "enable": list, "disable": list, "portable": bool, "exclude": list, "per-file-ignores": dict}


@dataclass
class Config:
    root: Path = field(default_factory=Path.cwd)
    profile: str = "default"
    enable: list = field(default_factory=list)
    disable: list = field(default_factory=list)
    portable: bool = True
    exclude: list = field(default_factory=list)
    per_file_ignores: dict = field(default_factory=dict)

    def relative(self, path):
        path = Path(path).resolve()
        return path.relative_to(self.root).as_posix() if path.is_relative_to(self.root) else path.as_posix()

    def excludes(self, path):
        if not self.exclude:
            return False
        name = self.relative(path)
        return any(fnmatch(name, pattern) for pattern in self.exclude)

    def ignored(self, path):
        """Rules that are off for this file."""
        if not self.per_file_ignores:
            return []
        name = self.relative(path)
        return [rule for pattern, rules in self.per_file_ignores.items() if fnmatch(name, pattern) for rule in rules]


def _toml():
    if sys.version_info >= (3, 11):
        import tomllib

        return tomllib
    import tomli

    return tomli


def load(start):
    """The configuration for files at or below this path."""
    start = Path(start).resolve()
    for folder in [start, *start.parents] if start.is_dir() else start.parents:
        path = folder / "pyproject.toml"
        if path.is_file():
            return read(path)
    return Config(root=start if start.is_dir() else start.parent)


def read(path):
    toml = _toml()
    try:
        table = toml.loads(path.read_text()).get("tool", {}).get("tilesmith", {}).get("lint", {})
    except (OSError, UnicodeError, toml.TOMLDecodeError) as error:
        raise Failure(f"cannot read '{path}': {error}") from None
    for key, value in table.items():
        if key not in KEYS:
            from tilesmith.arguments import suggestion

            raise Failure(f"{path}: unknown key '{key}' in [tool.tilesmith.lint]{suggestion(key, KEYS)}")
        if not isinstance(value, KEYS[key]):
            raise Failure(f"{path}: '{key}' in [tool.tilesmith.lint] is not a {KEYS[key].__name__}")
    if table.get("profile", "default") not in PROFILES:
        raise Failure(f"{path}: unknown profile '{table['profile']}'; known are {', '.join(PROFILES)}")
    return Config(root=path.parent, **{key.replace("-", "_"): value for key, value in table.items()})
