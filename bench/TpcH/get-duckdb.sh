#!/bin/sh
# Fetches DuckDB's shared library into native/, next to this script. It is the libduckdb.so of the npm package below.
# DUCKDB_BINDINGS_VERSION chooses another version.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
version=${DUCKDB_BINDINGS_VERSION:-1.5.6-r.1}
case "$(uname -s)-$(uname -m)" in
  Linux-x86_64) platform=linux-x64 ;;
  Linux-aarch64) platform=linux-arm64 ;;
  *) echo "get-duckdb.sh: no DuckDB package is known for $(uname -s) on $(uname -m)" >&2; exit 1 ;;
esac
if [ -e "$here/native/libduckdb.so" ] && [ "$(cat "$here/native/version" 2>/dev/null)" = "$version" ]; then
  echo "DuckDB $version is already in $here/native"
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm pack --silent "@duckdb/node-bindings-$platform@$version" >/dev/null
tar xzf ./*.tgz
mkdir -p "$here/native"
mv package/libduckdb.so "$here/native/libduckdb.so"
cp package/LICENSE "$here/native/LICENSE"
echo "$version" > "$here/native/version"
echo "DuckDB $version is in $here/native"
