#!/usr/bin/env bash
# What action.yml runs: `sdf-inertia check` over the files of a Git repository. The inputs come as variables, never as
# part of a command, so that no file name and no input is ever run.
set -euo pipefail

patterns=()
while IFS= read -r line; do
    line="${line#"${line%%[![:space:]]*}"}"
    line="${line%"${line##*[![:space:]]}"}"
    [ -z "$line" ] || patterns+=("$line")
done <<<"${FILES:-}"
[ "${#patterns[@]}" -gt 0 ] || { echo '::error::files names no pattern: give one, such as *.sdf' && exit 2; }

listed="$(mktemp)"
trap 'rm -f "$listed"' EXIT
if ! said="$(git ls-files -z -- "${patterns[@]}" 2>&1 >"$listed")"; then
    echo "::error::git cannot list the files: ${said//$'\n'/ }"
    exit 2
fi
files=()
while IFS= read -r -d '' file; do
    [ ! -e "$file" ] || files+=("$file")
done <"$listed"
if [ "${#files[@]}" -eq 0 ]; then
    echo "::warning::no file of the repository matches ${patterns[*]}: nothing was checked"
    case "${OUTPUT:+${FORMAT:-}}" in # which the next step reads
        json | sarif | junit) sdf-inertia check --format "$FORMAT" >"$OUTPUT" ;;
    esac
    exit 0
fi

# shellcheck disable=SC2206  # options are words, as on a command line
arguments=(--format "${FORMAT:-github}" ${OPTIONS:-})
[ -z "${BASELINE:-}" ] || arguments+=(--baseline "$BASELINE")
if [ -n "${OUTPUT:-}" ]; then
    sdf-inertia check "${arguments[@]}" -- "${files[@]}" >"$OUTPUT"
else
    sdf-inertia check "${arguments[@]}" -- "${files[@]}"
fi
