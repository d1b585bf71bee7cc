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

# Texts of the explorer that name a key themselves.  Excepted are keys of the prompt, one that ends the wait for a letter, a line of the
# tour that names two, a command's text in a table, and a mark in quotes.
named_keys() {
	key="([A-Za-z/?:']|Enter|Esc|Tab|C-[a-z])"
	does="( (is|undoes|goes|stops|resumes|shows|exports|closes|clears|takes|again|first|to|help|opens|switches|quits|and|for|then)|: )"
	behind='[^"]*(; |, |: |[.] |press |[?] |with |use |[(])'
	grep -nE "\"($behind)?$key$does|\"$behind$key(; |\")" $(find src/ui -name '*.c') |
	    grep -vE ':/[*]|has such a name; Esc closes|Esc: stay|n is the next match|goes back to it|BOOKMARK_LAST'
}

sources=$(find src -name '*.c' | sort)
headers=$(find src include -name '*.h' | sort)
tests=$(find tests -name '*.[ch]' | sort)
# shellcheck disable=SC2086
{
	check "functions have at most 60 lines" "$(long_functions 60)"
	check "no line has more than 120 columns" "$(LC_ALL=C.UTF-8 awk '
		{ s = $0; while ((i = index(s, "\t")) > 0) s = sprintf("%s%*s%s", substr(s, 1, i - 1), 8 - (i - 1) % 8, "", substr(s, i + 1)) }
		length(s) > 120 { print FILENAME ":" FNR ": " length(s) }' $sources $headers)"
	check "facts are named by their handles" "$(grep -nE '(store|heap)_fact(_get|_set|_str|_text)?\([^,"]*, *"' $sources)"
	check "every source names its owner and its licence" "$(unlicensed)"
	check "only src/os asks which system this is" "$(grep -nE '^#[ \t]*(el)?if.*\<(__linux__|__linux|linux|__APPLE__|__FreeBSD__|__GLIBC__|__unix__|__MACH__|_WIN32|BSD|__[A-Za-z]*BSD__|__ANDROID__|__sun|SYS_[a-z_0-9]+)\>|^#[ \t]*include <(sys/(prctl|syscall|inotify|event|vfs|mount|sysctl|ptrace)[.]h|linux/|mach)' \
	    $sources $headers | grep -v '^src/os/')"
	check "texts of the explorer get the names of keys from hint()" "$(named_keys)"
	check "nothing is left to be done" "$(grep -nE '\<(TODO|FIXME|XXX)\>' $sources $headers $tests)"
	check "no blank at the end of a line" "$(grep -nE '[ 	]$' $sources $headers $tests)"
}
echo "1..$count"
