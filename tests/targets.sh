#!/bin/bash
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# targets.sh [TARGET...]: how many files of src do not compile for systems that this machine is not, and why.  Run in a build folder; last line: N passed, N failed.
#
# Nothing is made: clang only checks the files against the headers of the other C library, which the Python package ziglang
# contains beside clang.  Headers of other libraries are those of this machine, from a folder that holds nothing else.  ZIG: the program zig.
# FILES: check these files of the sources only.
set -u -o pipefail
srcdir=${srcdir:-$(dirname "$0")/..}
all="aarch64-macos x86_64-macos x86_64-freebsd x86_64-linux-musl aarch64-linux-musl"
python=${PYTHON:-python3}
zig=${ZIG:-$(command -v zig)}
# zig as pip installs it into the build folder.
installed() {
	zig=$(PYTHONPATH="$PWD/zig" "$python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))' 2>/dev/null)
}
if [ -z "$zig" ] && ! installed; then
	timeout 300 "$python" -m pip install --quiet --no-input --disable-pip-version-check --target "$PWD/zig" ziglang >/dev/null 2>&1
	if ! installed; then
		echo "SKIP: pip cannot install ziglang, the compiler of the other systems"
		echo "0 passed, 0 failed"
		exit 0
	fi
fi
lib=$(dirname "$(readlink -f "$zig")")/lib
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

# The headers of libraries, and what configure found, as it would be there.
mkdir "$scratch/include"
for header in curses.h ncurses.h ncurses_dll.h term.h unctrl.h readline zlib.h zconf.h lz4frame.h lz4.h zstd.h zstd_errors.h lzma.h lzma bzlib.h png.h pngconf.h pnglibconf.h pcre2.h \
    nettle xxhash.h libiberty; do
	for folder in /usr/include /usr/include/"$(cc -print-multiarch 2>/dev/null)"; do
		[ ! -e "$folder/$header" ] || ln -sf "$folder/$header" "$scratch/include/"
	done
done
sed '/USE_SECCOMP/d' config.h >"$scratch/include/config.h" || exit 99

# system_headers TARGET: folders of its C library, the most special one first.
system_headers() {
	local arch=${1%%-*} family
	case $arch in x86_64) family=x86 ;; *) family=$arch ;; esac
	case $1 in
	*-macos)	echo any-darwin-any ;;
	*-freebsd)	echo "$arch-freebsd-none $family-freebsd-none generic-freebsd" ;;
	*-linux-musl)	echo "$arch-linux-musl $family-linux-musl generic-musl $arch-linux-any $family-linux-any any-linux-any" ;;
	esac
}

flags() { # flags TARGET: one a line
	local folder
	case $1 in
	*-macos)	echo "--target=${1%-macos}-apple-macosx13.0" ;;
	*-freebsd)	echo "--target=$1"14 ;;
	*)	echo "--target=$1" ;;
	esac
	echo -nostdinc
	for folder in include $(for name in $(system_headers "$1"); do echo "libc/include/$name"; done); do
		[ ! -d "$lib/$folder" ] || printf '%s\n' -isystem "$lib/$folder"
	done
	printf '%s\n' -isystem "$scratch/include" -I "$srcdir/include" -I "$srcdir/src" -DHAVE_CONFIG_H -DNCURSES_WIDECHAR=1 -std=gnu11
	printf '%s\n' -fsyntax-only -fno-caret-diagnostics -Wall -Wextra -Werror -Wno-missing-field-initializers -Wstrict-prototypes -Wmissing-prototypes
}

check() { # check TARGET: files are compiled a few at a time, so that a file that fails stops no other
	local files bad status=0
	flags "$1" >"$scratch/flags"
	mapfile -t flag <"$scratch/flags"
	xargs -P "$(getconf _NPROCESSORS_ONLN)" -n 40 "$zig" clang "${flag[@]}" <"$scratch/files" >"$scratch/out" 2>&1 || status=1
	files=$(wc -l <"$scratch/files")
	grep -E ': (fatal )?error: ' "$scratch/out" | sed "s|^$srcdir/||" >"$scratch/errors"
	bad=$(cut -d: -f1 "$scratch/errors" | sort -u | wc -l)
	if [ "$bad" -eq 0 ] && [ "$status" -ne 0 ]; then
		tail -n 20 "$scratch/out"
		bad=$files
	fi
	echo "$1: $bad of $files files fail"
	head -n 100 "$scratch/errors"
	passed=$((passed + files - bad)) failed=$((failed + bad))
}

if [ -n "${FILES:-}" ]; then
	printf '%s\n' $FILES
else
	find "$srcdir/src" -name '*.c' | sort
fi >"$scratch/all"
# carry.c is of the static program, which only glibc has.
grep -v '/cli/carry[.]c$' "$scratch/all" >"$scratch/files"
[ -s "$scratch/files" ] || exit 99
for target in ${*:-$all}; do
	check "$target"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
