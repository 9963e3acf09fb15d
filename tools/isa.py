"""Writes what people read of the instruction table: a page for each instruction (docs/isa) and the Python declarations
(python/asc/language/basic).

The table comes as JSON from `tilesmith-tblgen -gen-json`, which the build leaves in build/include/tilesmith/Isa.

    ./dev run tools/isa.py            after a change of the table, then tools/stubs.py
    ./dev run tools/isa.py --check    only say what is not up to date
"""

import argparse
import json
import os
import re
import sys
import textwrap
from pathlib import Path

from asc_calls import Calls

ROOT = Path(__file__).resolve().parent.parent
TABLE = Path(os.environ.get("TILESMITH_BUILD", ROOT / "build")) / "include/tilesmith/Isa/Isa.json"
BASIC = "python/asc/language/basic"
MADE = "Made by tools/isa.py from the instruction table (include/tilesmith/Isa)."
CHIPS = {"C220": "C220 (Atlas A2, 910B)", "C310": "C310 (950)"}
# Python's names for what stands in calls as an enumerator, and defaults no struct has.
ENUMERATOR_ARGUMENTS = {"SelMode": "sel_mode", "ReduceOrder": "order"}
DEFAULTS = {"cal_index": "bool = False"}
# Pipes that no chip of the table has.
MORE_CASES = {"PipeID": {"PIPE_MTE4": 7, "PIPE_MTE5": 8, "PIPE_V2": 9}}
# Counted calls of these families may leave the mask alone (is_set_mask); those with a mask all may.
COUNTED_WITH_MASK = {"VectorBinary", "VectorScalar"}


def snake(name):
    """blockLen -> block_len, LoadData2dTranspose -> load_data2d_transpose"""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Table:
    """The instruction table as tilesmith-tblgen gives it."""

    def __init__(self, facts):
        self.enums = {each["name"]: each for each in facts["enums"]}
        self.params = {each["name"]: each for each in facts["params"] if each["python"]}
        self.instructions = facts["instructions"]
        self.chip = facts["chip"]
        self.services = facts["services"]
        self.dtypes = {each["name"]: each for each in facts["dtypes"]}
        self.overloads = facts["overloads"]
        self.all_params = facts["params"]
        self.calls = Calls(facts)

    def python_names(self, instruction):
        """The Python functions (or methods) behind a record."""
        if instruction["pythonForms"]:
            return list(dict.fromkeys(form.split("(")[0] for form in instruction["pythonForms"]))
        return [instruction["pythonName"] or snake(instruction["ascendName"])]

    def python_type(self, operand):
        if operand["kind"] == "Buffer":
            return "GlobalTensor" if operand["memories"] == ["GM"] else "LocalTensor"
        if operand["kind"] == "Attribute":
            return self.enums[operand["enumeration"]]["python"]
        return "Scalar" if operand["kind"] == "Scalar" else "RuntimeInt"

    def enumerator(self, text):
        """(argument, type) of an enumerator written in a call, such as AscendC::SELMODE::VSEL_TENSOR_TENSOR_MODE."""
        scope, _, case = text.rpartition("::")
        for enum in self.enums.values():
            if enum["python"] and enum["cpp"] == scope:
                return ENUMERATOR_ARGUMENTS[enum["python"]], f"Literal[{enum['python']}.{case}]"
        raise ValueError(f"'{text}' is not an enumerator of the table")

    def signatures(self, instruction, form):
        """Python's parameters of a form; two of them where the mask may be a number or bits."""
        operands = {operand["name"]: operand for operand in form["operands"]}
        parameters = []
        for argument in form["call"]:
            if "params" in argument:
                struct = self.params[argument["params"]]
                parameters.append((struct["python"], struct["name"]))
            elif "operand" in argument:
                operand = operands[argument["operand"]]
                name = operand["python"] or snake(operand["name"])
                parameters.append((name, DEFAULTS.get(name) or self.python_type(operand)))
            else:
                parameters.append(self.enumerator(argument["text"]))
        masked = form["form"] == "Repeat" and any(name == "mask" for name, _ in parameters)
        if masked or (form["form"] == "Count" and instruction["family"] in COUNTED_WITH_MASK):
            parameters.append(("is_set_mask", "bool = True"))
        masks = ["RuntimeInt", "list[int]"] if masked else [None]
        return [", ".join(f"{name}: {mask if name == 'mask' and mask else kind}" for name, kind in parameters) for mask in masks]

    def python_forms(self, instruction):
        """{name: [signature]} of an instruction."""
        found = {}
        for form in instruction["pythonForms"]:
            name, _, rest = form.partition("(")
            found.setdefault(name, []).append("(" + rest + ("" if "->" in rest else " -> None"))
        if not instruction["pythonForms"]:
            (name,) = self.python_names(instruction)
            found[name] = [
                f"({parameters}) -> None"
                for form in instruction["forms"]
                if "call" in form
                for parameters in self.signatures(instruction, form)
            ]
        return found


