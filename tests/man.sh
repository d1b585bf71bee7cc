# TAP: the manual is well formed, names everything that the tables of the
# program hold, and its examples run.
#
# What there is the program says itself: --help, --list-keys, the query help.  Each example (tests/examples.sh) must have rows on its file,
# that of a command on one of those that it is for.
srcdir=${srcdir:-$(dirname "$0")/..}
LC_ALL=C.UTF-8
export LC_ALL
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
trap 'exit 99' HUP INT TERM
main=$srcdir/man/icecore.1
query=$srcdir/man/icecore-query.7
icecore=$PWD/icecore
. "$srcdir/tests/examples.sh"
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

tagged() { # tagged PAGE MACRO: the words of its lines of a macro, one a line
	sed -n "s/^\.$2 //p" "$1" | tr ' ' '\n' | plain | sort -u
}

named() { # named PAGE NAME [MACRO]: each line of $scratch/words is a tag of PAGE, or stands in a line of MACRO
	{ tagged "$1" It; [ -z "$3" ] || tagged "$1" "$3"; } >"$scratch/tags"
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
for p in mcp redact triage watch; do
	./icecore "$p" --help | sed -n 's/^  -\([a-z-]*\).*/\1/p' >"$scratch/words"
	page=$srcdir/man/icecore-$p.1
	[ "$p" != watch ] || page=$srcdir/man/icecore-triage.1
	named "$page" "every option of $p is documented"
done
./icecore --help | sed -f "$srcdir/completions/options.sed" | sed -n 's/^  -o .*(\(.*\))/\1/p' | sed 's/, \| or /\n/g' >"$scratch/words"
named "$query" "every output format is documented"

awk -F '\t' '$3 ~ /^(source|stage|sink)$/ { print $2 }' "$scratch/help" >"$scratch/words"
named "$query" "every command is documented"
awk -F '\t' '$3 ~ /^(column|hidden)$/ && $2 != "FIELD" { print $2 }' "$scratch/help" >"$scratch/words"
named "$query" "every column is documented" Cm
./icecore -o tsv -e "help findings | where kind = finding | select item" | sed 1d | sort >"$scratch/words"
sed -n '/^\.Ss Kinds of findings/,/^\.Ss Fields/s/^\.It //p' "$query" | sort | diff - "$scratch/words" >"$scratch/notes" &&
    [ -s "$scratch/words" ]
result $? "the manual has the kinds of findings that there are, and no others"
./icecore --list-keys | cut -f 1 >"$scratch/words"
named "$main" "every key is documented"
./icecore --list-keys | awk -F '\t' '$2 ~ /^[A-Z]/ { print $2 }' >"$scratch/words"
named "$main" "every pane is documented"

# A key has a line for each pane: one in whose text the pane is named, or in a list that is about it
# (panes by name, "heap dumps", "lists"), unless that line begins with the panes that it is for.
# What a key does everywhere stands under "In every pane".
sed -n '/^\.Ss Keys/,/^\.Ss Prompt/p' "$main" | plain >"$scratch/keys"
./icecore --list-keys | awk -F '\t' '
	function has(text, word) { return (" " text " ") ~ "[^A-Za-z]" word "[^A-Za-z]" }
	function begins_with_panes(text,   name, n) {
		if (!sub(/: .*/, "", text))
			return 0
		n = split(text, name, ", ")
		while (n > 0 && name[n] in panes)
			n--
		return n == 0
	}
	FNR == NR {
		if (/^\.Bl/)
			listed = 1
		else if (/^\.(El|Pp)/) {
			listed = 0
			heading = ""
		} else if (/^\.It /) {
			gsub(/^\.It (Ic )?| ,/, "")
			tags[++items] = " " $0 " "
			head[items] = heading
		} else if (listed)
			body[items] = body[items] $0 " "
		else
			heading = heading $0 " "
		next
	}
	{
		if ($2 == "everywhere")
			every[$1] = 1
		panes[$2] = 1
		row[++rows] = $0
	}
	END {
		for (r = 1; r <= rows; r++) {
			split(row[r], k, "\t")
			found = 0
			for (i = 1; i <= items && !found; i++) {
				if (index(tags[i], " " k[1] " ") == 0)
					continue
				all = has(head[i], "every pane")
				if (k[2] == "everywhere")
					found = all
				else if (has(body[i], k[2]) || (k[4] == "list" && has(body[i], "lists")))
					found = 1
				else if (all)
					found = !(k[1] in every)
				else if (!begins_with_panes(body[i]))
					found = has(head[i], k[2]) || (k[3] == "heaps" && has(head[i], "heap dumps")) ||
					    (k[4] == "list" && has(head[i], "lists"))
			}
			if (!found)
				print "key " k[1] " in " k[2] ": " k[6]
		}
	}' "$scratch/keys" - >"$scratch/notes"
! [ -s "$scratch/notes" ]
result $? "every key is documented for each of its panes"

# The other way round: a key that the manual names is in the table, and for each pane that a sentence about it begins with.
./icecore --list-keys | awk -F '\t' '
	function check(names, text,   key, n, i, pane, m, k) {
		n = split(names, key, " ")
		for (i = 1; i <= n; i++)
			if (!(key[i] in bound))
				print "no such key: " key[i]
		while (match(text, /(^|[.] )[A-Z][A-Za-z]+(, [A-Z][A-Za-z]+)*: /)) {
			pane[0] = substr(text, RSTART, RLENGTH - 2)
			text = substr(text, RSTART + RLENGTH)
			sub(/^[.] /, "", pane[0])
			m = split(pane[0], pane, ", ")
			for (k = 1; k <= m; k++)
				for (i = 1; i <= n; i++)
					if (pane[k] in panes && !((key[i], pane[k]) in at) && !((key[i], "everywhere") in at))
						print "key " key[i] " does nothing in " pane[k]
			named += m
		}
	}
	FNR == NR {
		bound[$1] = 1
		at[$1, $2] = 1
		panes[$2] = 1
		next
	}
	/^\.(It|El|Pp)/ {
		if (names != "")
			check(names, body)
		names = body = ""
	}
	/^\.It / {
		gsub(/^\.It (Ic )?| ,/, "")
		names = $0
		next
	}
	names != "" { body = body (body == "" ? "" : " ") $0 }
	END {
		if (named < 40)
			print "only " named + 0 " panes named"
	}' - "$scratch/keys" >"$scratch/notes"
! [ -s "$scratch/notes" ]
result $? "every key of the manual is in the table, for each pane that is named"

for file in "$demo" "$heap" "$sched" "$profile" "$events"; do
	./icecore --no-index -o tsv -e info "$file"
done | cut -f 1 | grep -E '^(repair|loss)\.' | grep -v '^loss.reason' >"$scratch/words"
named "$main" "every repair and loss is documented"

# The examples of the manual and of the help are answered, in a folder where
# they may write files.
mkdir "$scratch/files"

ask() { # ask QUERY FILE...: in a folder where it may write files
	rm -rf "$scratch"/files/*
	(cd "$scratch/files" && "$icecore" --no-index -o tsv -e "$@") >"$scratch/out" 2>>"$scratch/notes" </dev/null
}

while IFS="$tab" read -r times files example; do
	printf '%s\n' "$example" >"$scratch/notes"
	status=1
	for file in $files; do
		if ! [ -e "$file" ] && [ "${REQUIRE_ALL:-0}" != 1 ]; then
			status=skip
			break
		fi
		case $times in
		1) ask "$example" "$file" ;;
		2) ask "$example" "$file" "$file" ;;
		*) ask "$example" "$file" "$times" ;;
		esac
		status=$?
		[ $status -eq 1 ] || break
	done
	if [ $status = skip ]; then
		count=$((count + 1))
		echo "ok $count - $example # SKIP no $file"
	else
		result $status "$example"
	fi
done <"$scratch/queries"
echo "1..$count"
