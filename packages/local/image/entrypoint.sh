#!/bin/bash
# entrypoint.sh ROLE [args...]: starts one Slurm role. The entry point of every image: tini -g -- entrypoint.sh ROLE
#
# Arguments of slurmctld, slurmd, sackd and login are words of a shell line: quotes and $VAR in them take effect, and
# the operator relies on it. Arguments of slurmdbd, slurmrestd and mariadb are handed over as they are.
#
# The container ends when its main program ends: restarts are Kubernetes' work, and its restart count must be true.
# Nothing is started with --systemd: on a reconfigure these daemons execute themselves again under the same pid.
set -eo pipefail # no -u: an unset $VAR in an argument is empty, as in any shell line

lib=$(dirname "$(readlink -f "$0")")/lib
# shellcheck source=lib/common.sh
. "$lib/common.sh"
# shellcheck source=lib/words.sh
. "$lib/words.sh"
# shellcheck source=lib/slurmd-conf.sh
. "$lib/slurmd-conf.sh"
# shellcheck source=lib/ssh.sh
. "$lib/ssh.sh"
# shellcheck source=lib/together.sh
. "$lib/together.sh"
# shellcheck source=lib/mariadb.sh
. "$lib/mariadb.sh"

start_slurmctld() {
  make_folder /run/slurmctld
  shell_words "${SLURMCTLD_OPTIONS:-} $*"
  exec slurmctld -D "${words[@]}"
}

start_slurmd() {
  make_folder /run/slurm
  make_folder /var/spool/slurmd
  shell_words "${SLURMD_OPTIONS:-} $*"
  add_to_conf # now, so that a mistake in the numbers is told before anything runs
  if is_mounted /etc/ssh/sshd_config; then start_ssh_beside; fi
  exec slurmd -D "${words[@]}"
}

start_sackd() {
  prepare_sackd
  shell_words "${SACKD_OPTIONS:-} $*"
  exec "${as_slurm[@]}" "$sackd" -D "${words[@]}"
}

start_login() {
  prepare_sackd
  prepare_ssh
  shell_words "${SACKD_OPTIONS:-} $*"
  start_together sackd "${as_slurm[@]}" "$sackd" -D "${words[@]}"
  shell_words "${SSHD_OPTIONS:-}"
  start_together sshd "$sshd" -D -e "${words[@]}"
  shell_words "${SSSD_OPTIONS:-}"
  if wants_sssd; then start_together sssd "$sssd" -i "${words[@]}"; fi
  end_together
}

# prepare_sackd: folder, user and absolute path (sackd executes itself again on a reconfigure) of sackd.
prepare_sackd() {
  make_folder /run/slurm
  export RUNTIME_DIRECTORY=$ENTRYPOINT_ROOT/run/slurm
  sackd=$(program sackd)
  as_slurm=()
  if [ "$(id -u)" != 0 ]; then return; fi
  chown slurm:slurm "$ENTRYPOINT_ROOT/run/slurm"
  as_slurm=(setpriv --reuid=slurm --regid=slurm --init-groups)
}

role=${1:-}
shift || true
case $role in
  slurmctld | slurmd | sackd | login | mariadb) "start_$role" "$@" ;;
  slurmdbd) exec slurmdbd -D "$@" ;;
  slurmrestd) exec slurmrestd "${@:-0.0.0.0:6820}" ;; # any argument replaces the address too
  *)
    fail 64 "Cannot start '$role': no such role." \
      'Use slurmctld, slurmd, slurmdbd, slurmrestd, sackd, login or mariadb.'
    ;;
esac
