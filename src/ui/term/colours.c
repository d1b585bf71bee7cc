/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * colours: colours of screen roles, and pairs of any two colours for pictures.
 */
#include "config.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>

#include "screen.h"

/* PAIRS_KEPT colour pairs are reserved for combinations of the 8 basic colours. */
enum { COLOURS = 256, PAIRS_KEPT = 44 };

#if NCURSES_EXT_COLORS
enum { PAIRS_MAX = 32767 };
#else
enum { PAIRS_MAX = 256 };
#endif

struct role_look {
	const char	*name;
	short		fg256, bg256, fg8, bg8;
	attr_t		plain;		/* text, and its background */
	short		dark, light;	/* fg256 for such a background; 0: the same */
};

static struct role_look roles[ROLES] = {
	[ROLE_NORMAL] = { "normal", -1, -1, -1, -1, A_NORMAL },
	[ROLE_TITLE] = { "title", -1, -1, -1, -1, A_BOLD },
	[ROLE_TAB] = { "tab", -1, -1, -1, -1, A_NORMAL },
	[ROLE_DIM] = { "dim", 244, -1, -1, -1, A_NORMAL, 247, 241 },
	[ROLE_HEAD] = { "head", -1, -1, -1, -1, A_UNDERLINE },
	[ROLE_MATCH] = { "match", 16, 220, 0, 3, A_BOLD },
	[ROLE_ERROR] = { "error", 160, -1, 1, -1, A_BOLD, 203, 0 },
	[ROLE_CHIP] = { "chip", 244, -1, -1, -1, A_REVERSE, 247, 241 },
	[ROLE_HUE + 0] = { "frame1", 16, 151, 0, 2, A_NORMAL },
	[ROLE_HUE + 1] = { "frame2", 16, 180, 0, 3, A_NORMAL },
	[ROLE_HUE + 2] = { "frame3", 16, 152, 0, 6, A_NORMAL },
	[ROLE_HUE + 3] = { "frame4", 16, 182, 0, 5, A_NORMAL },
	[ROLE_HUE + 4] = { "frame5", 16, 187, 0, 7, A_NORMAL },
	[ROLE_HUE + 5] = { "frame6", 16, 146, 0, 6, A_NORMAL },
	[ROLE_HUE + 6] = { "frame7", 16, 174, 0, 2, A_NORMAL },
	[ROLE_HUE + 7] = { "frame8", 16, 115, 0, 3, A_NORMAL },
	[ROLE_KERNEL] = { "kernel", 16, 215, 0, 1, A_NORMAL },
	[ROLE_JIT] = { "jit", 16, 120, 0, 2, A_NORMAL },
	[ROLE_INLINED] = { "inlined", 16, 123, 0, 6, A_NORMAL },
	[ROLE_WAKER] = { "waker", 16, 250, 0, 7, A_NORMAL },
	[ROLE_PLATFORM] = { "platform", 16, 252, 0, 7, A_NORMAL },
	[ROLE_SAME] = { "same", 16, 254, 0, 7, A_NORMAL },
	[ROLE_GREW + 0] = { "grew1", 16, 224, 7, 1, A_NORMAL },
	[ROLE_GREW + 1] = { "grew2", 16, 217, 7, 1, A_NORMAL },
	[ROLE_GREW + 2] = { "grew3", 16, 203, 7, 1, A_NORMAL },
	[ROLE_SHRANK + 0] = { "shrank1", 16, 189, 7, 4, A_NORMAL },
	[ROLE_SHRANK + 1] = { "shrank2", 16, 153, 7, 4, A_NORMAL },
	[ROLE_SHRANK + 2] = { "shrank3", 16, 75, 7, 4, A_NORMAL },
	[ROLE_MORE] = { "more", 160, -1, 1, -1, A_NORMAL, 203, 0 },
	[ROLE_LESS] = { "less", 33, -1, 4, -1, A_NORMAL, 75, 25 },
	[ROLE_KEY] = { "key", -1, -1, -1, -1, A_BOLD },
	[ROLE_SHARE] = { "share", 16, 152, -1, -1, A_NORMAL },
	[ROLE_BAR] = { "bar", 71, -1, 2, -1, A_NORMAL, 0, 28 },
	[ROLE_BUSY] = { "busy", 208, -1, 3, -1, A_BOLD, 0, 130 },
	[ROLE_WARN] = { "warn", 178, -1, 3, -1, A_NORMAL, 0, 94 },
	[ROLE_BAD] = { "bad", 160, -1, 1, -1, A_NORMAL, 203, 0 },
	[ROLE_LOCK] = { "lock", 133, -1, 5, -1, A_NORMAL, 170, 90 },
	[ROLE_COLLECT] = { "collect", 37, -1, 6, -1, A_NORMAL, 0, 23 },
};

