"""The JSON of the command line as JSON Schema (draft 2020-12): the fields every document has, and those of each verb.

A verb says its own fields in `SCHEMA`, a schema of properties with those it always has in `required`; a document with errors may
miss those. `tilesmith schema` prints what is assembled here, docs/schema.json is a copy. A field is never given another meaning
without a new `schema_version`; new fields may come at any time.
"""

from tilesmith.document import SCHEMA_VERSION

DRAFT = "https://json-schema.org/draft/2020-12/schema"

KINDS = {
    "usage": "the command line is wrong",
    "compile": "a kernel or a C++ program cannot be compiled",
    "kernel": "a launch did what the chip does not allow",
    "script": "the user's script raised, or ended with a message",
    "nothing-checked": "`check` had no launch to check",
    "refused": "a candidate, or a result it depends on, was not accepted",
    "timeout": "the time limit was reached",
    "file": "a file cannot be read",
    "installation": "the extension cannot be loaded, or a variable of the environment is wrong",
    "doctor": "something that kernels need does not work",
    "crashed": "the process ended without saying how",
    "interrupted": "Ctrl-C",
    "internal": "a defect of Tilesmith",
    "failed": "anything else",
}


def text(description):
    return {"type": "string", "description": description}


def number(description):
    return {"type": "number", "description": description}


def count(description):
    return {"type": "integer", "minimum": 0, "description": description}


def listed(items, description):
    return {"type": "array", "items": items, "description": description}


def ref(name):
    return {"$ref": f"#/$defs/{name}"}


_PLACE: dict = {
    "type": "object",
    "properties": {"file": text("as the script was named"), "line": count("from 1"), "column": count("from 1")},
    "required": ["file", "line"],
}

DEFS = {
    "place": _PLACE,
    "error": {
        "type": "object",
        "description": "Why the command did not do what it was asked.",
        "properties": {
            "kind": {"description": "; ".join(f"{kind}: {what}" for kind, what in KINDS.items()), "enum": list(KINDS)},
            "message": text("the reason"),
            **_PLACE["properties"],
            "rendered": text("as it was shown, with the line of source"),
        },
        "required": ["kind", "message", "rendered"],
    },
    "warning": {
        "type": "object",
        "properties": {"kind": text("class of the Python warning"), "message": text("what"), **_PLACE["properties"]},
        "required": ["kind", "message", "file", "line"],
    },
    "finding": {
        "type": "object",
        "description": "What a launch did wrong. `tilesmith explain ID` tells more.",
        "properties": {
            "id": {"type": "string", "pattern": r"^[a-z0-9-]+(\.[a-z0-9_-]+)+$"},
            "severity": {"enum": ["error", "warning"]},
            "text": text("what"),
            "block": {"type": "integer"},
            "place": ref("place"),
            "rendered": text("as it is shown, with the line of source"),
        },
        "required": ["id", "severity", "text", "block", "rendered"],
    },
    "copy": {
        "type": "object",
        "description": "What torch moved for a tensor of tilesmith.npu.",
        "properties": {
            "kind": text("to device, to host, on device, or fill"),
            "bytes": count("of elements"),
            "time_us": number("of the model"),
        },
        "required": ["kind", "bytes", "time_us"],
    },
    "launch": {
        "type": "object",
        "description": "One launch; times are those of the model.",
        "properties": {
            "kernel": text("its name"),
            "platform": text("the part it ran on"),
            "blocks": count("how many it was launched with"),
            "waves": count("how often the cores were filled"),
            "dtype": text("of the largest array"),
            "elements": count("of the largest array"),
            "cycles": count("of the launch"),
            "time_us": {"type": ["number", "null"], "description": "null: the launch was not timed"},
            "clock_mhz": count("of the part"),
            "calls": count("instructions of all blocks"),
            "bound": text("what limits the launch"),
            "bound_us": {"type": ["number", "null"], "description": "the time the bound alone would take; null: latency"},
            "reached": {"type": ["number", "null"], "description": "bound_us as a share of time_us"},
            "parts": listed(
                {
                    "type": "object",
                    "properties": {
                        "name": text("start-up, a pipe, idle, or other cores"),
                        "busy_us": number("how long the pipe works"),
                        "adds_us": number("of it, while none of the parts before it does"),
                    },
                    "required": ["name", "busy_us", "adds_us"],
                },
                "of the time of the core that critical_block ran on; adds_us sums up to time_us",
            ),
            "critical_block": count("the last to end of those that had work"),
            "idle_blocks": count("that had none"),
            "lines": listed(
                {
                    "type": "object",
                    "properties": {
                        "file": text("of the source"),
                        "line": count("from 1"),
                        "time_us": number("of busy pipes, on the same core"),
                        "pipes": {"type": "object", "additionalProperties": {"type": "number"}, "description": "time_us by pipe"},
                        "moves": count("transfers from and to global memory"),
                        "bytes": count("of them"),
                        "pieces": count("contiguous ones of them in global memory"),
                        "conflicts_us": number("of V, because operands lie in one bank group"),
                        "begin_us": number("when it began to work"),
                        "end_us": number("when it ended to, over all its times"),
                        "waits": listed(
                            {
                                "type": "object",
                                "properties": {
                                    "pipe": text("that stood still"),
                                    "on": text("the pipe it waited for"),
                                    "time_us": number("of all its waits"),
                                },
                                "required": ["pipe", "on", "time_us"],
                            },
                            "for flags",
                        ),
                    },
                    "required": ["file", "line", "time_us"],
                },
                "slowest first",
            ),
            "loops": listed(
                {
                    "type": "object",
                    "properties": {
                        "file": text("of the source"),
                        "line": count("where it begins"),
                        "text": text("the line"),
                        "time_us": number("from the first instruction of its lines to the end of the last"),
                        "bound": text("the pipe that works most"),
                        "busy_us": number("how long that works"),
                        "waits_for": {
                            "type": "array",
                            "items": {"type": "string"},
                            "description": "the pipe it waits for most, and what that waits for in turn",
                        },
                        "waited_us": number("how long"),
                        "rings": listed(
                            {
                                "type": "object",
                                "properties": {
                                    "name": text("in the source"),
                                    "shape": text("with its dtype"),
                                    "memory": text("where they lie"),
                                    "slots": count("that take turns"),
                                    "bytes": count("of each"),
                                },
                                "required": ["name", "shape", "memory", "slots", "bytes"],
                            },
                            "buffers that take turns",
                        ),
                    },
                    "required": ["file", "line", "time_us", "bound", "busy_us"],
                },
                "that take a noticeable part of the time, in the order of the source",
            ),
            "workspace": {
                "type": "object",
                "description": "through what the cores of a block hand tiles to each other; only of kernels with both kinds",
                "properties": {
                    "bytes": count("for each block"),
                    "rings": listed(
                        {
                            "type": "object",
                            "properties": {
                                "name": text("in the source"),
                                "shape": text("with its dtype"),
                                "slots": count("that take turns"),
                                "bytes": count("of each"),
                                "filled_by": text("AIC or AIV"),
                                "read_by": text("AIC or AIV"),
                                "sent": count("line of the source; 0: unknown"),
                                "received": count("line of the source; 0: unknown"),
                                "offset": count("in the workspace of a block"),
                            },
                            "required": ["name", "shape", "slots", "bytes", "filled_by", "read_by"],
                        },
                        "one for each tile that crosses",
                    ),
                },
                "required": ["bytes", "rings"],
            },
            "traffic": listed({"type": "object"}, "by array: name, dtype, elements, bytes read, written, hbm_read"),
            "hbm_bytes": count("that HBM moved: hbm_read and hbm_written"),
            "l2_bytes": count("that L2 moved"),
            "cube_ops": count("operations of the cube; a product and its sum are two"),
            "vector_ops": count("operations of the vector units; a lane is one"),
            "hints": listed(
                {
                    "type": "object",
                    "properties": {
                        "id": text("for `tilesmith explain`"),
                        "text": text("what to try"),
                        "gain": number("share of the time"),
                    },
                    "required": ["id", "text"],
                },
                "most promising first",
            ),
            "pipes": {
                "type": "object",
                "additionalProperties": {"type": "number"},
                "description": "busy share of the time, by pipe",
            },
            "memories": {"type": "object", "description": "[bytes used, bytes there are], by memory"},
            "tiles": listed(
                {
                    "type": "object",
                    "properties": {
                        "memory": text("L1, L0A, L0B or L0C"),
                        "name": text("in the source; empty of steps"),
                        "shape": text("with its dtype"),
                        "slots": count("kept side by side: slots of a ring, steps, parts of a result"),
                        "bytes": count("of each"),
                    },
                    "required": ["memory", "name", "shape", "slots", "bytes"],
                },
                "what the compiler made of matrix products",
            ),
            "findings": listed(ref("finding"), "of this launch"),
        },
        "required": ["kernel", "platform", "blocks", "findings"],
    },
}

