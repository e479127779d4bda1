# What the stand-ins share. The simulated node's state is in $PVE_STATE:
#   node          its name
#   lxc/ID/       conf, status, root/ (files inside), snapshots
#   qemu/ID/      the same for virtual machines
#   vztmpl/       templates that are there; offered: templates that can be downloaded
#   fail/NAME     printed by the next `NAME` (such as pct-create), which then fails; removed by it
#   delay/NAME    seconds that `NAME` takes
#   log           every call, one line each
node=$(cat "$PVE_STATE/node")
echo "$(basename "$0") $*" >> "$PVE_STATE/log"

die() { echo "$1" >&2; exit "${2:-255}"; }

# Fails once, if a test asked for it; `fail/NAME.code` holds the exit code.
stumble() {
  [ -f "$PVE_STATE/fail/$1" ] || return 0
  text=$(cat "$PVE_STATE/fail/$1")
  code=$(cat "$PVE_STATE/fail/$1.code" 2>/dev/null || echo 255)
  rm -f "$PVE_STATE/fail/$1"
  [ -z "$text" ] || echo "$text" >&2
  exit "$code"
}

# Takes its time, and prints what a task prints: a lost reader ends it (SIGPIPE), as PVE's own tools do.
linger() {
  seconds=$(cat "$PVE_STATE/delay/$1" 2>/dev/null || echo 0)
  tenths=$(printf '%.0f' "${seconds}e1")
  while [ "$tenths" -gt 0 ]; do
    echo "working, $tenths tenths left" || exit 141
    sleep 0.1
    tenths=$((tenths - 1))
  done
}

conf_of() { sed -n "s/^$2: //p" "$1/conf" 2>/dev/null; }

set_conf() {
  file=$1/conf
  grep -v "^$2: " "$file" > "$file.new" 2>/dev/null
  [ -z "$3" ] || echo "$2: $3" >> "$file.new"
  sort -o "$file" "$file.new" && rm -f "$file.new"
}

need() { [ -d "$2/$1" ] || die "Configuration file 'nodes/$node/$3/$1.conf' does not exist" 2; }

unlocked() {
  lock=$(conf_of "$1" lock)
  [ -z "$lock" ] || die "$2 is locked ($lock)"
}
