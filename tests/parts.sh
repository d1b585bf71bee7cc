#!/bin/bash
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# parts.sh [-n] all | turn | NAME...: parts of the tests, as tests/parts.tsv lists them.  Last line: N passed, N failed.
#
# turn: the parts of one run of .ci/run.  CI_BASE is the commit before the last commits; else these are the commits of the four
# hours up to HEAD.  A part of $long that nothing touched runs a quarter of its tests, another one with each commit, and so do all
# of them where the last commits touched more than $most, and debian13 always.  Then every other one of $built waits for a later
# commit.  The parts plain and damage run tests that the commits can break (tests/changed.py).  -n only says which parts these
# are.  PARTS_LIMIT: seconds after which no further part begins; a part that did not run is a failure.
set -u -o pipefail
cd "$(dirname "$0")/.." || exit 99
export REQUIRE_ALL=1 VERBOSE=1
table=tests/parts.tsv
limit=${PARTS_LIMIT:-4800}
long="corpus-all damage plain threads aarch64 fuzz oss-fuzz firmware debian13"
most=3
# Parts with a build of their own, which takes longer than a quarter of their tests.
built="threads aarch64 fuzz oss-fuzz"
jobs=$(getconf _NPROCESSORS_ONLN)
passed=0 failed=0
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT

# ---- the parts: a function for each row of the table, with _ for -

made() { # made FOLDER TARGET [VARIABLE=VALUE]: one make at a time in a folder, as parts run beside each other
	local folder=$1
	shift
	flock "$folder" make -C "$folder" --no-print-directory -s -j "$jobs" "$@"
}

