/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * script: read keys from a file and write frames to another, for tests without a terminal.
 *
 *	key NAME ...	press keys
 *	type TEXT	type the rest of the line, in one read
 *	size WxH	change the size of the screen
 *	click TEXT	click on the first occurrence of the text; also double, right, up and down (the wheel)
 *	drag N		move the mouse by N columns with the left button pressed; also release
 *	frame		write the screen as text
 *	now ...		run one of these, with all of its keys, without waiting for running work
 *
 * All other commands and each key wait until no work is running, so that frames do not depend on the machine's speed.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/keys.h"
#include "app.h"

struct script {
	FILE		*f;
	const char	*path;
	char		*line;
	size_t		 cap;
	unsigned	 number;
	struct str	 keys;		/* rest of the line: names of keys to press, separated by blanks */
	bool		 read, now;	/* a line that is not finished; without waiting */
	int		 y, x;		/* position of the mouse */
};

struct script *
script_open(const char *path, struct err *err)
{
	struct script	*s = mem_array(1, sizeof *s);

	if (s == NULL) {
		fail(err, E_SYSTEM, "out of memory (keys)");
		return NULL;
	}
	s->path = path;
	s->f = strcmp(path, "-") == 0 ? stdin : fopen(path, "re");
	if (s->f == NULL) {
		fail_path(err, path);
		free(s);
		return NULL;
	}
	return s;
}

void
script_close(struct script *s)
{
	if (s == NULL)
		return;
	if (s->f != stdin)
		fclose(s->f);
	free(s->line);
	free(s);
}

/* Press one key a turn, so that each key sees the effect of the previous one. */
static bool
press_next(struct script *s, struct app *app, struct err *err)
{
	struct str	one;
	struct press	p;
	char		name[16];

	str_split(&s->keys, ' ', &one);
	s->read = s->keys.n > 0;
	snprintf(name, sizeof name, "%.*s", (int)one.n, one.s);
	if (one.n == 0)
		return true;
	if (!key_named(name, &p))
		return fail(err, E_USAGE, "%s:%u: unknown key '%s'", s->path, s->number, name);
	app_press(app, &p);
	return true;
}

static void
type(struct app *app, struct str s)
{
	bool	text = false;

	burst_take(app, s, true, &text);
}

static const struct report {
	const char	*word;
	int		 button, times;
	char		 end;
	bool		 drags;		/* Move from the current position by a number of columns. */
} reports[] = { { "click", 0, 1, 'M', false }, { "double", 0, 2, 'M', false }, { "right", 2, 1, 'M', false }, { "up", 64, 1, 'M', false },
	{ "down", 65, 1, 'M', false }, { "drag", 32, 1, 'M', true }, { "release", 0, 1, 'm', true } };

static const struct report *
report_of(struct str word)
{
	for (size_t i = 0; i < NELEM(reports); i++)
		if (str_eq(word, str_of(reports[i].word)))
			return &reports[i];
	return NULL;
}

/* Send a mouse report as a terminal encodes it. */
static bool
report(struct script *s, struct app *app, const struct report *r, const char *text, struct err *err)
{
	char	bytes[64];

	if (r->drags)
		s->x = s->x + atoi(text) > 0 ? s->x + atoi(text) : 0;
	else if (!screen_find(text, &s->y, &s->x))
		return fail(err, E_USAGE, "%s:%u: '%s' is not on the screen", s->path, s->number, text);
	snprintf(bytes, sizeof bytes, "\033[<%d;%d;%d%c", r->button, s->x + 1, s->y + 1, r->end);
	/* Two clicks of a script are not a double click; a double click has r->times 2. */
	app->mouse.at = 0;
	for (int i = 0; i < r->times; i++)
		type(app, str_of(bytes));
	return true;
}

/* Run a line of the script; its keys are pressed in the next turns. */
static bool
do_line(struct script *s, struct app *app, struct str line, struct err *err)
{
	struct str	word, rest = line;
	int		w, h;

	s->read = false;
	if (!str_split(&rest, ' ', &word))
		return true;
	if (str_eq(word, STR("key"))) {
		s->keys = rest;
		s->read = rest.n > 0;
		return true;
	}
	if (str_eq(word, STR("type"))) {
		type(app, rest);
		return true;
	}
	if (str_eq(word, STR("frame"))) {
		screen_frame(app->opt->frames);
		return true;
	}
	if (str_eq(word, STR("size")) && sscanf(rest.s, "%dx%d", &w, &h) == 2 &&
	    w > 0 && w <= 1000 && h > 0 && h <= 1000) {
		screen_resize(h, w);
		return true;
	}
	if (report_of(word) != NULL)
		return report(s, app, report_of(word), rest.n > 0 ? rest.s : "", err);
	return fail(err, E_USAGE, "%s:%u: syntax error: %s", s->path, s->number, s->line);
}

/* Read the next line; at the end of the file s->read is false. */
static bool
script_read_line(struct script *s, struct err *err)
{
	ssize_t	n;

	errno = 0;
	do {
		n = getline(&s->line, &s->cap, s->f);
		s->number++;
	} while (n > 0 && s->line[0] == '#');
	if (n > 0 && s->line[n - 1] == '\n')
		s->line[n - 1] = '\0';
	s->now = n > 0 && strncmp(s->line, "now ", 4) == 0;
	s->keys.n = 0;
	s->read = n != -1;
	return errno == 0 || s->read || fail_path(err, s->path);
}

bool
script_step(struct script *s, struct app *app, bool idle, struct err *err)
{
	if (!s->read && !script_read_line(s, err))
		return false;
	if (!s->read) {
		app->quit = true;
		return true;
	}
	if (!s->now && !idle)
		return true;
	if (s->keys.n > 0)
		return press_next(s, app, err);
	return do_line(s, app, str_of(s->line + (s->now ? 4 : 0)), err);
}
