#!/bin/bash
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# parts.sh [all | NAME...]: the long tests, part by part, as tests/parts.tsv lists them.  Last line: N passed, N failed.
#
# ./bootstrap check long [NAME...] sets up and calls it.  build/long.tsv says how each part ended last, of which commit, and how
# long it took; build/long/NAME.log is what it printed.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 99
export REQUIRE_ALL=1 VERBOSE=1
table=tests/parts.tsv
jobs=$(getconf _NPROCESSORS_ONLN)
passed=0 failed=0
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# ---- the parts: a function for each row of the table, with _ for -

made() { # made FOLDER TARGET [VARIABLE=VALUE]
	local folder=$1
	shift
	make -C "$folder" --no-print-directory -s -k -j "$jobs" "$@"
}

configured() { # configured FOLDER COMPILER OPTION...: build/FOLDER; the compiler through ccache if installed
	local folder=$1 compiler=$2
	shift 2
	! command -v ccache >/dev/null || compiler="ccache ${compiler#ccache }"
	mkdir -p "build/$folder" && (cd "build/$folder" && ../../configure --quiet "$@" CC="$compiler")
}

one_test() { # one_test COMMAND...: what it prints is shown where it fails
	if "$@" >"$scratch/one" 2>&1; then
		echo "1 passed, 0 failed"
	else
		tail -n 40 "$scratch/one"
		echo "0 passed, 1 failed"
		return 1
	fi
}

sanitized() {
	configured sanitize "${CC:-cc}" --enable-sanitize CFLAGS='-Og -g1' && made build/sanitize all
}

part_sanitized() {
	sanitized && made build/sanitize check TESTS="$(make -C build --no-print-directory -s list-functional)"
}

part_machine() {
	made build check TESTS="$(make -C build --no-print-directory -s list-machine)"
}

# Scripts that take some of their cases, seeds or places (tests/oracle/sampled.py).
sampling() {
	{
		grep -lE 'HURT_STEP|HURT_ROUNDS|TRIAGE_KILLS' tests/*.test
		grep -lF "$(grep -lE '^ *import sampled' tests/oracle/*.py tests/hurt/*.py | sed 's|.*/|/|')" tests/*.test
	} | grep -v /scaling_ | sort -u
}

part_damage() {
	sanitized && HURT_ROUNDS=1500 HURT_STEP=1 TRIAGE_KILLS=10 TRIAGE_CUTS=60 MCP_SWAPS=1000 made build/sanitize check \
	    TESTS="$(sampling | xargs)" && HURT_STEP=1 made build check TESTS=tests/faults.test
}

check_corpus() { # check_corpus TESTS
	local corpus=${CORPUS:-../shared/data}
	[ -d "$corpus" ] || { echo "$corpus is not there: CORPUS names a folder of files with known answers" && return 1; }
	made build check-corpus CORPUS_TEST="$1" CORPUS="$(cd "$corpus" && pwd)"
}

part_corpus() {
	check_corpus tests/corpus.sh
}

part_tracer() {
	check_corpus tests/tracer.sh
}

part_threads() {
	configured tsan "${CC:-cc}" --enable-tsan CFLAGS='-O1 -g1' && made build/tsan check-tsan
}

part_memory() {
	configured msan clang --enable-msan CFLAGS='-O1 -g1' && made build/msan check-msan
}

fuzz_targets() {
	sed '/^#/d' tests/fuzz/speed.tsv | cut -f 1 | grep -vx pace
}

part_fuzz() {
	# New executions each day.
	configured fuzz clang --enable-fuzz --enable-sanitize CFLAGS='-O1 -g1' && made build/fuzz all && made build/fuzz check TESTS= &&
	    CHECK_FUZZ_SECONDS=${CHECK_FUZZ_SECONDS:-2} FUZZ_SEED=${FUZZ_SEED:-$(($(date +%s) / 86400))} \
		made build/fuzz check-fuzz FUZZ_TARGETS="${FUZZ_TARGETS:-$(fuzz_targets | xargs)}"
}

