#!/bin/sh
# Every test of the clock, for `make check`: check.sh all BUILD-FOLDER.
#
# A tool that is not there is a skip that can be seen; with REQUIRE_ALL=1 it is
# an error.  check.sh missing TOOL says so.
passed=0
failed=0

missing() {
	if [ "${REQUIRE_ALL:-0}" = 1 ]; then
		echo "FAILED  $1 is not there (REQUIRE_ALL=1)"
		exit 1
	fi
	echo "skip    the clock is not tested: $1 is not there"
	echo "0 passed, 0 failed"
	exit 0
}

header() {
	echo "#include <$1>" | ${CC:-cc} -include stdarg.h -include stddef.h -include setjmp.h -include stdint.h \
	    -E - >/dev/null 2>&1 || missing "$1"
}

# one NAME COMMAND...: what it says is shown only when it fails.
one() {
	name=$1
	shift
	if timeout 300 "$@" >"$build/log" 2>&1; then
		passed=$((passed + 1))
		echo "ok      $name"
	else
		sed 's/^/	/' "$build/log"
		failed=$((failed + 1))
		echo "FAILED  $name"
	fi
}

# scenarios BOARD: the last line is `N passed, N failed`.
scenarios() {
	timeout 900 "$build/run_scen" --board "$1" --elf "$build/clock.elf" -j "$(nproc)" 2>&1 | tee "$build/log"
	last=$(tail -n 1 "$build/log")
	good=${last%% *}
	bad=${last##*, }
	bad=${bad%% *}
	case $last in
	*" passed, "*" failed") ;;
	*) good=0 bad=1 ;;
	esac
	passed=$((passed + good))
	failed=$((failed + bad))
}

build=$2
[ "$1" = all ] || missing "$2"
command -v "${AVR}gcc" >/dev/null || missing "${AVR}gcc"
for file in cmocka.h simavr/sim_avr.h libelf.h; do
	header "$file"
done
case ${MAKEFLAGS:-} in
*jobserver*) jobs= ;;
*) jobs="-j$(nproc)" ;;
esac
${MAKE:-make} --no-print-directory $jobs B="$build" programs || exit 1
for file in test/t_*.c; do
	name=$(basename "$file" .c)
	one "$name" "$build/$name"
done
for file in test/fuzz_*.c; do
	name=$(basename "$file" .c)
	one "$name" "$build/$name"
done
one "trace: calls counted twice" "$build/run_trace" --elf "$build/clock.elf" "$build/check.trace"
one "demo over a DST change" sh test/demo.sh "$build"
scenarios pc
scenarios avr
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
