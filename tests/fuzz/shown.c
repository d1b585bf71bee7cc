/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "heapwalk.h"
#include "icecore/query.h"
#include "query/draw/draw.h"
#include "shown.h"

#define DEEPEST 32u

void
shown_text(struct str s)
{
	struct buf b = BUF_INIT;
	struct str line;

	while (str_split(&s, '\n', &line)) {
		buf_clear(&b);
		text_fit_buf(&b, line);
		MUST(str_eq(buf_view(&b), line));
	}
	buf_free(&b);
}

static bool
shown_is_one_of(struct str s, const char *words)
{
	struct str rest = str_of(words), word;

	while (str_split(&rest, ' ', &word))
		if (str_eq(s, word))
			return true;
	return false;
}

/* ---- pages of HTML, and pictures ---------------------------------------------------- */

struct scan {
	struct str	rest;
	struct str	open[DEEPEST];
	size_t		nopen;
};

static struct str
take_name(struct scan *s)
{
	size_t n = 0;

	while (n < s->rest.n && (isalnum((unsigned char)s->rest.s[n]) || s->rest.s[n] == '-' || s->rest.s[n] == ':'))
		n++;
	MUST(n > 0);
	s->rest = str_after(s->rest, n);
	return (struct str){ s->rest.s - n, n };
}

/* Characters of markup are only in the names of other characters. */
static void
no_markup(struct str s)
{
	static const char *const names[] = { "&amp;", "&lt;", "&gt;", "&quot;", "&#39;" };
	size_t k;

	shown_text(s);
	for (size_t i = 0; i < s.n; i++) {
		MUST(s.s[i] != '<' && s.s[i] != '>' && s.s[i] != '"');
		for (k = 0; k < NELEM(names) && !str_has_prefix(str_after(s, i), str_of(names[k])); k++)
			;
		MUST(s.s[i] != '&' || k < NELEM(names));
	}
}

static void
take_attributes(struct scan *s)
{
	struct str name, value;

	while (str_take(&s->rest, STR(" "))) {
		name = take_name(s);
		MUST(shown_is_one_of(name, "class lang charset http-equiv content name scope xmlns viewBox width height role aria-labelledby "
		    "aria-hidden xml:lang id x y d preserveAspectRatio title alt src"));
		MUST(str_take(&s->rest, STR("=\"")) && str_split(&s->rest, '"', &value));
		if (!str_eq(name, STR("content")))
			no_markup(value);
		MUST(!str_eq(name, STR("src")) || str_has_prefix(value, STR("data:image/png;base64,")));
		MUST(str_eq(name, STR("xmlns")) == str_eq(value, STR("http://www.w3.org/2000/svg")));
	}
}

/* The whole text of an element must be one of ours. */
static void
take_ours(struct scan *s, struct str name)
{
	bool wrapped = str_take(&s->rest, STR("<![CDATA["));

	if (str_eq(name, STR("script"))) {
		MUST(str_take(&s->rest, str_of(draw_page_js)) && (!wrapped || str_take(&s->rest, STR("]]>"))));
		return;
	}
	(void)str_take(&s->rest, STR("\n"));
	MUST(str_take(&s->rest, str_of(draw_picture_css)));
	(void)str_take(&s->rest, str_of(draw_page_css));
}

/* Behind "<". */
static void
take_tag(struct scan *s)
{
	bool end = str_take(&s->rest, STR("/"));
	struct str name = take_name(s);

	MUST(shown_is_one_of(name, "html head meta title style body header main h1 h2 h3 mark img p b pre div table caption thead tbody tr th td figure figcaption section "
	    "details summary footer script code span svg desc g rect text path"));
	if (end) {
		MUST(s->nopen > 0 && str_eq(s->open[--s->nopen], name) && str_take(&s->rest, STR(">")));
		return;
	}
	take_attributes(s);
	if (str_take(&s->rest, STR("/>")))
		return;
	MUST(str_take(&s->rest, STR(">")));
	if (shown_is_one_of(name, "meta img"))
		return;
	MUST(s->nopen < DEEPEST);
	s->open[s->nopen++] = name;
	if (shown_is_one_of(name, "script style"))
		take_ours(s, name);
}

void
shown_page(struct str page)
{
	struct scan s = { .rest = page };
	struct buf begin = BUF_INIT;
	struct str text, policy = STR("; base-uri 'none'; form-action 'none'\">");

	if (!str_take(&s.rest, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"))) {
		/* The policy is that of a page about nothing, too. */
		html_page_begin(&(struct html_page){ .images = memmem(page.s, page.n, "; img-src data:", 15) != NULL }, &begin);
		MUST(memmem(begin.s, begin.n, policy.s, policy.n) != NULL);
		MUST(str_has_prefix(page, (struct str){ begin.s, (size_t)((char *)memmem(begin.s, begin.n, "<title>", 7) - begin.s) }));
		MUST(str_take(&s.rest, STR("<!DOCTYPE html>\n")));
		buf_free(&begin);
	}
	while (str_split(&s.rest, '<', &text)) {
		no_markup(text);
		if (s.rest.n > 0)
			take_tag(&s);
	}
	MUST(s.nopen == 0);
}

/* ---- Markdown ------------------------------------------------------------------------- */

#define NO_LINK STR("&#8203;")

/* Passes a span of code; its end has as many backticks as its begin. */
static void
pass_code(struct str *line)
{
	size_t ticks = 0, run = 0;

	while (str_take(line, STR("`")))
		ticks++;
	while (line->n > 0 && (run < ticks || line->s[0] == '`')) {
		run = line->s[0] == '`' ? run + 1 : 0;
		*line = str_after(*line, 1);
	}
	MUST(run == ticks);
}

static void
no_link(struct str s, bool word)
{
	char c = s.s[0], next = s.n > 1 ? s.s[1] : ' ';

	MUST(c != '@' || next == ' ' || str_has_prefix(str_after(s, 1), NO_LINK));
	MUST(strchr("#!$", c) == NULL || !isdigit((unsigned char)next));
	MUST(c != '<' && c != '>');
	MUST(c != '&' || str_has_prefix(s, STR("&lt;")) || str_has_prefix(s, STR("&gt;")) ||
	    (str_has_prefix(s, STR("&amp;")) && (s.n == 5 || !isdigit((unsigned char)s.s[5]))));
	MUST(!str_has_prefix(s, STR("://")));
	MUST(word || s.n < 4 || strncasecmp(s.s, "www.", 4) != 0);
	MUST(s.n < 4 || strncasecmp(s.s, "gh-", 3) != 0 || !isdigit((unsigned char)s.s[3]));
}

void
shown_md(struct str page)
{
	struct str line;
	bool word;

	shown_text(page);
	while (str_split(&page, '\n', &line)) {
		if (str_has_prefix(line, STR("    ")))
			continue;
		for (word = false; line.n > 0; ) {
			if (line.s[0] == '`')
				pass_code(&line);
			else if (str_take(&line, NO_LINK))
				word = false;
			else {
				line = str_after(line, line.s[0] == '\\' && line.n > 1);
				no_link(line, word);
				word = isalnum((unsigned char)line.s[0]);
				line = str_after(line, 1);
			}
		}
	}
}
