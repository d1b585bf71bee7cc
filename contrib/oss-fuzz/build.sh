#!/bin/bash -eu
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# Builds all fuzz targets from $SRC/icecore into $OUT, with their seeds, dictionaries and the libraries they need, as OSS-Fuzz wants
# them: $CC, $CXX, $CFLAGS, $CXXFLAGS, $LIB_FUZZING_ENGINE and $WORK are its own.
top=$SRC/icecore
[ -e "$top/configure" ] || (cd "$top" && autoreconf -i)
mkdir -p "$WORK/icecore" "$OUT/lib"
cd "$WORK/icecore"
"$top/configure" --quiet --enable-fuzz="$LIB_FUZZING_ENGINE"
# shellcheck disable=SC2016
make -s -j "${JOBS:-$(nproc)}" CCLD="$CXX ${CXXFLAGS:-}" LDFLAGS='-Wl,-rpath,\$$ORIGIN/lib' tests/tools

# Where the targets run there is nothing but $OUT; the C library comes with the image.
ldd tests/tools | awk '$2 == "=>" && $3 ~ /^\// { print $3 }' | grep -Ev '/lib(c|m|dl|rt|pthread|gcc_s|stdc\+\+|c\+\+|c\+\+abi)\.so' |
    xargs -r cp -Lt "$OUT/lib"
# fuzz_poison begins with files of other targets.
rm -rf "$OUT/corpus"
cp -r "$top/tests/fuzz/corpus" "$OUT/corpus"

# One program is all of them: its name says which.
first=
while IFS=$'\t' read -r name corpus length _; do
	case $name in
	\#* | pace) continue ;;
	esac
	target=fuzz_$name
	if [ -z "$first" ]; then
		first=$OUT/$target
		cp tests/tools "$first"
	else
		ln -f "$first" "$OUT/$target"
	fi
	rm -f "$OUT/${target}_seed_corpus.zip"
	(cd "$top/tests/fuzz/corpus/$corpus" && python3 -m zipfile -c "$OUT/${target}_seed_corpus.zip" ./*)
	printf '[libfuzzer]\nmax_len = %s\n' "$length" >"$OUT/$target.options"
	! [ -e "$top/tests/fuzz/$corpus.dict" ] || cp "$top/tests/fuzz/$corpus.dict" "$OUT/$target.dict"
done <"$top/tests/fuzz/speed.tsv"
