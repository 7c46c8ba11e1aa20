# shellcheck shell=bash
# sshd and sssd: for login, and for workers whose operator mounted a sshd_config.

# prepare_ssh: folders, host keys and absolute paths (sshd refuses to start by its bare name).
prepare_ssh() {
  make_folder /run/sshd
  make_folder /run/dbus
  sshd=$(program sshd)
  ssh-keygen -A > /dev/null # only those that are missing
}

# wants_sssd: true, and `sssd` set, when there is a configuration for it and this image has it.
wants_sssd() {
  if ! [ -e "$ENTRYPOINT_ROOT/etc/sssd/sssd.conf" ]; then return 1; fi
  if sssd=$(type -P sssd); then return 0; fi
  say 'sssd.conf is there, but this image has no sssd: only users of /etc/passwd can log in.'
  return 1
}

# start_ssh_beside: sshd next to slurmd. Its death does not end the container, because jobs weigh more than sessions;
# what can be known beforehand (a wrong sshd_config) does. The ( &) makes tini the parent: slurmd reaps only its own.
start_ssh_beside() {
  prepare_ssh
  require_adoption
  local slurmd_words=("${words[@]}")
  shell_words "${SSHD_OPTIONS:-}"
  "$sshd" -t "${words[@]}" || fail 69 'Cannot start sshd: it refuses its configuration, see above. Correct sshd_config.'
  ("$sshd" -D -e "${words[@]}" &)
  shell_words "${SSSD_OPTIONS:-}"
  if wants_sssd; then ("$sssd" -i "${words[@]}" &); fi
  words=("${slurmd_words[@]}")
}

# require_adoption: only who has a job on this worker may log in, and the session becomes part of that job.
require_adoption() {
  local file=$ENTRYPOINT_ROOT/etc/pam.d/sshd line text=''
  local options=${PAM_SLURM_ADOPT_OPTIONS:-action_adopt_failure=deny action_generic_failure=deny}
  if grep -qs '^account.*pam_slurm_adopt' "$file"; then return; fi
  grep -qsx '@include common-account' "$file" ||
    fail 69 'Cannot tie ssh sessions to jobs: /etc/pam.d/sshd lacks common-account. Correct it, or switch SSH off.'
  while IFS= read -r line || [ -n "$line" ]; do
    if [ "$line" = '@include common-account' ]; then text+="account required pam_slurm_adopt.so $options"$'\n'; fi
    text+=$line$'\n'
  done < "$file"
  printf %s "$text" > "$file"
}
