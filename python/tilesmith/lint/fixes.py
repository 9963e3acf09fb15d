"""Safe fixes: the edits that come with findings. What overlaps is left for the next run."""

import os
import tempfile


def edited(text, edits):
    """(the text with these edits, how many were made). Lines count from 1, columns are bytes from 1."""
    lines = text.split(b"\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    places = sorted(
        {
            (starts[edit["line"] - 1] + edit["column"] - 1, starts[edit["end_line"] - 1] + edit["end_column"] - 1, edit["text"])
            for edit in edits
        }
    )
    result, at, count = b"", 0, 0
    for start, end, new in places:
        if start < at:
            continue
        result += text[at:start] + new.encode()
        at, count = end, count + 1
    return result + text[at:], count


def write(path, data):
    """Replaces a file in one step, keeping its mode."""
    folder = os.path.dirname(os.path.abspath(path))
    handle, name = tempfile.mkstemp(dir=folder, prefix=".tilesmith-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        if os.path.exists(path):
            os.chmod(name, os.stat(path).st_mode & 0o7777)
        else:
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(name, 0o666 & ~mask)
        os.replace(name, path)
    except BaseException:
        if os.path.exists(name):
            os.unlink(name)
        raise


def fix(findings):
    """Applies the fixes of these findings to their files. Returns how many findings were fixed."""
    by_file = {}
    for finding in findings:
        if finding.edits:
            by_file.setdefault(finding.file, []).append(finding)
    fixed = 0
    for path, found in by_file.items():
        with open(path, "rb") as file:
            text = file.read()
        if b"\r" in text or text.startswith(b"\xef\xbb\xbf"):  # columns are those of the text with plain line ends
            continue
        new, count = edited(text, [edit for finding in found for edit in finding.edits])
        if count and new != text:
            write(path, new)
            fixed += len(found)
    return fixed
