"""Measuring and comparing: times are the model's, in milliseconds."""


def model_time(fn, dry=False):
    """Milliseconds that the launches of a call take on the model."""
    from asc.runtime.profile import profile

    with profile(**({"dry": True} if dry else {})) as report:
        fn()
    return report.time_us / 1000


def do_bench(fn, warmup=25, rep=100, grad_to_none=None, quantiles=None, return_mode="mean"):
    """Milliseconds of a call. The model gives the same time each time, so all quantiles are equal."""
    if return_mode not in ("min", "max", "mean", "median", "all"):
        raise ValueError(f"return_mode must be min, max, mean, median or all, not {return_mode!r}")
    time = model_time(fn)
    if quantiles is not None:
        return [time] * len(quantiles) if len(quantiles) > 1 else time
    return [time] if return_mode == "all" else time


def do_bench_npu(funcs, warmup=5, active=30, **_):
    """Milliseconds of a call, or of each of several."""
    return [model_time(one) for one in funcs] if isinstance(funcs, (list, tuple)) else model_time(funcs)


def assert_close(x, y, atol=None, rtol=None, err_msg=""):
    """An error where two arrays differ by more than a tolerance."""
    import numpy as np

    def plain(value):
        return value.detach().float().cpu().numpy() if hasattr(value, "detach") else np.asarray(value)

    np.testing.assert_allclose(
        plain(x), plain(y), atol=1e-2 if atol is None else atol, rtol=0.0 if rtol is None else rtol, err_msg=err_msg
    )


class Benchmark:
    """What a report measures: one line for each value of `line_vals`, over `x_vals`."""

    def __init__(self, x_names, x_vals, line_arg, line_vals, line_names, plot_name, args, xlabel="", ylabel="", x_log=False, y_log=False,
                 styles=None):  # fmt: skip
        self.x_names, self.x_vals, self.line_arg, self.line_vals = x_names, x_vals, line_arg, line_vals
        self.line_names, self.plot_name, self.args = line_names, plot_name, args


class Mark:
    """A function with benchmarks."""

    def __init__(self, fn, benchmarks):
        self.fn, self.benchmarks = fn, benchmarks

    def run(self, show_plots=False, print_data=False, save_path="", return_df=False, **kwargs):
        """Calls the function for all values and prints a table if that is asked for."""
        for bench in self.benchmarks if isinstance(self.benchmarks, list) else [self.benchmarks]:
            rows = []
            for x in bench.x_vals:
                values = x if isinstance(x, (tuple, list)) else [x] * len(bench.x_names)
                given = dict(zip(bench.x_names, values))
                rows.append(
                    (values[0], [self.fn(**given, **{bench.line_arg: line}, **bench.args, **kwargs) for line in bench.line_vals])
                )
            if print_data:
                print(f"{bench.plot_name}:")
                print(" ".join([bench.x_names[0], *bench.line_names]))
                for x, found in rows:
                    print(x, *(one[0] if isinstance(one, (tuple, list)) else one for one in found))


def perf_report(benchmarks):
    """Makes a report of a function."""
    return lambda fn: Mark(fn, benchmarks)
