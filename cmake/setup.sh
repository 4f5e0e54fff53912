# Sourced by ./dev: what must be on the machine before anything is built. A stamp in build/ keeps
# the hash of what was asked for, so that a second run asks nobody.

# The packages for a purpose, one a line, without those whose command is there already.
packages_for() {
  local purpose package command
  while read -r purpose package command; do
    [ "$purpose" = "$1" ] || continue
    if [ -n "$command" ] && command -v "$command" >/dev/null; then continue; fi
    echo "$package"
  done <cmake/packages.txt
}

as_root() {
  if [ "$(id -u)" = 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    sudo "$@"
  else
    die "packages have to be installed: run this as root once, or install sudo"
  fi
}

apt_install() {
  local options=(-y -q --no-install-recommends -o Dpkg::Use-Pty=0)
  # A machine that is thrown away needs no fsync for each of hundreds of packages.
  [ -z "${CI:-}" ] || options+=(-o Dpkg::Options::=--force-unsafe-io)
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install "${options[@]}" "$@" </dev/null
}

# require_packages PURPOSE: installs what is missing, from the lists that are there; they are
# fetched anew only where that fails, which is where there are none or they are too old.
require_packages() {
  local stamp="build/.packages-$1" wanted missing=() package log
  wanted=$(sha256sum <cmake/packages.txt)
  [ "$(cat "$stamp" 2>/dev/null)" != "$wanted" ] || return 0
  mkdir -p build
  for package in $(packages_for "$1"); do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] ||
      missing+=("$package")
  done
  if [ ${#missing[@]} -gt 0 ]; then
    command -v apt-get >/dev/null || die "this is no Debian: install by hand ${missing[*]}"
    say "installing ${missing[*]}"
    log="build/apt-$1.log"
    if ! apt_install "${missing[@]}" >"$log" 2>&1; then
      as_root apt-get update -q </dev/null >>"$log" 2>&1 || true
      apt_install "${missing[@]}" >>"$log" 2>&1 ||
        { tail -n 20 "$log" >&2; die "apt-get could not install them; the whole log is $log"; }
    fi
  fi
  echo "$wanted" >"$stamp"
}

# The programs from npm that the system tests run against, into tests/node/node_modules.
require_node_parts() {
  local stamp=build/.node-parts wanted log=build/npm.log
  wanted=$(cat tests/node/package.json tests/node/package-lock.json | sha256sum)
  if [ "$(cat "$stamp" 2>/dev/null)" = "$wanted" ] && [ -x tests/node/node_modules/.bin/node ]; then
    return 0
  fi
  say "installing tests/node from npm"
  (cd tests/node && npm ci) </dev/null >"$log" 2>&1 ||
    { tail -n 20 "$log" >&2; die "npm ci failed; the whole log is $log"; }
  tests/node/node_modules/.bin/node --version >>"$log" 2>&1 ||
    die "tests/node/node_modules has no Node that runs; the log is $log"
  echo "$wanted" >"$stamp"
}
