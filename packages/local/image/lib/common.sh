# shellcheck shell=bash
# What every role needs. ENTRYPOINT_ROOT goes in front of all folders: a test needs neither root nor a container.

ENTRYPOINT_ROOT=${ENTRYPOINT_ROOT:-}

# say TEXT: a line for people, in the container's log. Never options as a whole: they may hold secrets.
say() {
  echo "entrypoint: $*" >&2
}

# fail CODE TEXT: end with an error that says what is wrong. 64: told wrongly, 69: something is missing here.
fail() {
  local code=$1
  shift
  say "$@"
  exit "$code"
}

# make_folder PATH
make_folder() {
  mkdir -p "$ENTRYPOINT_ROOT$1" ||
    fail 69 "Cannot create $1: user $(id -u) may not write there, or it is full. Mount a writable volume on it."
}

# program NAME: its absolute path.
program() {
  type -P "$1" || fail 69 "Cannot start $1: it is not in this image. Use an image that has it."
}

# is_mounted PATH: true when somebody mounted exactly this file, and not when it merely came with the image.
is_mounted() {
  grep -qsF " $1 " "$ENTRYPOINT_ROOT/proc/self/mounts"
}
