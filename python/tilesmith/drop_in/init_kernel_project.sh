#!/bin/sh
# init_kernel_project.sh for pipelines that call a script of this name: it is `tilesmith new`, with the same arguments.
if [ $# -eq 0 ]; then
  echo "usage: init_kernel_project.sh NAME [options]" >&2
  exit 1
fi
here=$(cd "$(dirname "$0")/../.." && pwd)
PYTHONPATH="$here${PYTHONPATH:+:$PYTHONPATH}" exec "${PYTHON:-python3}" -m tilesmith new "$@"
