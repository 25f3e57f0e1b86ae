# Sourced by ./heddle, ./test and tools/check-all: how a build tree is made.
# The caller sets $root (the checkout) and $tool (its name in messages).
# All messages go to standard error; cmake's and ninja's own words go to DIR/build.log.

say() { printf '%s: %s\n' "$tool" "$*" >&2; }

# progress TEXT: one line that is rewritten on a terminal; nothing in a pipe.
progress() { [[ ! -t 2 ]] || printf '\r\033[K%s: %s' "$tool" "$*" >&2; }
end_progress() { [[ ! -t 2 ]] || printf '\r\033[K' >&2; }

# lock_tree DIR: makes DIR and holds its lock (file descriptor 9) until unlock_tree.
lock_tree() {
  if ! mkdir -p -- "$1" 2>/dev/null || ! [[ -w $1 ]]; then
    say "cannot write to $1"
    say "hint: set HEDDLE_BUILD_DIR to a directory that you can write to"
    return 1
  fi
  exec 9>"$1/lock" || return 1
  flock -n 9 && return 0
  say "waiting for another build in $1"
  flock 9
}
unlock_tree() { exec 9>&-; }

# is_configured DIR SETTING...: has cmake been run there, with these settings, for this checkout?
is_configured() {
  local dir=$1 setting
  shift
  [[ -f $dir/build.ninja ]] || return 1
  for setting in "source $root" "$@"; do
    grep -qxF -- "$setting" "$dir/settings" 2>/dev/null || return 1
  done
}

# configure_tree DIR SETTING...: a setting is an argument of cmake, for example -DHEDDLE_TESTS=ON.
# Each directory is compiled as one file ("unity"), which takes half the time when everything is new; so do precompiled
# headers and what else HEDDLE_ONE_GO switches on.
configure_tree() {
  local dir=$1 fresh=() unity=(-DCMAKE_UNITY_BUILD=ON -DHEDDLE_ONE_GO=ON)
  shift
  is_configured "$dir" "$@" && return 0
  progress "configuring"
  # A tree that was copied from elsewhere is of no use to cmake.
  grep -qxF -- "source $root" "$dir/settings" 2>/dev/null || fresh=(--fresh)
  if ! cmake "${fresh[@]}" -S "$root" -B "$dir" -G Ninja "${unity[@]}" "$@" </dev/null >"$dir/build.log" 2>&1; then
    end_progress
    report_failure "$dir"
    return 1
  fi
  [[ ${#fresh[@]} -eq 0 ]] || : >"$dir/settings"
  printf '%s\n' "source $root" "$@" >>"$dir/settings"
  end_progress
}

# build_tree DIR TARGET...: no target means everything.
build_tree() {
  local dir=$1 line status
  shift
  NINJA_STATUS='[%f/%t] ' ninja -C "$dir" "$@" </dev/null 2>&1 9>&- |
    while IFS= read -r line; do
      printf '%s\n' "$line"
      [[ $line =~ ^\[([0-9]+/[0-9]+)\] ]] && progress "building (${BASH_REMATCH[1]})"
    done >"$dir/build.log"
  status=${PIPESTATUS[0]}
  end_progress
  [[ $status -eq 0 ]] || report_failure "$dir"
  return "$status"
}

report_failure() {
  grep -m 10 -E 'error:|^CMake Error' "$1/build.log" >&2 || tail -n 25 "$1/build.log" >&2
  say "the build failed; the whole log is in $1/build.log"
}
