#!/usr/bin/env bash
# Writes the lists of public members anew: src/*/PublicAPI.Unshipped.txt gets what is not in PublicAPI.Shipped.txt.
set -euo pipefail
cd "$(dirname "$0")/.."
export DOTNET_CLI_UI_LANGUAGE=en
log=$(mktemp); trap 'rm -f "$log"' EXIT
for project in src/Smc.Memory src/Smc.Collections src/Smc.Data src/Smc.Arrow src/Smc.Parquet src/Smc.QueryCompiler.Runtime; do
    echo '#nullable enable' > "$project/PublicAPI.Unshipped.txt"
    # The analyzer says of each member how its line reads.
    dotnet build -c Release "$project" -p:TreatWarningsAsErrors=false -p:MSBuildTreatWarningsAsErrors=false > "$log" || { grep -E 'error' "$log"; exit 1; }
    { echo '#nullable enable'; sed -nE "s/.*RS0016: Symbol '(.*)' is not part of the declared public API.*/\1/p" "$log" | LC_ALL=C sort -u; } > "$project/PublicAPI.Unshipped.txt"
    echo "$project: $(($(wc -l < "$project/PublicAPI.Unshipped.txt") - 1)) members"
done
