/** The container that runs the script below before slurmctld starts. */
export const REPAIR_CONTAINER = 'repair-state'

/**
 * slurmctld with accounting writes `assoc_usage` some time after its very first start. If it is killed before, it refuses
 * to start ever again for want of that file, because `clustername` says that it has run before. Without `clustername`
 * it takes what state there is and begins anew with the rest, which is all that can be done.
 *
 * A backup shares the state with a primary that runs, and may just have started for the first time: it repairs nothing.
 */
export const repairScript = `
set -eu
case "$POD" in *-0) ;; *) exit 0 ;; esac
[ -e "$STATE/clustername" ] || exit 0
[ -e "$STATE/assoc_usage" ] && exit 0
[ -e "$STATE/assoc_usage.old" ] && exit 0
echo "slurmctld was killed before it had saved its state for the first time: it may start without assoc_usage."
rm -f "$STATE/clustername"
`.trim()
