#!/usr/bin/env bash
# check.sh holds|breaks FLAG...: searches every state of turn.pml under the flags. `breaks` is for a
# model with a rule taken out: there the search must find a fault, else it proves nothing.
set -euo pipefail
wanted=$1
shift
model=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/turn.pml
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
spin -a "$@" "$model" >spin.log 2>&1 || { cat spin.log >&2; exit 1; }
cc -O1 -w -DSAFETY -DCOLLAPSE -DMEMLIM=4000 -o pan pan.c
# -E: a process that waits is no fault; the model's own Verdict says what must have ended.
./pan -m100000 -E -n >pan.log
grep -E 'errors:|states, stored|^pan:1' pan.log
if grep -q 'Search not completed' pan.log && [ "$wanted" = holds ]; then
  echo "not every state was seen" >&2
  exit 1
fi
case $wanted in
  holds) grep -q 'errors: 0$' pan.log ;;
  breaks) grep -q '^pan:1: assertion violated' pan.log ;;
esac
