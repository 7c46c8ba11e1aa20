# shellcheck shell=bash
# Programs that live and die together: one gone, all go, and Kubernetes starts the container again.

together_pids=()
together_names=()
GRACE_SECONDS=${ENTRYPOINT_GRACE_SECONDS:-10}

# start_together NAME COMMAND...
start_together() {
  local name=$1
  shift
  trap 'stop_together; exit 0' TERM INT # before the first one runs, so that an early TERM leaves none behind
  "$@" &
  together_pids+=($!)
  together_names+=("$name")
}

# end_together: wait for the first to end, whatever its exit code, and end the container as failed.
end_together() {
  local code=0 ended='' i
  wait -n -p ended "${together_pids[@]}" || code=$?
  for i in "${!together_pids[@]}"; do
    if [ "${together_pids[i]}" = "$ended" ]; then say "${together_names[i]} ended with code $code; ending the rest."; fi
  done
  stop_together
  exit $((code > 0 ? code : 1))
}

# stop_together: TERM for all, and KILL for who does not listen: half a container must not stay.
stop_together() {
  local tenths=$((GRACE_SECONDS * 10))
  trap '' TERM INT
  kill -TERM "${together_pids[@]}" 2> /dev/null || return 0
  while kill -0 "${together_pids[@]}" 2> /dev/null; do
    if ((tenths-- == 0)); then kill -KILL "${together_pids[@]}" 2> /dev/null || true; fi
    sleep 0.1
  done
}