# ---- docs/isa ------------------------------------------------------------------------------------------------------


def cpp_argument(argument):
    if "params" in argument:
        return argument["params"] + "{" + ", ".join(map(cpp_argument, argument["members"])) + "}"
    return argument.get("operand") or argument["text"]


def cpp_call(instruction, form):
    """The Ascend C call of a form."""
    templates = ", ".join(f"type of {each['operand']}" if "operand" in each else each["text"] for each in form["template"])
    return (
        instruction["ascendName"] + (f"<{templates}>" if templates else "") + "(" + ", ".join(map(cpp_argument, form["call"])) + ")"
    )


def cpp_expression(tree, inner=False):
    """An expression of the table, as its record writes it."""
    if not isinstance(tree, dict):
        return str(tree)
    of = [cpp_expression(each, inner=tree.get("op") not in (None, "[]")) for each in tree["of"]]
    if "call" in tree:
        return f"{tree['call']}({', '.join(of)})"
    if "member" in tree:
        return f"{of[0]}.{tree['member']}"
    if tree["op"] == "[]":
        return f"{of[0]}[{of[1]}]"
    if len(of) == 1:
        return tree["op"] + of[0]
    text = f"{of[0]} ? {of[1]} : {of[2]}" if tree["op"] == "?" else f"{of[0]} {tree['op']} {of[1]}"
    return f"({text})" if inner else text


def cpp_overloads(table, instruction):
    """The calls that are this instruction when their arguments say so."""
    mnemonics = {form["mnemonic"] for form in instruction["forms"]}
    for overload in table.overloads:
        ways = [way for way in overload["ways"] if way["instruction"] in mnemonics]
        if overload["own"] or not ways:
            continue
        parameters = (
            each["type"]
            + (f"<{each['element']}>" if each["element"] else "")
            + " "
            + each["name"]
            + (f" = {each['default']}" if each["default"] else "")
            for each in overload["parameters"]
        )
        conditions = [cpp_expression(way["when"]) if "when" in way else "otherwise" for way in ways]
        when = "" if len(overload["ways"]) == 1 else f"  // when {'; or '.join(conditions)}".replace("when otherwise", "otherwise")
        yield f"{overload['name']}({', '.join(parameters)}){when}"


def rows(head, lines):
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for line in lines:
        yield "| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |"


def members_of(table, form):
    """operand -> (struct, member) of the operands that travel in parameter structs."""
    found = {}
    for argument in form.get("call", []):
        if "params" in argument:
            struct = table.params[argument["params"]]
            for value, member in zip(argument["members"], struct["members"]):
                if "operand" in value:
                    found[value["operand"]] = struct["name"], member
    return found


WORDS = {"perRepeat": "the elements of a repeat", "size": "the bytes of an element"}


