# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# A C file of the files given, each a text of its name: with prefix draw_, page.css is draw_page_css.  Indents and lines
# that are only a comment are left out.  header: the one that declares them.  whole=1: only the first line is left out.
FNR == 1 {
	if (NR > 1)
		print ";"
	name = FILENAME
	sub(/^.*\//, "", name)
	sub(/\./, "_", name)
	if (NR == 1)
		printf "#include \"config.h\"\n#include \"%s\"\n", header
	printf "const char %s%s[] =\n", prefix, name
}
whole && FNR == 1 { next }
!whole && /^[ \t]*(\/\/.*|\/\*.*\*\/)?$/ { next }
{
	if (!whole)
		sub(/^[ \t]+/, "")
	gsub(/\\/, "&&")
	# gsub treats a backslash before a mark differently in each awk.
	n = split($0, part, "\"")
	line = part[1]
	for (i = 2; i <= n; i++)
		line = line "\\\"" part[i]
	printf "\"%s\\n\"\n", line
}
END { print ";" }
