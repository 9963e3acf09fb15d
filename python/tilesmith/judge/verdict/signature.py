"""Results signed by the judge that wrote them (ed25519).

The key is a file of its user: `TILESMITH_JUDGE_KEY`, else `tilesmith/judge.key` below `XDG_CONFIG_HOME` or `~/.config`. It is made when the
first result is written, and readable by its owner alone. A candidate's process does not have it in its file tree, where the system
allows namespaces. Results of other judges count if their public keys are lines of the file `judge.trusted` beside it.

The library `cryptography` does the arithmetic (`pip install tilesmith[judge]`). Without it results have no signature, and the gate
says that it does not look for one.
"""

import json
import os
import re
from pathlib import Path

ALGORITHM = "ed25519"
FIELD = "signature"
HELP = "pip install 'cryptography>=42' lets the judge sign its results, and the gate refuse what it did not sign"


class BadSignature(Exception):
    """A result that no trusted judge has signed as it is. `str()` says why."""


def key_file():
    if named := os.environ.get("TILESMITH_JUDGE_KEY"):
        return Path(named)
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "tilesmith" / "judge.key"


def _library():
    """The part of `cryptography` that is used, or None."""
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519
    except ImportError:
        return None
    return ed25519


def can_sign():
    return _library() is not None


def _read_key(ed25519, path):
    text = path.read_text().strip()
    if not re.fullmatch(r"[0-9a-f]{64}", text):
        raise OSError(f"'{path}' is not a key of a judge: 64 hexadecimal digits are expected")
    return ed25519.Ed25519PrivateKey.from_private_bytes(bytes.fromhex(text))


def _own_key(ed25519, make):
    """The judge's key; with `make` a new one, if there is none yet, else None. Two judges that make one at once agree on it."""
    path = key_file()
    try:
        return _read_key(ed25519, path)
    except FileNotFoundError:
        if not make:
            return None
    path.parent.mkdir(parents=True, exist_ok=True)
    key = ed25519.Ed25519PrivateKey.generate()
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "w") as file:
            file.write(key.private_bytes_raw().hex() + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.link(temporary, path)
    except FileExistsError:
        pass  # another judge was first
    finally:
        os.unlink(temporary)
    return _read_key(ed25519, path)


def _public(key):
    return key.public_key().public_bytes_raw().hex()


def message(content):
    """What is signed: the result without its signature, in one spelling of JSON."""
    return json.dumps(
        {name: value for name, value in content.items() if name != FIELD},
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=True,
        allow_nan=False,
    ).encode()


def signed(content):
    """The result with a signature in its last field: null where the library is missing. Raises OSError for a key that cannot be used."""
    ed25519 = _library()
    if not ed25519:
        return {**content, FIELD: None}
    key = _own_key(ed25519, make=True)
    # As a reader of the file will have it.
    plain = json.loads(json.dumps(content, allow_nan=False))
    return {**content, FIELD: {"algorithm": ALGORITHM, "key": _public(key), "value": key.sign(message(plain)).hex()}}


def _trusted(ed25519):
    own = _own_key(ed25519, make=False)
    keys = {_public(own)} if own else set()
    try:
        lines = key_file().with_suffix(".trusted").read_text().splitlines()
    except OSError:
        lines = []
    return keys | {line.split("#")[0].strip().lower() for line in lines} - {""}


def check(content):
    """Raises BadSignature unless a trusted judge has signed the result, where that can be known (`can_sign`)."""
    ed25519 = _library()
    if not ed25519:
        return
    from cryptography.exceptions import InvalidSignature

    signature = content.get(FIELD)
    if not isinstance(signature, dict):
        raise BadSignature("it has no signature of a judge")
    algorithm, key, value = (signature.get(name) for name in ("algorithm", "key", "value"))
    if algorithm != ALGORITHM:
        raise BadSignature(f"its signature is not {ALGORITHM}")
    if not (isinstance(key, str) and re.fullmatch(r"[0-9a-f]{64}", key)):
        raise BadSignature("its signature names no key")
    if not (isinstance(value, str) and re.fullmatch(r"[0-9a-f]{128}", value)):
        raise BadSignature("its signature is not one")
    try:
        trusted = _trusted(ed25519)
    except OSError as error:
        raise BadSignature(f"the key of this judge cannot be read: {error}") from None
    if key not in trusted:
        raise BadSignature(
            f"it was signed with the key {key[:16]}..., which this judge does not trust ({key_file().with_suffix('.trusted')})"
        )
    try:
        ed25519.Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(value), message(content))
    except (InvalidSignature, ValueError):
        raise BadSignature("its signature does not fit: it was changed after it was written, or not written by a judge") from None
