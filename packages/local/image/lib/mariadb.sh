# shellcheck shell=bash
# A database for local use. Its first content is the ready-made data folder of the image: a copy takes a second,
# mariadb-install-db ten.

shopt -s extglob # for !(mysql)

start_mariadb() {
  local data=$ENTRYPOINT_ROOT${MARIADB_DATA:-/var/lib/mysql} run
  if [ "$(id -u)" = 0 ]; then become_mysql "$data" "$@"; fi
  run=$(mktemp -d)
  if ! [ -d "$data/mysql" ]; then fill "$data"; fi
  if [ -n "${MARIADB_DATABASE:-}" ]; then
    first_statements > "$run/init.sql"
    set -- --init-file="$run/init.sql" "$@"
  fi
  exec mariadbd --no-defaults --datadir="$data" --socket="$run/socket" --pid-file="$run/pid" \
    --bind-address=0.0.0.0 --skip-name-resolve --innodb-buffer-pool-size=128M --innodb-lock-wait-timeout=900 \
    --innodb-snapshot-isolation=OFF --max-allowed-packet=16M "$@"
}

# become_mysql DATA ARGS...: mariadbd refuses to run as root.
become_mysql() {
  local data=$1
  shift
  make_folder "${data#"$ENTRYPOINT_ROOT"}"
  chown mysql:mysql "$data"
  exec setpriv --reuid=mysql --regid=mysql --init-groups "$0" mariadb "$@"
}

# fill DATA: the folder `mysql` comes last, because its presence means complete: a copy that was cut short starts over.
fill() {
  local data=$1 from
  say "first start: filling $data"
  rm -rf "$data/.filling"
  cp -r "$ENTRYPOINT_ROOT/var/lib/mariadb" "$data/.filling" ||
    fail 69 "Cannot fill $data: see above. Mount a volume there that user $(id -u) may write to, with room for 200 MB."
  for from in "$data/.filling"/!(mysql) "$data/.filling/mysql"; do
    rm -rf "${data:?}/${from##*/}"
    mv "$from" "$data/"
  done
  rm -rf "$data/.filling"
}

# first_statements: one per line, as --init-file wants it. They do no harm at later starts.
first_statements() {
  local name password=${MARIADB_PASSWORD:-}
  for name in "$MARIADB_DATABASE" "${MARIADB_USER:-}"; do
    [[ $name =~ ^[A-Za-z0-9_]+$ ]] ||
      fail 64 "Cannot set up the database: '$name' is no plain name. Correct MARIADB_DATABASE and MARIADB_USER."
  done
  if [[ -z $password || $password == *$'\n'* ]]; then
    fail 64 'Cannot set up the database: MARIADB_PASSWORD is empty or has a line break. Set another.'
  fi
  password=${password//\\/\\\\}
  password=${password//\'/\'\'}
  echo "CREATE DATABASE IF NOT EXISTS $MARIADB_DATABASE;"
  echo "CREATE USER IF NOT EXISTS '$MARIADB_USER'@'%' IDENTIFIED BY '$password';"
  echo "GRANT ALL ON $MARIADB_DATABASE.* TO '$MARIADB_USER'@'%';"
}
