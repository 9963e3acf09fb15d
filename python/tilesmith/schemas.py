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
            "id": {"type": "string", "pattern": r"^[a-z0-9-]+(\.[a-z0-9-]+)+$"},
            "severity": {"enum": ["error", "warning"]},
            "text": text("what"),
            "block": {"type": "integer"},
            "place": ref("place"),
            "rendered": text("as it is shown, with the line of source"),
        },
        "required": ["id", "severity", "text", "block", "rendered"],
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
            "bound": text("what limits the launch"),
            "pipes": {
                "type": "object",
                "additionalProperties": {"type": "number"},
                "description": "busy share of the time, by pipe",
            },
            "memories": {"type": "object", "description": "[bytes used, bytes there are], by memory"},
            "findings": listed(ref("finding"), "of this launch"),
        },
        "required": ["kernel", "platform", "blocks", "findings"],
    },
}

LAUNCHES = {
    "properties": {
        "script": text("as it was named"),
        "launches": listed(ref("launch"), "in order"),
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
