# Sourced by ./dev: the Debian package, from the release build.

# The packages that own the files on standard input, one a line. Where /lib is a link to /usr/lib,
# dpkg may know a file by either name.
owners_of() {
  sed -E 'p; s#^/usr/lib/#/lib/#; t; s#^/lib/#/usr/lib/#' | LC_ALL=C sort -u |
    grep -lxFf - /var/lib/dpkg/info/*.list | sed -E 's#.*/##; s#\.list$##' | LC_ALL=C sort -u
}

# The files that the program loads when it starts, all of them.
loaded_by() {
  ldd "$1" | sed -nE 's#.*(=>|^)[[:space:]]*(/[^ ]+) \(0x.*#\2#p'
}

# The headers, of the whole release build, that stand outside of this tree.
compiled_into() {
  ninja -C "$1" -t deps 2>/dev/null | sed -nE 's#^ +(/usr/include/.*)#\1#p' |
    grep -vF /../ | LC_ALL=C sort -u
}

# component SCOPE, for each package on standard input.
components() {
  local package
  while read -r package; do
    # shellcheck disable=SC2016
    dpkg-query -W -f '    {"type": "library", "name": "${Package}", "version": "${Version}", '"$(
    )"'"scope": "required", "purl": "pkg:deb/debian/${Package}@${Version}?arch=${Architecture}", '"$(
    )"'"properties": [{"name": "writ:how", "value": "'"$1"'"}]},\n' "$package"
  done
}

# sbom BUILD: CycloneDX, of the packages that the program's libraries and headers came from.
sbom() {
  local version digest loaded compiled
  version=$("$1/writ" --version)
  digest=$(sha256sum "$1/writ" | cut -c1-64)
  loaded=$(loaded_by "$1/writ" | owners_of)
  compiled=$(compiled_into "$1" | owners_of)
  cat <<EOF
{
  "bomFormat": "CycloneDX",
  "specVersion": "1.5",
  "version": 1,
  "metadata": {"component": {"type": "application", "name": "writ", "version": "$version",
    "licenses": [{"license": {"id": "Apache-2.0"}}],
    "properties": [{"name": "writ:sha256-before-strip", "value": "$digest"}]}},
  "components": [
$({ components loaded <<<"$loaded"; components compiled-in <<<"$compiled"; } | sed '$ s/,$//')
  ]
}
EOF
}

# Leaves build/release/package/writ_VERSION_ARCHITECTURE.deb.
make_package() {
  local made=build/release/package log=build/package.log
  build_program
  require_packages package
  rm -rf "$made"
  mkdir -p "$made"
  gzip -9nc CHANGELOG.md >"$made/changelog.gz"
  gzip -9nc cmake/package/changelog.Debian >"$made/changelog.Debian.gz"
  gzip -9nc cmake/package/writ.1 >"$made/writ.1.gz"
  sbom build/release >"$made/sbom.cdx.json"
  (umask 022 && cd build/release && cpack -G DEB) >"$log" 2>&1 ||
    { cat "$log" >&2; die "cpack failed"; }
  rm -rf "$made/_CPack_Packages"
  say "$(echo "$made"/*.deb)"
}
