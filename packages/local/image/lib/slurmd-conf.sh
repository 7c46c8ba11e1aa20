# shellcheck shell=bash
# The --conf of a worker: what the operator wrote, plus what only the running pod knows.

# add_to_conf: merge every --conf of `words` with the computed items into one --conf at the end.
add_to_conf() {
  local items=() others=() computed=()
  take_conf_apart
  compute_items
  merge_items
  words=("${others[@]}")
  if [ ${#items[@]} -gt 0 ]; then words+=(--conf "${items[*]}"); fi
  if [ ${#computed[@]} -gt 0 ]; then say "--conf gets ${computed[*]}"; fi
}

# take_conf_apart: `words` into `items` (of all --conf x and --conf=x) and `others`.
take_conf_apart() {
  local i
  for ((i = 0; i < ${#words[@]}; i++)); do
    case ${words[i]} in
      --conf)
        ((++i < ${#words[@]})) || fail 64 'Cannot use --conf: nothing follows it. Write --conf "Key=value ...".'
        take_items "${words[i]}"
        ;;
      --conf=*) take_items "${words[i]#--conf=}" ;;
      *) others+=("${words[i]}") ;;
    esac
  done
}

take_items() {
  local found
  read -r -d '' -a found <<< "$1" || true # not $1 unquoted: a * in it is not a file name
  items+=("${found[@]}")
}

# merge_items: `computed` behind `items`. A key that is computed counts once, and an empty Topology= not at all.
merge_items() {
  local item kept=()
  for item in "${items[@]}"; do
    if [ "$item" != Topology= ] && ! is_computed "${item%%=*}"; then kept+=("$item"); fi
  done
  items=("${kept[@]}" "${computed[@]}")
}

# is_computed KEY
is_computed() {
  local new
  for new in "${computed[@]}"; do
    if [ "${new%%=*}" = "$1" ]; then return 0; fi
  done
  return 1
}

# compute_items: `computed` from POD_CPUS, POD_MEMORY and POD_TOPOLOGY.
compute_items() {
  local facts='' milli memory=${POD_MEMORY:-0}
  milli=$(milli_cpus "${POD_CPUS:-0}")
  [[ $memory =~ ^[0-9]+$ ]] ||
    fail 64 "Cannot use POD_MEMORY='$memory': not a whole number of MiB. Correct or remove it."
  if ((milli > 0 || 10#$memory > 0)); then facts=$(slurmd -C 2> /dev/null) || true; fi
  if ((milli > 0)); then reserve_cores "$milli"; fi
  if ((10#$memory > 0)); then reserve_memory "$((10#$memory))"; fi
  if [ -n "${POD_TOPOLOGY:-}" ]; then computed+=("Topology=$POD_TOPOLOGY"); fi
}

# milli_cpus QUANTITY: 2, 1.5 and 1500m in thousandths of a CPU.
milli_cpus() {
  if [[ $1 =~ ^([0-9]+)m$ ]]; then
    echo $((10#${BASH_REMATCH[1]}))
  elif [[ $1 =~ ^([0-9]+)(\.([0-9]+))?$ ]]; then
    local thousandths=${BASH_REMATCH[3]}000
    echo $((10#${BASH_REMATCH[1]} * 1000 + 10#${thousandths:0:3}))
  else
    fail 64 "Cannot use POD_CPUS='$1': not a number of CPUs such as 2, 1.5 or 1500m. Correct or remove it."
  fi
}

# reserve_cores MILLI: leave Slurm the whole cores the pod may use. Rounded down, so that jobs never get more than the
# pod has; but never to nothing, because a worker without a core cannot register.
reserve_cores() {
  local cpus threads usable spare
  cpus=$(fact CPUs)
  threads=$(fact ThreadsPerCore)
  usable=$(($1 / 1000 / threads))
  spare=$((cpus / threads - (usable > 0 ? usable : 1)))
  if ((spare > 0)); then computed+=("CoreSpecCount=$spare"); fi
}

# reserve_memory MIB
reserve_memory() {
  local real spare
  real=$(fact RealMemory)
  spare=$((real - $1))
  if ((spare > 0)); then computed+=("MemSpecLimit=$spare"); fi
}

# fact KEY: one number of the machine, as slurmd sees it (`facts` is the output of slurmd -C).
fact() {
  [[ " $facts" =~ [[:space:]]$1=([1-9][0-9]*) ]] ||
    fail 69 "Cannot size this worker: slurmd -C does not tell $1. Run it here, or unset POD_CPUS and POD_MEMORY."
  echo "${BASH_REMATCH[1]}"
}
