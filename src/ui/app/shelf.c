/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shelf: format of the marks file: for each file, least recently used first, a line "file SIZE MTIME PATH"
 * with the path escaped, then its marks, if it has any. Its contents are untrusted.
 */
#include "config.h"

#include <inttypes.h>

#include "icecore/home.h"
#include "app.h"

enum { SHELF_FILES = 200, SHELF_RECENT = 20 };

struct shelf_section {
	struct str		 text, marks;	/* the whole section; the part after the first line */
	struct str		 path;		/* escaped */
	struct shelf_stamp	 stamp;
};

/* Take the next section; skip sections with an invalid first line; false: no more. */
static bool
shelf_next(struct str *rest, struct shelf_section *s)
{
	struct str	line, size, mtime, word, look;

	while (str_split(rest, '\n', &line)) {
		s->text = (struct str){ line.s, 0 };
		if (!str_split(&line, ' ', &word) || !str_eq(word, STR("file")) ||
		    !str_split(&line, ' ', &size) ||
		    !str_split(&line, ' ', &mtime) || line.n == 0 || !num_u64(size, 10, &s->stamp.size) ||
		    !num_u64(mtime, 10, &s->stamp.mtime))
			continue;
		s->path = line;
		s->marks = *rest;
		for (look = *rest; look.n > 0 && !str_has_prefix(look, STR("file ")); *rest = look)
			str_split(&look, '\n', &line);
		s->marks.n -= rest->n;
		s->text.n = (size_t)(s->marks.s - s->text.s) + s->marks.n;
		return true;
	}
	return false;
}

bool
shelf_find(struct str all, const char *path, struct str *marks, struct shelf_stamp *stamp)
{
	struct shelf_section	s;
	struct buf	name = BUF_INIT;
	bool		found = false;

	text_escape(&name, str_of(path));
	while (!name.bad && shelf_next(&all, &s))
		if (str_eq(s.path, buf_view(&name))) {
			*marks = s.marks;
			*stamp = s.stamp;
			found = true;
		}
	buf_free(&name);
	return found;
}

void
shelf_paths(struct str all, struct buf *paths)
{
	struct shelf_section	s;
	struct str	rest = all;
	size_t		files = 0;

	while (shelf_next(&rest, &s))
		files++;
	while (shelf_next(&all, &s))
		if (files-- <= SHELF_RECENT) {
			text_unescape(paths, s.path);
			buf_chr(paths, '\0');
		}
}

void
shelf_put(struct str all, const char *path, const struct shelf_stamp *stamp, struct str marks,
    struct buf *out)
{
	struct shelf_section	s;
	struct str	rest = all;
	struct buf	name = BUF_INIT, own = BUF_INIT;
	size_t		files = 0, bytes;

	text_escape(&name, str_of(path));
	buf_printf(&own, "file %" PRIu64 " %" PRIu64 " ", stamp->size, stamp->mtime);
	buf_str(&own, buf_view(&name));
	buf_chr(&own, '\n');
	buf_str(&own, marks);
	out->bad |= own.bad || name.bad;
	for (bytes = own.n; shelf_next(&rest, &s); files++)
		bytes += s.text.n + 1;
	for (rest = all; shelf_next(&rest, &s); files--) {
		/* Drop the oldest sections if the text is too long. */
		if (files >= SHELF_FILES || bytes > HOME_MOST || str_eq(s.path, buf_view(&name))) {
			bytes -= s.text.n + 1;
			continue;
		}
		buf_str(out, s.text);
		if (s.text.n > 0 && s.text.s[s.text.n - 1] != '\n')
			buf_chr(out, '\n');
	}
	buf_str(out, buf_view(&own));
	buf_free(&name);
	buf_free(&own);
}
