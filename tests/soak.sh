#!/bin/bash
# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# make soak N=20 TESTS=...: has each script the same verdict each time?  soak.sh N SCRIPT... runs them N times in the build it is
# called in, in turn as they are, beside two busy loops, on one processor, in reversed order, with another TMPDIR, and with a date
# a year ahead (if faketime is installed).  It prints each script whose verdict differed, and in which rounds; their logs stay in
# soak/ROUND/.  Last line: N passed, N failed.
set -u
rounds=$1
shift
ways=(alone loops one-processor reversed tmpdir next-year)
jobs=$(($(getconf _NPROCESSORS_ONLN) + 1))
rm -rf soak && mkdir soak || exit 99
loops=()
trap '[ ${#loops[@]} -eq 0 ] || kill "${loops[@]}" 2>/dev/null' EXIT

run_all() { # run_all PREFIX...
	"$@" make --no-print-directory -s -k -j "$jobs" check-TESTS check_PROGRAMS= check_DATA= TESTS="$tests" >"$out/log" 2>&1 </dev/null
}

for ((round = 0; round < rounds; round++)); do
	way=${ways[round % ${#ways[@]}]}
	out=soak/$round-$way
	tests=$*
	mkdir "$out"
	case $way in
	alone) run_all env ;;
	loops)
		for i in 1 2; do
			bash -c 'while :; do :; done' &
			loops+=($!)
		done
		run_all env
		kill "${loops[@]}"
		wait "${loops[@]}" 2>/dev/null
		loops=() ;;
	one-processor) run_all taskset -c 0 ;;
	reversed)
		tests=$(printf '%s\n' "$@" | tac | xargs)
		run_all env ;;
	tmpdir)
		mkdir -p "$out/a place for files"
		run_all env "TMPDIR=$PWD/$out/a place for files" ;;
	next-year)
		if command -v faketime >/dev/null; then
			# Times of files stay those of today: not all programs of a test would see them moved.
			NO_FAKE_STAT=1 run_all faketime -f +365d
		else
			echo "round $round: left out, faketime is not installed"
			continue
		fi ;;
	esac
	for script; do
		base=${script%.test}
		base=${base%.sh}
		mkdir -p "$out/$(dirname "$base")" && cp "$base.log" "$base.trs" "$out/$(dirname "$base")/" 2>/dev/null
		echo "$script	$(sed -n 's/^:test-result: //p' "$base.trs" 2>/dev/null | sed 's/ .*//' | cksum)	$(sed -n 's/^:global-test-result: //p' "$base.trs" 2>/dev/null)	$round-$way"
	done >>soak/verdicts
	echo "round $round, $way: $(tail -n 1 "$out/log")"
done
awk -F '\t' '
	!($1 in first) { first[$1] = $2 " " $3; said[$1] = $4 " " $3; n++; next }
	first[$1] != $2 " " $3 { differs[$1] = 1 }
	{ said[$1] = said[$1] ", " $4 " " $3 }
	END {
		for (script in differs) {
			bad++
			print "FAIL: " script " differs: " said[script]
		}
		printf "%d passed, %d failed\n", n - bad, bad
		exit bad > 0
	}' soak/verdicts
