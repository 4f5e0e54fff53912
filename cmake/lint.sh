# Sourced by ./dev: the checks that read sources without running anything.

our_sources() {
  find bot connectors router store tests -name node_modules -prune -o \
    \( -name '*.h' -o -name '*.cc' \) -print | LC_ALL=C sort
}

# Of those, what differs from where this branch left main; on main itself, from the commit before.
# A header stands for its .cc too: clang-tidy reads headers through those.
changed_sources() {
  local ref base=''
  for ref in origin/main main; do
    base=$(git merge-base HEAD "$ref" 2>/dev/null) && break
  done
  if [ -z "$base" ] || [ "$base" = "$(git rev-parse HEAD)" ]; then
    base=$(git rev-parse -q --verify HEAD~1) || base=$(git hash-object -t tree /dev/null)
  fi
  { git diff --name-only "$base"; git ls-files -o --exclude-standard; } |
    sed -n 'p; s/\.h$/.cc/p' | LC_ALL=C sort -u | LC_ALL=C comm -12 - <(our_sources)
}

check_format() {
  local bad
  bad=$(our_sources | xargs -r -P "$JOBS" -n 20 clang-format-14 --dry-run 2>&1 |
    grep -oE '^[^ :]+:[0-9]+' | sort -u -t: -k1,1) || true
  [ -n "$bad" ] || return 0
  printf '%s: not formatted\n' $bad >&2
  say "./dev fmt formats it"
  return 1
}

# A file with all that it includes of ours: what clang-tidy's verdict on it rests upon.
closure_of() {
  local -A seen=()
  local queue=("$1") file found
  while [ ${#queue[@]} -gt 0 ]; do
    file=${queue[0]}
    queue=("${queue[@]:1}")
    [ -z "${seen[$file]:-}" ] && [ -f "$file" ] || continue
    seen[$file]=1
    while read -r found; do queue+=("$found"); done \
      < <(sed -nE 's/^#include "([^"]+)".*/\1/p' "$file")
  done
  printf '%s\n' "${!seen[@]}" | sort
}

# tidy_one FILE: silent where it is clean; a clean verdict is kept until something it rests upon
# changes.
tidy_one() {
  local key verdict
  key=$({ cat .clang-tidy; closure_of "$1" | xargs cat; } | sha256sum | cut -c1-40)
  verdict="build/tidy/$key"
  [ ! -f "$verdict" ] || return 0
  if [ "$(date +%s)" -ge "$TIDY_UNTIL" ]; then
    echo "$1" >>build/tidy/skipped
    return 0
  fi
  if clang-tidy-14 -p build/asan --quiet --warnings-as-errors='*' "$1" \
    >"build/tidy/$key.out" 2>&1; then
    mv "build/tidy/$key.out" "$verdict"
  else
    grep -vE '^[0-9]+ warnings? |^Suppressed |^Use -header-filter|^$' "build/tidy/$key.out" >&2
    return 1
  fi
}

# check_tidy [--all]: what changed is looked at for WRIT_TIDY_BUDGET_S seconds (default 120), so
# that a change of everything doesn't hold CI up; --all has no end.
check_tidy() {
  local budget=${WRIT_TIDY_BUDGET_S:-120} list=changed_sources files
  if [ "${1:-}" = --all ]; then budget=1000000 list=our_sources; fi
  mkdir -p build/tidy
  rm -f build/tidy/skipped
  export TIDY_UNTIL=$(($(date +%s) + budget))
  export -f tidy_one closure_of
  files=$($list | grep '\.cc$') || true
  [ -n "$files" ] || return 0
  say "clang-tidy on $(wc -l <<<"$files") files"
  local status=0
  xargs -P "$JOBS" -I{} bash -c 'tidy_one {}' <<<"$files" || status=1
  if [ -f build/tidy/skipped ]; then
    say "clang-tidy: no time left for $(wc -l <build/tidy/skipped) files (./dev lint looks at them)"
  fi
  return $status
}
