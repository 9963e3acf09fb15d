"""Sources with functions of threads (SIMT): what the compiler is told.

The model sees what a thread does to memory through the calls that -fsanitize=thread puts before each access; their functions are our own
(include/ascendc/tilesmith/simt_accesses.h), so nothing of the sanitizer's library is linked.
"""

import re

_THREADS = re.compile(r"simt_api/|\b__simt_vf__\b|\bSimt\s*::|\bthreadIdx\b")


def has_threads(texts):
    """Whether one of {file: text} has functions of threads."""
    return any(_THREADS.search(text) for text in texts.values())


def compiler_options(is_clang):
    """(options of the compiler, options behind all sources) for a source with functions of threads."""
    if is_clang:
        words = ["-tsan-instrument-func-entry-exit=0", "-tsan-instrument-atomics=0", "-tsan-instrument-read-before-write=1"]
        return ["-fsanitize=thread", "-fno-sanitize-link-runtime", *(part for word in words for part in ("-mllvm", word))], []
    return (
        ["-fsanitize=thread", "--param", "tsan-instrument-func-entry-exit=0", "-Wno-tsan", "-nodefaultlibs"],
        ["-lstdc++", "-lm", "-lgcc_s", "-lgcc", "-lpthread", "-lc"],
    )