def limits_text(operand):
    """What an integer may be: `0 to 4095`, for each architecture where they differ."""

    def text(limits):
        words = f"{limits['low']} to {WORDS.get(limits['high'], limits['high'])}"
        words = words.replace("/ size", "/ " + WORDS["size"])
        return words + (f", a multiple of {WORDS.get(limits['multiple'], limits['multiple'])}" if limits["multiple"] else "")

    texts = {arch: text(limits) for arch, limits in operand["limits"].items()}
    if len(set(texts.values())) <= 1:
        return next(iter(texts.values()), "")
    return "; ".join(f"{text} on {arch}" for arch, text in texts.items())


def layout_text(operand, form):
    """Where the bytes of a buffer lie, in the notation of Layout.td."""
    texts = []
    for lies in form["layout"]:
        if lies["operand"] == operand["name"]:
            when = f" if {lies['when']}" if lies["when"] else ""
            access = f"{lies['access'].lower()}: " if lies["access"] else ""
            texts.append(f"{access}`{lies['shape']}`{when}")
    return "; ".join(texts)


def describe_operand(table, operand, places):
    if operand["kind"] == "Buffer":
        kind = f"tensor in {' or '.join(operand['memories'])}"
        kind += f" of {operand['element']}" if operand["element"] else ""
        return kind, {"Read": "read", "Write": "written", "ReadWrite": "read and written"}[operand["access"]]
    if operand["kind"] == "Attribute":
        enum = table.enums[operand["enumeration"]]
        values = ", ".join(case["cpp" if enum["cpp"] else "name"] for case in enum["cases"])
        return f"{enum['cpp'] or enum['name']}: {values}", ""
    if operand["name"] in places:
        struct, member = places[operand["name"]]
        wide = f", {member['wide']} on C310" if member["wide"] != member["type"] else ""
        default = f", default {member['default']}"
        return f"`{struct}::{member['name']}`, {member['type']}{wide}{default}", ""
    kind = {"Scalar": "number of the element type", "Integer": "integer"}[operand["kind"]]
    return kind + (f", or what register {operand['register']} holds" if operand["register"] else ""), ""


def page(table, instruction):
    """The page of one instruction."""
    names = table.python_names(instruction)
    python = ", ".join(f"`asc.{name}`" for name in names)
    ops = ", ".join(f"`isa.{form['mnemonic']}`" for form in instruction["forms"])
    element = f"`ts_el_{instruction['element']}`" if instruction["element"] else "none"
    if instruction["element"] and instruction["inRegisters"]:
        element += ", also on registers of vector functions"
    text = [f"<!-- {MADE} -->", f"# {instruction['mnemonic']}", "", instruction["summary"], ""]
    text += rows(
        ["", ""],
        [
            ("Ascend C", f"`AscendC::{instruction['ascendName']}`"),
            ("Python", python),
            ("isa", ops),
            ("family", instruction["family"]),
            ("pipe", instruction["pipe"] if instruction["pipe"] != "ALL" else "the one its operands name"),
            ("cost class", instruction["cost"]),
            ("element function", element),
        ],
    )
    calls = [(form, cpp_call(instruction, form)) for form in instruction["forms"] if "call" in form]
    text += ["", "## Calls", ""]
    if calls:
        text += ["```cpp", *(call for _, call in calls), "```"]
        if any(
            form["form"] == "Repeat" and any(op["name"] == "mask" and op["kind"] == "Integer" for op in form["operands"])
            for form, _ in calls
        ):
            text += ["", "`mask` is the number of first lanes, or an array of two words with a bit for each lane."]
    overloads = list(dict.fromkeys(cpp_overloads(table, instruction)))
    if overloads:
        text += ["", "By their arguments also:", ""] if calls else []
        text += ["```cpp", *overloads, "```"]
    if not calls and not overloads:
        text += ["As in the example below; the call is not a row of operands."]
    forms = table.python_forms(instruction)
    if any(forms.values()):
        text += ["", "```py", *(f"{name}{form}" for name, list in forms.items() for form in list), "```"]
    for form in instruction["forms"]:
        if not form["operands"]:
            continue
        title = {"Count": "Operands of the count form", "Repeat": "Operands of the repeat form"}.get(form["form"], "Operands")
        places = members_of(table, form)
        text += ["", f"## {title if len(instruction['forms']) > 1 else 'Operands'}", ""]
        text += rows(
            ["operand", "what", "access", "limits, or where its bytes lie"],
            [
                (
                    f"`{operand['name']}`",
                    *describe_operand(table, operand, places),
                    layout_text(operand, form) or limits_text(operand),
                )
                for operand in form["operands"]
            ],
        )
    if instruction["dtypes"]:
        of = instruction["dtypeOf"]
        other = f" That of `{instruction['dtype2Of']}` is a second one." if instruction["dtype2Of"] else ""
        text += ["", "## Element types", "", f"Of `{of}`.{other}", ""]
        text += rows(
            ["architecture", "types"],
            [
                (chip, ", ".join(table.dtypes[dtype]["cpp"] for dtype in instruction["dtypes"].get(arch, [])) or "not there")
                for arch, chip in CHIPS.items()
            ],
        )
    text += ["", "## Example", "", "As the manual writes it:", "", "```cpp", instruction["example"], "```", ""]
    return "\n".join(text)


