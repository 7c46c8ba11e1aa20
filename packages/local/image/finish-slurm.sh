#!/bin/bash
# finish-slurm.sh ROOT: what turns the Debian root into the Slurm image (mmdebstrap --customize-hook).
# The entry point is a layer of its own, so that a change of it does not make the root again.
set -euo pipefail

root=${1:?"Cannot finish the image: no root folder given. Call finish-slurm.sh ROOT."}

# Host keys: every container would have the same. plugstack.conf: not ours to set. Lists and logs: weight and dates.
remove_leftovers() {
  rm -rf "$root"/etc/ssh/ssh_host_* "$root"/etc/slurm/plugstack.conf*
  rm -rf "$root"/var/lib/apt/lists/* "$root"/var/cache/apt/* "$root"/var/cache/debconf/*-old
  rm -rf "$root"/var/log/apt "$root"/var/log/dpkg.log "$root"/var/log/alternatives.log
}

# The server needs none of them, and they are large.
remove_unused_mariadb_tools() {
  local tool
  for tool in mariadb-backup mbstream aria_chk aria_pack aria_read_log mariadb-binlog mariadb-slap mariadb-import \
    mariadb-check mariadb-admin mariadb-show innochecksum; do
    rm -f "$root/usr/bin/$tool"
  done
}

make_folders() {
  install -d -o 401 -g 401 "$root/var/spool/slurmctld" "$root/var/spool/slurmd" "$root/var/log/slurm"
}

# The redo log of a fresh data folder takes 96 MB; one start with another size makes it 8.
shrink_redo_log() {
  install -d -o 999 -g 999 "$root/run/mysqld"
  local log
  log=$(chroot "$root" mariadbd --no-defaults --user=mysql --datadir=/var/lib/mariadb --innodb-log-file-size=8M \
    --bootstrap 2>&1 < /dev/null) && return
  echo "$log" >&2
  echo 'Cannot shrink the redo log: mariadbd failed, see above. Check that mariadb-server was installed completely.' >&2
  return 1
}

remove_leftovers
remove_unused_mariadb_tools
make_folders
shrink_redo_log