configured() { # configured FOLDER COMPILER OPTION...: build/FOLDER; the compiler through ccache if installed
	local folder=$1 compiler=$2
	shift 2
	[ -e configure ] || ./bootstrap build || return
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

part_tests() {
	LEAVE_OUT="aarch64 firmware" ./bootstrap check
}

# slice WORD...: the words, or a quarter of them in a part that does not run whole.
slice() {
	local i=0 word
	for word; do
		[ "$sliced" = no ] || [ $((i++ % 4)) -eq "$quarter" ] || continue
		printf '%s\n' "$word"
	done
}

# can_break TEST...: those that the last commits can break, by tests/map.tsv; outside of a turn all.
can_break() {
	local list
	if [ "$whole" = no ] && [ -n "$base" ] && list=$(python3 -B tests/changed.py --list . "$base"); then
		printf '%s\n' "$@" | grep -xF -e "${list// /$'\n'}" || :
	else
		printf '%s\n' "$@"
	fi
}

fuzz_targets() {
	names tests/fuzz/speed.tsv | grep -vx pace
}

# The targets of the part fuzz: those of changed formats, and a quarter of the others; all where what formats share changed.
chosen_targets() {
	if [ "$whole" = no ] && ! grep -qE '^(src/(base|os|load/make)/|src/load/[^/]*$|tests/fuzz/[^/]*[.](c|h|sh)$)' "$scratch/changed"; then
		sliced=yes
	fi
	{ [ "$sliced" = no ] || changed_rows tests/fuzz/speed.tsv 5; slice $(fuzz_targets); } | sort -u
}

clang_build() {
	configured clang clang CFLAGS=-O0 && made build/clang all && made build/clang check TESTS=
}

part_clang() {
	one_test clang_build
}

# A quarter is a suite, or a first look.
part_debian13() {
	if [ "$sliced" = yes ]; then
		set -- "plain aarch64 firmware" "sanitized aarch64 firmware" "sanitized plain aarch64" quick
		shift "$quarter"
		[ "$1" = quick ] && export FRESH_COMMAND="./bootstrap check quick" || export LEAVE_OUT=$1
		export FRESH_LIMIT=5400
	fi
	bash tests/fresh.sh trixie
}

part_targets() {
	[ -e build/config.h ] || ./bootstrap build || return
	# The other sources compile as before.
	if [ "$whole" = no ] && [ -n "$base" ]; then
		FILES=$(python3 -B tests/changed.py --compiled . "$base" | sed 's|^|../|') || return
		[ -n "$FILES" ] || FILES=../src/main.c
		export FILES
	fi
	# shellcheck disable=SC2046
	(cd build && srcdir=.. bash ../tests/targets.sh $([ "$whole" = yes ] || echo aarch64-macos x86_64-freebsd x86_64-linux-musl))
}

check_corpus() { # check_corpus TESTS
	if [ -d "${CORPUS:-../shared/data}" ]; then
		made build check-corpus CORPUS_TEST="$1" CORPUS="$(cd "${CORPUS:-../shared/data}" && pwd)"
	else
		echo "left out: there is no folder ../shared/data"
		echo "0 passed, 0 failed"
	fi
}

# The files that Perfetto's trace processor reads are compared with it by turns, as many as two minutes hold.
part_corpus() {
	CORPUS_PART=$(changed_rooms) TRACER_SECONDS=100 check_corpus 'tests/corpus.sh tests/tracer.sh'
}

part_corpus_all() {
	[ "$sliced" = no ] || export CORPUS_PART='' CORPUS_TURNS=4 TRACER_SECONDS=100
	check_corpus 'tests/corpus.sh tests/tracer.sh'
}

part_fuzz() {
	configured fuzz clang --enable-fuzz --enable-sanitize CFLAGS='-O1 -g1' && made build/fuzz all &&
	    made build/fuzz check TESTS= && made build/fuzz check-fuzz FUZZ_TARGETS="$(chosen_targets | xargs)"
}

part_memory() {
	configured msan clang --enable-msan CFLAGS='-O1 -g1' && made build/msan check-msan
}

part_oss_fuzz() {
	local targets
	[ -e configure ] || ./bootstrap build || return
	# shellcheck disable=SC2046
	targets=$(slice $(fuzz_targets))
	# The part fuzz runs the same targets with sanitizers.
	[ "$whole" = yes ] || ! grep -qx fuzz "$scratch/chosen" || export OSS_FUZZ_BRIEF=1
	# shellcheck disable=SC2086
	(cd build && srcdir=.. sh ../tests/fuzz/outside.sh 1 $targets)
}

part_threads() {
	local tests
	configured tsan "${CC:-cc}" --enable-tsan CFLAGS='-O1 -g1' || return
	if [ "$sliced" = yes ]; then
		export THREAD_STEPS=50
		tests="tests/threads.sh $(slice tests/jobs.test tests/jobs_text.test tests/screen.test tests/triage.test)"
	fi
	made build/tsan check-tsan ${tests:+TSAN_TESTS="$tests"}
}

part_plain() {
	local tests
	tests=$(make -C build --no-print-directory -s list-unsanitized) || return
	# shellcheck disable=SC2046,SC2086
	tests=$(slice $(can_break $tests) | xargs)
	[ -z "$tests" ] || made build check TESTS="$tests" || return
	[ "$sliced" = yes ] || HURT_STEP=1 made build check TESTS="$(echo tests/scaling_*.test tests/faults.test)"
}

part_damage() {
	local tests
	# shellcheck disable=SC2046
	tests=$(slice $(can_break $(printf 'tests/%s.test ' hurt code door findings folded gecko heap index jfr jobs json keys lang names ofx \
	    oracle perf redact report sched table tables triage triage_host)) | xargs)
	configured sanitize "${CC:-cc}" --enable-sanitize CFLAGS='-O1 -g1' && HURT_ROUNDS=1500 HURT_STEP=1 TRIAGE_KILLS=10 TRIAGE_CUTS=60 made build/sanitize check \
	    TESTS="${tests:-tests/hurt.test}"
}

# Programs of tests are built by other parts, from the same files.
part_archive() {
	one_test made build distcheck TESTS=tests/layers.sh check_PROGRAMS= check_DATA= \
	    DISTCHECK_CONFIGURE_FLAGS='--quiet CFLAGS=-O0'
}

part_aarch64() {
	[ "$sliced" = no ] || export CFLAGS='-O1 -g0'
	./bootstrap static aarch64 && made build check TESTS='tests/aarch64.test tests/hardened.test'
}

part_spark() {
	made build check-spark
}

part_firmware() {
	[ "$sliced" = no ] || export CHECK_QUARTER=$quarter
	make -C firmware --no-print-directory -s -j "$jobs" B="$PWD/build/firmware/build" CC="${CC:-cc}" size check
}

# ---- which parts

names() { # names [TABLE]: what its rows are called
	sed '/^#/d' "${1:-$table}" | cut -f 1
}

# The files that the last commits changed; a tree without commits is all new.
changed_files() {
	base=${CI_BASE:-}
	if [ -z "$base" ] && git rev-parse -q --verify HEAD >/dev/null 2>&1; then
		base=$(git rev-list --since=$(($(git log -1 --format=%ct) - 4 * 3600)) HEAD | tail -n 1)~
	fi
	git diff --name-only "${base:-HEAD~}" HEAD 2>/dev/null || find . -type f -path './[^.]*' | sed 's|^\./||'
}

changed_rooms() {
	sed -n 's|^\(src/.*\)/[^/]*$|\1|p' "$scratch/changed" | sort -u | tr '\n' ' '
}

changed_rows() { # changed_rows TABLE COLUMN: names of the rows with a path in that column that begins a changed file; "." begins all
	awk -F '\t' -v column="$2" 'FNR == NR { file[++n] = $0; next }
		/^#/ { next }
		{
			hit = $column == "."
			m = split($column, path, " ")
			for (i = 1; i <= m && !hit; i++)
				for (k = 1; k <= n && !hit; k++)
					hit = index(file[k], path[i]) == 1
			if (hit)
				print $1
		}' "$scratch/changed" "$1"
}

# One of the parts that nothing touched, by the hash of the commit.
one_more() {
	local rest count
	rest=$(names | grep -vxF -f "$scratch/touched")
	count=$(printf '%s\n' "$rest" | grep -c .)
	[ "$count" -gt 0 ] || return 0
	printf '%s\n' "$rest" | sed -n "$((0x$(git rev-parse HEAD | cut -c 1-8) % count + 1))p"
}

turn() {
	local rest
	changed_rows "$table" 3 >"$scratch/touched"
	printf '%s\n' $long >"$scratch/long"
	# A run with many long parts is long enough.
	if [ "$(grep -cxF -f "$scratch/long" "$scratch/touched")" -gt "$most" ]; then
		rest=
		cp "$scratch/long" "$scratch/sliced"
		printf '%s\n' $built | grep -xF -f "$scratch/touched" | awk -v turn="$((quarter % 2))" 'NR % 2 == turn' >"$scratch/waits"
		grep -vxF -f "$scratch/waits" "$scratch/touched" >"$scratch/runs" && mv "$scratch/runs" "$scratch/touched"
	else
		rest=$(one_more)
		echo "$rest" | grep -xF -f "$scratch/long" >"$scratch/sliced" || :
	fi
	{ cat "$scratch/touched" && echo "$rest"; } >"$scratch/turn"
	echo debian13 >>"$scratch/sliced"
	names | grep -xF -f "$scratch/turn"
}

# ---- running them

# Adds the closing line of a part.  A part that failed, or ended without that line, is at least one failure.
add() { # add NAME STATUS SECONDS
	local name=$1 status=$2 last p=0 f=0
	last=$(grep -E '^[0-9]+ passed, [0-9]+ failed$' "$scratch/$name.out" | tail -n 1) || :
	if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
		p=${BASH_REMATCH[1]} f=${BASH_REMATCH[2]}
	elif [ "$status" -eq 0 ]; then
		echo "$name: no closing line"
		status=1
	fi
	if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then
		f=1
	fi
	passed=$((passed + p)) failed=$((failed + f))
	echo "== $name: $p passed, $f failed, after $3 s"
	[ "$f" -eq 0 ] || { echo "== $name" && grep -E '^(FAIL|XPASS|ERROR|FAILED|not ok|bootstrap):? ' "$scratch/$name.out" | sort -u; } >>"$scratch/failures"
}

# Prints all failures once more: at the end nobody overlooks them, and programs that keep only the end of the output keep them.
closing() {
	if [ -s "$scratch/failures" ]; then
		echo "== what failed"
		cat "$scratch/failures"
	fi
	echo "$passed passed, $failed failed"
}

late() { # late NAME
	[ "$SECONDS" -gt "$limit" ] || return 1
	echo "== $1: FAILED: not run, as $SECONDS s have passed; PARTS_LIMIT is $limit" | tee -a "$scratch/failures"
	failed=$((failed + 1))
}

run_part() { # run_part NAME
	sliced=no
	! grep -qxF -e "$1" "$scratch/sliced" || sliced=yes
	"part_${1//-/_}" </dev/null
}

# Installs the tools of all parts that are run, in one go, as only one apt-get can run at a time.
install_tools() {
	local out=
	for name in aarch64 firmware; do
		grep -qx "$name" "$scratch/chosen" || out="$out $name"
	done
	LEAVE_OUT=$out ./bootstrap tools
}

begin() { # begin NAME: beside what runs
	{ run_part "$1" >"$scratch/$1.out" 2>&1; echo "$? $SECONDS" >"$scratch/$1.status"; } &
	begun+=("$1")
}

# The first part alone, as it builds what others need, except the clock: it has a build of its own, and waits most of its time.
# Then as many at once as there are processors.
run_parts() {
	local first=$1 name status=0 begun=() beside=' '
	shift
	if [ "$first" != firmware ] && grep -qx firmware "$scratch/chosen"; then
		beside=' firmware '
		begin firmware
	fi
	echo "== $first"
	run_part "$first" 2>&1 | tee "$scratch/$first.out" || status=$?
	add "$first" "$status" "$SECONDS"
	for name; do
		[[ $beside != *" $name "* ]] || continue
		while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do
			wait -n || :
		done
		late "$name" || begin "$name"
	done
	wait
	for name in "${begun[@]}"; do
		echo "== $name"
		cat "$scratch/$name.out"
		# shellcheck disable=SC2046
		add "$name" $(cat "$scratch/$name.status")
	done
}

dry= base=
if [ "${1:-}" = -n ]; then
	dry=yes
	shift
fi
if [ $# -eq 0 ]; then
	echo "usage: parts.sh [-n] all | turn | NAME..." >&2
	exit 2
fi
for name; do
	case $name in all | turn) continue ;; esac
	names | grep -qxF -e "$name" || { echo "parts.sh: no part '$name' in $table" >&2; exit 2; }
done
changed_files >"$scratch/changed"
: >"$scratch/sliced"
whole=yes
quarter=$((0x$(git rev-parse HEAD 2>/dev/null | cut -c 9-16 | grep . || echo 0) % 4))
case $1 in
all)	export GOLDEN_TURN=1 CHECK_FUZZ_SECONDS=2
	# New executions each day; .ci/run has the same ones, so that a fault of another change fails none.
	FUZZ_SEED=${FUZZ_SEED:-$(($(date +%s) / 86400))}
	export FUZZ_SEED
	names ;;
turn)	whole=no
	turn ;;
*)	printf '%s\n' "$@" ;;
esac >"$scratch/chosen"
# The whole holds the part; the fuzz targets are built with clang, and everything else with them.
! grep -qx corpus-all "$scratch/chosen" || sed -i '/^corpus$/d' "$scratch/chosen"
! grep -qx fuzz "$scratch/chosen" || sed -i '/^clang$/d' "$scratch/chosen"
while IFS=$'\t' read -r name what _; do
	grep -qxF -e "$name" "$scratch/chosen" && verdict=run || verdict="left out"
	[ "$verdict" != run ] || ! grep -qxF -e "$name" "$scratch/sliced" || verdict="run, a quarter of it"
	[[ $name == \#* ]] || echo "part $name: $verdict: $what"
done <"$table"
[ -z "$dry" ] || exit 0
install_tools
# shellcheck disable=SC2046
run_parts $(cat "$scratch/chosen")
closing
[ "$failed" -eq 0 ]
