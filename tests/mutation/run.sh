#!/bin/bash
# Changes one condition at a time in the code that asks, decides, uses and digests, builds the tests
# that should notice, and runs them. A mutant that no test notices is a hole in the tests. It works in
# a copy of the tree of its own, so nothing here is touched, and builds without sanitizers and debug
# symbols, nor a cache, for what is built is wanted once.
#
#   tests/mutation/run.sh [WORD]    only mutants whose line holds WORD
#
# Exits 1 where one survived, or its line does not fit the code any more; 2 where the tests do not
# pass on the code as it is, for then nothing that they say of a mutant is worth anything.
set -u
cd "$(dirname "$0")/../.." || exit 2
readonly source="$PWD"
readonly table="$PWD/tests/mutation/mutants.txt"
readonly copy="${TMPDIR:-/tmp}/writ-mutation"
readonly word="${1:-}"
readonly seconds_for_a_test=300 # a mutant may wait for ever

# What differs alone, so that only that is built anew: also a mutant that a stopped run left there.
mkdir -p "$copy/tree"
sums() { (cd "$1" && git -C "$source" ls-files -z | xargs -0 sha1sum 2> /dev/null | sort); }
comm -23 <(sums "$source") <(sums "$copy/tree") | cut -c43- | while IFS= read -r file; do
  mkdir -p "$copy/tree/$(dirname "$file")"
  cp "$file" "$copy/tree/$file"
done
cd "$copy/tree" || exit 2
cmake -S . -B "$copy/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG='-O0 -w' \
  -DCCACHE=OFF -DWRIT_FAILPOINTS=ON > "$copy/configure.log" 2>&1 || { tail "$copy/configure.log" >&2; exit 2; }

trim() { local text="$1"; text="${text#"${text%%[![:space:]]*}"}"; echo "${text%"${text##*[![:space:]]}"}"; }

# A line's fields: file, before, after, tests. A bar within a field is written \|.
fields() { sed -e 's/\\|/\x1e/g' -e 's/ | /\x1f/g' <<< "$1" | tr '\036' '|'; }

mutants() { grep -v -e '^#' -e '^$' "$table" | grep -F -e "$word"; }

# Replaces the one place; says so where there is none, or more than one.
change() {
  BEFORE="$2" AFTER="$3" perl -0pi -e '
    my ($before, $after) = ($ENV{BEFORE}, $ENV{AFTER});
    my $count = () = $_ =~ /\Q$before\E/g;
    if ($count != 1) { print STDERR "stands $count times: $before\n"; exit 3; }
    s/\Q$before\E/$after/;' "$1"
}

build() { cmake --build "$copy/build" -j "$(nproc)" --target "$@" > "$copy/build.log" 2>&1; }
# What is changed is one code for all stores: the quickest tells. What many threads do at once is no
# single condition, and takes long.
readonly left_out='*/Sqlite:*/Postgres:*/Redis:*OfThirtyTwo*:*OfFifty*'
passes() {
  # In a shell of its own, which says of a test that aborts that it did.
  (
    timeout "$seconds_for_a_test" "$(find "$copy/build/tests" -name "$1" -type f | head -1)" \
      --gtest_brief=1 --gtest_fail_fast --gtest_filter="*:-$left_out"
    exit $?
  ) > "$copy/test.log" 2>&1
}

mapfile -t all_targets < <(mutants | while IFS= read -r line; do fields "$line"; done |
  awk -F '\x1f' '{print $4}' | tr ' ' '\n' | grep . | sort -u)
build "${all_targets[@]}" || { tail "$copy/build.log" >&2; exit 2; }
for target in "${all_targets[@]}"; do
  passes "$target" || { echo "$target fails on the code as it is" >&2; tail "$copy/test.log" >&2; exit 2; }
done

total=0 killed=0
while IFS= read -r line; do
  IFS=$'\x1f' read -r file before after tests <<< "$(fields "$line")"
  file="$(trim "$file")" before="$(trim "$before")" after="$(trim "$after")"
  read -ra targets <<< "$tests"
  total=$((total + 1))
  cp "$file" "$copy/original"
  outcome=SURVIVED
  if ! change "$file" "$before" "$after"; then
    outcome='DOES NOT FIT'
  elif ! build "${targets[@]}"; then
    outcome='DOES NOT BUILD'
  else
    for target in "${targets[@]}"; do
      passes "$target"
      case $? in
        0) continue ;;
        124) outcome="TIMED OUT in $target" ;;
        *) outcome="killed by $target" ;;
      esac
      break
    done
  fi
  cp "$copy/original" "$file"
  case "$outcome" in killed*) killed=$((killed + 1)) ;; esac
  echo "$outcome: $file: $before -> $after"
done < <(mutants)
echo "$killed of $total mutants killed"
[ "$killed" -eq "$total" ]
