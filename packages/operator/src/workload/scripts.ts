/**
 * The small programs of our side containers, in POSIX sh. They get everything through variables, so that they can be
 * run and tested anywhere.
 *
 * @module
 */

/** A daemon's log file as this container's output: SOCKET is a FIFO that is read for ever. */
export const logfileScript = `
trap 'exit 0' TERM
trap 'exit 1' INT HUP
mkdir -p "$(dirname "$SOCKET")"
if [ ! -p "$SOCKET" ]; then
  rm -rf "$SOCKET"
  mkfifo -m 777 "$SOCKET"
fi
while true; do
  cat "$SOCKET" &
  wait $!
  sleep 1 &
  wait $!
done
`.trim()

/** Copy configuration and keys to a folder where they can belong to Slurm: projected files cannot change their owner. */
export const initconfScript = `
set -eu
from="\${CONFIG_SOURCE:-/mnt/slurm}"
to="\${CONFIG_TARGET:-/mnt/etc/slurm}"
mkdir -p "$to"
find -L "$from" -name '..*' -prune -o -type f '(' -name '*.conf' -o -name '*.key' ')' -exec cp -f '{}' "$to/" ';'
find "$to" -type f -exec chown "\${CONFIG_OWNER:-401:401}" '{}' +
find "$to" -type f -name '*.conf' -exec chmod 644 '{}' +
find "$to" -type f '(' -name slurmdbd.conf -o -name '*.key' ')' -exec chmod 600 '{}' +
ls -la "$to"
`.trim()

/** Tell slurmctld to read its files again when they have changed, until it agrees to. It may still dislike them. */
export const reconfigureScript = `
config="\${CONFIG_TARGET:-/etc/slurm}"
trap 'exit 0' TERM
trap 'exit 1' INT HUP
checksum() {
  find -L "$config" -name '..*' -prune -o -type f -exec sha256sum '{}' + | sort -k 2 | sha256sum
}
pause() {
  sleep "$1" &
  wait $!
}
known="$(checksum)"
while true; do
  pause "\${CHECK_SECONDS:-5}"
  now="$(checksum)"
  [ "$now" = "$known" ] && continue
  echo "The configuration has changed: telling slurmctld."
  until scontrol reconfigure; do
    pause "\${RETRY_SECONDS:-2}"
  done
  echo "slurmctld was told."
  known="$now"
done
`.trim()
