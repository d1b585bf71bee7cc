# The examples of the manual and of the help, for tests that run them: sourced, in the folder of the build, with $srcdir and
# $scratch set.  Leaves what help says of each command in $scratch/help, behind the name of the file, and in
# $scratch/queries lines of how often a file is named, or which one stands beside it, the files that will do, and the query, with tabs
# between them.
#
# An indented line (.Dl) of icecore-query.7 is a query for the demo: the heap dump for lines under HEAP
# DUMPS, rows of a triage under MANY HEAP DUMPS, bytecode under BYTECODE, trace events under TRACE EVENTS, a Nanoscope trace under TRACKS, a scheduler trace under SCHEDULER TRACES, a profile under
# PROFILES, bank statements under BANK STATEMENTS, else the trace; a dump with bitmaps for queries that begin with bitmaps, a recording
# for those of intervals.  The example
# of a command is for one of several files.
demo=$(cd "$srcdir" && pwd)/demo/demo.trace.gz
heap=$(cd "$srcdir" && pwd)/demo/demo.hprof.gz
nano=$(cd "$srcdir" && pwd)/demo/feed.txt.gz
sched=$(cd "$srcdir" && pwd)/demo/sched.txt.gz
money=$(cd "$srcdir" && pwd)/demo/money.ofx.gz
profile=$(cd "$srcdir" && pwd)/demo/profile.txt.gz
events=$(cd "$srcdir" && pwd)/tests/fuzz/corpus/json/marks
firefox=$(cd "$srcdir" && pwd)/tests/fuzz/corpus/gecko/demo
code=$(cd "$srcdir" && pwd)/demo/notes.jar
recording=$(cd "$srcdir" && pwd)/tests/fuzz/corpus/jfr/pauses.jfr
shop=$(cd "$srcdir" && pwd)/demo/shop.jfr.gz
rows=$(cd "$srcdir" && pwd)/tests/fuzz/corpus/triage/rows
bitmaps=$PWD/tests/data/bitmaps15.hprof
tab=$(printf '\t')

plain() { # the characters that escapes of mdoc stand for
	sed -e 's/\\-/-/g; s/\\&//g; s/\\(aq/'\''/g; s/\\(dq/"/g; s/\\e/\\/g'
}

# What help says of each command, once for each kind of file, behind the name of the file.
for file in "$demo" "$nano" "$sched" "$profile" "$events" "$money" "$code" "$rows" "$heap"; do
	./icecore --no-index -o tsv -e 'help | distinct item | select item' "$file" | sed "1d; s/.*/help '&'/" >"$scratch/script"
	./icecore --no-index -o tsv -f "$scratch/script" "$file" | sed "/^item	kind	/d; s|^|$file	|"
done >"$scratch/help"

# The same of a recording beside a dump.
for word in classes allocations findings; do
	./icecore --no-index -o tsv -e "help $word" "$heap" "$shop" 2>/dev/null | sed "1d; s|^|$heap	|"
done >>"$scratch/help"

# Lines of files, tab and query: the examples of the commands.
awk -F '\t' '$3 == "example" && !seen[$1, $5]++ {
	gsub(/\\\\/, "\\", $5)
	files[$5] = files[$5] " " $1
	if (files[$5] == " " $1)
		order[++n] = $5
}
END {
	for (i = 1; i <= n; i++)
		print substr(files[order[i]], 2) "\t" order[i]
}' "$scratch/help" >"$scratch/examples"

awk -v demo="$demo" -v heap="$heap" -v nano="$nano" -v sched="$sched" -v profile="$profile" -v events="$events" -v money="$money" -v code="$code" -v rows="$rows" '
	/^\.Sh/ { file = $0 ~ /MANY HEAP DUMPS/ ? rows : $0 ~ /HEAP DUMPS/ ? heap : $0 ~ /TRACE EVENTS/ ? events : $0 ~ /BANK STATEMENTS/ ? money : $0 ~ /BYTECODE/ ? code : $0 ~ /TRACKS/ ? nano : $0 ~ /SCHEDULER/ ? sched : $0 ~ /PROFILES/ ? profile : demo }
	!/^\.Dl icecore / && sub(/^\.Dl /, "") { print file "\t" $0 }' "$srcdir/man/icecore-query.7" | plain |
    cat - "$scratch/examples" |
    while IFS="$tab" read -r files example; do
	times=1
	case $example in
	bitmaps*) files=$bitmaps ;;
	intervals*) files=$recording ;;
	categories*) files=$firefox ;;
	classes*'| diff'* | objects*'| diff'*) files=$heap ;;
	tasks*'| diff'* | tasks*'| range'*) files=$sched ;;
	allocations* | classes*alloc_* | findings*made_at*) files=$heap ;;
	esac
	# What compares files gets the same one twice.
	case $example in
	allocations* | classes*alloc_* | findings*made_at*) times=$shop ;;
	growth* | *'| diff'* | *'| file '*) times=2 ;;
	esac
	printf '%s\t%s\t%s\n' $times "$files" "$example"
    done >"$scratch/queries"
