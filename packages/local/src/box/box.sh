#!/bin/bash
# A box is one small machine: namespaces of its own (network, mounts, processes, names, control groups) over a root file
# system that is shared read-only. This script becomes the box; killing its process takes everything inside with it.
#
#   box.sh FOLDER ROOT HOSTNAME INIT CGROUPS...
#
# FOLDER/binds lists what to show inside, a line each: "source<TAB>target". FOLDER/upper holds what the box writes.
set -euo pipefail
folder=$1 root=$2 name=$3 init=$4
shift 4

for group in "$@"; do echo $$ > "$group/cgroup.procs"; done
private=(--net --mount --uts --ipc --pid)
[ $# = 0 ] || private+=(--cgroup)

export folder root name init
export groups=$#
exec unshare "${private[@]}" --fork --kill-child -- bash -euo pipefail -c '
  hostname "$name"
  mount --make-rprivate /
  new=$folder/root
  mount -t overlay overlay -o "lowerdir=$root,upperdir=$folder/upper,workdir=$folder/work" "$new"
  mount -t proc proc "$new/proc"
  mount -t sysfs sysfs "$new/sys"

  if [ "$groups" = 0 ]; then :
  elif [ -f /sys/fs/cgroup/cgroup.controllers ]; then
    # Version 2 (not run on the machines we have): a group that hands controllers down may hold no process itself.
    mount -t cgroup2 cgroup2 "$new/sys/fs/cgroup"
    mkdir -p "$new/sys/fs/cgroup/init"
    for pid in $(cat "$new/sys/fs/cgroup/cgroup.procs"); do echo "$pid" > "$new/sys/fs/cgroup/init/cgroup.procs" || true; done
    for controller in $(cat "$new/sys/fs/cgroup/cgroup.controllers"); do echo "+$controller" > "$new/sys/fs/cgroup/cgroup.subtree_control"; done
  else
    mount -t tmpfs -o mode=755 tmpfs "$new/sys/fs/cgroup"
    for controller in cpu cpuacct cpuset memory devices freezer blkio pids; do
      mkdir "$new/sys/fs/cgroup/$controller"
      mount -t cgroup -o "$controller" cgroup "$new/sys/fs/cgroup/$controller"
    done
    mkdir "$new/sys/fs/cgroup/systemd"
    mount -t cgroup -o none,name=systemd cgroup "$new/sys/fs/cgroup/systemd"
  fi

  mount -t tmpfs -o mode=755 tmpfs "$new/dev"
  for device in null zero full random urandom tty kmsg fuse; do
    [ -e "/dev/$device" ] || continue
    touch "$new/dev/$device"
    mount --bind "/dev/$device" "$new/dev/$device"
  done
  mkdir "$new/dev/pts" "$new/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$new/dev/pts"
  mount -t tmpfs -o mode=1777 tmpfs "$new/dev/shm"
  ln -s pts/ptmx "$new/dev/ptmx"
  ln -s /proc/self/fd "$new/dev/fd"
  for number in 0 1 2; do ln -s "/proc/self/fd/$number" "$new/dev/$(set -- stdin stdout stderr; shift $number; echo $1)"; done
  mount -t tmpfs -o mode=1777 tmpfs "$new/run"
  mount -t tmpfs -o mode=1777 tmpfs "$new/tmp"

  while IFS="$(printf "\t")" read -r source target; do
    if [ -d "$source" ]; then mkdir -p "$new$target"; else mkdir -p "$(dirname "$new$target")"; touch "$new$target"; fi
    mount --bind "$source" "$new$target"
  done < "$folder/binds"
  echo "$name" > "$new/etc/hostname"

  # pivot_root and not chroot: below a chroot, containers would find the root of the real machine.
  cd "$new"
  mkdir -p .old
  pivot_root . .old
  umount -l /.old
  mount --make-rshared /
  touch /run/.box-ready
  exec "$init" -- sleep infinity'
