#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
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

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
if ! said="$(git ls-files -z -- "${patterns[@]}" 2>&1 >"$work/tracked")"; then
    echo "::error::git cannot list the files: ${said//$'\n'/ }"
    exit 2
fi
# A list of any length, whose first name cannot look like a byte order mark.
while IFS= read -r -d '' file; do
    [ ! -e "$file" ] || printf './%s\0' "$file"
done <"$work/tracked" >"$work/files"
if [ ! -s "$work/files" ]; then
    echo "::warning::no file of the repository matches ${patterns[*]}: nothing was checked"
    case "${OUTPUT:+${FORMAT:-}}" in # which the next step reads
        json | sarif | junit) sdf-inertia check --format "$FORMAT" >"$OUTPUT" ;;
    esac
    exit 0
fi

# shellcheck disable=SC2206  # options are words, as on a command line
arguments=(--format "${FORMAT:-github}" --summary "$work/summary" ${OPTIONS:-} --from "$work/files")
# A configuration in the repository could accept any finding: it counts only where the workflow names it.
if [ -n "${CONFIG:-}" ]; then arguments+=(--config "$CONFIG"); else arguments+=(--no-config); fi
[ -z "${BASELINE:-}" ] || arguments+=(--baseline "$BASELINE")
status=0
if [ -n "${OUTPUT:-}" ]; then
    sdf-inertia check "${arguments[@]}" >"$OUTPUT" || status=$?
else
    sdf-inertia check "${arguments[@]}" || status=$?
fi
if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -s "$work/summary" ] && ! cat "$work/summary" 2>/dev/null >>"$GITHUB_STEP_SUMMARY"; then
    echo "::warning::the summary cannot be written"
fi
exit "$status"
