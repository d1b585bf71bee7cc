# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# run.sh SECONDS [TARGET ...]: in a build with libFuzzer runs each target of speed.tsv, from its kept inputs and what earlier
# runs found in fuzz/.  With FUZZ_SEED it begins from the kept inputs alone and makes the same executions on every machine: as many
# as its line promises for SECONDS.  Fails on a crash, a leak or a hang, and where a target makes, twice, less than a quarter of the
# executions in a second of processor time that its line says: on a slower machine, which pace measures, of a smaller number.
# As many targets run at a time as there are processors.  Speaks TAP.
srcdir=${srcdir:-.}
table=$srcdir/tests/fuzz/speed.tsv
seconds=$1
shift
tab=$(printf '\t')
export ASAN_OPTIONS="quarantine_size_mb=8:malloc_context_size=12:$ASAN_OPTIONS"

pace=$(tests/fuzz/pace)
pace_then=$(awk -F '\t' '$1 == "pace" { print $4 }' "$table")

# cpu FILE: the seconds of processor time that the second line of times(1) has.
cpu() {
	awk 'NR == 2 { gsub(/s/, ""); split($1, u, "m"); split($2, s, "m"); print u[1] * 60 + u[2] + s[1] * 60 + s[2] }' "$1"
}

# run NAME CORPUS LENGTH SPEED
run() {
	at=fuzz/$1${FUZZ_SEED:+.seed}
	[ -z "$FUZZ_SEED" ] || rm -rf "$at"
	mkdir -p "$at" && cp "$srcdir/tests/fuzz/corpus/$2"/* "$at/" || return 1
	words=
	! [ -f "$srcdir/tests/fuzz/$2.dict" ] || words=-dict=$srcdir/tests/fuzz/$2.dict
	amount=-max_total_time=$seconds
	[ -z "$FUZZ_SEED" ] || amount="-seed=$FUZZ_SEED -runs=$(($4 * seconds)) -max_total_time=$((seconds * 15))"
	most=64
	[ "$1" != packed ] || most=136	# a window
	# Targets that are this fast spend more time with the choice of inputs by rare features than with the inputs.
	case $1 in *_load | side | zip) amount="$amount -entropic=0" ;; esac
	# shellcheck disable=SC2086
	(
		"tests/fuzz/fuzz_$1" $amount -timeout=20 -rss_limit_mb=512 -malloc_limit_mb="$most" \
		    -max_len="$3" -print_final_stats=1 -artifact_prefix="fuzz/$1-" \
		    $words "$at" >"$at.log" 2>&1 </dev/null
		status=$?
		times >"$at.times"
		exit $status
	) || return 1
	awk -v cpu="$(cpu "$at.times")" -v want="$4" -v pace="$pace" -v then="$pace_then" '
		/number_of_executed_units/ { n = $2 }
		match($0, /cov: [0-9]+/) { cov = substr($0, RSTART + 5, RLENGTH - 5) }
		END {
			want *= pace < then ? pace / then : 1
			printf "# %d executions, %.1f s, %.0f/s of %.0f, %d edges\n", n, cpu, n / cpu, want, cov
			exit n / cpu < want / 4 ? 2 : 0
		}' "$at.log"
}

# lane K: every target whose number is K more than a multiple of the lanes.  The output of target N is written to $out/N.
lane() {
	count=0
	while IFS=$tab read -r name corpus length speed _; do
		case $name in
		\#* | pace) continue ;;
		esac
		[ $# -eq 1 ] || case " $* " in *" $name "*) ;; *) continue ;; esac
		count=$((count + 1))
		[ $((count % lanes)) -eq "$1" ] || continue
		{
			run "$name" "$corpus" "$length" "$speed"
			status=$?
			# A busy machine may make it slow once.
			if [ "$status" -eq 2 ]; then
				run "$name" "$corpus" "$length" "$speed"
				status=$?
			fi
			if [ "$status" -eq 0 ]; then
				echo "ok $count - fuzz_$name"
			else
				echo "not ok $count - fuzz_$name"
				tail -n 30 "fuzz/$name${FUZZ_SEED:+.seed}.log" | sed 's/^/# /'
			fi
		} >"$out/$(printf %03d "$count")"
	done <"$table"
}

lanes=$(getconf _NPROCESSORS_ONLN)
out=$(mktemp -d) || exit 99
trap 'rm -rf "$out"' EXIT
for k in $(seq 0 $((lanes - 1))); do
	lane "$k" "$@" &
done
wait
cat "$out"/*
count=$(cat "$out"/* | grep -c '^ok\|^not ok')
failed=$(cat "$out"/* | grep -c '^not ok')
echo "1..$count"
echo "$((count - failed)) passed, $failed failed"
[ "$count" -gt 0 ] && [ "$failed" -eq 0 ]
