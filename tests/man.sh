# TAP: the manual is well formed, names everything that the tables of the
# program hold, and its examples run.
#
# Keys and panes are read from src/tables.c and src/ui, commands from
# src/query, columns and options from the program.  An indented line (.Dl) of
# icecore-query.7 is a query; each one must have rows on the demo: the heap dump
# for lines under HEAP DUMPS and for commands that are for such files, else the
# trace; a Nanoscope trace under TRACKS; a scheduler trace under SCHEDULER TRACES; a profile under PROFILES; a dump with bitmaps for queries that begin with bitmaps.
srcdir=${srcdir:-$(dirname "$0")/..}
LC_ALL=C.UTF-8
export LC_ALL
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 99' HUP INT TERM
main=$srcdir/man/icecore.1
query=$srcdir/man/icecore-query.7
demo=$(cd "$srcdir" && pwd)/demo/demo.trace.gz
heap=$(cd "$srcdir" && pwd)/demo/demo.hprof.gz
nano=$(cd "$srcdir" && pwd)/demo/feed.txt.gz
sched=$(cd "$srcdir" && pwd)/demo/sched.txt.gz
profile=$(cd "$srcdir" && pwd)/demo/profile.txt.gz
bitmaps=$PWD/tests/data/bitmaps15.hprof
icecore=$PWD/icecore
tab=$(printf '\t')
count=0

result() { # result STATUS NAME: notes go to $scratch/notes
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
	else
		echo "not ok $count - $2"
		sed 's/^/# /' "$scratch/notes"
	fi
}

plain() { # the characters that escapes of mdoc stand for
	sed -e 's/\\-/-/g; s/\\&//g; s/\\(aq/'\''/g; s/\\(dq/"/g; s/\\e/\\/g'
}

tagged() { # tagged PAGE: the words of its list tags, one a line
	sed -n 's/^\.It //p' "$1" | tr ' ' '\n' | plain | sort -u
}

named() { # named PAGE NAME: each line of $scratch/words is a tag of PAGE
	tagged "$1" >"$scratch/tags"
	sort -u "$scratch/words" | grep -vxF -f "$scratch/tags" |
	    sed "s|^|not in ${1##*/}: |" >"$scratch/notes"
	[ -s "$scratch/words" ] || echo "nothing to look for" >"$scratch/notes"
	! [ -s "$scratch/notes" ]
	result $? "$2"
}

for page in "$srcdir"/man/*; do
	if [ -n "${MANDOC-mandoc}" ] && command -v "${MANDOC:-mandoc}" >/dev/null; then
		"${MANDOC:-mandoc}" -T lint -W warning "$page" >"$scratch/notes" 2>&1
		result $? "${page##*/} passes lint"
	elif [ "${REQUIRE_ALL:-0}" = 1 ]; then
		echo "mandoc is needed" >"$scratch/notes"
		result 1 "${page##*/} passes lint"
	else
		count=$((count + 1))
		echo "ok $count - ${page##*/} passes lint # SKIP no mandoc"
	fi
done

./icecore --help | sed -n 's/^  -\([a-z-]*\).*/\1/p' >"$scratch/words"
named "$main" "every option is documented"
./icecore --help | sed -n 's/^  -o .*(\(.*\))/\1/p' | tr -d ' ' | tr , '\n' >"$scratch/words"
named "$query" "every output format is documented"
sed -n 's/^	\.word = "\(.*\)",/\1/p' "$srcdir"/src/query/*/*.c >"$scratch/words"
named "$query" "every command is documented"
sed -n '/define KEYS/,/^$/s/^	ROW("\([^"]*\)".*/\1/p' "$srcdir/src/tables.c" |
    tr ' ' '\n' >"$scratch/words"
named "$main" "every key is documented"
for pane in $(sed -n 's/^	ROW(\(pane_[a-z]*\)).*/\1/p' "$srcdir/src/tables.c"); do
	sed -n "/struct pane_kind $pane /,/^}/s/^	\\.name = \"\(.*\)\",/\\1/p" \
	    "$srcdir"/src/ui/*/*.c
done >"$scratch/words"
named "$main" "every pane is documented"
for file in "$demo" "$heap" "$sched" "$profile"; do
	./icecore --no-index -o tsv -e info "$file"
done | cut -f 1 | grep -E '^(repair|loss)\.' | grep -v '^loss.reason' >"$scratch/words"
named "$main" "every repair and loss is documented"

# Lines of file, tab and query: the examples of the commands.
sed -n '/^const struct command /,/^}/p' "$srcdir"/src/query/*/*.c |
    awk -v demo="$demo" -v heap="$heap" -v nano="$nano" -v sched="$sched" -v profile="$profile" '
	/^const/ { file = demo }
	/^\t\.shapes = SHAPE_TRACKS/ { file = nano }
	/^\t\.shapes = SHAPE_TASKS/ { file = sched }
	/^\t\.shapes = SHAPE_SAMPLES/ { file = profile }
	/^\t\.shapes = SHAPE_GRAPH,/ { file = heap }
	/^\t\.example = "/ {
		sub(/^[^"]*"/, "")
		sub(/",$/, "")
		gsub(/\\\\/, "\\")
		print file "\t" $0
	}' >"$scratch/examples"

# Every source begins the example of its own; its header names its columns.
while IFS="$tab" read -r file example; do
	source=${example%% *}
	case $source in
	spans) source="spans main" ;;
	columns) source="columns calls" ;;
	esac
	[ "$file" = "$demo" ] || source=${example%% |*}
	./icecore --no-index -o tsv -e "$source | head 0" "$file"
	[ "${example##*| }" != callers ] ||
	    ./icecore --no-index -o tsv -e "$example | head 0" "$file"
done <"$scratch/examples" >"$scratch/columns"
tr '\t' '\n' <"$scratch/columns" >"$scratch/words"
named "$query" "every column is documented"

# The examples of the manual and of the help are answered, in a folder where
# they may write files.
mkdir "$scratch/files"
awk -v demo="$demo" -v heap="$heap" -v nano="$nano" -v sched="$sched" -v profile="$profile" '
	/^\.Sh/ { file = $0 ~ /HEAP DUMPS/ ? heap : $0 ~ /TRACKS/ ? nano : $0 ~ /SCHEDULER/ ? sched : $0 ~ /PROFILES/ ? profile : demo }
	sub(/^\.Dl /, "") { print file "\t" $0 }' "$query" | plain |
    cat - "$scratch/examples" >"$scratch/queries"
while IFS="$tab" read -r file example; do
	case $example in
	bitmaps*) file=$bitmaps ;;
	classes*'| diff'* | objects*'| diff'*) file=$heap ;;
	tasks*'| diff'* | tasks*'| range'*) file=$sched ;;
	esac
	# What compares files gets the same one twice.
	case $example in
	*'| diff'* | *'| file '*) second=$file ;;
	*) second= ;;
	esac
	if ! [ -e "$file" ] && [ "${REQUIRE_ALL:-0}" != 1 ]; then
		count=$((count + 1))
		echo "ok $count - $example # SKIP no $file"
		continue
	fi
	printf '%s\n' "$example" >"$scratch/notes"
	rm -rf "$scratch"/files/*
	(cd "$scratch/files" && "$icecore" --no-index -o tsv -e "$example" "$file" $second) \
	    >"$scratch/out" 2>>"$scratch/notes" </dev/null
	result $? "$example"
done <"$scratch/queries"
echo "1..$count"
