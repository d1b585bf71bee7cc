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
 *	opens		lines until "back" are the script of the process that opens another file
 *
 * All other commands and each key wait until no work is running, so that frames do not depend on the
 * machine's speed.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/args.h"
#include "icecore/keys.h"
#include "icecore/named.h"
#include "icecore/program.h"
#include "app.h"

struct script {
	const char	*path;
	struct buf	 text;
	struct str	 rest;		/* unread part of text */
	char		*line;		/* ends with a NUL */
	struct args_list opened;	/* scripts of other processes */
	unsigned	 number;
	struct str	 keys;		/* rest of the line: names of keys to press, separated by blanks */
	bool		 read, now;	/* a line that is not finished; without waiting */
	int		 y, x;		/* position of the mouse */
};

static bool
script_read(struct script *s, struct err *err)
{
	FILE		*f = strcmp(s->path, "-") == 0 ? stdin : fopen(s->path, "re");
	char		 piece[4096];
	size_t		 n;
	bool		 ok;

	if (f == NULL)
		return fail_path(err, s->path);
	while ((n = fread(piece, 1, sizeof piece, f)) > 0)
		buf_add(&s->text, piece, n);
	ok = !ferror(f) || fail_path(err, s->path);
	if (f != stdin)
		fclose(f);
	s->rest = buf_view(&s->text);
	return ok && (!s->text.bad || fail(err, E_SYSTEM, "out of memory (keys)"));
}

/* Take the lines until "back", which other processes run. */
static struct str
script_section(struct str *rest)
{
	struct str	all = *rest, line;
	const char	*end = rest->s;

	while (str_split(rest, '\n', &line) && !str_eq(line, STR("back")))
		end = rest->s;
	return (struct str){ all.s, (size_t)(end - all.s) };
}

/* The bytes of one line's keys. */
static void
script_add_keys(struct str line, struct buf *to)
{
	struct str	word;
	struct press	p;
	char		name[16];

	str_take(&line, STR("now "));
	if (str_take(&line, STR("type ")))
		buf_str(to, line);
	else if (str_take(&line, STR("key ")))
		while (str_split(&line, ' ', &word)) {
			snprintf(name, sizeof name, "%.*s", (int)word.n, word.s);
			if (key_named(name, &p))
				buf_add(to, p.raw, p.n);
		}
	else if (str_take(&line, STR("click ")) || str_take(&line, STR("double ")))
		buf_str(to, STR("\033[<0;1;1M"));
}

/* The helper learns before the file is read which names the script enters, and what other processes run. */
static bool
script_tell(struct script *s, struct err *err)
{
	struct str	rest = s->rest, line;
	struct buf	pressed = BUF_INIT;
	bool		ok = true;
	char		*one;

	while (ok && str_split(&rest, '\n', &line)) {
		if (!str_eq(line, STR("opens"))) {
			script_add_keys(line, &pressed);
			continue;
		}
		one = mem_copy(script_section(&rest));
		ok = one != NULL ? args_add(&s->opened, one, err) :
		    fail(err, E_SYSTEM, "out of memory (keys)");
	}
	keys_scripted(pressed.s, pressed.n);
	starter_scripts(s->opened.arg, s->opened.n);
	ok = ok && (!pressed.bad || fail(err, E_SYSTEM, "out of memory (keys)"));
	buf_free(&pressed);
	return ok;
}

struct script *
script_open(const char *path, struct err *err)
{
	struct script	*s = mem_array(1, sizeof *s);

	if (s == NULL) {
		fail(err, E_SYSTEM, "out of memory (keys)");
		return NULL;
	}
	s->path = path;
	if (script_read(s, err) && script_tell(s, err))
		return s;
	script_close(s);
	return NULL;
}

void
script_close(struct script *s)
{
	if (s == NULL)
		return;
	for (size_t i = 0; i < s->opened.n; i++)
		free((void *)(uintptr_t)s->opened.arg[i]);
	free(s->opened.arg);
	buf_free(&s->text);
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
	input_press(app, &p);
	return true;
}

static void
type(struct app *app, struct str s)
{
	bool	text = false;

	input_take(app, s, true, &text);
}

static const struct report {
	const char	*word;
	int		 button, times;
	char		 end;
	bool		 drags;		/* Move from the current position by a number of columns. */
} reports[] = { { "click", 0, 1, 'M', false }, { "double", 0, 2, 'M', false },
    { "right", 2, 1, 'M', false }, { "up", 64, 1, 'M', false },
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

/* Take the next line; at the end of the script s->read is false. */
static bool
script_read_line(struct script *s, struct err *err)
{
	struct str	line;

	free(s->line);
	s->line = NULL;
	do {
		s->read = str_split(&s->rest, '\n', &line);
		s->number++;
		if (s->read && str_eq(line, STR("opens")))
			script_section(&s->rest);
	} while (s->read && ((line.n > 0 && line.s[0] == '#') || str_eq(line, STR("opens"))));
	s->keys.n = 0;
	if (!s->read)
		return true;
	s->now = str_has_prefix(line, STR("now "));
	s->line = mem_copy(line);
	return s->line != NULL || fail(err, E_SYSTEM, "out of memory (keys)");
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
