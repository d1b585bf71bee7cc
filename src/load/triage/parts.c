/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * parts: parts of a page of HTML, which the process that read an untrusted file has made.
 *
 * They are accepted only if they consist of elements and attributes of icecore's own pages.  None of these
 * can fetch, run or send anything, or leave the page.
 */
#include "config.h"

#include <string.h>

#include "icecore/triage.h"

static const char *const elements[] = {
	"b", "caption", "code", "desc", "details", "div", "figcaption", "figure", "g", "h2", "h3",
	    "mark", "p", "path", "pre", "rect", "section", "span",
	"summary", "svg", "table", "tbody", "td", "text", "th", "thead", "title", "tr"
};

static const char *const attributes[] = {
	"aria-hidden", "aria-labelledby", "class", "d", "height", "id", "preserveAspectRatio", "role",
	    "scope", "title", "viewBox", "width", "x",
	"xml:lang", "xmlns", "y"
};

/* Take the bytes before the first of these marks. */
static struct str
parts_take(struct str *rest, const char *marks)
{
	size_t n = 0;

	while (n < rest->n && !is_one_of(rest->s[n], marks))
		n++;
	*rest = str_after(*rest, n);
	return (struct str){ rest->s - n, n };
}

/* Take ' name="value"'. */
static bool
parts_attribute(struct str *rest)
{
	struct str name;

	*rest = str_after(*rest, 1);
	name = parts_take(rest, "=\"<> ");
	if (!str_is_one(attributes, NELEM(attributes), name) || !str_begins(*rest, "=\""))
		return false;
	*rest = str_after(*rest, 2);
	(void)parts_take(rest, "\"<>");
	if (!str_begins(*rest, "\""))
		return false;
	*rest = str_after(*rest, 1);
	return true;
}

/* Take a tag, from behind its <. */
static bool
parts_tag(struct str *rest)
{
	bool end = str_begins(*rest, "/");
	struct str name;

	*rest = str_after(*rest, end);
	name = parts_take(rest, " />\"<");
	if (!str_is_one(elements, NELEM(elements), name))
		return false;
	while (!end && str_begins(*rest, " "))
		if (!parts_attribute(rest))
			return false;
	*rest = str_after(*rest, !end && str_begins(*rest, "/"));
	if (!str_begins(*rest, ">"))
		return false;
	*rest = str_after(*rest, 1);
	return true;
}

bool
triage_parts_fit(struct str html)
{
	if (html.n > TRIAGE_PAGE || memchr(html.s, '\0', html.n) != NULL)
		return false;
	for (;;) {
		(void)parts_take(&html, "<");
		if (html.n == 0)
			return true;
		html = str_after(html, 1);
		if (!parts_tag(&html))
			return false;
	}
}
