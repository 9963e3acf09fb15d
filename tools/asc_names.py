"""Writes docs/asc-names.md: the names of asc that are not instructions, in Python and in Ascend C side by side, from their declarations.
`--check` only compares. Instructions have pages of their own (tools/isa.py)."""

import inspect
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [path for path in (str(ROOT / "build/python"), str(ROOT / "python")) if path not in sys.path]

import asc  # noqa: E402
from asc.language import adv  # noqa: E402
from asc.language.adv import matmul  # noqa: E402
from asc.language.basic import functions  # noqa: E402
from asc.language.basic import types as structs  # noqa: E402
from asc.language.core import enums  # noqa: E402

PAGE = ROOT / "docs/asc-names.md"
HEAD = """# Names of `asc`

Classes, functions, parameter structs and enumerations of [asc](asc.md), with what they are called in Ascend C. Instructions have
[pages of their own](isa/README.md), functions of the mathematical library [a table](adv.md). Where the middle column is empty, the
headers of the model have no such name.

Written by `tools/asc_names.py`.
"""
# Where C++ does not write the words of the Python name one after another.
WORDS = {"id": "ID", "ib": "IB", "hf32": "HF32", "mm": "MM", "que": "Que", "idle": "Idle", "icache": "ICache", "nz2nd": "Nz2nd"}
NAMES = {
    "printf": "printf", "deque": "DeQue", "enque": "EnQue", "get_tensor_count_in_que": "GetTensorCountInQue", "set_aipp_functions": "SetAippFunctions",
    "icache_preload": "ICachePreLoad", "get_icache_preload_status": "GetICachePreloadStatus", "data_cache_preload": "DataCachePreload",
    "scalar_get_sff_value": "ScalarGetSFFValue", "array": "", "number": "", "range": "", "inline": "", "ceildiv": "", "static_range": "",
    "trans_data_to_5hd": "TransDataTo5HD", "static_assert": "static_assert", "get_block_idx": "GetBlockIdx", "get_block_num": "GetBlockNum", "set_fix_pipe_pre_quant_flag": "SetFixPipePreQuantFlag",
}  # fmt: skip
TENSORS = ("GlobalTensor", "LocalTensor", "LocalTensorAuto", "TensorDesc", "ListTensorDesc", "LocalMemAllocator")
FRAMEWORK = ("TPipe", "TQue", "TQueBind", "TBuf", "TBufPool")
CORE = ("number", "array", "range", "static_range", "ceildiv", "static_assert", "inline", "get_block_idx", "get_block_num")


def header_words():
    """Every word of the headers, and of what is generated for them."""
    folders = (ROOT / "include/ascendc", ROOT / "build/include/ascendc", ROOT / "include/tilesmith/Machine")
    files = [
        file
        for folder in folders
        for file in folder.rglob("*")
        if file.suffix in (".h", ".inc", ".def") and file.name != "missing.def"
    ]
    return set(re.findall(r"\w+", "\n".join(file.read_text() for file in files)))


def cpp_name(name, words):
    found = NAMES.get(name)
    if found is None:
        found = "".join(WORDS.get(word, word.capitalize()) for word in name.split("_"))
    return found if found in words else ""


def signature(function, name):
    """As it is written in a call: without the receiver, and with types only where they are short."""
    forms = getattr(function, "forms", ())
    if forms:
        return [name + form.split(" -> ")[0] for form in forms]
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return [f"{name}(...)"]
    words = []
    for each in parameters:
        if each.name == "self":
            continue
        text = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}.get(each.kind, "") + each.name
        if each.default is not inspect.Parameter.empty:
            default = each.default
            text += f"={int(default)}" if isinstance(default, int) and not isinstance(default, bool) else f"={default!r}"
        words.append(text)
    return [f"{name}({', '.join(words)})"]


def line_of(text):
    return " ".join((text or "").split()).split(". ")[0].rstrip(".").replace("|", "\\|")


def row(calls, cpp, text):
    shown = "<br>".join(f"`{call}`" for call in calls).replace("|", "\\|")
    return f"| {shown} | {f'`{cpp}`' if cpp else ''} | {line_of(text)} |\n"


def table(title, rows):
    return f"\n## {title}\n\n| Python | Ascend C | |\n|---|---|---|\n" + "".join(rows)


def class_rows(cls, prefix, words, template=""):
    """The class, and its methods in the order they are declared."""
    yield row([f"{prefix}{cls.__name__}"], cls.__name__ + template if cls.__name__ in words else "", cls.__doc__)
    seen = {}
    for base in reversed(cls.__mro__):
        seen.update({name: member for name, member in vars(base).items() if not name.startswith("_") and callable(member)})
    for name, member in seen.items():
        yield row(signature(member, f".{name}"), cpp_name(name, words), member.__doc__)


def document():
    words = header_words()
    text = HEAD
    tensors = [each for name in TENSORS for each in class_rows(getattr(asc, name), "asc.", words)]
    text += table("Tensors", tensors)
    text += table("The framework", [each for name in FRAMEWORK for each in class_rows(getattr(asc, name), "asc.", words)])
    text += table("Matmul objects", [
        *class_rows(adv.Matmul, "asc.adv.", words),
        row(signature(adv.register_matmul, "asc.adv.register_matmul"), "REGIST_MATMUL_OBJ", adv.register_matmul.__doc__),
        *(row(signature(each, f"asc.adv.{each.__name__}"), each.__name__ if each.__name__ in words else "", each.__doc__)
          for each in (matmul.MatmulType, matmul.MatmulConfig, adv.TCubeTiling)),
    ])  # fmt: skip
    values = [row(signature(getattr(asc, name), f"asc.{name}"), cpp_name(name, words), getattr(asc, name).__doc__) for name in CORE]
    text += table("Values and loops", values)
    # Instructions among them have pages.
    pages = {file.stem for file in (ROOT / "docs/isa").glob("*.md")}
    others = [name for name in functions.__all__ if name not in pages and not isinstance(getattr(functions, name), type)]
    text += table("Order, state, prints and what a core is asked", [
        row(signature(getattr(functions, name), f"asc.{name}"), cpp_name(name, words), getattr(functions, name).__doc__) for name in sorted(others)
    ])  # fmt: skip
    params = sorted((name for name in structs.__all__ if isinstance(getattr(structs, name), type)), key=str.lower)
    text += table("Parameter structs", [
        row(signature(getattr(structs, name), f"asc.{name}"), name if name in words else "", getattr(structs, name).__doc__) for name in params
        if hasattr(getattr(structs, name), "__tilesmith_name__")
    ])  # fmt: skip
    text += "\n## Enumerations\n\n| Python | Ascend C | members |\n|---|---|---|\n"
    cpp = {"SelMode": "SELMODE", "PipeID": "pipe_t", "QuantModes": "QuantMode_t"}
    kinds = {
        name: value
        for module in (enums, asc)
        for name, value in vars(module).items()
        if isinstance(value, type) and hasattr(value, "__members__")
    }
    for name in sorted(kinds, key=str.lower):
        if not name.startswith("_") and kinds[name].__members__ and kinds[name].__module__.startswith("asc.language"):
            other = cpp.get(name, name)
            members = ", ".join(f"{member}={int(value)}" for member, value in kinds[name].__members__.items())
            text += f"| `asc.{name}` | {f'`{other}`' if other in words else ''} | {members} |\n"
    return text


def main():
    text = document()
    if "--check" in sys.argv[1:]:
        return (
            0
            if PAGE.exists() and PAGE.read_text() == text
            else f"{PAGE.relative_to(ROOT)} is not up to date: ./dev run tools/asc_names.py"
        )
    PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
