"""What a rule found: its severity, its place, and whether it fails the run."""

from dataclasses import asdict, dataclass, field

# S0 and S1 block a stage of an operator; S2 warns, S3 informs.
LEVELS = {"error": "error", "S0": "error", "S1": "error", "warning": "warning", "S2": "warning", "info": "info", "S3": "info"}


@dataclass
class Finding:
    rule: str
    severity: str
    message: str
    file: str
    line: int = 1
    column: int = 1
    hint: str = ""
    end_line: int = 0
    end_column: int = 0
    portability: bool = False
    edits: list = field(default_factory=list, repr=False)

    @property
    def level(self):
        """error, warning or info."""
        return LEVELS[self.severity]

    @property
    def place(self):
        return (self.file, self.line, self.column, self.rule, self.message)

    def public(self):
        """As `--format json` has it."""
        facts = asdict(self)
        fixable = bool(facts.pop("edits"))
        if not self.end_line:
            del facts["end_line"], facts["end_column"]
        return facts | {"fixable": fixable}


def exit_code(findings, strict):
    """2 for errors, 1 for warnings where they count, else 0."""
    levels = {finding.level for finding in findings}
    return 2 if "error" in levels else 1 if strict and "warning" in levels else 0