def index(table):
    groups = {}
    for instruction in table.instructions:
        groups.setdefault(instruction["family"], []).append(instruction)
    text = [
        f"<!-- {MADE} -->",
        "# Instructions",
        "",
        "Every instruction of the table, by family. Names are those of the isa dialect; a page has the calls in Ascend C and Python, "
        "operands with their limits and layouts (the notation is that of `include/tilesmith/Isa/Layout.td`), [element types](dtypes.md), pipe and "
        "cost. [Rules of the chip](chip.md) hold for all of them; what is not an instruction (queues, events, masks, prints) is a "
        "[service](services.md).",
        "",
    ]
    for family, members in groups.items():
        text += [f"## {family}", ""]
        text += rows(
            ["instruction", "Ascend C", "pipe", "C220", "C310", ""],
            [
                (
                    f"[{each['mnemonic']}]({each['mnemonic']}.md)",
                    each["ascendName"],
                    each["pipe"],
                    *(" ".join(each["dtypes"].get(arch, [])).lower() if each["dtypes"] else "" for arch in CHIPS),
                    each["summary"].split(". ")[0].rstrip(".") + ".",
                )
                for each in members
            ],
        )
        text += [""]
    return "\n".join(text)


def chip_page(chip):
    """Rules of the chip, each with its source."""
    text = [
        f"<!-- {MADE} -->",
        "# Rules of the chip",
        "",
        "What holds for every part of an architecture. The planner that places flags and buffers, the checkers that doubt it, the "
        "Machine and the headers read the same lines (`include/tilesmith/Isa/Chip.td`).",
        "",
        "## Numbers",
        "",
    ]
    text += rows(
        ["name", "value", "", "source"],
        [(f"`{each['name']}`", each["value"], each["summary"], each["source"]) for each in chip["numbers"]],
    )
    text += ["", "## Cores", ""]
    text += rows(
        ["core", "architectures", "pipes", "memories", "source"],
        [
            (each["kind"], ", ".join(each["archs"]), ", ".join(each["pipes"]), ", ".join(each["memories"]), each["source"])
            for each in chip["cores"]
        ],
    )
    text += ["", "Events, from the pipe that sets to the pipe that waits:", ""]
    text += rows(
        ["core", "events"],
        [(each["kind"], ", ".join(event.replace("_", " to ") for event in each["events"])) for each in chip["cores"]],
    )
    text += [
        "",
        "## Memories",
        "",
        "Start addresses in bytes: `alignment` is what the chip asks of an operand, `granule` what the planner hands out.",
        "",
    ]
    text += rows(
        ["memory", "alignment", "granule", "source"],
        [(each["memory"], each["alignment"], each["granule"], each["source"]) for each in chip["memories"]],
    )
    text += ["", "## Architectures", ""]
    text += rows(
        ["architecture", "pipes in order by themselves", "modes of flags between cores", "buffer ids", "source"],
        [
            (
                CHIPS[each["arch"]],
                ", ".join(each["ordersItself"]),
                ", ".join(map(str, each["crossModes"])),
                "yes" if each["hasBufferIds"] else "no",
                each["source"],
            )
            for each in chip["archs"]
        ],
    )
    text += ["", "## Casts", "", "What one Cast converts; other conversions take several steps.", ""]
    casts = {}
    for rule in chip["casts"]:
        for arch in rule["archs"]:
            casts.setdefault(rule["from"], {}).setdefault(arch, []).extend(rule["to"])
    text += rows(
        ["from", *CHIPS.values()],
        [(source, *(", ".join(targets.get(arch, [])) or "none" for arch in CHIPS)) for source, targets in casts.items()],
    )
    return "\n".join(text) + "\n"


