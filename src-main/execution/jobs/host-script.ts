/**
 * What runs on the host: one POSIX shell script (tried with dash) that starts a job, tells how it stands, hands its
 * output on and ends it. Called as `sh -c SCRIPT nomos-job VERB ID …`.
 *
 * A job is a folder: `script`, `output`, `pid` (process, its start time, boot id) and, at the end, `exit`.
 * `mkdir` decides who starts it, so it starts at most once; `exit` comes by rename, so it is whole or not there.
 * `timeout` ends a job with 124, but so may a program of the job's own: `exit` says which (`124 late` or `124 own`).
 * Identity of the process: PID and field 22 of /proc/PID/stat under one boot id (proc(5)).
 */
export const hostScript = String.raw`
LC_ALL=C.UTF-8; export LC_ALL
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin; export PATH
umask 077
verb=$1 id=$2
case $id in ''|*[!0-9A-Za-z-]*) echo 'nomos-job: not an id' >&2; exit 64;; esac
if [ "$(id -u)" = 0 ]; then state=/var/lib; else state=$XDG_STATE_HOME; [ -n "$state" ] || state=$HOME/.local/state; fi
[ -z "$NOMOS_STATE" ] || state=$NOMOS_STATE
jobs=$state/nomos/jobs
dir=$jobs/$id

boot() { cat "$bootfile" 2>/dev/null || echo none; }
bootfile=$NOMOS_BOOT_ID_FILE
[ -n "$bootfile" ] || bootfile=/proc/sys/kernel/random/boot_id

# State and start time of a process; the name in field 2 may hold blanks, brackets and newlines.
stat_of() {
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 1
  set -- $(printf '%s' "$stat" | sed -n '$s/^.*) //p')
  [ $# -ge 20 ] || return 1
  life=$1 parent=$2; shift 19; began=$1
}

# The job's processes without its leader: its session, and whatever descends from it.
members() {
  cat /proc/[0-9]*/stat 2>/dev/null | awk -v leader="$1" '
    { pid = $1; line = $0; sub(/^.*\) /, "", line); split(line, f, " "); state[pid] = f[1]; parent[pid] = f[2]
      if (f[4] == leader) mine[pid] = 1 }
    END {
      mine[leader] = 1
      do { more = 0
        for (p in parent) if (!(p in mine) && (parent[p] in mine)) { mine[p] = 1; more = 1 }
      } while (more)
      for (p in mine) if (p != leader && (p in state) && state[p] != "Z" && state[p] != "X") print p
    }'
}

leader_lives() { stat_of "$pid" && [ "$began" = "$start" ] && [ "$life" != Z ] && [ "$life" != X ]; }
# A PID is given anew only when nothing of the old session is left.
others_live() { { ! stat_of "$pid" || [ "$began" = "$start" ]; } && [ -n "$(members "$pid")" ]; }
size() { bytes=$(wc -c < "$dir/output" 2>/dev/null) || bytes=0; }

report() {
  [ -d "$dir" ] || { echo absent; return; }
  if [ ! -f "$dir/exit" ]; then
    if [ ! -f "$dir/pid" ]; then
      size
      # Between mkdir and the first breath of the leader.
      if [ -n "$(find "$dir" -maxdepth 0 -mmin -1 2>/dev/null)" ]; then echo "running $bytes"; else echo "lost $bytes"; fi
      return
    fi
    read -r pid start booted < "$dir/pid"
    if [ "$booted" != "$(boot)" ]; then
      [ -f "$dir/exit" ] || { size; echo "interrupted $bytes"; return; }
    elif leader_lives || others_live; then
      [ -f "$dir/exit" ] || { size; echo "running $bytes"; return; }
    elif [ ! -f "$dir/exit" ]; then
      size; echo "lost $bytes"; return
    fi
  fi
  read -r code whose < "$dir/exit"
  size; echo exit $code $bytes $whose
}

# Notes that a 124 is the script's own: nobody had told it to end. What this shell itself would say is not output.
guard='
  trap told=yes TERM; trap : INT HUP QUIT
  sh "$2" 2>&1
  code=$?
  [ $code -ne 124 ] || [ -n "$told" ] || : > "$1"
  exit $code
'

# Runs as a session of its own. Survives the signals that end its children, so that the result gets written.
leader='
  dir=$1 limit=$2 bootfile=$3 guard=$4
  trap : TERM INT HUP QUIT
  cd /
  stat=$(cat /proc/$$/stat); set -- $(printf "%s" "$stat" | sed -n "\$s/^.*) //p"); shift 19
  echo "$$ $1 $(cat "$bootfile" 2>/dev/null || echo none)" > "$dir/pid.new" && mv "$dir/pid.new" "$dir/pid"
  begun=$(date +%s)
  timeout -k 20 "$limit" sh -c "$guard" nomos-guard "$dir/own" "$dir/script" >> "$dir/output" 2>/dev/null
  code=$?
  [ $code -ne 137 ] || [ $(($(date +%s) - begun)) -lt "$limit" ] || code=124
  whose=
  if [ $code -eq 124 ]; then if [ -f "$dir/own" ]; then whose=own; else whose=late; fi; fi
  echo $code $whose > "$dir/exit.new" && mv "$dir/exit.new" "$dir/exit"
'

case $verb in
start)
  script=$(cat)
  # A connection that was cut in the middle looks like the end of the input: never run half a script.
  [ -z "$4" ] || [ "$(printf '%s' "$script" | wc -c)" -eq "$4" ] || { echo 'nomos-job: the script arrived incomplete' >&2; exit 65; }
  mkdir -p "$jobs" || exit 73
  if ! mkdir "$dir" 2>/dev/null; then
    [ -d "$dir" ] || { mkdir "$dir"; exit 73; }
    echo exists; exit 0
  fi
  printf '%s\n' "$script" > "$dir/script" && : > "$dir/output" || { rm -rf "$dir"; exit 73; }
  setsid sh -c "$leader" nomos-job "$dir" "$3" "$bootfile" "$guard" </dev/null >/dev/null 2>&1 &
  tries=0
  while [ ! -f "$dir/pid" ] && [ ! -f "$dir/exit" ] && [ $tries -lt 200 ]; do sleep 0.05; tries=$((tries + 1)); done
  echo started
  ;;
state)
  report
  ;;
read)
  [ -f "$dir/output" ] || exit 66
  tail -c "+$(($3 + 1))" "$dir/output" | head -c "$4"
  ;;
follow)
  [ -d "$dir" ] || { echo absent >&2; exit 66; }
  from=$(($3 + 1))
  if [ -f "$dir/exit" ] || [ ! -f "$dir/pid" ]; then
    tail -c "+$from" "$dir/output"
  else
    read -r pid start booted < "$dir/pid"
    tail -c "+$from" -f -s 0.1 "$dir/output" 2>/dev/null &
    tail=$! ticks=0
    # Ends with the job, with the reader (then tail gets a broken pipe), or with the connection.
    while [ ! -f "$dir/exit" ] && kill -0 "$tail" 2>/dev/null; do
      [ $((ticks % 20)) -ne 0 ] || { [ "$booted" = "$(boot)" ] && leader_lives && stat_of "$$" && [ "$parent" = "$PPID" ]; } || break
      sleep 0.1; ticks=$((ticks + 1))
    done
    # What tail has not written when it is ended is read by offset afterwards.
    while size && at=$(sed -n 's/^pos:[[:space:]]*//p' "/proc/$tail/fdinfo/3" 2>/dev/null) && [ "$at" -lt "$bytes" ]; do sleep 0.05; done 2>/dev/null
    sleep 0.05
    kill "$tail" 2>/dev/null
  fi
  report >&2
  ;;
cancel)
  [ -d "$dir" ] || { echo absent; exit 0; }
  [ -f "$dir/pid" ] || { [ -f "$dir/exit" ] && echo gone || echo alive; exit 0; }
  read -r pid start booted < "$dir/pid"
  [ "$booted" = "$(boot)" ] || { echo gone; exit 0; }
  signal=TERM tries=$(($3 * 5))
  while :; do
    set --
    if leader_lives || others_live; then set -- $(members "$pid"); else break; fi
    [ $# -eq 0 ] || [ -z "$signal" ] || kill -s "$signal" "$@" 2>/dev/null
    [ "$signal" = KILL ] || signal=
    tries=$((tries - 1))
    if [ $tries -eq 0 ]; then
      if [ "$forced" = yes ]; then echo alive; exit 0; fi
      forced=yes signal=KILL tries=25
    fi
    sleep 0.2
  done
  echo gone
  ;;
clean)
  case "$(report)" in running*) echo 'nomos-job: still running' >&2; exit 75;; esac
  rm -rf "$dir" && echo cleaned
  ;;
*)
  echo "nomos-job: no such verb: $verb" >&2; exit 64
  ;;
esac
`
