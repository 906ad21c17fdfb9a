# SPDX-License-Identifier: GPL-3.0-or-later
# For scripts that need a Debian of their own: `. tools/debian.sh; debian_chroot SUITE FOLDER [PACKAGE,...]`.
# Mirror, proxy and certificates are those of this machine, so what its apt reaches the chroot's apt reaches too.

# The mirror this machine's own Debian comes from; nothing where it is another system.
debian_mirror() (
    . /etc/os-release
    [ "$ID" = debian ] || return 0
    apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
        awk -v release="$VERSION_CODENAME" '$2 == release && $3 == "main" { print $1; exit }'
)

debian_chroot() {
    local suite=$1 folder=$2 packages=ca-certificates${3:+,$3}
    debootstrap --variant=minbase --include="$packages" "$suite" "$folder" $(debian_mirror)

    local apt=$folder/etc/apt/apt.conf.d
    # How this machine fetches (proxies, certificates, retries), but not which indexes it wants.
    apt-config dump Acquire --format '%F "%v";%n' |
        awk '/^Acquire::(http|https|ftp|Retries|Check|ForceIPv|ForceHash|By-Hash)/ && $2 != "\"\";"' > "$apt/90host"
    echo 'Acquire::Check-Valid-Until "false";' > "$apt/99valid"  # a mirror's index may be past its date
    cp -a /etc/apt/auth.conf.d "$folder/etc/apt/" 2>/dev/null || true
    cp /etc/resolv.conf /etc/hosts "$folder/etc/"
    cp /etc/ssl/certs/ca-certificates.crt "$folder/etc/ssl/certs/" 2>/dev/null || true
    printf 'exit 101\n' > "$folder/usr/sbin/policy-rc.d"  # start no services
    chmod +x "$folder/usr/sbin/policy-rc.d"
    chroot "$folder" apt-get update
}
