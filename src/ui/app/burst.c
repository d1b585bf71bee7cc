/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * burst: detect pasted text. If one read of the terminal contains several unknown keys, it is pasted text,
 * and no key is pressed. Keys typed ahead are known in the pane they lead to, or belong to a prompt.
 */
#include "config.h"

#include <string.h>

#include "icecore/keys.h"
#include "app.h"

enum {
	UNKNOWN = 4, KINDS = 3,	/* text has at least this number of unknown keys, and of different ones */
	TYPED = 4		/* a key opens a prompt if it is among the first different keys */
};

/* State of is_text: the keys read so far. */
struct burst {
	uint64_t where;
	unsigned unknown, kinds, different;
	bool	 prompt;
	bool	 seen[128];
};

static bool
burst_is_new(struct burst *b, const struct press *p)
{
	unsigned char	c = (unsigned char)p->name[0];
	bool		was = c < sizeof b->seen && p->name[1] == '\0' && b->seen[c];

	if (c < sizeof b->seen && p->name[1] == '\0')
		b->seen[c] = true;
	return !was;
}

static bool
ends_prompt(const struct press *p)
{
	return strcmp(p->name, "Enter") == 0 || strcmp(p->name, "Esc") == 0 || strcmp(p->name, "C-c") == 0;
}

/* Update where the next keys go.  After a key for another pane accept the keys of all panes. */
static void
read_verb(struct burst *b, struct app *app, enum verb verb)
{
	switch (verb) {
	case VERB_PROMPT: case VERB_QUERY: case VERB_FIND: case VERB_FIND_ALL: case VERB_FILTER:
		b->prompt = b->different <= TYPED;
		break;
	case VERB_PANE: case VERB_NEXT_PANE: case VERB_PREV_PANE: case VERB_ENTER: case VERB_BACK:
		b->where |= ui_places(app->ui) | IN_OVERLAY;
		break;
	default:
		break;
	}
}

static void
burst_read_key(struct burst *b, struct app *app, const struct press *p)
{
	const struct key *k = key_row(p, b->where);
	bool		 fresh;

	if (p->name[0] == '\0' || p->mouse != MOUSE_NONE)
		return;
	fresh = burst_is_new(b, p);
	b->different += fresh;
	if (k != NULL) {
		read_verb(b, app, k->verb);
		return;
	}
	b->unknown++;
	b->kinds += fresh;
}

/* Stop at PasteBegin: the terminal marks the paste itself. */
bool
burst_is_text(struct app *app, struct str s, bool final)
{
	struct burst	b = { .where = overlay_where(&app->overlays, app->ui), .prompt = prompt_is_open() };
	struct press	p;

	for (size_t n; (n = key_decode(s, final, &p)) > 0 &&
	    strcmp(p.name, "PasteBegin") != 0; s = str_after(s, n))
		if (b.prompt)
			b.prompt = !ends_prompt(&p);
		else
			burst_read_key(&b, app, &p);
	return b.unknown >= UNKNOWN && b.kinds >= KINDS;
}