static bool	has_colour, wants_none;

/* Roles with the same two colours share a pair: small terminals have few pairs. */
static short	role_pair[ROLES];
static int	role_pairs;

/* ---- chosen by the user ---------------------------------------------------- */

const char *const theme_names[THEMES] = { "auto", "dark", "light", "mono" };

short
colours_readable(enum role role, enum theme theme)
{
	short	fg = theme == THEME_DARK ? roles[role].dark : theme == THEME_LIGHT ? roles[role].light : 0;

	return fg != 0 ? fg : roles[role].fg256;
}

void
colours_theme(enum theme theme)
{
	wants_none = theme == THEME_MONO;
	for (size_t i = 0; i < ROLES; i++)
		roles[i].fg256 = colours_readable(i, theme);
}

const char *
colours_named(enum role role, short *fg, short *bg)
{
	*fg = roles[role].fg256;
	*bg = roles[role].bg256;
	return roles[role].name;
}

void
colours_choose(enum role role, short fg, short bg)
{
	roles[role].fg256 = fg;
	roles[role].bg256 = bg;
}

/* ---- pairs ----------------------------------------------------------------- */

/* pairs for pictures, after those of the roles */
static struct {
	uint16_t	of[COLOURS + 1][COLOURS + 1];	/* pair by both numbers + 1; 0: none */
	int		used, cap;
} pairs;

static void
forget_pairs(void)
{
	memset(pairs.of, 0, sizeof pairs.of);
	pairs.used = 0;
}

static void
make_role(size_t i, bool many)
{
	short	fg = many ? roles[i].fg256 : roles[i].fg8, bg = many ? roles[i].bg256 : roles[i].bg8;

	for (size_t k = 0; k < i; k++)
		if (fg == (many ? roles[k].fg256 : roles[k].fg8) &&
		    bg == (many ? roles[k].bg256 : roles[k].bg8)) {
			role_pair[i] = role_pair[k];
			return;
		}
	role_pair[i] = (short)++role_pairs;
	init_pair(role_pair[i], fg, bg);
}

void
colours_start(void)
{
	const char	*no = getenv("NO_COLOR");
	bool		 many;

	has_colour = false;
	if (wants_none || (no != NULL && *no != '\0') || !has_colors())
		return;
	if (start_color() == ERR || use_default_colors() == ERR || COLOR_PAIRS <= ROLES)
		return;
	many = COLORS >= COLOURS;
	has_colour = true;
	role_pairs = 0;
	for (size_t i = 0; i < ROLES; i++)
		make_role(i, many);
	pairs.cap = (COLOR_PAIRS < PAIRS_MAX ? COLOR_PAIRS : PAIRS_MAX) - role_pairs - 1;
	forget_pairs();
}

/* With more than 256 colours the numbers mean something else. */
int
colours_many(void)
{
	return !has_colour || pairs.cap < PAIRS_KEPT ? 0 : COLORS == COLOURS ? COLOURS : 8;
}

void
colours_role(enum role role, unsigned look)
{
	attr_t	a = roles[role].plain;

	if (look & LOOK_BOLD)
		a |= A_BOLD;
	if (look & LOOK_REVERSE)
		a |= A_REVERSE;
	attr_set(a, has_colour ? role_pair[role] : 0, NULL);
}

/* 0: no pair is left. */
static int
pair_of(int fg, int bg)
{
	uint16_t	*pair = &pairs.of[fg + 1][bg + 1];

	if (*pair != 0)
		return *pair;
	if (pairs.used >= pairs.cap - (fg < 8 && bg < 8 ? 0 : PAIRS_KEPT))
		return 0;
	*pair = (uint16_t)(role_pairs + 1 + pairs.used++);
#if NCURSES_EXT_COLORS
	init_extended_pair(*pair, fg, bg);
#else
	init_pair((short)*pair, (short)fg, (short)bg);
#endif
	return *pair;
}

bool
colours_set(int fg, int bg)
{
	int	pair = 0;

	if (has_colour && (fg >= 0 || bg >= 0)) {
		if (fg >= COLOURS || bg >= COLOURS || (pair = pair_of(fg, bg)) == 0)
			return false;
	}
#if NCURSES_EXT_COLORS
	attr_set(A_NORMAL, 0, &pair);
#else
	attr_set(A_NORMAL, (short)pair, NULL);
#endif
	return true;
}

/* Within a frame pairs must not change: drawn cells refer to them. */
void
colours_settle(void)
{
	if (pairs.used > pairs.cap - pairs.cap / 4)
		forget_pairs();
}
