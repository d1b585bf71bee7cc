/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * presets: read the presets of icecore and of the user. Both use the same grammar.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/home.h"
#include "icecore/lev.h"
#include "icecore/preset.h"
#include "presets.h"

enum { SHIPPED_MOST = 32 };

#define FORM "needs [NAME] WHAT, or TITLE = QUERY below one"

/* ---- a line ------------------------------------------------------------------------- */

static struct preset *
preset_named(const struct presets *p, struct str name)
{
	for (size_t i = 0; i < p->n; i++)
		if (str_eq(str_of(p->preset[i].name), name))
			return &p->preset[i];
	return NULL;
}

/*
 * "[NAME] WHAT": the queries below belong to this preset.  If the user has a preset of that name, *now is
 * NULL and the queries are skipped.
 */
static bool
preset_begin(struct presets *p, struct str line, bool own, struct preset **now, struct err *err)
{
	struct preset new = { .first = p->nqueries, .own = own };
	struct str rest = str_after(line, 1), name;
	const struct preset *before;

	if (memchr(rest.s, ']', rest.n) == NULL || !str_split(&rest, ']', &name) || str_trim(name).n == 0)
		return fail(err, E_USAGE, FORM);
	name = str_trim(name);
	new.what = str_trim(rest);
	before = preset_named(p, name);
	*now = NULL;
	if (before != NULL)
		return before->own != own || fail(err, E_USAGE, "preset '%s' is in this file twice",
		    before->name);
	if (!mem_grow(&p->preset, &p->cap, p->n + 1, sizeof *p->preset))
		return fail(err, E_SYSTEM, "out of memory (presets)");
	new.name = mem_copy(name);
	if (new.name == NULL)
		return fail(err, E_SYSTEM, "out of memory (presets)");
	*now = &p->preset[p->n++];
	**now = new;
	return true;
}

/* "TITLE = QUERY" */
static bool
preset_add(struct presets *p, struct preset *to, struct str line, size_t number, struct err *err)
{
	struct preset_query q = { .text = line, .line = number };

	if (memchr(line.s, '=', line.n) == NULL || !str_split(&q.text, '=', &q.title))
		return fail(err, E_USAGE, FORM);
	q.title = str_trim(q.title);
	q.text = str_trim(q.text);
	if (q.title.n == 0)
		return fail(err, E_USAGE, FORM);
	if (!mem_grow(&p->query, &p->query_cap, p->nqueries + 1, sizeof *p->query))
		return fail(err, E_SYSTEM, "out of memory (presets)");
	p->query[p->nqueries++] = q;
	to->n++;
	return true;
}

/* Read all lines. Invalid lines are skipped; p->wrong describes the first one. */
static bool
presets_text(struct presets *p, struct str text, bool own, struct err *err)
{
	struct preset *now = NULL;
	struct str line;
	struct err why = { .at = ERR_NOWHERE };
	size_t number = 0;
	bool begun = false, ok;

	while (str_split(&text, '\n', &line)) {
		number++;
		while (line.n > 0 && line.s[line.n - 1] == '\r')
			line.n--;
		line = str_trim(line);
		if (line.n == 0 || line.s[0] == '#')
			continue;
		if (line.s[0] != '[' && now == NULL && begun)
			continue;
		begun |= line.s[0] == '[';
		ok = line.s[0] == '[' ? preset_begin(p, line, own, &now, &why) :
		    now != NULL ? preset_add(p, now, line, number, &why) : fail(&why, E_USAGE, FORM);
		if (!ok && why.kind >= E_SYSTEM) {
			*err = why;
			return false;
		}
		if (!ok && p->wrong.kind == E_NONE)
			fail(&p->wrong, E_USAGE, "%s:%zu: %s", p->path != NULL ? p->path : "presets", number,
			    why.text);
	}
	return true;
}

/* ---- all of them -------------------------------------------------------------------- */

bool
presets_read(struct presets *p, struct err *err)
{
	*p = (struct presets){ .own = BUF_INIT, .path = home_path("XDG_CONFIG_HOME", ".config", "presets") };
	if (p->path != NULL && home_read(p->path, &p->own, &p->wrong) &&
	    !presets_text(p, buf_view(&p->own), true, err))
		return false;
	return presets_text(p, str_of(presets_txt), false, err);
}

void
presets_free(struct presets *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->preset[i].name);
	free(p->preset);
	free(p->query);
	free(p->path);
	buf_free(&p->own);
}

const char *
preset_shipped(size_t nth)
{
	static char names[SHIPPED_MOST][16];
	struct str text = str_of(presets_txt), line;
	size_t n = 0;

	while (n <= nth && nth < SHIPPED_MOST && str_split(&text, '\n', &line))
		if (line.n > 0 && line.s[0] == '[' && n++ == nth) {
			line = str_after(line, 1);
			str_split(&line, ']', &text);
			snprintf(names[nth], sizeof names[nth], "%.*s", (int)text.n, text.s);
			return names[nth];
		}
	return NULL;
}

bool
presets_find(const struct presets *p, struct str name, const struct preset **found, struct err *err)
{
	struct guess g = guess_of(name);
	char near[GUESS_TEXT];

	*found = preset_named(p, name);
	if (*found != NULL)
		return true;
	for (size_t i = 0; i < p->n; i++)
		guess_try(&g, p->preset[i].name);
	return fail(err, E_USAGE, "no preset '%.*s'%s; 'icecore -e presets' lists them", (int)name.n, name.s,
	    guess_text(&g, near, sizeof near));
}

bool
asks_add_preset(struct asks *asks, const struct presets *p, const struct preset *preset, struct err *err)
{
	const struct preset_query *q;

	for (size_t i = 0; i < preset->n; i++) {
		q = &p->query[preset->first + i];
		if (!asks_add(asks, q->text, preset->own ? q->line : 0, err))
			return false;
		asks->ask[asks->n - 1].title = q->title;
		asks->ask[asks->n - 1].path = p->path;
	}
	return true;
}
