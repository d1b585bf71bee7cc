# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# outside.sh SECONDS [TARGET ...]: builds the fuzz targets as OSS-Fuzz does, by contrib/oss-fuzz/build.sh, with clang and libFuzzer,
# and runs each from its seeds: as many executions as its line of speed.tsv promises for SECONDS, the same ones on every machine; FUZZ_SEED: others.
# Speaks TAP; what was found stays in oss-fuzz/.
srcdir=$(cd "${srcdir:-.}" && pwd)
seconds=${1:-1}
[ $# -eq 0 ] || shift
here=$PWD/oss-fuzz
tab=$(printf '\t')
if ! command -v clang >/dev/null || ! echo 'int LLVMFuzzerTestOneInput(void) { return 0; }' |
    clang -fsanitize=fuzzer,address -x c -o /dev/null - 2>/dev/null; then
	if [ "${REQUIRE_ALL:-0}" = 1 ]; then
		echo "not ok 1 - there is clang with libFuzzer"
		echo "0 passed, 1 failed"
		exit 1
	fi
	echo "1..0 # SKIP there is no clang with libFuzzer"
	echo "0 passed, 0 failed"
	exit 0
fi
cache=
! command -v ccache >/dev/null || cache="ccache "
rm -rf "$here/out" "$here/seeds"
mkdir -p "$here/src" "$here/work" "$here/out" "$here/seeds"
ln -sfn "$srcdir" "$here/src/icecore"
flags="-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION -fsanitize=address,undefined \
-fno-sanitize-recover=undefined -fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link"
if ! env CC="${cache}clang" CXX=clang++ CFLAGS="$flags" CXXFLAGS="$flags" LIB_FUZZING_ENGINE=-fsanitize=fuzzer SRC="$here/src" WORK="$here/work" \
    OUT="$here/out" bash "$srcdir/contrib/oss-fuzz/build.sh" >"$here/build.log" 2>&1; then
	tail -n 40 "$here/build.log" | sed 's/^/# /'
	echo "not ok 1 - contrib/oss-fuzz/build.sh"
	echo "1..1"
	echo "0 passed, 1 failed"
	exit 1
fi
echo "ok 1 - contrib/oss-fuzz/build.sh"
count=1 failed=0
export ASAN_OPTIONS="quarantine_size_mb=8:malloc_context_size=12:$ASAN_OPTIONS"

# run TARGET EXECUTIONS: as the runner of OSS-Fuzz does, with only the files next to it.
run() {
	seeds=$here/seeds/$1
	mkdir -p "$seeds"
	"${PYTHON:-python3}" -m zipfile -e "$here/out/$1_seed_corpus.zip" "$seeds" || return
	words=
	! [ -e "$here/out/$1.dict" ] || words=-dict=$here/out/$1.dict
	# shellcheck disable=SC2086
	(cd "$here/seeds" && "$here/out/$1" -seed="${FUZZ_SEED:-1}" -runs="$2" -max_total_time="$((seconds * 15))" -timeout=25 -rss_limit_mb=2560 -print_final_stats=1 -artifact_prefix="$here/$1-" \
	    -max_len="$(sed -n 's/^max_len = //p' "$here/out/$1.options")" $words "$seeds") >"$here/$1.log" 2>&1 </dev/null
}

while IFS=$tab read -r name _ _ speed _; do
	case $name in
	\#* | pace) continue ;;
	esac
	[ $# -eq 0 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
	count=$((count + 1))
	if run "fuzz_$name" "$((speed * seconds))"; then
		echo "ok $count - fuzz_$name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$here/fuzz_$name.log") executions"
	else
		failed=$((failed + 1))
		echo "not ok $count - fuzz_$name"
		tail -n 30 "$here/fuzz_$name.log" | sed 's/^/# /'
	fi
done <"$srcdir/tests/fuzz/speed.tsv"
echo "1..$count"
echo "$((count - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
