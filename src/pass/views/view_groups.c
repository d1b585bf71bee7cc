/*
 * view_groups: which class, package and source file a frame belongs to, by its name.
 *
 * Names come from many languages: a.b.C.run, long a.b.C.run, a/b/C.run, a.b.C::run, ns::C<T>::run(int), path/pkg.Func,
 * func (dir/file.py:12), func - dir/file.rb:12, JS:*func dir/file.js:12:5.
 */
#include "config.h"

#include <string.h>

#include "views.h"

/* ---- parts of a name ------------------------------------------------------------------------ */

/* Without the line, and the column, that stand behind it; *line: there was one. */
static struct str
without_line(struct str s, bool *line)
{
	size_t n;

	*line = false;
	for (;;) {
		for (n = s.n; n > 0 && s.s[n - 1] >= '0' && s.s[n - 1] <= '9'; n--)
			;
		if (n == s.n || n < 2 || s.s[n - 1] != ':')
			return s;
		s.n = n - 1;
		*line = true;
	}
}

/* The place of the last part in s, or SIZE_MAX. */
static size_t
last_of(struct str s, const char *part)
{
	size_t n = strlen(part);

	for (size_t i = s.n; i >= n; i--)
		if (memcmp(s.s + i - n, part, n) == 0)
			return i - n;
	return SIZE_MAX;
}

static bool
is_file(struct str *s)
{
	bool line;

	*s = without_line(*s, &line);
	return s->n > 0 && memchr(s->s, ',', s->n) == NULL && (line || memchr(s->s, '.', s->n) != NULL);
}

/* "func file.js:12:5", as V8 tells perf. */
static bool
split_place(struct str *name, struct str *file)
{
	size_t at = last_of(*name, " ");
	bool line;

	if (at == SIZE_MAX || at == 0)
		return false;
	*file = without_line((struct str){ name->s + at + 1, name->n - at - 1 }, &line);
	if (!line || file->n == 0)
		return false;
	name->n = at;
	return true;
}

/* "func (file.py:12)" and "func - file.rb:12" name their file. */
static bool
split_file(struct str *name, struct str *file)
{
	bool closed = name->n > 0 && name->s[name->n - 1] == ')';
	size_t at = last_of(*name, closed ? " (" : " - "), skip = closed ? 2 : 3;

	if (at == SIZE_MAX || at == 0)
		return !closed && split_place(name, file);
	*file = (struct str){ name->s + at + skip, name->n - at - skip - closed };
	if (!is_file(file))
		return false;
	name->n = at;
	return true;
}

/* What stands before the arguments; of Go's pkg.(*T).Func nothing is one, nor are brackets of templates and lambdas. */
static struct str
without_arguments(struct str s)
{
	size_t depth = 0;

	for (size_t i = 1; i < s.n; i++) {
		depth += s.s[i] == '<' || s.s[i] == '{';
		depth -= (s.s[i] == '>' || s.s[i] == '}') && depth > 0;
		if (s.s[i] == '(' && depth == 0 && s.s[i - 1] != '.' && s.s[i - 1] != ':') {
			s.n = i;
			break;
		}
	}
	return s;
}

/* Without the type that some print in front of a method, "long C.run": up to the last blank that is in no brackets. */
static struct str
without_type(struct str s)
{
	static const struct str converts = { "operator", 8 };
	size_t from = 0, depth = 0;

	for (size_t i = 0; i < s.n; i++) {
		depth += s.s[i] == '<' || s.s[i] == '(' || s.s[i] == '[';
		depth -= (s.s[i] == '>' || s.s[i] == ')' || s.s[i] == ']') && depth > 0;
		if (s.s[i] != ' ' || depth > 0)
			continue;
		if (i >= converts.n && memcmp(s.s + i - converts.n, converts.s, converts.n) == 0)
			break;
		from = i + 1;
	}
	return (struct str){ s.s + from, s.n - from };
}

/*
 * What stands before the last separator that is in no <>: a point, a slash or two colons; empty: there is none.
 * *colons: which it was.  What opens may not close: scripts cut names.
 */
static struct str
before_last(struct str s, bool *colons)
{
	size_t at = 0, depth = 0;

	*colons = false;
	for (size_t i = 0; i < s.n; i++) {
		depth += s.s[i] == '<' || s.s[i] == '{';
		depth -= (s.s[i] == '>' || s.s[i] == '}') && depth > 0;
		if (depth > 0)
			continue;
		if (i > 0 && (s.s[i] == '.' || s.s[i] == '/')) {
			at = i;
			*colons = false;
		} else if (i > 1 && s.s[i] == ':' && s.s[i - 1] == ':') {
			at = i - 1;
			*colons = true;
		}
	}
	return (struct str){ s.s, at };
}

/* A class begins with a capital where languages have packages; what does not is a package itself. */
static bool
is_package(struct str class, bool colons, bool known)
{
	struct str above;
	bool again;
	char first;

	if (known || class.n == 0)
		return false;
	above = before_last(class, &again);
	if (colons && (above.n == 0 || again))
		return true;
	first = class.s[above.n == 0 ? 0 : above.n + 1 < class.n ? above.n + 1 : class.n - 1];
	return first >= 'a' && first <= 'z';
}

/* ---- groups -------------------------------------------------------------------------------- */

static struct str
group_file(const struct store *st, uint32_t method, struct str file)
{
	struct str s = column_text(store_column(st, COL_LISTED_OWN_TEXT),
	    store_cell(st, COL_LISTED_FILE_OWN, method));

	if (s.n == 0)
		s = store_text(st, store_cell(st, COL_LISTED_FILE, method));
	return s.n > 0 ? s : file.n > 0 ? file : STR("(no file)");
}

/* known: the file tells which part of the name is the class. */
static struct str
group_class(struct str name, enum view_group group, struct str file, bool known)
{
	bool colons, ignored;
	struct str class = before_last(without_type(without_arguments(name)), &colons), above;

	if (group == VIEW_CLASS)
		return class.n > 0 ? class : STR("(no class)");
	if (is_package(class, colons, known))
		return class;
	above = before_last(class, &ignored);
	if (above.n == 0 && last_of(file, "/") != SIZE_MAX)
		above = (struct str){ file.s, last_of(file, "/") };
	return above.n > 0 ? above : STR("(no package)");
}

void
view_group_name(const struct store *st, uint32_t method, enum view_group group, struct buf *b)
{
	bool known = store_cell(st, COL_LISTED_CLASS, method) != 0;
	struct str name, file = STR(""), s;

	method_name(st, method, b);
	name = s = buf_view(b);
	if (group == VIEW_METHOD || name.n == 0)
		return;
	if (!split_file(&name, &file))
		file = STR("");
	if (group == VIEW_FILE)
		s = group_file(st, method, file);
	else if (method_kind(st, method) == 'k')
		s = STR("(kernel)");
	else if ((name.s[0] != '[' && name.s[0] != '<') || file.n > 0)
		s = group_class(name, group, file, known);
	/* It may be a piece of what is in the buffer. */
	if (s.s >= b->s && s.s < b->s + b->n) {
		memmove(b->s, s.s, s.n);
		b->n = s.n;
	} else {
		buf_clear(b);
		buf_str(b, s);
	}
}
