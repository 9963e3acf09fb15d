#!/bin/sh
# still.sh TEXT OPTION... FILE: a tester. What tilesmith-opt prints for the file with these options is interesting (1) while it
# holds TEXT.
text=$1
shift
tilesmith-opt "$@" 2>&1 | grep -q -- "$text" && exit 1
exit 0
