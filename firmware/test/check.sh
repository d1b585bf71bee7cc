#!/bin/sh
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# Every test of the clock, for `make check`: check.sh all BUILD-FOLDER.
#
# A tool that is not there is a skip that can be seen; with REQUIRE_ALL=1 it is
# an error.  check.sh missing TOOL says so.  check.sh units BUILD-FOLDER: only
# the units, without those of $patient.
passed=0
failed=0
# Limits of processor time, so that a busy machine fails nothing: for a test, and for a scenario.
seconds=${CHECK_SECONDS:-300}
scenario_seconds=${SCENARIO_SECONDS:-240}
still=${STILL_SECONDS:-6000}		# by the wall clock: it waits for something that never comes

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

# test_is NAME COMMAND...: for run_tests.
test_is() {
	count=$((count + 1))
	name=$1
	shift
	printf '%s\n%s\n' "$name" "$*" >"$tests/$(printf %03d "$count")"
}

# Runs as many tests at a time as there are processors, and shows the output of those that fail.
run_tests() {
	for file in "$tests"/???; do
		echo "$file"
	done >"$tests/list"
	xargs -P "$(nproc)" -n 1 sh -c 'sed 1d "$0" >"$0.sh"
		(ulimit -S -t '"$seconds"'; exec timeout '"$still"' sh "$0.sh") >"$0.log" 2>&1
		case $? in
		0) : >"$0.good" ;;
		124) echo "time: it stood still, ended after '"$still"' s" >>"$0.log" ;;
		152) echo "time: a limit of '"$seconds"' s of the processor ended it" >>"$0.log" ;;
		esac' <"$tests/list"
	for file in "$tests"/???; do
		name=$(head -n 1 "$file")
		if [ -e "$file.good" ]; then
			passed=$((passed + 1))
			echo "ok      $name"
		else
			sed 's/^/	/' "$file.log"
			failed=$((failed + 1))
			echo "FAILED  $name: $(tail -n 1 "$file.log")"
		fi
	done
}

# Both boards; the last line is `N passed, N failed`.
scenarios() {
	rm -f "$build/bad"
	{ "$build/run_scen" --board both --elf "$build/clock.elf" -j "$(nproc)" --seconds "$scenario_seconds" 2>&1 ||
	    echo $? >"$build/bad"; } | tee "$build/log"
	last=$(tail -n 1 "$build/log")
	good=${last%% *}
	bad=${last##*, }
	bad=${bad%% *}
	case $last in
	*" passed, "*" failed") ;;
	*) good=0 bad=1 ;;
	esac
	if [ -e "$build/bad" ] && [ "$bad" -eq 0 ]; then
		bad=1
	fi
	passed=$((passed + good))
	failed=$((failed + bad))
}

# check.sh limits BUILD-FOLDER: what a limit ends has FAILED, by name, and it was time.
limits() {
	seconds=1
	still=30
	test_is "row that spins" 'while :; do :; done'
	test_is "row that waits" 'sleep 300'
	said=$(run_tests)
	echo "$said"
	echo "$said" | grep -q '^FAILED  row that spins: time: a limit of 1 s of the processor' &&
	    echo "$said" | grep -q '^FAILED  row that waits: time: it stood still'
}

# tests_in FOLDER: an empty one for the rows to come.
tests_in() {
	tests=$1
	count=0
	rm -rf "$tests"
	mkdir -p "$tests"
}

build=$2
if [ "$1" = limits ]; then
	tests_in "$build/limits"
	limits
	exit
fi
# They wait for a terminal, up to two minutes.
patient="t_demo t_config"

unit_tests() { # unit_tests [NAME...]: all but these
	for file in test/unit/t_*.c; do
		name=$(basename "$file" .c)
		case " $* " in *" $name "*) continue ;; esac
		test_is "$name" "$build/$name"
	done
}

case $1 in all | units) ;; *) missing "$2" ;; esac
command -v "${AVR}gcc" >/dev/null || missing "${AVR}gcc"
for file in cmocka.h simavr/sim_avr.h libelf.h; do
	header "$file"
done
case ${MAKEFLAGS:-} in
*jobserver*) jobs= ;;
*) jobs="-j$(nproc)" ;;
esac
if [ "$1" = units ]; then
	${MAKE:-make} --no-print-directory $jobs B="$build" units || exit 1
	tests_in "$build/tests"
	unit_tests $patient
	run_tests
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
	exit
fi
${MAKE:-make} --no-print-directory $jobs B="$build" programs || exit 1
tests_in "$build/tests"
test_is "what a limit of time ends has failed" sh test/check.sh limits "$build"
test_is "demo over a DST change" sh test/demo/demo.sh "$build"
if command -v python3 >/dev/null; then
	test_is "board: circuit, firmware and README" sh test/board.sh "$build"
elif [ "${REQUIRE_ALL:-0}" = 1 ]; then
	missing python3
else
	echo "skip    the circuit of board/: python3 is not there"
fi
test_is "flashing: lines for avrdude" sh test/flash.sh "$build"
test_is "trace: calls counted twice" "$build/run_trace" --elf "$build/clock.elf" "$build/check.trace"
# 2 million inputs, as `make fuzz` takes for all of them, where that is a matter of seconds.
for file in test/fuzz/fuzz_*.c; do
	name=$(basename "$file" .c)
	case $name in
	fuzz_ntp) inputs=2000000 ;;
	*) inputs=20000 ;;
	esac
	test_is "$name: $inputs inputs" "$build/$name" "$inputs"
done
unit_tests
run_tests
scenarios
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
