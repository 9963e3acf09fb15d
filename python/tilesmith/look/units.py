"""Numbers as people read them."""


def time(us: float) -> str:
    """Microseconds in the unit that suits them: "0.46 us", "84.3 us", "1.21 ms"."""
    if us >= 1e6:
        return f"{us / 1e6:.3g} s" if us < 1e8 else f"{us / 1e6:.0f} s"
    if us >= 1e4:
        return f"{us / 1e3:.2f} ms" if us < 1e5 else f"{us / 1e3:.1f} ms"
    return f"{us:.2f} us" if us < 10 else f"{us:.1f} us"


def size(count: float) -> str:
    """Bytes as KB, MB, GB of a thousand, as bandwidths are counted."""
    for unit, scale in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if count >= scale:
            return f"{count / scale:.1f} {unit}"
    return f"{count:.0f} bytes"


def count(number: float) -> str:
    """Operations: "34.4 G"."""
    for unit, scale in (("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if number >= scale:
            return f"{number / scale:.3g} {unit}"
    return f"{number:.0f} "


def share(part: float) -> str:
    """Percent: "27 %", "0.4 %"."""
    percent = 100 * part
    return f"{percent:.1f} %" if 0.05 <= percent < 9.95 else f"{percent:.0f} %"


def rate(mbps: float) -> str:
    """Megabytes per second: "1.48 TB/s"."""
    return f"{mbps / 1e6:.2f} TB/s" if mbps >= 1e6 else f"{mbps / 1e3:.0f} GB/s"


def plural(number: int, noun: str) -> str:
    """A number and its noun: "1 launch", "2 launches"."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}{'es' if noun.endswith(('ch', 's', 'x')) else 's'}"


def rounded(parts: list[float], decimals: int) -> list[str]:
    """The numbers as texts that sum up exactly to their rounded sum."""
    texts, before, total = [], 0, 0.0
    scale = 10**decimals
    for part in parts:
        total += part
        now = round(total * scale)
        texts.append(f"{(now - before) / scale:.{decimals}f}")
        before = now
    return texts
