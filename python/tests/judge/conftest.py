import json
from dataclasses import dataclass, field

import pytest

pytest.importorskip("torch")


@dataclass
class Outcome:
    code: int
    out: str
    err: str
    result: dict | None
    path: object

    failures: list = field(init=False)

    def __post_init__(self):
        self.failures = (self.result or {}).get("failures", [])

    @property
    def errors(self):
        return [failure["error_type"] for failure in self.failures]

    @property
    def findings(self):
        return {finding["id"] for finding in (self.result or {}).get("findings", [])}


@pytest.fixture(scope="session", autouse=True)
def judges_key(tmp_path_factory):
    """Tests do not make or use the key of whoever runs them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TILESMITH_JUDGE_KEY", str(tmp_path_factory.mktemp("keys") / "judge.key"))
        yield


@pytest.fixture(scope="session")
def isolation(tmp_path_factory):
    """What this system lets us keep from a candidate."""
    from tilesmith.judge.isolation.process import Worker

    path = tmp_path_factory.mktemp("isolation") / "nothing.py"
    path.write_text("")
    with Worker(path) as worker:
        return dict(worker.kept)


@pytest.fixture
def isolated(isolation):
    if not all(isolation.values()):
        pytest.skip(f"this system allows no namespaces: {isolation}")


@pytest.fixture
def verify(tmp_path, capsys):
    """verify(task, impl, *options): the command, on files of these texts."""
    from tilesmith.__main__ import main

    def run(task, impl, *options):
        (tmp_path / "op_torch.py").write_text(task)
        (tmp_path / "op_triton_ascend_impl.py").write_text(impl)
        path = tmp_path / "verify_result.json"
        code = main(["verify", "--op_name", "op", "--verify_dir", str(tmp_path), *options])
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err, json.loads(path.read_text()) if path.exists() else None, path)

    return run
