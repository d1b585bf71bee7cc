# For tests of --jobs: sourced behind python.sh.  $queries are the options of all runs.
bin=$PWD/icecore
count=0

answers() { # answers FILE JOBS: index, answers and messages, in a folder of its own
	mkdir "$scratch/ix" || exit 99
	eval '"$bin" --jobs "$2" --index "$scratch/ix" --no-history '"$queries"' "$1" >"$scratch/out" 2>"$scratch/err"'
	echo $? >>"$scratch/out"
	mv "$scratch/out" "$scratch/err" "$scratch/ix" || exit 99
	mv "$scratch/ix" "$scratch/$2"
}

alike() { # alike NAME JOBS: as with one
	# When it was unpacked is a fact.
	diff -r -x '*.icx' "$scratch/1" "$scratch/$2" || return
	# What cannot be read has no index.
	[ -e "$scratch/1/$1.icx" ] || [ -e "$scratch/$2/$1.icx" ] || return 0
	"$python" "$srcdir/tests/hurt/icx.py" "$scratch/1/$1.icx" "$scratch/$2/$1.icx" $(case $1 in *.gz) echo store.facts ;; esac)
}

same() { # same NAME FILE
	count=$((count + 1))
	for jobs in 1 2 7; do
		answers "$2" $jobs
	done
	if alike "${2##*/}" 2 >"$scratch/diff" 2>&1 && alike "${2##*/}" 7 >>"$scratch/diff" 2>&1; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		head -n 20 "$scratch/diff" | sed 's/^/# /'
	fi
	rm -r "$scratch/1" "$scratch/2" "$scratch/7"
}
