#!/bin/bash
# Changes one condition at a time in the code that asks, decides, uses and digests, builds the tests
# that should notice, and runs them. A mutant that no test notices is a hole in the tests. It works in
# a copy of the tree of its own, so nothing here is touched; a run takes about an hour of two cores.
#
#   tests/mutation/run.sh [WORD]    only mutants whose line holds WORD
#
# Exits 1 where one survived, or its line does not fit the code any more.
set -u
cd "$(dirname "$0")/../.." || exit 2
readonly table="$PWD/tests/mutation/mutants.txt"
readonly copy="${TMPDIR:-/tmp}/writ-mutation"
readonly word="${1:-}"

mkdir -p "$copy"
git ls-files -z | xargs -0 cp --parents -u -t "$copy"
cd "$copy" || exit 2
[ -d build/dev ] || cmake --preset dev > configure.log || exit 2

trim() { local text="$1"; text="${text#"${text%%[![:space:]]*}"}"; echo "${text%"${text##*[![:space:]]}"}"; }

# Replaces the one place; says so where there is none, or more than one.
change() {
  BEFORE="$2" AFTER="$3" perl -0pi -e '
    my ($before, $after) = ($ENV{BEFORE}, $ENV{AFTER});
    my $count = () = $_ =~ /\Q$before\E/g;
    if ($count != 1) { print STDERR "stands $count times: $before\n"; exit 3; }
    s/\Q$before\E/$after/;' "$1"
}

build() { cmake --build --preset dev --target "$@" > build.log 2>&1; }
passes() { "$(find build/dev/tests -name "$1" -type f | head -1)" --gtest_brief=1 > test.log 2>&1; }

total=0 killed=0 failed=0
while IFS= read -r line; do
  case "$line" in '' | '#'*) continue ;; esac
  case "$line" in *"$word"*) ;; *) continue ;; esac
  # A bar within a field is written \|.
  IFS=$'\x1f' read -r file before after tests <<< "$(sed -e 's/\\|/\x1e/g' -e 's/ | /\x1f/g' <<< "$line" | tr '\036' '|')"
  file="$(trim "$file")" before="$(trim "$before")" after="$(trim "$after")"
  read -ra targets <<< "$tests"
  total=$((total + 1))
  cp "$file" original
  outcome=survived
  if ! change "$file" "$before" "$after"; then
    outcome='line does not fit'
  elif ! build "${targets[@]}"; then
    outcome='does not build'
  else
    for target in "${targets[@]}"; do
      if ! passes "$target"; then outcome="killed by $target"; break; fi
    done
  fi
  cp original "$file"
  case "$outcome" in killed*) killed=$((killed + 1)) ;; *) failed=$((failed + 1)) ;; esac
  echo "$outcome: $file: $before -> $after"
done < "$table"
echo "$killed of $total mutants killed"
[ "$failed" -eq 0 ]
