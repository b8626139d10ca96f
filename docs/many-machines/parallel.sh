#!/usr/bin/env bash
# Runs the tests of the game in this folder in parts, several at a time, and joins the results. It
# takes the same arguments as `hangtime test`. Uses GNU parallel, or xargs where that is not installed.
#
#   PARTS=8 docs/many-machines/parallel.sh --filter hero
#
# HANGTIME is the program, and OUT the folder for the results of the parts.
set -euo pipefail
program=${HANGTIME:-hangtime}
parts=${PARTS:-$(nproc)}
out=${OUT:-$(mktemp -d)}
mkdir -p "$out"

# A part whose tests fail exits with 100. The others continue, and `merge` decides.
if command -v parallel >/dev/null; then
    seq "$parts" | parallel --will-cite --joblog "$out/jobs.log" \
        "$program" test "$@" --partition "slice:{}/$parts" --results "$out/{}.jsonl" \
        >"$out/parts.log" 2>&1 || true
else
    seq "$parts" | xargs -P "$(nproc)" -I{} sh -c '"$@" || true' run \
        "$program" test "$@" --partition "slice:{}/$parts" --results "$out/{}.jsonl" \
        >"$out/parts.log" 2>&1
fi

# In the order of the parts; a part that wrote nothing is missing here, and merge says so.
files=()
for part in $(seq "$parts"); do
    [ ! -e "$out/$part.jsonl" ] || files+=("$out/$part.jsonl")
done
if [ ${#files[@]} = 0 ]; then
    cat "$out/parts.log" >&2
    exit 2
fi
exec "$program" merge "${files[@]}"
