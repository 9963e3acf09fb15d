"""How far a search is, on a terminal."""

import contextlib
import sys


@contextlib.contextmanager
def shown(kernel, total):
    """Gives tell(result, settled), which draws a bar on stderr if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda result, settled: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[best]}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"tuning {kernel}", total=total, best="")

        def tell(result, settled):
            best = result.best_row
            bar.update(task, completed=settled, best=f"best {best.time_us:.1f} us: {best.config.text()}" if best else "")

        yield tell