def services(table):
    """The page of what a kernel asks of its core besides instructions."""
    groups = {}
    for service in table.services:
        groups.setdefault(service["object"], []).append(service)
    text = [
        f"<!-- {MADE} -->",
        "# Services",
        "",
        "Entries of the Machine that are not instructions: nothing of them is traced or takes time, unless they issue instructions "
        "themselves. Kernels compiled from C++ and kernels of the JIT call the same ones. `core` is the core a block runs on, `loc` "
        "the place of the call.",
        "",
    ]
    for name, members in groups.items():
        text += [f"## {name}", ""]
        for service in members:
            parameters = ["TsCore *core"] * service["core"] + ["int64_t loc"] * service["place"]
            parameters += [
                f"{each['type']}{'' if each['type'].endswith('*') else ' '}{each['name']}" for each in service["parameters"]
            ]
            result = service["result"] + ("" if service["result"].endswith("*") else " ")
            text += ["```c", f"{result}tsm_{service['mnemonic']}({', '.join(parameters)});", "```", "", service["summary"], ""]
    return "\n".join(text)


def dtypes_page(table):
    text = [
        f"<!-- {MADE} -->",
        "# Element types",
        "",
        "Every type of the table (`include/tilesmith/Isa/DTypes.td`). Kernels hold tiles and arrays of some, compute with scalars of "
        "others, and can only name the rest: no instruction takes those.",
        "",
    ]
    uses = {"Tiles": "tiles, arrays, scalars", "Scalars": "scalars", "Named": "named only"}
    text += rows(
        ["type", "Python", "Ascend C", "bits", "exponent, mantissa", "in kernels"],
        [
            (
                name,
                ", ".join(f"`asc.{python}`" for python in (each["python"], *each["aliases"])),
                f"`{each['cpp']}`" if each["cpp"] else "none",
                each["bits"],
                f"{each['exponent']}, {each['mantissa']}"
                if each["exponent"]
                else "differs by value"
                if each["kind"] == "Float"
                else "",
                uses[each["use"]] if each["bits"] else "",
            )
            for name, each in table.dtypes.items()
        ],
    )
    return "\n".join(text) + "\n"


# ---- Python --------------------------------------------------------------------------------------------------------


def python_default(table, text):
    if "::" in text:
        scope, _, case = text.rpartition("::")
        for each in table.enums.values():
            if each["python"] and each["cpp"].rpartition("::")[2] == scope.rpartition("::")[2]:
                return f"{each['python']}.{case}"
        return f"{scope}.{case}"
    return {"false": "False", "true": "True", "T(0)": "0"}.get(text, text)


def python_struct(table, struct):
    kinds = {"bool": "bool", "T": "Scalar", **{each["cpp"]: each["python"] for each in table.enums.values() if each["python"]}}
    lines = [
        f'@record\nclass {struct["name"]}:\n    """{struct["summary"]}"""\n\n    __tilesmith_name__: ClassVar[str] = "asc.{struct["name"]}"'
    ]
    for member in table.calls.members(struct):
        kind = kinds.get(
            member["type"], "Any" if "[" in member["type"] or "<" in member["type"] or member["type"][0].isupper() else "RuntimeInt"
        )
        default = "None" if kind == "Any" else python_default(table, member["default"])
        if kind == "bool" and default == "0":
            default = "False"
        lines.append(f"    {member['name']}: {kind} = {default}")
    return "\n".join(lines)


