#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The proof that README's instructions are whole: in a fresh Debian 12 with only git, make, Python and the system
# packages that README names, a clone of the last commit passes `make demo` and `make test`. By hand, as root:
#     tools/bare_machine.sh [FOLDER]        # kept if named, else made and removed again; about 4 GB
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
. "$here/tools/debian.sh"

if [ $# -gt 0 ]; then
    mkdir -p "$1"
    machine=$1
else
    machine=$(mktemp -d)
    trap 'rm -rf "$machine"' EXIT
fi

packages=$(sed -n 's/^ *\(sudo \)\{0,1\}apt-get install //p' "$here/README.md" | tr "\n" " ")
[ -n "$packages" ] || { echo 'README.md has no line "apt-get install ...".' >&2; exit 1; }
debian_chroot bookworm "$machine"
# shellcheck disable=SC2086  # one word each
chroot "$machine" apt-get install -y --no-install-recommends $packages
git clone --quiet "$here" "$machine/srv/sdf-inertia"

# An empty home and no environment but what pip needs on this machine to reach its index.
mkdir "$machine/srv/home"
cp /etc/pip.conf "$machine/etc/" 2> /dev/null || true
mapfile -t network < <(env | grep -E '^(PIP_|[a-zA-Z]+_(proxy|PROXY)=|SSL_CERT_|REQUESTS_CA_BUNDLE=)')
inside() {
    echo "--- bare machine: $*"
    # /proc is mounted in a namespace that ends with the command, so nothing stays behind.
    time unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$machine" \
        env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/srv/home "${network[@]}" \
        sh -c 'cd /srv/sdf-inertia && exec "$@"' sh "$@"
}
inside make demo
inside make test
inside make test # quick the second time
echo "--- bare machine: $(git -C "$here" rev-parse --short HEAD) passes make demo and make test"
