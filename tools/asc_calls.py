"""Writes what the front end of `asc` knows of its calls, from the instruction table (Isa.json).

    asc_calls.py build/include/tilesmith/Isa/Isa.json build/include/tilesmith/Frontend/AscCalls.inc

For each function of Python: the ways to write it, each with its parameters and the instructions it can be, as the overloads of the
table say (include/tilesmith/Isa/Overload.td); for each parameter struct its members; for each service how it is called. What people
read of the same calls (tools/isa.py) has its names from here.
"""

import json
import re
import sys
from pathlib import Path

# Functions whose name in Python is not that of Ascend C in snake case.
NAMES = {
    "And": "bitwise_and",
    "Or": "bitwise_or",
    "Not": "bitwise_not",
    "TransDataTo5HD": "trans_data_to_5hd",
    "LoadData": "load_data",
    "DataCopy": "data_copy",
}
# Parameters that Python calls otherwise, by function; "" is any.
PARAMETERS = {
    "": {"eventID": "event_id", "round": "round_mode", "selMask": "sel_mask", "params0": "repeat_params"},
    "Gather": {"offset": "src_offset", "base": "src_base"},
    "Gatherb": {"src": "src0"},
    "Brcb": {"src": "src0"},
    "Scatter": {"offset": "dst_offset", "base": "dst_base"},
    "CompareScalar": {"src": "src0", "scalar": "src1_scalar"},
    "BlockReduceSum": {"repeat": "repeat"},
    "BlockReduceMax": {"repeat": "repeat"},
    "BlockReduceMin": {"repeat": "repeat"},
    "Duplicate": {"dstBlk": "dst_block_stride", "dstRep": "dst_repeat_stride"},
    "DataCopyPad": {"pad": "pad_params"},
    "MrgSort": {"sources": "src", "info": "params"},
    "SetCmpMask": {"src": "src"},
}
# By the type of a parameter.
TYPES = {"Mask": "mask", "CMPMODE": "cmp_mode", "SELMODE": "sel_mode", "RoundMode": "round_mode", "ReduceOrder": "order"}
STRUCTS = {
    "DataCopyParams": "repeat_params",
    "DataCopyEnhancedParams": "enhanced_params",
    "DataCopyExtParams": "data_copy_params",
    "Nd2NzParams": "intri_params",
    "DataCopyCO12DstParams": "intri_params",
    "Nz2NdParamsFull": "intri_params",
    "MmadParams": "params",
    "DataCopyPadParams": "pad_params",
    "DataCopyPadExtParams": "pad_params",
}
# Whose parameter struct has another name than its type's.
STRUCTS_OF = {("DataCopyPad", "DataCopyParams"): "data_copy_params"}


# Members that Python calls otherwise, and defaults that differ there.
MEMBERS = {
    "LoadData2DParamsV2": {"mStartPosition": "m_start", "kStartPosition": "k_start"},
    "DataCopyEnhancedParams": {
        "deqValue": "deq_value_in",
        "sidStoreMode": "sid_store_mode_in",
        "isRelu": "is_relu_in",
        "padMode": "pad_mode_in",
        "padValue": "pad_value_in",
    },
    "VdeqInfo": {"vdeqScale": "scale", "vdeqOffset": "offset", "vdeqSignMode": "sign_mode"},
}
DEFAULTS = {("LoadData2DParams", "repeat_times"): "1", ("LoadData2dTransposeParams", "repeat_times"): "1"}


def member_name(name):
    """srcDValue -> src_d_value, dstNzC0Stride -> dst_nz_c0_stride"""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def snake(name):
    """blockLen -> block_len, LoadData2dTranspose -> load_data2d_transpose"""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


