#!/bin/bash
# Run a command inside a box: first into its control groups (or the kubelet would see paths outside its own), then into
# its namespaces.
#
#   enter.sh PID CGROUPS-FILE COMMAND...
set -euo pipefail
pid=$1 groups=$2
shift 2
while read -r group; do
  if [ -d "$group/init" ]; then group=$group/init; fi # version 2: inner groups hold no processes
  echo $$ > "$group/cgroup.procs"
done < "$groups"
exec nsenter -t "$pid" --all --root --wd=/ -- "$@"
