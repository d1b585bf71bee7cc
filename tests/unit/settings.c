/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The configuration file: what lines say, what is wrong in them, hostile bytes; colours that can be read in each theme.
 */
#include "config.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chance.h"
#include "check.h"
#include "ui/app/settings.h"

static struct settings *
read_text(struct str text)
{
	struct settings	*c = calloc(1, sizeof *c);

	assert_non_null(c);
	settings_text(c, text, "rc");
	assert_true((c->wrong > 0) == (c->first.kind != E_NONE));
	return c;
}

static void
drop(struct settings *c)
{
	settings_free(c);
	free(c);
}

static void
says(const char *line, const char *error)
{
	struct settings	*c = read_text(str_of(line));
	char		 text[300];

	snprintf(text, sizeof text, "rc:1: %s", error);
	assert_string_equal(c->first.text, text);
	assert_int_equal(c->wrong, 1);
	drop(c);
}

static void
good(void **state)
{
	struct settings	*c = read_text(STR("# all\r\n\n  clock=cpu\nclock = off \r\n\tmouse\t=\toff\ntheme = light\nevent = a = b\n"
	    "columns.Methods = self total\nidle = shown\ncolour.match = 1\ncolour.bar = - 255\nhistory = on"));

	(void)state;
	assert_int_equal(c->first.kind, E_NONE);
	assert_int_equal(c->clock, 3);
	assert_int_equal(c->mouse, 1);
	assert_int_equal(c->history, 0);
	assert_int_equal(c->theme, THEME_LIGHT);
	assert_int_equal(c->idle, 1);
	assert_string_equal(c->event, "a = b");
	assert_int_equal(c->ncolumns, 1);
	assert_string_equal(c->columns[0].pane, "Methods");
	assert_string_equal(c->columns[0].names, "self total");
	assert_int_equal(c->columns[0].line, 8);
	assert_true(c->coloured[ROLE_MATCH] && c->fg[ROLE_MATCH] == 1 && c->bg[ROLE_MATCH] == -1);
	assert_true(c->coloured[ROLE_BAR] && c->fg[ROLE_BAR] == -1 && c->bg[ROLE_BAR] == 255);
	assert_false(c->coloured[ROLE_DIM]);
	drop(c);
}

static void
wrong(void **state)
{
	(void)state;
	says("mous = off", "unknown key 'mous'; did you mean 'mouse'?");
	says("mouse = of", "invalid value 'of' for mouse; did you mean 'off'?");
	says("mouse off", "no '=' in this line; e.g. mouse = off");
	says("columns.Method = self", "no pane 'Method' has columns; did you mean 'Methods'?");
	says("columns.Methods = self | write x", "expected: column names, separated by blanks");
	says("columns.Methods =", "expected: column names, separated by blanks");
	says("colour.macth = 1", "no colour 'macth'; did you mean 'match'?");
	says("colour.match = 256", "expected: text and background colour, each 0 to 255 or -");
	says("colour.match = 1 2 3", "expected: text and background colour, each 0 to 255 or -");
	says("colour.match =", "expected: text and background colour, each 0 to 255 or -");
}

/* The list is a file that says what is so without it. */
static void
listed(void **state)
{
	FILE		*f = tmpfile();
	char		 text[16384];
	struct settings	*c;
	size_t		 n;

	(void)state;
	assert_non_null(f);
	ui_list_config(f);
	rewind(f);
	n = fread(text, 1, sizeof text, f);
	fclose(f);
	assert_in_range(n, 1000, sizeof text - 1);
	c = read_text((struct str){ text, n });
	assert_int_equal(c->first.kind, E_NONE);
	assert_int_equal(c->clock + c->mouse + c->history + c->theme + c->idle, 0);
	drop(c);
	/* All of it, also what is no more than an example. */
	for (size_t i = 0; i + 1 < n; i++)
		if (text[i] == '#' && text[i + 1] != ' ')
			text[i] = ' ';
	c = read_text((struct str){ text, n });
	assert_int_equal(c->first.kind, E_NONE);
	assert_in_range(c->ncolumns, 15, SETTINGS_COLUMNS);
	for (size_t i = 0; i < ROLES; i++)
		assert_true(c->coloured[i]);
	drop(c);
}

static void
hostile(void **state)
{
	static const char begin[] = "clock = cpu\nmouse=off\ncolumns.Methods = self total\ncolour.match = 16 220\nevent = x\n";
	char		 text[sizeof begin];

	(void)state;
	for (int round = 0; round < 20000; round++) {
		memcpy(text, begin, sizeof text);
		for (uint32_t n = 1 + below(8); n > 0; n--)
			text[below(sizeof text - 1)] = "\n=#.\0\xff 9|\r"[below(10)];
		drop(read_text((struct str){ text, sizeof text - 1 }));
	}
}

/* Columns that do not fit are reported, and the others stay. */
static void
many(void **state)
{
	struct buf	b = BUF_INIT;
	struct settings	*c;

	(void)state;
	for (int i = 0; i < SETTINGS_COLUMNS + 3; i++)
		buf_str(&b, STR("columns.Methods = self\n"));
	c = read_text(buf_view(&b));
	assert_int_equal(c->ncolumns, SETTINGS_COLUMNS);
	assert_int_equal(c->wrong, 3);
	drop(c);
	buf_free(&b);
}

/* ---- colours ----------------------------------------------------------------- */

static double
light_of(short colour)
{
	static const int levels[] = { 0, 95, 135, 175, 215, 255 };
	int	n = colour - 16, rgb[3] = { 8 + 10 * (colour - 232), 8 + 10 * (colour - 232), 8 + 10 * (colour - 232) };
	double	v[3];

	if (colour < 232) {
		rgb[0] = levels[n / 36];
		rgb[1] = levels[n / 6 % 6];
		rgb[2] = levels[n % 6];
	}
	for (int i = 0; i < 3; i++)
		v[i] = rgb[i] <= 10 ? rgb[i] / 255.0 / 12.92 : pow((rgb[i] / 255.0 + 0.055) / 1.055, 2.4);
	return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2];
}

/* Text without a background of its own has a contrast of 4.5 to white in the light theme, to black in the dark one. */
static void
themes(void **state)
{
	short	fg, bg, in;

	(void)state;
	for (size_t i = 0; i < ROLES; i++) {
		assert_non_null(colours_named(i, &fg, &bg));
		if (fg < 0 || bg >= 0)
			continue;
		in = colours_readable(i, THEME_LIGHT);
		assert_true(in >= 16 && 1.05 / (light_of(in) + 0.05) >= 4.5);
		in = colours_readable(i, THEME_DARK);
		assert_true(in >= 16 && (light_of(in) + 0.05) / 0.05 >= 4.5);
		assert_int_equal(colours_readable(i, THEME_AUTO), fg);
	}
}

TOOL(unit, settings)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(good), cmocka_unit_test(wrong), cmocka_unit_test(listed), cmocka_unit_test(hostile),
		cmocka_unit_test(many), cmocka_unit_test(themes)
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
