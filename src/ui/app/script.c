/*
 * script: keys from a file and frames to another, for tests without a
 * terminal.
 *
 *	key NAME ...	presses keys
 *	type TEXT	types the rest of the line
 *	size WxH	another size of the screen
 *	wait		until nothing is being worked on
 *	frame		writes the screen as text
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"

struct script {
	FILE		*f;
	const char	*path;
	char		*line;
	size_t		 cap;
	unsigned	 number;
	struct buf	 keys;		/* names still to be pressed, with blanks between */
	size_t		 at;
	bool		 waiting;
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
		fail_errno(err, "%s", path);
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
	buf_free(&s->keys);
	free(s);
}

/* One key a turn, so that each meets what the one before it did. */
static bool
press_next(struct script *s, struct app *app, struct err *err)
{
	struct str	rest = { s->keys.s + s->at, s->keys.n - s->at }, one;
	struct press	p;
	char		name[16];

	if (!str_split(&rest, ' ', &one)) {
		buf_clear(&s->keys);
		s->at = 0;
		return true;
	}
	s->at = s->keys.n - rest.n;
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
	struct press	p;
	size_t		n;

	while ((n = key_decode(s, true, &p)) > 0) {
		app_press(app, &p);
		s.s += n;
		s.n -= n;
	}
}

static bool
do_line(struct script *s, struct app *app, struct err *err)
{
	struct str	word, rest = str_of(s->line);
	int		w, h;

	if (!str_split(&rest, ' ', &word) || word.s[0] == '#')
		return true;
	if (str_eq(word, STR("key"))) {
		buf_str(&s->keys, rest);
		return true;
	}
	if (str_eq(word, STR("type"))) {
		type(app, rest);
		return true;
	}
	if (str_eq(word, STR("wait"))) {
		s->waiting = true;
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
	return fail(err, E_USAGE, "%s:%u: syntax error: %s", s->path, s->number, s->line);
}

bool
script_step(struct script *s, struct app *app, bool idle, struct err *err)
{
	ssize_t	n;

	if (s->waiting && !idle)
		return true;
	s->waiting = false;
	if (s->keys.n > 0)
		return press_next(s, app, err);
	n = getline(&s->line, &s->cap, s->f);
	if (n == -1) {
		app->quit = true;
		return true;
	}
	if (n > 0 && s->line[n - 1] == '\n')
		s->line[n - 1] = '\0';
	s->number++;
	return do_line(s, app, err);
}
