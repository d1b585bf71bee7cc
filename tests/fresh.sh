#!/bin/bash
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# fresh.sh RELEASE: ./bootstrap check, as a newcomer runs it, in a fresh root of a release of Debian.  Last line: N passed, N failed.
#
# debootstrap makes the root in build/fresh, from the mirror that apt-get uses on this machine; afterwards it is removed.
# FRESH_LIMIT: seconds until it is ended; FRESH_KEEP=1: the root stays, and is used again.
set -u
cd "$(dirname "$0")/.." || exit 99
release=$1
command='./bootstrap check'
limit=${FRESH_LIMIT:-10800}
root=$PWD/build/fresh/$release
log=$PWD/build/fresh/log

left_out() {
	echo "left out: $1"
	echo "0 passed, 0 failed"
	exit 0
}

broken() {
	tail -n 40 "$log"
	echo "FAILED: $1"
	echo "0 passed, 1 failed"
	exit 1
}

debian() { # debian DIRECTIVE: of the package lists of Debian itself
	apt-get indextargets --format "\$($1)" 'Created-By: Packages' 'Origin: Debian' 'Label: Debian' | head -n 1
}

# Only the processes that run there see what is mounted there.
there() { # there COMMAND
	unshare --mount --pid --fork --kill-child sh -c 'cd "$0" && mount -t proc proc proc && mount --rbind /sys sys && mount --rbind /dev dev &&
	    mount -t tmpfs tmpfs run && exec chroot . env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb sh -c "cd /icecore && $1"' \
	    "$root" "$1"
}

make_root() {
	rm -rf "$root"
	debootstrap --variant=minbase "$release" "$root" "$mirror" || return 1
	# A proxy of apt-get is needed there too.
	apt-config dump | grep -i '^Acquire::https\?::Proxy ' >"$root/etc/apt/apt.conf.d/90proxy"
	return 0
}

# Without git there is only the archive, which has no other files.
copy_sources() {
	rm -rf "$root/icecore" && mkdir "$root/icecore" || return 1
	{ git ls-files -z 2>/dev/null || find . -path ./build -prune -o -type f -print0; } | tar -c --null -T - | tar -x -C "$root/icecore"
}

mkdir -p build/fresh
[ "$(id -u)" -eq 0 ] || left_out "a fresh root needs the rights of root"
unshare --mount --pid --fork true 2>/dev/null || left_out "nothing may be mounted here"
command -v apt-get >/dev/null || left_out "there is no apt-get, which names a mirror of Debian"
mirror=$(debian REPO_URI)
[ -n "$mirror" ] || left_out "apt-get uses no mirror of Debian"
command -v debootstrap >/dev/null || apt-get install -y --no-install-recommends debootstrap >"$log" 2>&1 || broken "installing debootstrap"
[ "${FRESH_KEEP:-0}" = 1 ] || trap 'rm -rf "$root"' EXIT
[ "${FRESH_KEEP:-0}" = 1 ] && [ -e "$root/etc/debian_version" ] || make_root >"$log" 2>&1 || broken "making the root"
copy_sources >"$log" 2>&1 || broken "copying the sources"
echo "Debian $(cat "$root/etc/debian_version"): $command"
there "timeout $limit $command" 2>&1
status=$?
[ "$status" -ne 124 ] || { echo "FAILED: it took more than $limit s" && echo "0 passed, 1 failed"; }
exit "$status"
