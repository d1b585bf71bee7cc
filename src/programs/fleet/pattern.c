/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pattern: find app, build, process and device in a path by --name-pattern. {any} and the other holes match
 * text without slashes.
 */
#include "config.h"

#include <string.h>

#include "fleet.h"

#define HOLES 16u

const char *const pattern_parts[PATTERN_PARTS] = { "app", "build", "process", "device" };

/* A part of the pattern: fixed text, then a hole. */
struct piece {
	struct str	fixed;
	int		part;		/* -1: any; PATTERN_PARTS: no hole, last part */
};

static size_t
pattern_split(struct str pattern, struct piece *piece)
{
	struct str rest, name;
	size_t n = 0;

	while (n < HOLES - 1 && str_divide(pattern, STR("{"), &piece[n].fixed, &rest) &&
	    str_divide(rest, STR("}"), &name, &pattern)) {
		piece[n].part = -1;
		for (int i = 0; i < PATTERN_PARTS; i++)
			if (str_eq(name, str_of(pattern_parts[i])))
				piece[n].part = i;
		n++;
	}
	piece[n] = (struct piece){ pattern, PATTERN_PARTS };
	return n;
}

/* Match from here to the end of the path. A hole ends at the first occurrence of the next fixed text. */
static bool
match(const struct piece *piece, size_t holes, struct str path, struct pattern_found *found)
{
	struct str fixed, hole, rest;

	if (!str_take(&path, piece[0].fixed))
		return false;
	for (size_t i = 0; i < holes; i++) {
		fixed = piece[i + 1].fixed;
		if (i + 1 == holes) {
			if (!str_has_suffix(path, fixed))
				return false;
			hole = (struct str){ path.s, path.n - fixed.n };
			rest = STR("");
		} else if (fixed.n == 0 || !str_divide(path, fixed, &hole, &rest))
			return false;
		if (hole.n == 0 || memchr(hole.s, '/', hole.n) != NULL)
			return false;
		if (piece[i].part >= 0)
			found->part[piece[i].part] = hole;
		path = rest;
	}
	return path.n == 0;
}

struct pattern_found
pattern_find(const char *pattern, const char *path)
{
	struct pattern_found none = { { { NULL, 0 } } }, found;
	struct piece piece[HOLES];
	size_t holes = pattern == NULL ? 0 : pattern_split(str_of(pattern), piece);
	struct str s = str_of(path);

	/* A match begins at the start of a path component. */
	for (size_t i = 0; holes > 0 && i < s.n; i++) {
		found = none;
		if ((i == 0 || s.s[i - 1] == '/') && match(piece, holes, str_after(s, i), &found))
			return found;
	}
	return none;
}
