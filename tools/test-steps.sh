# Sourced by ./test and tools/check-all: runs steps, counts them, says what went wrong.
# The caller has sourced build.sh and sets $root, $logs, $jobs, $passed and $failed.

section() { printf '\n== %s\n' "$*"; }

# step NAME COMMAND...: one check. Its output is shown only if it fails.
step() {
  local name=$1 log start=$SECONDS status
  shift
  mkdir -p -- "$logs"
  log=$logs/$(tr -c 'A-Za-z0-9\n' '-' <<<"$name").log
  "$@" >"$log" 2>&1 </dev/null
  status=$?
  if [[ $status -eq 0 ]]; then
    passed=$((passed + 1))
    printf 'ok      %s (%d s)\n' "$name" $((SECONDS - start))
  else
    failed=$((failed + 1))
    printf 'FAILED  %s (%d s, exit code %d); the end of %s:\n' "$name" $((SECONDS - start)) "$status" "$log"
    tail -n 40 "$log"
  fi
  return "$status"
}

# run_ctest NAME DIR ARGUMENT...: counts every test case; names what failed and what was skipped. One test more than there
# are processors is run at a time, because some only wait.
run_ctest() {
  local name=$1 dir=$2 log=$logs/ctest-$1.log start=$SECONDS summary bad=0 total=0 skipped status
  shift 2
  ctest --test-dir "$dir" -j "$((jobs + 1))" --timeout 600 --output-on-failure --no-tests=error "$@" \
    >"$log" 2>&1 </dev/null
  status=$?
  summary=$(grep -E '^[0-9]+% tests passed, ' "$log")
  if [[ $summary =~ ([0-9]+)\ tests\ failed\ out\ of\ ([0-9]+) ]]; then
    bad=${BASH_REMATCH[1]}
    total=${BASH_REMATCH[2]}
  fi
  # ctest can fail without a failed test: nothing matched, or a test program was not built.
  [[ $status -eq 0 || $bad -gt 0 ]] || bad=1 total=$((total + 1))
  skipped=$(grep -cE '\(Skipped\)$' "$log")
  passed=$((passed + total - bad - skipped))
  failed=$((failed + bad))
  printf '%-7s %d test cases, %s (%d failed, %d skipped, %d s)\n' "$([[ $bad -eq 0 ]] && echo ok || echo FAILED)" \
    "$total" "$name" "$bad" "$skipped" $((SECONDS - start))
  [[ $skipped -eq 0 ]] || grep -E '\(Skipped\)$' "$log"
  [[ $bad -eq 0 ]] || show_ctest_failures "$log"
}

show_ctest_failures() {
  printf 'the end of %s:\n' "$1"
  grep -E '^ *[0-9]+/[0-9]+ Test.*\*\*\*' "$1" | grep -v Skipped | head -n 30
  tail -n 80 "$1"
}

# run_fuzzers DIR SECONDS: each libFuzzer program of the tree, as many at once as there are processors; what one finds is
# kept beside it.
run_fuzzers() {
  local dir=$1 seconds=$2 fuzzer fuzzers=()
  for fuzzer in "$dir"/tests/fuzz/fuzz_*; do
    [[ -f $fuzzer && -x $fuzzer ]] && fuzzers+=("$fuzzer")
  done
  [[ ${#fuzzers[@]} -gt 0 ]] || step "fuzzers were built" false || return
  export -f run_fuzzer
  export root
  printf '%s\0' "${fuzzers[@]}" |
    xargs -0 -P "$jobs" -I{} bash -c 'run_fuzzer "$1" "$2" >"$1.log" 2>&1; echo $? >"$1.status"' - {} "$seconds"
  for fuzzer in "${fuzzers[@]}"; do
    step "fuzz ${fuzzer##*/fuzz_}" fuzzer_result "$fuzzer"
  done
}

fuzzer_result() {
  cat -- "$1.log"
  [[ $(<"$1.status") == 0 ]]
}

run_fuzzer() {
  local fuzzer=$1 seconds=$2 name=${1##*/fuzz_} found=$1.corpus
  mkdir -p -- "$found"
  "$fuzzer" -seed=1 -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
    -dict="$root/tests/fuzz/dictionaries/$name.dict" -artifact_prefix="$fuzzer." "$found" "$root/tests/fuzz/corpus/$name"
}

# build_tests DIR TARGET...: optimised, with assertions on. No target: the program and all tests.
build_tests() {
  local dir=$1
  shift
  lock_tree "$dir" &&
    configure_tree "$dir" -DCMAKE_BUILD_TYPE=Release -DHEDDLE_TESTS=ON -DHEDDLE_PYTHON_MODULE=ON &&
    build_tree "$dir" "$@" && unlock_tree
}

# build_sanitized quick|full DIR TARGET...: with Clang, sanitizers and the fuzzers. No target: everything.
build_sanitized() {
  local checks=$1 dir=$2
  shift 2
  lock_tree "$dir" &&
    configure_tree "$dir" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER=clang++-19 \
      "-DHEDDLE_SANITIZE=$checks" -DHEDDLE_TESTS=ON -DHEDDLE_FUZZ=ON &&
    build_tree "$dir" "$@" && unlock_tree
}

# The test programs of tests/unit, one a folder, by the names of their targets.
unit_targets() {
  local folder
  for folder in "$root"/tests/unit/*/; do
    compgen -G "$folder*.cpp" >/dev/null && basename -- "$folder"
  done | sed 's/^/unit_/'
}

check_shell_syntax() {
  local script status=0
  for script in "$root"/heddle "$root"/test "$root"/.ci/run "$root"/tools/*; do
    if [[ $script == *.sh ]] || head -n 1 -- "$script" | grep -q '^#!/bin/bash$'; then
      bash -n -- "$script" || status=1
    fi
  done
  return "$status"
}

# The documentation as a site: its links, and its search if there is a browser.
check_docs_site() {
  local site=$1/docs-site found
  /usr/bin/python3 -c 'import markdown' 2>/dev/null ||
    { echo "skipped: the package python3-markdown is not there" && return 0; }
  "$root/tools/docs-site" "$site" || return 1
  command -v chromium >/dev/null || { echo "the search was not tried: chromium is not there" && return 0; }
  found=$(timeout 120 chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
    --disable-component-update --disable-sync --user-data-dir="$site.browser" --dump-dom "file://$site/index.html?q=Remopla" 2>/dev/null)
  [[ $found == *'<li role="option" id="hit-0" aria-selected="true"><a href="docs/formats/remopla.html'* ]] ||
    { echo "the search does not find Remopla first" && return 1; }
}

finish() {
  printf '\n%d passed, %d failed\n' "$passed" "$failed"
  [[ $failed -eq 0 ]]
  exit
}
