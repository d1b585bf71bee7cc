#!/bin/sh
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# release.sh VERSION URL MAIL - for make release: turns the archive icecore-VERSION.tar.gz into a release, in the folder release.  Everything is built from the
# archive, with the day of NEWS as the time.
#
#   icecore-VERSION.tar.gz                           the sources
#   icecore-VERSION-linux-ARCH                       static programs, for x86_64 and aarch64
#   icecore-VERSION-linux-ARCH.spdx.json             which libraries they contain
#   icecore-VERSION-image-ARCH.tar                   the same as images, for docker load and podman load
#   icecore_VERSION-1_amd64.deb                      the package of Debian
#   icecore.spec APKBUILD icecore.rb icecore.nix     for who builds packages of other systems
#   REBUILD                                          how somebody else makes the same bytes, and with which versions
#   SHA256SUMS
#   SHA256SUMS.minisig                               its signature, by make release MINISIGN_KEY=FILE
set -eu
version=$1 url=$2 mail=$3
name=icecore-$version
unset MAKEFLAGS MFLAGS MAKELEVEL MAKEOVERRIDES CFLAGS CPPFLAGS LDFLAGS
export LC_ALL=C TZ=UTC
umask 022

# Before all is built.
key=${MINISIGN_KEY:-}
if [ -n "$key" ]; then
	[ -r "$key" ] || { echo "MINISIGN_KEY: $key cannot be read" >&2; exit 1; }
	command -v minisign >/dev/null || { echo "MINISIGN_KEY: minisign is not installed" >&2; exit 1; }
	key=$(realpath "$key")
fi

step() { # step WHAT COMMAND...
	printf '%s ... ' "$1" >&2
	shift
	if "$@" >>log 2>&1 </dev/null; then
		echo done >&2
	else
		echo failed >&2
		tail -n 25 log >&2
		echo "the whole log is $PWD/log" >&2
		exit 1
	fi
}

fill() { # fill TEMPLATE: with what the archive says of itself
	sed -e "s|@VERSION@|$version|g" -e "s|@URL@|$url|g" -e "s|@MAIL@|$mail|g" \
	    -e "s|@DAY_MAIL@|$(date -d "$day" '+%a, %d %b %Y 00:00:00 +0000')|" -e "s|@DAY_RPM@|$(date -d "$day" '+%a %b %d %Y')|" \
	    -e "s|@SHA256@|$(sha256sum <"$name.tar.gz" | cut -c 1-64)|" -e "s|@SHA512@|$(sha512sum <"$name.tar.gz" | cut -c 1-128)|" "$1"
}

# The static program is linked from the objects of the package.
build_package() (
	cp -R "$name/packaging/debian" "$name/debian" &&
	    for template in changelog control copyright; do
		fill "$name/packaging/debian/$template.in" >"$name/debian/$template" && rm "$name/debian/$template.in" || exit 1
	    done && cd "$name" &&
	    DEB_BUILD_OPTIONS="parallel=$(getconf _NPROCESSORS_ONLN) noautodbgsym" dpkg-buildpackage -b -us -uc
)

static() { # static ARCH [WORD]: by bootstrap
	program=$name/build/${2:+$2/}static/icecore
	"$name/bootstrap" static ${2:+"$2"} && cp "$program" "$name-linux-$1"
}

describe() { # describe ARCH: what the static program of ARCH contains
	if [ "$1" = aarch64 ]; then
		cat "$name/build/aarch64/sysroot/versions"
	else
		dpkg-query -W -f '${Package}\t${Version}\n'
	fi | sh "$name/packaging/sbom.sh" "$version" "$url" "$day" "$(debian_arch "$1")" "$name-linux-$1" >"$name-linux-$1.spdx.json"
}

debian_arch() { # debian_arch ARCH: its name for Debian and for images
	case $1 in
	x86_64) echo amd64 ;;
	aarch64) echo arm64 ;;
	esac
}

# The packages are those that dpkg-buildpackage took, and the compiler for the other processor.
rebuild() { # rebuild BUILDINFO
	cat <<END
These commands make the same files of icecore $version, by which anybody can check SHA256SUMS:

    tar -xf $name.tar.gz
    cd $name
    ./bootstrap tools
    ./bootstrap
    make -C build release PACKAGE_URL=$url PACKAGE_MAIL=$mail
    cd build/release
    sha256sum -c ../../../SHA256SUMS

That needs Debian $(cut -d. -f1 /etc/debian_version) for $(dpkg --print-architecture) with these versions; https://snapshot.debian.org has older ones.

END
	{
		sed -n '/^Installed-Build-Depends:/,/^[^ I]/s/^ \([^,]*\),*$/\1/p' "$1"
		dpkg-query -W -f '${db:Status-Abbrev}${Package} (= ${Version})\n' '*-aarch64-linux-gnu' '*-arm64-cross' 2>/dev/null | sed -n 's/^ii *//p'
	} | sort -u
}

rm -rf release
mkdir release
mv "$name.tar.gz" release
cd release
tar -xf "$name.tar.gz"
day=$(sed -n "s/^## $version, //p" "$name/NEWS")
SOURCE_DATE_EPOCH=$(date -d "$day" +%s)
export SOURCE_DATE_EPOCH
for template in APKBUILD icecore.nix icecore.rb icecore.spec; do
	fill "$name/packaging/$template.in" >"$template"
done
step "building the package of Debian" build_package
step "linking the program for x86_64" static x86_64
step "building the program for aarch64" static aarch64 aarch64
for arch in x86_64 aarch64; do
	step "describing the program for $arch" describe "$arch"
	step "making the image for $arch" sh "$name/packaging/image.sh" "$version" "$day" "$(debian_arch "$arch")" "$name-linux-$arch" \
	    "$name-image-$arch.tar"
done
rebuild ./*.buildinfo >REBUILD
rm -rf "$name" ./*.buildinfo ./*.changes log
sha256sum -- * >SHA256SUMS.new
mv SHA256SUMS.new SHA256SUMS
[ -z "$key" ] || minisign -S -s "$key" -m SHA256SUMS -t "icecore $version"
cat SHA256SUMS
