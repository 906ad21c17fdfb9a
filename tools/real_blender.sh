#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A real Blender, with windows: Debian's, in a chroot in the cache. Prints the chroot's folder; use it as
#     chroot "$(tools/real_blender.sh)" blender -b ...
#     tools/real_blender.sh 4.3        # trixie's, which stays 4.3; the default
#     tools/real_blender.sh 5.2        # sid's, which moves on one day: then the script fails and says so
# Made once, in about two minutes and 1.1 GB, by debootstrap, hence by root; whole or not at all.
set -euo pipefail

version=${1:-4.3}
case $version in
    4.3) suite=trixie ;;
    5.2) suite=sid ;;
    *) echo "Usage: $0 [4.3|5.2]" >&2; exit 2 ;;
esac

cache=${SDF_INERTIA_CACHE:-${HOME:-$PWD/build}/.cache/sdf-inertia}
ready=$cache/blender-$suite
if [ -x "$ready/usr/bin/blender" ]; then echo "$ready"; exit; fi

[ "$(id -u)" = 0 ] || { echo 'Building the chroot needs root.' >&2; exit 1; }
command -v debootstrap >/dev/null || { echo 'debootstrap is missing: apt-get install debootstrap' >&2; exit 1; }
. "$(dirname "$0")/debian.sh"

mkdir -p "$cache"
new=$(mktemp -d "$cache/blender-$suite.XXXXXX")
trap 'rm -rf "$new"' EXIT
{
    debian_chroot "$suite" "$new"
    chroot "$new" apt-get install -y --no-install-recommends \
        blender python3-numpy python3-requests python3-cattr python3-zstandard \
        xvfb libgl1-mesa-dri libglx-mesa0 libegl-mesa0 libegl1 xdotool imagemagick
    chroot "$new" apt-get clean
    found=$(chroot "$new" blender --version | sed -n 1p)
    case $found in
        "Blender $version."*) ;;
        *) echo "Debian $suite has $found, not $version."; exit 1 ;;
    esac
} >&2
chmod 755 "$new"
mv -T "$new" "$ready" || [ -x "$ready/usr/bin/blender" ]  # another may have been first
echo "$ready"
