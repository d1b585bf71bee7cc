# TAP: each file includes only headers of its own layer or of those to its
# left: base < os < store < load < pass < query < ui < main.
#
# A file of src/ROOM/ belongs to layer ROOM, include/icecore/ROOM.h too, lev.h
# to base, heap.h, ids.h, perf.h, points.h and sched.h to load, graph.h, values.h, bitmap.h, collection.h,
# leak.h, track.h and view.h to pass; the files of src/ itself belong to main.  A private
# header is included by its own folder only, and curses and readline by nothing
# to the left of ui.
srcdir=${srcdir:-.}

wrong() { # wrong FILE...: prints file:line of each wrong include
	awk '
	BEGIN {
		n = split("base os store load pass query ui main", name, " ")
		for (i = 1; i <= n; i++)
			layer[name[i]] = i
		layer["lev"] = layer["base"]
		layer["heap"] = layer["ids"] = layer["perf"] = layer["points"] = layer["sched"] = layer["load"]
		layer["graph"] = layer["values"] = layer["pass"]
		layer["bitmap"] = layer["collection"] = layer["leak"] = layer["pass"]
		layer["track"] = layer["view"] = layer["pass"]
	}
	FNR == 1 {
		room = FILENAME
		sub(/^.*\/include\/icecore\//, "", room)
		sub(/^.*\/src\//, "", room)
		sub(/\.h$/, "", room)
		sub(/\/.*$/, "", room)
		if (FILENAME ~ /\/src\/[^\/]*$/)
			room = "main"
		if (!(room in layer))
			bad("no layer has the name " room)
	}
	function bad(why) {
		printf "%s:%d: %s\n", FILENAME, FNR, why
	}
	!/^[ \t]*#[ \t]*include/ { next }
	{
		header = $0
		sub(/^[^"<]*["<]/, "", header)
		sub(/[">].*$/, "", header)
	}
	/</ {
		if (header ~ /^(curses|ncurses|term\.h|readline\/)/ &&
		    layer[room] < layer["ui"])
			bad("<" header "> is for ui and main")
		next
	}
	header ~ /^icecore\// {
		other = header
		sub(/^icecore\//, "", other)
		sub(/\.h$/, "", other)
		if (!(other in layer) || layer[other] > layer[room])
			bad(room " may not include " header)
		next
	}
	header != "config.h" && header ~ /\// {
		bad("a private header lies in its own folder: " header)
	}
	' "$@"
}

found=$(find "$srcdir/src" "$srcdir/include" -name '*.[ch]' | sort)
count=$(printf '%s\n' "$found" | wc -l)

# Proves that the check can fail, then checks.
scratch=$(mktemp -d) || exit 99
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/src/os" "$scratch/src/ui"
printf '#include "icecore/os.h"\n#include "icecore/pass.h"\n' >"$scratch/src/os/a.c"
printf '#include <curses.h>\n' >"$scratch/src/os/b.c"
printf '#include <curses.h>\n#include "icecore/pass.h"\n' >"$scratch/src/ui/c.c"
got=$(cd "$scratch" && wrong ./src/os/a.c ./src/os/b.c ./src/ui/c.c | cut -d: -f1,2 | tr '\n' ' ')

echo 1..2
if [ "$got" = './src/os/a.c:2 ./src/os/b.c:1 ' ]; then
	echo "ok 1 - a wrong include is seen"
else
	echo "not ok 1 - a wrong include is seen"
	echo "# $got"
fi
# shellcheck disable=SC2086
if got=$(wrong $found) && [ -z "$got" ]; then
	echo "ok 2 - $count files include nothing from their right"
else
	echo "not ok 2 - $count files include nothing from their right"
	printf '%s\n' "$got" | sed 's/^/# /'
fi
