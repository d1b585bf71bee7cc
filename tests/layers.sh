# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# TAP: the order of layers.tsv holds, in what files include and in what objects link.
#
# A file includes public headers of its own layer and of lower ones, private headers of its own room, and of
# each lower room of its layer at most one: that room's manual.  Curses and readline are for ui and main.
# An object uses no symbol of a higher layer or room, but the lists of src/tables.c.  Another object, a header or a test
# uses what is external.  layers.sh circles: only the files that use one another in a circle, which is advice.
srcdir=${srcdir:-.}
table=$srcdir/tests/layers.tsv

# The table, and what room and layer a path is of; the first part of both programs below.
order='
	function bad(why) {
		print why
	}
	function layer_of(path) { return locate(path) ? at_layer : "" }
	function locate(path,   part, n) {
		sub(/^.*\/src\//, "", path)
		n = split(path, part, "/")
		at_layer = n == 1 ? "main" : part[1]
		at_room = n > 2 ? part[2] : "."
		return (at_layer, at_room) in room
	}
	BEGIN {
		while ((getline line <table) > 0) {
			if (line ~ /^#/)
				continue
			split(line, field, "\t")
			layer[field[1]] = ++layers
			n = split(field[2], name, " ")
			for (i = 1; i <= n; i++)
				public[name[i]] = layers
			n = split(field[3], name, " ")
			for (i = 1; i <= n; i++)
				room[field[1], name[i]] = i
		}
		if (!layers)
			bad(table " is empty")
	}
'

# includes FILE...: a line for each wrong include.
includes() {
	awk -v table="$table" "$order"'
	FNR == 1 {
		here = FILENAME
		if (here ~ /\/include\/icecore\//) {
			sub(/^.*\//, "", here)
			sub(/\.h$/, "", here)
			if (!(here in public))
				bad(FILENAME ": layers.tsv does not have this header")
			level = public[here]
			at_layer = at_room = ""
		} else if (locate(here))
			level = layer[at_layer]
		else
			bad(FILENAME ": layers.tsv does not have this room")
		my_layer = at_layer
		my_room = at_room
	}
	!/^[ \t]*#[ \t]*include/ { next }
	{
		header = $0
		sub(/^[^"<]*["<]/, "", header)
		sub(/[">].*$/, "", header)
		place = FILENAME ":" FNR ": "
	}
	/</ {
		if (header ~ /^(curses|ncurses|term\.h|readline\/)/ && level < layer["ui"])
			bad(place "<" header "> is for ui and main")
		next
	}
	header ~ /^icecore\// {
		sub(/^icecore\//, "", header)
		sub(/\.h$/, "", header)
		if (!(header in public) || public[header] > level)
			bad(place "a lower layer may not include icecore/" header ".h")
		next
	}
	header ~ /\// {
		if (!locate("/src/" header))
			bad(place "layers.tsv does not have the room of " header)
		else if (at_layer != my_layer)
			bad(place header " is private to its layer")
		else if (room[at_layer, at_room] >= room[my_layer, my_room])
			bad(place "a lower room may not include " header)
		else if (manual[at_layer, at_room] == "")
			manual[at_layer, at_room] = header
		else if (manual[at_layer, at_room] != header)
			bad(place "other rooms already include " manual[at_layer, at_room] ", not " header)
	}
	' "$@"
}

# words FILE...: a line "FILE: NAME word" for each name in code, in headers that of inline functions and macros.
words() {
	awk '
	/^[ \t]*\*( |\/|$)/ || (FILENAME ~ /\.h$/ && /^[^\t#]/) { next }
	{
		gsub(/"[^"]*"|\/\*.*|(struct|enum|union) [a-z_0-9]+/, "")
		n = split($0, name, /[^A-Za-z_0-9]+/)
		for (i = 1; i <= n; i++)
			if (name[i] != "" && !seen[name[i]]++)
				print FILENAME ": " name[i] " word"
	}
	' "$@"
}

# links: reads what nm -A -P prints of objects, and words; a line for each wrong edge, each circle, and each
# external name that no other file uses.
links() {
	awk -v table="$table" "$order"'
	$3 == "word" {
		worded[$2] = 1
		next
	}
	{
		file = $1
		sub(/\[.*$|:$/, "", file)
		sub(/\.o$/, ".c", file)
		if (!locate("/" file)) {
			bad(file ": layers.tsv does not have this room")
			next
		}
		home_layer[file] = at_layer
		home_room[file] = at_room
	}
	$3 ~ /^[TDRBVWC]$/ { owner[$2] = file }
	$3 == "U" {
		users[$2] = users[$2] " " file
	}
	function edge(from, to, symbol,   a, b) {
		a = layer[home_layer[from]]
		b = layer[home_layer[to]]
		if (b > a)
			bad(from ": " symbol " is of a higher layer, " to)
		if (b != a)
			return
		if (room[home_layer[to], home_room[to]] > room[home_layer[from], home_room[from]])
			bad(from ": " symbol " is of a higher room, " to)
		if (!((from, to) in seen)) {
			seen[from, to] = 1
			uses[from] = uses[from] " " to
		}
	}
	# Fills reached[] with what from reaches.
	function reach(from, reached,   queue, head, tail, n, to, i) {
		queue[tail++] = from
		while (head < tail) {
			n = split(uses[queue[head++]], to, " ")
			for (i = 1; i <= n; i++)
				if (!(to[i] in reached)) {
					reached[to[i]] = 1
					queue[tail++] = to[i]
				}
		}
	}
	END {
		for (symbol in owner)
			if (symbol !~ /^_/ && !(symbol in users) && !(symbol in worded))
				bad(owner[symbol] ": " symbol " is used by no other file")
		for (symbol in users) {
			if (!(symbol in owner) || owner[symbol] == "src/tables.c")
				continue
			n = split(users[symbol], user, " ")
			for (i = 1; i <= n; i++)
				if (user[i] != owner[symbol])
					edge(user[i], owner[symbol], symbol)
		}
		for (file in uses) {
			split("", reached)
			reach(file, reached)
			for (to in reached)
				path[file, to] = 1
		}
		for (file in uses) {
			if (!((file, file) in path) || file in told)
				continue
			size = 0
			circle = ""
			for (to in uses)
				if ((file, to) in path && (to, file) in path) {
					size++
					told[to] = 1
					circle = circle " " to
				}
			bad("a circle of " size " files:" circle)
		}
	}
	'
}

tests=0
check() { # check WHAT COMPLAINTS: COMPLAINTS must be empty
	tests=$((tests + 1))
	if [ -z "$2" ]; then
		echo "ok $tests - $1"
	else
		echo "not ok $tests - $1"
		printf '%s\n' "$2" | sort | sed 's/^/# /'
	fi
}

expect() { # expect WHAT WANTED GOT
	[ "$2" = "$3" ] || set -- "$1" "$2" "wanted: $2
got: $3"
	[ "$2" = "$3" ] && set -- "$1" "" ""
	check "$1" "$3"
}

echo 1..4

# Both checks are shown to fail first.
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/src/os" "$scratch/src/ui/app" "$scratch/src/ui/list"
printf '#include "icecore/os.h"\n#include "icecore/pass.h"\n' >"$scratch/src/os/a.c"
printf '#include <curses.h>\n' >"$scratch/src/os/b.c"
printf '#include <curses.h>\n#include "ui/app/app.h"\n' >"$scratch/src/ui/list/c.c"
printf '#include "ui/list/list.h"\n#include "ui/list/other.h"\n#include "c.h"\n#include "pass/heap/heap.h"\n' \
    >"$scratch/src/ui/app/d.c"
got=$(includes "$scratch"/src/*/*.c "$scratch"/src/ui/*/*.c | sed "s|^$scratch/src/||; s/: .*//" | tr '\n' ' ')
expect "wrong includes are seen" 'os/a.c:2 os/b.c:1 ui/app/d.c:2 ui/app/d.c:4 ui/list/c.c:2 ' "$got"

ring() { # ring N: what nm prints of N objects, each of which uses the next one
	i=0
	while [ "$i" -lt "$1" ]; do
		echo "src/os/f$i.o: ring$i T 0 1"
		i=$((i + 1))
		echo "src/os/f$((i - 1)).o: ring$((i % $1)) U"
	done
}
printf '%s\n' '/* alone */' 'struct alone *alone(void);' 'static inline int' 'f(void)' '{' \
    '	struct alone a = of_header();	/* alone */' '}' >"$scratch/a.h"
printf '%s\n' '/*' ' * alone' ' */' 'int i = of_test, puts("alone");' >"$scratch/a.c"
got=$({
	ring 1
	ring 3
	echo 'src/os/a.o: high U'
	echo 'src/ui/list/b.o: high T 0 1'
	echo 'src/ui/list/b.o: higher U'
	echo 'src/ui/heap/c.o: higher T 0 1'
	echo 'src/ui/heap/c.o: panes U'
	echo 'src/tables.o: panes R 0 1'
	echo 'src/ui/heap/c.o: of_header T 0 1'
	echo 'src/ui/heap/c.o: of_test D 0 1'
	echo 'src/ui/heap/c.o: alone T 0 1'
	(cd "$scratch" && words a.h a.c)
} | links | cut -d' ' -f1-5 | sort | tr '\n' ';')
expect "wrong links are seen" \
    "a circle of 3 files:;src/os/a.c: high is of a;src/ui/heap/c.c: alone is used by;src/ui/list/b.c: higher is of a;" \
    "$got"

found=$(find "$srcdir/src" "$srcdir/include" -name '*.[ch]' | sort)
# shellcheck disable=SC2086
check "$(printf '%s\n' "$found" | wc -l) files include only what is theirs" "$(includes $found 2>&1)"

objects=$(cd "$srcdir" && find src -name '*.c' ! -name main.c ! -name carry.c | sed 's/c$/o/' | sort)
others=$(cd "$srcdir" && find src include tests -name '*.h' -o -name main.c -o -name carry.c -o -path 'tests/*.c' |
    sed "s|^|$srcdir/|")
# shellcheck disable=SC2086
linked=$({ ${NM:-nm} -A -P -g $objects && words $others; } 2>&1 | links 2>&1)
if [ "${1:-}" = circles ]; then
	printf '%s\n' "$linked" | sed -n 's/^a circle of /# /p'
else
	check "$(printf '%s\n' "$objects" | wc -l) objects link only what is below them, and share only what others use" \
	    "$(printf '%s\n' "$linked" | grep -v '^a circle of ')"
fi
