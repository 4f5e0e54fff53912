# Sourced by ./dev: runs the targets of tests/fuzz under libFuzzer (docs/fuzzing.md).

# fuzz_one TARGET SECONDS: what it finds that is new lands in build/fuzz/found/TARGET, an input that
# breaks it in build/fuzz/crashes/TARGET.
fuzz_one() {
  local target=$1 seconds=$2 found=build/fuzz/found/$1 crashes=tests/fuzz/crashes/$1
  local log=build/fuzz/$1.log
  mkdir -p "$found" build/fuzz/crashes/"$target"
  local kept=(tests/fuzz/corpus/"$target")
  [ ! -d "$crashes" ] || kept+=("$crashes")
  if ! build/fuzz/targets/"$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -max_len=16384 -print_final_stats=1 -artifact_prefix=build/fuzz/crashes/"$target"/ \
    "$found" "${kept[@]}" >"$log" 2>&1; then
    grep -E 'ERROR|SUMMARY|what\(\)|Test unit written|runtime error' "$log" >&2 || tail -n 20 "$log" >&2
    return 1
  fi
  awk -v target="$target" -v seconds="$seconds" '
    / cov: / { for (i = 1; i < NF; i++) { if ($i == "cov:") edges = $(i + 1)
                                          if ($i == "ft:") features = $(i + 1)
                                          if ($i == "corp:") corpus = $(i + 1) } }
    /^stat::number_of_executed_units/ { runs = $2 }
    /^INFO: Loaded 1 modules/ { split($0, part, /[(]/); all = part[2] + 0 }
    END { printf "%-16s %5d s %10d inputs %7d/s  edges %6d of %6d  features %6d  corpus %s\n",
          target, seconds, runs, runs / seconds, edges, all, features, corpus }' "$log"
}

# cmd_fuzz [MINUTES] [TARGET]: MINUTES each, as many at a time as there are processors.
cmd_fuzz() {
  local minutes=10 only='' argument target
  for argument in "$@"; do
    case $argument in
      -*) die "unknown option $argument (./dev help)" ;;
      [0-9]*) minutes=$argument ;;
      *) only=$argument ;;
    esac
  done
  [[ $minutes =~ ^[0-9]+$ ]] || die "MINUTES is a whole number"
  [ -z "$only" ] || [ -d "tests/fuzz/corpus/$only" ] ||
    die "no target $only; there are: $(cd tests/fuzz/corpus && echo *)"
  require_packages build
  require_packages test
  require_packages fuzz
  build fuzz "${only:+fuzz_}${only:-fuzz_targets}"
  local broken=''
  for target in ${only:-$(cd tests/fuzz/corpus && echo *)}; do
    if [ "$(jobs -rp | wc -l)" -ge "$JOBS" ]; then wait -n || { broken=yes; break; }; fi
    fuzz_one "$target" $((minutes * 60)) &
  done
  while [ -z "$broken" ] && [ "$(jobs -rp | wc -l)" -gt 0 ]; do wait -n || broken=yes; done
  wait
  [ -z "$broken" ] ||
    die "a target broke; once it is mended, its input goes from build/fuzz/crashes to tests/fuzz/crashes"
}