class Calls:
    """The overloads of the table as Python calls them."""

    def __init__(self, facts):
        self.facts = facts
        self.params = {each["name"]: each for each in facts["params"]}
        self.forms = {
            form["mnemonic"]: (instruction, form) for instruction in facts["instructions"] for form in instruction["forms"]
        }
        self.names = {each["ascendName"]: each["pythonName"] for each in facts["instructions"] if each["pythonName"]}

    def python_name(self, name):
        return NAMES.get(name) or self.names.get(name) or snake(name)

    def operand_of(self, overload, parameter):
        """The operand a parameter is, without further ado."""
        for way in overload["ways"]:
            for operand in self.forms[way["instruction"]][1]["operands"]:
                if way["operands"].get(operand["name"]) == parameter:
                    return operand
        return None

    def parameter_name(self, overload, parameter):
        name, kind = parameter["name"], parameter["type"]
        own = PARAMETERS.get(overload["name"], {})
        if name in own:
            return own[name]
        if kind in TYPES:
            return TYPES[kind]
        if (overload["name"], kind) in STRUCTS_OF:
            return STRUCTS_OF[overload["name"], kind]
        if kind in STRUCTS:
            return STRUCTS[kind]
        if kind in self.params:
            return self.params[kind]["python"] or "params"
        operand = self.operand_of(overload, name)
        if operand and operand["python"]:
            return operand["python"]
        blocks = {"dstBlk": "dst_blk_stride", "srcBlk": "src_blk_stride", "dstRep": "dst_rep_stride", "srcRep": "src_rep_stride"}
        return PARAMETERS[""].get(name) or blocks.get(name) or snake(name)

    def form(self, overload):
        """One way to write a call: parameters in Python's order, and what it becomes."""
        parameters = []
        options = [
            {"name": each["name"], "type": each["type"], "default": each["default"], "option": True}
            for each in overload["options"]
            if each["name"] not in ("U", "layout")
        ]
        for each in overload["parameters"]:
            parameters.append(
                {
                    "name": each["name"],
                    "type": each["type"],
                    "element": each["element"],
                    "default": each["default"],
                    "python": self.parameter_name(overload, each),
                }
            )
        for each in options:
            each["python"] = {
                "event": "event",
                "pipe": "pipe",
                "T": "dtype",
                "mode": "sel_mode",
                "config": "config",
                "kind": "arg0",
                "isVecDeq": "is_vec_deq",
                "halfBlock": "half_block",
            }[each["name"]]
            each["element"] = ""
        first = [each for each in options if not each["default"]]
        last = [each for each in options if each["default"]]
        ordered = first + parameters + last
        if overload["name"] in ("SetFlag", "WaitFlag"):
            ordered[-1]["default"] = "0"
            ordered[-1]["written"] = True  # Ascend C has no default for it
        ways = []
        for way in overload["ways"]:
            _, form = self.forms[way["instruction"]]
            one = {"op": way["instruction"], "args": [way["operands"].get(operand["name"], 0) for operand in form["operands"]]}
            one.update({key: way[key] for key in ("when", "times") if key in way})
            ways.append(one)
        found = {"cpp": overload["name"], "types": overload["types"], "params": ordered, "ways": ways}
        if overload["musts"]:
            found["musts"] = [{"that": each["condition"], "text": each["finding"]} for each in overload["musts"]]
        for key in ("where", "otherwise", "setsMask"):
            if overload.get(key):
                found[key] = overload[key]
        return found

    def functions(self):
        """{Python name: [form]}; forms with more parameters first, so that none hides another."""
        found = {}
        for overload in self.facts["overloads"]:
            found.setdefault(self.python_name(overload["name"]), []).append(self.form(overload))
        return found

    def members(self, params):
        """The members of a parameter struct in Python's order, each with its name there."""
        own = MEMBERS.get(params["name"], {})
        members = []
        for each in params["members"] + params.get("others", []):
            name = own.get(each["name"]) or member_name(each["name"])
            default = DEFAULTS.get((params["name"], name), each["default"])
            members.append({"name": name, "cpp": each["name"], "type": each["type"], "wide": each["wide"], "default": default})
            if default != each["default"]:
                members[-1]["written"] = True  # Ascend C begins with another number
        known = {each["cpp"]: each for each in members}
        order = [known[name] for name in params["order"]]
        return order + [each for each in members if each not in order]

    def structs(self):
        """(name, members) of every parameter struct."""
        for params in self.params.values():
            yield params["name"], self.members(params)


def raw(value):
    """As a raw string literal, in pieces a compiler takes."""
    text = json.dumps(value, separators=(",", ":"))
    return "\n".join(f'R"json({text[at : at + 12000]})json"' for at in range(0, len(text), 12000))


def table(facts):
    calls = Calls(facts)
    lines = ["// Made by tools/asc_calls.py from the instruction table.", "#ifdef TILESMITH_ASC_FUNCTION"]
    lines += [f'TILESMITH_ASC_FUNCTION("{name}", {raw(forms)})' for name, forms in calls.functions().items()]
    lines += ["#undef TILESMITH_ASC_FUNCTION", "#endif", "#ifdef TILESMITH_ASC_STRUCT"]
    lines += [f'TILESMITH_ASC_STRUCT("{name}", {raw(members)})' for name, members in calls.structs()]
    lines += ["#undef TILESMITH_ASC_STRUCT", "#endif", "#ifdef TILESMITH_ASC_ENUMERATOR"]
    for enum in facts["enums"]:
        for case in enum["cases"]:
            lines.append(
                f'TILESMITH_ASC_ENUMERATOR("{enum["name"]}", "{enum["cpp"].rpartition("::")[2]}", "{case["name"]}", "{case["cpp"]}", {case["python"]})'
            )
    lines += ["#undef TILESMITH_ASC_ENUMERATOR", "#endif", "#ifdef TILESMITH_ASC_SERVICE"]
    for service in facts["services"]:
        if (
            service["core"]
            and all(each["type"] == "int64_t" for each in service["parameters"])
            and service["result"] in ("void", "int64_t")
        ):
            place, gives = ("true" if flag else "false" for flag in (service["place"], service["result"] != "void"))
            lines.append(f'TILESMITH_ASC_SERVICE("{service["mnemonic"]}", {place}, {gives}, {len(service["parameters"])})')
    lines += ["#undef TILESMITH_ASC_SERVICE", "#endif", ""]
    return "\n".join(lines)


def main():
    source, output = map(Path, sys.argv[1:3])
    text = table(json.loads(source.read_text()))
    if not output.exists() or output.read_text() != text:
        output.write_text(text)


if __name__ == "__main__":
    main()
