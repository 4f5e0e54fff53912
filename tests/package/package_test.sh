#!/usr/bin/env bash
# Installs the Debian package into a root of its own, runs it, removes and purges it. Needs neither
# root nor a chroot: fakeroot lets dpkg give files to root, and maintainer scripts run outside of the
# new root (DPKG_ROOT tells them where it is).
set -euo pipefail

FAULTS=0
fault() { echo "FAULT: $*" >&2; FAULTS=$((FAULTS + 1)); }
check() { local what=$1; shift; "$@" >"$WORK/check.log" 2>&1 || { fault "$what"; cat "$WORK/check.log" >&2; }; }
absent() { [ ! -e "$1" ]; }

WORK=$(mktemp -d)
NODE=
finish() {
  if [ -n "$NODE" ]; then kill "$NODE" 2>/dev/null || true; fi
  rm -rf "$WORK"
}
trap finish EXIT

DEBS=(build/release/package/writ_*.deb)
[ ${#DEBS[@]} -eq 1 ] && [ -f "${DEBS[0]}" ] || { echo "no package: ./dev package" >&2; exit 1; }
DEB=$PWD/${DEBS[0]}
# shellcheck source=cmake/package.sh
. cmake/package.sh
REPO=$PWD
ROOT=$WORK/root

# A machine on which nothing of ours ever was. What the package depends on is this machine's.
mkdir -p "$ROOT/etc" "$ROOT/var/lib/dpkg/"{info,updates,triggers} "$ROOT/var/lib" "$ROOT/var/log"
: >"$ROOT/var/lib/dpkg/status"
echo 'root:x:0:0:root:/root:/bin/sh' >"$ROOT/etc/passwd"
echo 'root:x:0:' >"$ROOT/etc/group"
: >"$ROOT/etc/shadow"
: >"$ROOT/etc/gshadow"
cp /etc/login.defs "$ROOT/etc/" 2>/dev/null || : >"$ROOT/etc/login.defs"
whole() { (cd "$ROOT" && find . -path ./var/lib/dpkg -prune -o -path ./var/log -prune -o -print | LC_ALL=C sort); }
whole >"$WORK/before"

in_root() {
  PATH=$PATH:/usr/sbin:/sbin fakeroot -i "$WORK/owners" -s "$WORK/owners" dpkg --root="$ROOT" \
    --log="$WORK/dpkg.log" --force-not-root --force-script-chrootless --force-depends \
    --force-confold "$@"
}
: >"$WORK/owners"

echo "== what it says of itself"
dpkg-deb --field "$DEB" >"$WORK/control"
for library in libc6 libssl3 libcurl4 libsqlite3-0 libpq5 libhiredis0.14 libdate-tz3 libprometheus-cpp-core1.0; do
  check "depends on $library" grep -qE "^Depends:.*\b$library\b" "$WORK/control"
done
dpkg-deb --ctrl-tarfile "$DEB" | tar -xO ./conffiles >"$WORK/conffiles"
check "what it has in /etc are conffiles" diff "$WORK/conffiles" \
  <(dpkg-deb --fsys-tarfile "$DEB" | tar -t | sed -nE 's#^\.(/etc/.*[^/])$#\1#p')
# What the package depends on the container has, too: each library that the program is linked to, and what it
# reads when it runs. debian:12-slim comes with those that its own programs need.
sed -nE 's/^Depends: //p' "$WORK/control" | tr ',' '\n' | sed -E 's/^ *([^ ]+).*/\1/; s/^libspdlog1\.10-fmt9$/libspdlog1.10/' |
  grep -vxE 'passwd|libc6|libgcc-s1|libstdc\+\+6' >"$WORK/needed"
check "it depends on something" [ -s "$WORK/needed" ]
sed -nE '/^FROM debian:12-slim/,$ { /apt-get install/,/rm -rf/ p }' config/Containerfile |
  tr -s ' \\' '\n' >"$WORK/installed"
while read -r package; do
  check "config/Containerfile installs $package" grep -qxF "$package" "$WORK/installed"
done <"$WORK/needed"
check "all belongs to root" sh -c "! dpkg-deb -c '$DEB' | grep -v ' root/root '"

echo "== install"
in_root --install "$DEB" >"$WORK/install.log" 2>&1 || { cat "$WORK/install.log" >&2; exit 1; }
check "dpkg has it as installed" grep -q '^Status: install ok installed' "$ROOT/var/lib/dpkg/status"
check "the user writ is there" grep -q '^writ:.*:/var/lib/writ:/usr/sbin/nologin$' "$ROOT/etc/passwd"
check "secrets are for root alone" [ "$(stat -c %a "$ROOT/etc/writ/environment")" = 600 ]
check "nothing is enabled" absent "$ROOT/etc/systemd"
check "nothing is configured" absent "$ROOT/etc/writ/config.json"

echo "== paths that are promised"
WRIT=$ROOT/usr/bin/writ
for path in $(grep -ohE '/(usr/bin/writ|usr/share/doc/writ)[a-zA-Z0-9_./-]*' config/writ.service \
  docs/operations.md cmake/package/README.Debian cmake/package/writ.1 | sed 's/\.$//' | sort -u); do
  check "$path is there" [ -e "$ROOT$path" ]
done
check "the unit waits for a configuration" \
  grep -qx 'ConditionPathExists=/etc/writ/config.json' "$ROOT/usr/lib/systemd/system/writ.service"
if command -v systemd-analyze >/dev/null; then
  sed "s#/usr/bin/writ#$WRIT#" "$ROOT/usr/lib/systemd/system/writ.service" >"$WORK/writ.service"
  check "systemd knows each of its settings" \
    sh -c "! systemd-analyze verify --man=no '$WORK/writ.service' 2>&1 | grep 'writ.service:[0-9]'"
fi

echo "== the program"
commit=$(git rev-parse --short=12 HEAD 2>/dev/null) || commit='([0-9a-f]{12}|unknown)'
check "--version says release and commit" grep -qE "^[0-9.]+ \($commit(-changed)?\)$" \
  <("$WRIT" --version)
gzip -dc "$ROOT/usr/share/man/man1/writ.1.gz" | sed 's/\\-/-/g; s/\\f[BIR]//g' >"$WORK/man"
bash=$ROOT/usr/share/bash-completion/completions/writ
zsh=$ROOT/usr/share/zsh/vendor-completions/_writ
fish=$ROOT/usr/share/fish/vendor_completions.d/writ.fish
# Each command and option of the program's own help, in the man page and the completions.
helped() { "$WRIT" "$@" --help | sed -nE 's/^  (-h,)?([a-z-]+)( .*)?$/\2/p' | grep -vE '^-?-h(elp)?$'; }
for command in $(helped | grep -v ^-); do
  for page in "$WORK/man" "$bash" "$zsh" "$fish"; do
    check "$(basename "$page") has $command" grep -qw -- "$command" "$page"
  done
  options=$(helped "$command"; for under in $(helped "$command" | grep -v ^-); do
    helped "$command" "$under"; done)
  for option in $(grep ^-- <<<"$options"); do
    for page in "$WORK/man" "$bash" "$zsh"; do
      check "$(basename "$page") has $command $option" grep -qw -e "$option" "$page"
    done
    check "fish has $command $option" grep -q -e "$command.*\b${option#--}\b" "$fish"
  done
done
check "bash completes" bash -c ". '$bash'; COMP_WORDS=(writ se) COMP_CWORD=1; _writ; [ \"\${COMPREPLY[*]}\" = serve ]"
check "bash completes an option" bash -c \
  ". '$bash'; COMP_WORDS=(writ token --tt) COMP_CWORD=2; _writ; [ \"\${COMPREPLY[*]}\" = --ttl ]"

echo "== a node, as an administrator would set it up"
mkdir -p "$ROOT/var/lib/writ"
sed -E "s#\"writ.db\"#\"$ROOT/var/lib/writ/writ.db\"#; s#\"\\\$schema\": *\"[^\"]*\",?##" \
  "$ROOT/usr/share/doc/writ/examples/stream.json" >"$ROOT/etc/writ/config.json"
for name in $(grep -ohE '"env": *"[A-Z0-9_]+"' "$ROOT"/usr/share/doc/writ/examples/*.json |
  grep -oE '[A-Z0-9_]{3,}' | sort -u); do
  export "$name=secret-of-$name-00000000000000000000"
done
for example in config/examples/*.json; do
  name=$(basename "$example")
  check "$name is in the package" cmp "$example" "$ROOT/usr/share/doc/writ/examples/$name"
  check "check: $name" "$WRIT" check --config "$ROOT/usr/share/doc/writ/examples/$name"
done
check "check: config.json" "$WRIT" check --config "$ROOT/etc/writ/config.json"
"$WRIT" serve --config "$ROOT/etc/writ/config.json" --listen 127.0.0.1:0 \
  >"$WORK/node.out" 2>"$WORK/node.log" &
NODE=$!
for _ in $(seq 300); do
  address=$(sed -nE 's#^listening on http://##p' "$WORK/node.out")
  [ -z "$address" ] && kill -0 "$NODE" 2>/dev/null || break
  sleep 0.1
done
[ -n "$address" ] || { fault "it does not serve"; cat "$WORK/node.log" >&2; }
answers() { # answers PATH: by bash alone
  exec 3<>"/dev/tcp/${address%:*}/${address##*:}"
  printf 'GET %s HTTP/1.1\r\nHost: writ\r\nConnection: close\r\n\r\n' "$1" >&3
  head -1 <&3 | grep -q ' 200 '
}
check "/healthz" answers /healthz
check "/readyz" answers /readyz
kill "$NODE"
code=0; wait "$NODE" || code=$?
NODE=
check "it ends with 0 at SIGTERM, not $code" [ "$code" = 0 ]

echo "== the SBOM"
sbom=$ROOT/usr/share/doc/writ/sbom.cdx.json
named() { sed -nE 's/.*"name": "([^"]+)", "version": "([^"]+)".*"value": "'"$1"'".*/\1 \2/p' "$sbom" | LC_ALL=C sort -u; }
# Each file that the loader loads, asked of dpkg one by one: not how the build found it out.
loaded_by "$WRIT" | while read -r file; do
  { dpkg -S "$file" || dpkg -S "$(realpath "$file")" || dpkg -S "/usr$file"; } 2>/dev/null | head -1 | cut -d: -f1
done | sort -u | xargs dpkg-query -W -f '${Package} ${Version}\n' | LC_ALL=C sort -u >"$WORK/loaded"
check "names what is loaded, with its versions" diff <(named loaded) "$WORK/loaded"
for library in libcli11-dev libcpp-httplib-dev libsqlitecpp-dev prometheus-cpp-dev; do
  check "names $library, which is compiled in" grep -q "^$library " <(named compiled-in)
  check "copyright names $library" grep -qw "compiled-in/$library" "$ROOT/usr/share/doc/writ/copyright"
done
if command -v node >/dev/null; then
  check "is JSON" node -e 'const s = JSON.parse(require("fs").readFileSync(process.argv[1]));
    if (s.bomFormat !== "CycloneDX" || s.components.length < 10) process.exit(1)' "$sbom"
fi

echo "== upgrade, remove, purge"
echo 'STREAM_API_SECRET=mine' >>"$ROOT/etc/writ/environment"
check "it installs over itself" in_root --install "$DEB"
check "what was written into a conffile is still there" grep -qx STREAM_API_SECRET=mine \
  "$ROOT/etc/writ/environment"
check "there is one user" [ "$(grep -c '^writ:' "$ROOT/etc/passwd")" = 1 ]
check "it is removed" in_root --remove writ
check "the program is gone" absent "$WRIT"
check "the data is not" [ -s "$ROOT/var/lib/writ/writ.db" ]
check "the configuration is not" [ -s "$ROOT/etc/writ/config.json" ]
check "it is purged" in_root --purge writ
# Which backups useradd makes beside its files is its own affair.
whole | grep -vE '^\./etc/(passwd|group|shadow|gshadow|subuid|subgid)-?$' >"$WORK/after"
grep -vE '^\./etc/(passwd|group|shadow|gshadow)$' "$WORK/before" >"$WORK/before-less"
check "nothing is left" diff "$WORK/before-less" "$WORK/after"
check "no user is left" sh -c "! grep -q '^writ' '$ROOT/etc/passwd' '$ROOT/etc/group'"

if command -v lintian >/dev/null; then
  echo "== lintian"
  check "lintian finds no error" lintian --fail-on error "$DEB"
fi
cd "$REPO"
[ "$FAULTS" = 0 ] || { echo "$FAULTS faults" >&2; exit 1; }
echo "the package is good"