def python_enum(enum):
    cases = [f"    {case['cpp']} = {case['python']}" for case in enum["cases"]]
    cases += [f"    {name} = {value}" for name, value in MORE_CASES.get(enum["python"], {}).items()]
    return f'class {enum["python"]}(IntEnum):\n    """{enum["summary"]}"""\n\n' + "\n".join(cases)


def python_types(table):
    enums = [enum for enum in table.enums.values() if enum["python"]]
    names = [*(enum["python"] for enum in enums), *(each["name"] for each in table.all_params)]
    parts = [
        f'"""Enumerations and parameter structs of the instructions. {MADE}"""\n\nfrom __future__ import annotations\n\n'
        "from enum import IntEnum\nfrom typing import TYPE_CHECKING, Any, ClassVar, Union\n\n"
        "from asc.language.core.enums import BlockMode, DataFormat, DeqScale, pad_t\nfrom asc.language.core.ir_value import PlainValue\n\n"
        "if TYPE_CHECKING:\n    from dataclasses import dataclass as record\nelse:\n    from asc._records import record\n\n"
        + all_of(names)
        + "\nRuntimeInt = Union[int, PlainValue]\nScalar = Union[bool, int, float, PlainValue]",
    ]
    parts += [python_enum(enum) for enum in enums] + [python_struct(table, struct) for struct in table.all_params]
    return "\n\n\n".join(parts) + "\n"


def python_dtypes(table):
    """The element types as names of `asc`."""
    kinds = {each["python"]: (each["kind"].lower(), each["bits"], each["cpp"]) for each in table.dtypes.values()}
    listed = "\n".join(f'    "{name}": {kind},'.replace("'", '"') for name, kind in kinds.items())
    names = sorted(name for each in table.dtypes.values() for name in (each["python"], *each["aliases"]))
    parts = [
        f'"""Element types. {MADE}"""\n\nfrom asc.language.core.data_type import DataType\n\n'
        + all_of(["DataType", *names])
        + "\nDataType.known.update({\n"
        + listed
        + "\n})\n"
    ]
    parts.append('\nclass KnownTypes:\n    """The element types by their names."""\n')
    parts += [
        f'    {name} = DataType("{each["python"]}")'
        for each in table.dtypes.values()
        for name in (each["python"], *each["aliases"])
    ]
    parts.append("\n")
    parts += [" = ".join((each["python"], *each["aliases"])) + f' = DataType("{each["python"]}")' for each in table.dtypes.values()]
    return "\n".join(parts) + "\n"


def all_of(names):
    return (
        "__all__ = [\n"
        + textwrap.fill(", ".join(f'"{name}"' for name in names) + ",", 124, initial_indent="    ", subsequent_indent="    ")
        + "\n]\n"
    )


def limits_of(table, instruction):
    """A paragraph with the limits of a function's numbers, or nothing."""
    found = {}
    for form in instruction["forms"]:
        places = members_of(table, form)
        for operand in form["operands"]:
            if operand["limits"]:
                name = places[operand["name"]][1]["name"] if operand["name"] in places else operand["python"] or operand["name"]
                found.setdefault(limits_text(operand), {})[snake(name)] = None
    return ["Limits: " + "; ".join(f"{', '.join(names)}: {text}" for text, names in found.items()) + "."] if found else []


def python_parameter(table, parameter):
    kinds = {
        "LocalTensor": "LocalTensor",
        "GlobalTensor": "GlobalTensor",
        "T": "Scalar",
        "U": "Scalar",
        "typename": "DataType",
        "pipe_t": "PipeID",
        "MemDsbT": "MemDsbT",
    }
    kinds.update({each["cpp"].rpartition("::")[2]: each["python"] for each in table.enums.values() if each["python"]})
    kinds.update({each["name"]: each["name"] for each in table.all_params})
    kind = "FixpipeConfig" if "FixpipeConfig" in parameter["type"] else kinds.get(parameter["type"], "RuntimeInt")
    default = parameter["default"]
    if default and kind == "FixpipeConfig":
        default = "..."
    return f"{parameter['python']}: {kind}" + (f" = {python_default(table, default)}" if default else "")


