"""pytest with kernels: `pytest --tilesmith-check`, and a fixture for platforms.

    pytest --tilesmith-check                         every launch is checked; findings fail the test that made them
    pytest --tilesmith-platform Ascend910B3          what the fixture `tilesmith_platform` stands for

    def test_softmax(tilesmith_platform):            runs on each architecture; launches are on that part
        ...

Under `--tilesmith-check` a launch with an error raises KernelError, as out-of-bounds accesses always do, so a test that expects one
passes as before. `@pytest.mark.tilesmith_allow_findings("cross.write-write")` lets findings with these ids pass, without ids all.

Installed packages are found by pytest itself; in a checkout load it by `-p tilesmith.pytest_plugin`. Nothing is imported that the
tests do not use.
"""

import pytest

PLATFORMS = ("Ascend910B1", "Ascend950PR_9599")  # one of each architecture


def pytest_addoption(parser):
    group = parser.getgroup("tilesmith", "kernels on the model of a chip")
    group.addoption("--tilesmith-check", action="store_true", help="check every launch for hazards; findings fail the test")
    group.addoption(
        "--tilesmith-platform",
        action="append",
        metavar="NAME",
        help=f"platform of the fixture tilesmith_platform; may be given several times (default: {', '.join(PLATFORMS)})",
    )


def pytest_configure(config):
    config.addinivalue_line(
        "markers",
        "tilesmith_allow_findings(*ids): with --tilesmith-check, findings with these ids (without ids: all) are no failure",
    )
    from tilesmith import triton

    triton.install_if_missing()  # tests of its kernels say `import triton`
    config.addinivalue_line("markers", "tilesmith_platforms(*names): what the fixture tilesmith_platform stands for in this test")
    chosen = config.getoption("--tilesmith-platform")
    if chosen:
        _check_names(chosen, pytest.UsageError)
    if config.getoption("--tilesmith-check"):
        config.pluginmanager.register(_Checker(), "tilesmith-check")


def _check_names(names, error):
    import _tilesmith

    from tilesmith.arguments import suggestion

    known = _tilesmith.platforms()
    for name in names:
        if name not in known:
            raise error(f"no platform is called '{name}'{suggestion(name, known)}")


def pytest_generate_tests(metafunc):
    if "tilesmith_platform" not in metafunc.fixturenames:
        return
    for mark in metafunc.definition.iter_markers("parametrize"):
        names = mark.args[0] if mark.args else mark.kwargs.get("argnames", ())
        if "tilesmith_platform" in (names.replace(",", " ").split() if isinstance(names, str) else names):
            return
    mark = metafunc.definition.get_closest_marker("tilesmith_platforms")
    names = list(mark.args) if mark else metafunc.config.getoption("--tilesmith-platform") or list(PLATFORMS)
    if mark:
        _check_names(names, pytest.Collector.CollectError)
    metafunc.parametrize("tilesmith_platform", names, indirect=True)


@pytest.fixture
def tilesmith_platform(request):
    """The name of a platform, which launches of the test run on: one test for each architecture."""
    import _tilesmith

    _check_names([request.param], ValueError)
    before = _tilesmith.current_platform()
    _tilesmith.set_platform(request.param)
    yield request.param
    _tilesmith.set_platform(before)


class _Launches:
    """Keeps the findings of launches, as a recorder of the runtime."""

    def __init__(self):
        self.count, self.findings = 0, []

    def append(self, facts):
        self.count += 1
        self.findings += facts["findings"] if isinstance(facts, dict) else facts.findings


class _Checker:
    """Checks the launches of every test."""

    def __init__(self):
        self.launches = self.tests = 0

    def pytest_report_header(self):
        return "tilesmith: every launch is checked"

    def pytest_terminal_summary(self, terminalreporter):
        terminalreporter.write_line(f"tilesmith: {self.launches} launches in {self.tests} tests were checked")

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_setup(self, item):
        return (yield from self._watch(item))

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item):
        return (yield from self._watch(item))

    def _watch(self, item):
        import _tilesmith

        mark = item.get_closest_marker("tilesmith_allow_findings")
        seen, before = _Launches(), _tilesmith.get_settings()
        # What a launch raises without the check it raises with it; only where findings are allowed nothing is raised.
        raises = {"raise_findings": False} if mark else {}
        _tilesmith.set_settings(mode="checked", verify_late=True, recorder=seen, **raises)
        try:
            result = yield
        finally:
            _tilesmith.set_settings(**{name: before[name] for name in ("mode", "verify_late", "recorder", "raise_findings")})
            self.launches += seen.count
            self.tests += seen.count > 0
        wrong = [finding for finding in seen.findings if self._fails(finding, mark)]
        if wrong:
            text = "\n".join(finding["rendered"] for finding in wrong)
            pytest.fail(f"{len(wrong)} finding{'' if len(wrong) == 1 else 's'} of --tilesmith-check\n{text}", pytrace=False)
        return result

    @staticmethod
    def _fails(finding, mark):
        if mark:
            return bool(mark.args) and finding["id"] not in mark.args
        return finding["severity"] != "error"  # an error has been raised where it happened
