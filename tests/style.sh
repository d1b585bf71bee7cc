# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# TAP: rules of form that a machine can check, and their limits.
srcdir=${srcdir:-$(dirname "$0")/..}
cd "$srcdir" || exit 99
count=0

check() { # check WHAT COMPLAINTS: COMPLAINTS must be empty
	count=$((count + 1))
	if [ -z "$2" ]; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		printf '%s\n' "$2" | sed 's/^/# /'
	fi
}

# Functions begin with their name at the start of a line and end with a brace there.
long_functions() {
	awk -v most="$1" '
		FNR == 1 { start = 0 }
		/^[a-z_][a-zA-Z0-9_]*\(/ { name = $0; sub(/\(.*/, "", name); start = FNR }
		/^}/ {
			if (start && FNR - start + 2 > most)
				print FILENAME ":" start ": " name " has " FNR - start + 2 " lines"
			start = 0
		}' $sources
}

# Tags that a header defines and another file defines as well.  The limit may fall, never rise.
double_tags() {
	awk '
		/^(typedef )?(struct|enum|union) [a-z_0-9]+ \{/ {
			sub(/^typedef /, "")
			tag = $1 " " $2
			n[tag]++
			where[tag] = where[tag] " " FILENAME
			if (FILENAME ~ /\.h$/)
				header[tag] = 1
		}
		END {
			for (tag in header)
				if (n[tag] > 1)
					print tag ":" where[tag]
		}' $headers $sources | sort | awk -v most="$most_doubles" '
		{ line[NR] = $0 }
		END {
			for (i = 1; NR > most && i <= NR; i++)
				print line[i]
		}'
}

# Names of functions that several sources define, where they are more than MOST or one is in more than five.
double_functions() { # double_functions MOST
	# shellcheck disable=SC2086
	awk '
		/^[a-z_][a-zA-Z0-9_]*\(/ && !/;$/ { name = $0; sub(/\(.*/, "", name); if (!seen[FILENAME, name]++) { n[name]++; where[name] = where[name] " " FILENAME } }
		END {
			for (name in n)
				if (n[name] > 1)
					print n[name], name ":" where[name]
		}' $sources | sort -rn | awk -v most="$1" '
		{ line[NR] = $0 }
		$1 > 5 { many = 1 }
		END {
			for (i = 1; (many || NR > most) && i <= NR; i++)
				print line[i]
		}'
}

# Comments that begin without their subject ("What is ...", "Of those ..."), where more than one in a hundred does.
elliptic() {
	awk '
		function judge(text) {
			sub(/^[ \t*]+/, "", text)
			open = text == ""
			if (open)
				return
			all++
			if (tolower(text) ~ /^(what|of|it|the same|those|they|none|its|these|that|them|whose|one)([^a-z]|$)/)
				line[++n] = FILENAME ":" FNR ": " text
		}
		FNR == 1 { open = 0 }
		open { judge($0); next }
		match($0, /\/\*/) { judge(substr($0, RSTART + 2)) }
		END {
			for (i = 1; n * 100 > all && i <= n; i++)
				print line[i]
		}' "$@"
}

# Folders whose files have fewer asserts in a thousand statements than that: a line may be wrapped.
few_asserts() { # few_asserts LEAST FOLDER...
	least=$1
	shift
	for folder; do
		find "$folder" -name '*.[ch]' -exec cat {} + | awk -v least="$least" -v folder="$folder" '
			/^[ \t]*assert\(/ { n++ }
			{ statements += gsub(/;/, "") }
			END { if (n * 1000 < least * statements) print folder ": " n + 0 " asserts in " statements " statements" }'
	done
}

# Sources whose first line, or the second after #!, does not name the owner and the licence.
unlicensed() {
	for folder in bootstrap .ci completions configure.ac contrib demo firmware include Makefile.am man packaging src tests; do
		[ ! -e "$folder" ] || find "$folder" \( -path tests/fuzz/corpus -o -path tests/data -o -path firmware/build \) -prune -o \
		    -type f \( -name '*.[ch157]' -o -name '*.java' -o -name '*.kt' -o -name '*.js' -o -name '*.css' -o -name '*.sql' -o -name '*.py' -o -name '*.pl' \
		    -o -name '*.sh' -o -name 'icecore.*.in' -o -name APKBUILD.in -o -name rules -o -name '*.test' -o -name '*.awk' -o -name '*.sed' -o -name '*.am' -o -name configure.ac -o -name bootstrap \) -print
	done | sort | xargs awk -v mark="Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later" '
		function judge() { if (file && !found) print file }
		FNR == 1 { judge(); file = FILENAME; found = 0; last = /^#!/ ? 2 : 1 }
		FNR > last { nextfile }
		index($0, mark) { found = 1 }
		END { judge() }'
}

sources=$(find src -name '*.c' | sort)
headers=$(find src include -name '*.h' | sort)
most_doubles=21
tests=$(find tests -name '*.[ch]' | sort)
# shellcheck disable=SC2086
{
	check "functions have at most 60 lines" "$(long_functions 60)"
	check "no line has more than 150 characters, a tab counted as 8" "$(LC_ALL=C.UTF-8 awk '
		{ s = $0; gsub(/\t/, "        ", s) }
		length(s) > 150 && !/"/ { print FILENAME ":" FNR ": " length(s) }' $sources $headers $tests)"
	check "functions of several sources have names of their own, except 20" "$(double_functions 20)"
	check "comments begin with their subject" "$(elliptic $sources $headers)"
	check "facts are named by their handles" "$(grep -nE '(store|heap)_fact(_get|_set|_str|_text)?\([^,"]*, *"' $sources)"
	check "every source names its owner and its licence" "$(unlicensed)"
	check "only src/os asks which system this is" "$(grep -nE '^#[ \t]*(el)?if.*\<(__linux__|__linux|linux|__APPLE__|__FreeBSD__|__GLIBC__|__unix__|__MACH__|_WIN32|BSD|__[A-Za-z]*BSD__|__ANDROID__|__sun|SYS_[a-z_0-9]+)\>|^#[ \t]*include <(sys/(prctl|syscall|inotify|event|vfs|mount|sysctl|ptrace)[.]h|linux/|mach)' \
	    $sources $headers | grep -v '^src/os/')"
	check "nothing is left to be done" "$(grep -nE '\<(TODO|FIXME|XXX)\>' $sources $headers $tests)"
	check "no blank at the end of a line" "$(grep -nE '[ 	]$' $sources $headers $tests)"
	check "at least thirteen asserts in a thousand statements of src/store, src/load and src/pass" \
	    "$(few_asserts 13 src/store src/load src/pass)"
	check "at most $most_doubles tags that a header defines are defined again" "$(double_tags)"
}
echo "1..$count"
