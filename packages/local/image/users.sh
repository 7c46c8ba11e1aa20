#!/bin/sh
# users.sh ROOT: give slurm and mysql their numbers before any package can choose others (mmdebstrap --essential-hook).
# 401 is what operator and volumes expect of slurm. Without the early line, mysql's number is whatever is free that day.
set -eu

root=${1:?"Cannot add users: no root folder given. Call users.sh ROOT."}

# add FILE LINE: append LINE to FILE of the root, unless that name is already there.
add() {
  grep -qs "^${2%%:*}:" "$root/etc/$1" || printf '%s\n' "$2" >> "$root/etc/$1"
}

add passwd 'slurm:x:401:401:Slurm:/nonexistent:/usr/sbin/nologin'
add passwd 'mysql:x:999:999:MariaDB:/nonexistent:/bin/false'
add group 'slurm:x:401:'
add group 'mysql:x:999:'
add shadow 'slurm:*:20000:0:99999:7:::'
add shadow 'mysql:*:20000:0:99999:7:::'
add gshadow 'slurm:*::'
add gshadow 'mysql:*::'