def python_signatures(table, form):
    """A form's signature; two where the mask may be a number or bits."""
    masked = any(each["type"] == "Mask" for each in form["params"])
    for mask in ("RuntimeInt", "list[int]") if masked else ("",):
        words = [
            f"{each['python']}: {mask}" if each["type"] == "Mask" else python_parameter(table, each) for each in form["params"]
        ]
        yield f"({', '.join(words + ['is_set_mask: bool = True'] * bool(form.get('setsMask')))}) -> None"


def python_instructions(table):
    """Functions by name, with their forms and what the instructions behind them do."""
    known = {form["mnemonic"]: each for each in table.instructions for form in each["forms"]}
    functions = {}
    for name, forms in table.calls.functions().items():
        signatures, texts = [], []
        for form in forms:
            signatures += [each for each in python_signatures(table, form) if each not in signatures]
            for way in form["ways"]:
                for text in (known[way["op"]]["summary"], *limits_of(table, known[way["op"]])):
                    if text not in texts:
                        texts.append(text)
        functions[name] = signatures, texts
    parts = [
        f'"""The instructions of the chip as functions. {MADE}"""\n\nfrom asc._builtin import instruction\n\n'
        + all_of(sorted(functions)).rstrip()
    ]
    for name, (forms, texts) in functions.items():
        doc = texts[0] if len(texts) == 1 else "\n\n".join(texts)
        body = textwrap.fill(doc, 120) if len(texts) == 1 else "\n\n".join(textwrap.fill(each, 120) for each in texts)
        body = textwrap.indent(body, "    ").lstrip() + ("\n    " if "\n" in body else "")
        listed = ",\n    ".join(json.dumps(form) for form in forms)
        parts.append(f'@instruction("asc.basic.{name}", forms=(\n    {listed},\n))\ndef {name}(*args, **kwargs):\n    """{body}"""')
    return "\n\n\n".join(parts) + "\n"


def files(table):
    """{path: text} of everything that is made."""
    made = {f"docs/isa/{each['mnemonic']}.md": page(table, each) for each in table.instructions}
    made["docs/isa/README.md"] = index(table)
    made["docs/isa/chip.md"] = chip_page(table.chip)
    made["docs/isa/services.md"] = services(table)
    made["docs/isa/dtypes.md"] = dtypes_page(table)
    made["python/asc/language/core/dtype.py"] = python_dtypes(table)
    made[f"{BASIC}/types.py"] = python_types(table)
    made[f"{BASIC}/instructions.py"] = python_instructions(table)
    return made


def main():
    parser = argparse.ArgumentParser(description="Write the pages and Python declarations of the instructions.")
    parser.add_argument("--check", action="store_true", help="only say which are not up to date")
    parser.add_argument("--table", type=Path, default=TABLE, help="the table as JSON (default: that of the build)")
    parser.add_argument("--root", type=Path, default=ROOT, help="the tree to write into (default: this one)")
    args = parser.parse_args()
    if not args.table.exists():
        sys.exit(f"isa.py: no table at {args.table}; build first")
    made = files(Table(json.loads(args.table.read_text())))
    stale = [path for path, text in made.items() if not (args.root / path).exists() or (args.root / path).read_text() != text]
    left = [path for path in (args.root / "docs/isa").glob("*.md") if f"docs/isa/{path.name}" not in made]
    if args.check:
        if stale or left:
            sys.exit(f"not up to date: {', '.join([*stale, *(f'docs/isa/{path.name}' for path in left)])}; run tools/isa.py")
        return
    for path in stale:
        (args.root / path).parent.mkdir(parents=True, exist_ok=True)
        (args.root / path).write_text(made[path])
    for path in left:  # of instructions that are no more
        path.unlink()


if __name__ == "__main__":
    main()