part_oss_fuzz() {
	# shellcheck disable=SC2046
	(cd build && srcdir=.. sh ../tests/fuzz/outside.sh 1 $(fuzz_targets))
}

part_aarch64() {
	LEAVE_OUT=firmware ./bootstrap static aarch64 && made build check TESTS='tests/aarch64.test tests/hardened.test'
}

part_spark() {
	made build check-spark
}

part_mcp() {
	made build check-mcp && made build check-sarif
}

part_newest() {
	"${PYTHON:-python3}" -B tests/newest/newest.py build
}

# Programs of tests are built by other parts, from the same files.
part_archive() {
	one_test made build distcheck TESTS=tests/layers.sh check_PROGRAMS= check_DATA= \
	    DISTCHECK_CONFIGURE_FLAGS='--quiet CFLAGS=-O0'
}

part_map() {
	one_test made build map
}

part_replay() {
	"${PYTHON:-python3}" -B tests/replay.py .
}

part_firmware() {
	make -C firmware --no-print-directory -s -j "$jobs" B="$PWD/build/firmware/build" CC="${CC:-cc}" size check
}

part_debian13() {
	bash tests/fresh.sh trixie
}

part_targets() {
	(cd build && srcdir=.. bash ../tests/targets.sh)
}

clang_build() {
	configured clang clang CFLAGS=-O0 && made build/clang all && made build/clang check TESTS=
}

part_clang() {
	one_test clang_build
}

# ---- running them

names() {
	sed '/^#/d' "$table" | cut -f 1
}

# Adds the closing line of a part.  A part that failed, or ended without that line, is at least one failure.
add() { # add NAME STATUS SECONDS
	local name=$1 status=$2 p=0 f=0 last verdict=passed
	while read -r last; do
		if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
			p=$((p + BASH_REMATCH[1])) f=$((f + BASH_REMATCH[2]))
		fi
	done < <(grep -E '^[0-9]+ passed, [0-9]+ failed$' "build/long/$name.log")
	if [ "$f" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$p" -eq 0 ]; }; then
		f=1
	fi
	passed=$((passed + p)) failed=$((failed + f))
	echo "== $name: $p passed, $f failed, after $3 s"
	if [ "$f" -gt 0 ]; then
		verdict=failed
		{ echo "== $name" && grep -aE '^(FAIL|XPASS|ERROR|FAILED|not ok|bootstrap):? ' "build/long/$name.log" | sort -u; } >>"$scratch/failures"
	fi
	{
		! [ -e build/long.tsv ] || grep -v "^$name	" build/long.tsv
		printf '%s\t%s\t%s\t%s\t%s\n' "$name" "$verdict" "$(git describe --always --dirty 2>/dev/null || echo -)" "$3" "$(date -u +%Y-%m-%dT%H:%MZ)"
	} >"$scratch/long" && cp "$scratch/long" build/long.tsv
}

run_part() { # run_part NAME
	local status=0 begun=$SECONDS
	echo "== $1"
	"part_${1//-/_}" </dev/null >"build/long/$1.log" 2>&1 || status=$?
	add "$1" "$status" $((SECONDS - begun))
}

[ $# -gt 0 ] || set -- all
for name; do
	[ "$name" = all ] || names | grep -qxF -e "$name" || { echo "parts.sh: no part '$name'; $table has: $(names | xargs)" >&2; exit 2; }
done
[ -e build/Makefile ] || { echo "parts.sh: build/ is not configured; ./bootstrap check long does that" >&2; exit 2; }
mkdir -p build/long
# shellcheck disable=SC2046
[ "$1" != all ] || set -- $(names)
for name; do
	run_part "$name"
done
if [ -s "$scratch/failures" ]; then
	echo "== what failed"
	cat "$scratch/failures"
fi
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
