#!/bin/sh
# verify_environment.sh for pipelines that call a script of this name: it is `tilesmith env`, with the same arguments.
if [ $# -eq 0 ]; then
  echo "usage: verify_environment.sh NAME [options]" >&2
  exit 1
fi
here=$(cd "$(dirname "$0")/../.." && pwd)
PYTHONPATH="$here${PYTHONPATH:+:$PYTHONPATH}" "${PYTHON:-python3}" -m tilesmith env "$@" || exit 1
