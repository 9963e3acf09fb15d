"""What `pip install .` takes along: a pattern of the packaging must not leave out a module."""

import os
import subprocess
import tarfile

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def test_the_source_package_has_every_module_and_header(tmp_path, monkeypatch):
    """A bare "build*" among the exclusions once dropped asc/runtime/ascendc/build.py from installations."""
    hooks = pytest.importorskip("scikit_build_core.build")
    listed = subprocess.run(["git", "ls-files", "python/asc", "python/asc2", "python/tilesmith", "python/extension", "lib", "include"],
                            cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0 or not listed.stdout:
        pytest.skip("not a checkout")
    monkeypatch.chdir(ROOT)
    with tarfile.open(tmp_path / hooks.build_sdist(str(tmp_path))) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {name for name in listed.stdout.split("\n") if name and os.path.exists(os.path.join(ROOT, name))}
    assert wanted <= packed, sorted(wanted - packed)


def test_what_the_package_announces_is_there():
    """The command and the plug-in of pytest are found by these names, and a name that is wrong fails only where it is installed."""
    import importlib

    tomllib = pytest.importorskip("tomllib")
    with open(os.path.join(ROOT, "pyproject.toml"), "rb") as file:
        project = tomllib.load(file)["project"]
    import tilesmith

    assert project["version"] == tilesmith.__version__
    module, _, name = project["scripts"]["tilesmith"].partition(":")
    assert callable(getattr(importlib.import_module(module), name))
    assert callable(importlib.import_module(project["entry-points"]["pytest11"]["tilesmith"]).pytest_addoption)