LAUNCHES: dict = {
    "properties": {
        "script": text("as it was named"),
        "launches": listed(ref("launch"), "in order"),
        "copies": listed(ref("copy"), "of tensors of tilesmith.npu, in order"),
        "cycles": count("of all launches"),
        "time_us": number("of all launches"),
        "findings": listed(ref("finding"), "of all launches"),
    },
    "required": ["script", "launches", "cycles", "time_us", "findings"],
}


def head(verb):
    """The fields every document has. A wrong command line may have no verb."""
    return {
        "schema_version": {"const": SCHEMA_VERSION},
        "command": {"const": verb} if verb else {"type": ["string", "null"]},
        "exit_code": {"type": "integer", "minimum": 0, "maximum": 255, "description": "of the process"},
        "errors": listed(ref("error"), "empty if the command did what it was asked"),
        "warnings": listed(ref("warning"), "of Python and of the compiler"),
    }


def schema_of(verb):
    """The schema of a verb's document; without a verb, what holds for all."""
    from tilesmith import commands

    own = getattr(commands.module_of(verb), "SCHEMA", {}) if verb else {}
    fields = head(verb)
    schema = {
        "$schema": DRAFT,
        "title": f"tilesmith {verb} --json" if verb else "tilesmith --json",
        "type": "object",
        "properties": {**fields, **own.get("properties", {})},
        "required": list(fields),
    }
    if own.get("required"):
        schema["if"] = {"properties": {"errors": {"maxItems": 0}}}
        schema["then"] = {"required": own["required"]}
    for key in ("allOf", "anyOf", "oneOf"):
        if key in own:
            schema[key] = own[key]
    return schema | {"$defs": DEFS}


def everything():
    """One schema for the documents of all verbs: each by its `command`."""
    from tilesmith import commands

    verbs = commands.verbs()
    schemas = {verb: {key: value for key, value in schema_of(verb).items() if key not in ("$schema", "$defs")} for verb in verbs}
    return schema_of(None) | {
        "allOf": [
            {"if": {"properties": {"command": {"const": verb}}, "required": ["command"]}, "then": ref(f"verb-{verb}")}
            for verb in verbs
        ],
        "$defs": DEFS | {f"verb-{verb}": schema for verb, schema in schemas.items()},
    }
