"""Tuning while a script runs: each launch is tuned when it comes, with the arguments it has, and then takes place as it is written."""

from tilesmith import terminal
from tilesmith.arguments import suggestion
from tilesmith.document import Failure

from . import space


class Session:
    """The launches of a script. `listening()` hears of them; `results` has one search per different launch."""

    def __init__(self, kernel=None, chosen=None, blocks=None, make_workers=None, verify=True, **how):
        self.kernel, self.chosen, self.blocks, self.how = kernel, chosen or {}, blocks, how
        self.make_workers, self.verify = make_workers, verify
        self.results, self.notes, self.seen = [], [], {}
        self.launches, self.names, self.unused = 0, [], set(self.chosen)
        self.parameters = []  # ConstExpr, of all kernels launched

    # ---- what launches tell ----

    def launched(self, kernel, blocks, arguments):
        """A launch of a jit function is about to run."""
        self._heard(kernel)
        if not self._wanted(kernel):
            return
        constants = {name: arguments[name] for name, is_constant, *_ in kernel.parameters if is_constant}
        others = {name: value for name, value in arguments.items() if name not in constants}
        chosen = self._chosen_for(kernel, constants) or space.derived(constants)
        if not chosen and not self.blocks:
            self.notes.append(f"{kernel.__name__} has nothing to tune: no ConstExpr parameter that is an integer, and no --blocks")
            return
        fixed = {name: value for name, value in constants.items() if name not in chosen}
        present = {**constants, "blocks": blocks}
        configs, now = space.product(chosen, present, self.blocks)
        self._tune(kernel, {**others, **fixed}, configs, blocks, now)

    def autotuned(self, kernel, blocks, arguments, given):
        """A launch of an autotuned kernel: its own configurations, unless the command line names others. Returns the result."""
        self._heard(kernel)
        chosen = self._chosen_for(kernel.kernel, {name: None for name, constant, *_ in kernel.kernel.parameters if constant})
        configs = kernel._space(given)
        if self._wanted(kernel) and (chosen or self.blocks):
            lists = {name: list(dict.fromkeys(config[name] for config in configs if name in config)) for name in configs[0]}
            configs, _ = space.product({**lists, **chosen}, {}, self.blocks)
            configs = [config for config in configs if config.values]
        return self._tune(kernel.kernel, arguments, configs, blocks, None, report=self._wanted(kernel))

    # ---- parts ----

    def _heard(self, kernel):
        self.launches += 1
        if kernel.__name__ not in self.names:
            self.names.append(kernel.__name__)

    def _wanted(self, kernel):
        return self.kernel in (None, kernel.__name__)

    def _chosen_for(self, kernel, constants):
        chosen = {name: values for name, values in self.chosen.items() if name in constants or self._is_option(name)}
        self.unused -= chosen.keys()
        self.parameters += constants
        return chosen

    @staticmethod
    def _is_option(name):
        from asc.runtime.compiler import OPTION_NAMES

        return name in OPTION_NAMES

    def _tune(self, kernel, arguments, configs, blocks, present, report=True):
        from asc.runtime.tuning.autotune import tune
        from asc.runtime.tuning.measure import Task
        from asc.runtime.tuning.store import signature
        from asc.runtime.tuning.verify import Verifier

        key = id(kernel), signature(arguments), repr(blocks), repr(configs)
        if key in self.seen:
            return self.seen[key]
        how = dict(self.how)
        if self.verify and present is not None:
            verifier = Verifier(Task(kernel, arguments, blocks), present)
            if verifier.possible:
                how["verify"] = verifier
            else:
                self.notes.append(f"results of {kernel.__name__} were not compared: its arrays are placeholders or share memory")
        if self.make_workers:
            how["workers"] = self.make_workers(self.launches, Task(kernel, arguments, blocks), configs)
        with terminal.progress(f"tuning {kernel.__name__}", len(configs)) as bar:

            def note(found, settled):
                if report and found not in self.results:
                    self.results.append(found)  # what is found stays, however the search ends
                best = found.best_row
                bar.advance(settled - bar.done, f"tuning {kernel.__name__}, best {best.time_us:.1f} us" if best else None)

            self.seen[key] = tune(kernel, arguments, configs, blocks=blocks, present=present, progress=note, **how)
        return self.seen[key]

    def check_used(self, script):
        """Raises Failure for names on the command line that no launch had."""
        if self.kernel and self.kernel not in self.names:
            others = ", ".join(self.names)
            raise Failure(
                f"{script} launched no kernel '{self.kernel}'{suggestion(self.kernel, self.names)}"
                + (f"; it launched {others}" if others else ""),
                1,
            )
        if not self.launches:
            raise Failure(f"{script} launched no kernel", 1)
        for name in sorted(self.unused):
            hint = suggestion(name, self.parameters)
            raise Failure(f"no kernel that {script} launched has a ConstExpr parameter '{name}'{hint}")


class listening:
    """While active, a session hears of launches."""

    def __init__(self, session):
        self.session = session

    def __enter__(self):
        import _tilesmith
        from asc.runtime.tuning import autotune

        autotune.session = self.session
        _tilesmith.set_settings(listener=self.session.launched)

    def __exit__(self, *exception):
        import _tilesmith
        from asc.runtime.tuning import autotune

        autotune.session = None
        _tilesmith.set_settings(listener=None)
