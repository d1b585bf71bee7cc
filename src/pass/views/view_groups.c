/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * view_groups: which class, package, source file and module a frame belongs to.
 */
#include "config.h"

#include <string.h>

#include "icecore/columns_trace.h"
#include "icecore/name.h"
#include "views.h"

/* Return the scope of T for "<T as ns::Trait>", otherwise the part of the name before its last separator. */
static struct str
scope_of(struct str name, bool *colons)
{
	struct str as;
	struct name_parts p;

	if (str_take(&name, STR("<")) && !str_divide(name, STR(" as "), &name, &as) && name.n > 0)
		name.n--;
	p = name_parts(name);
	return name_scope(&p, colons);
}

/* In languages with packages a class begins with a capital; a scope that does not is a package. */
static bool
is_package(struct str class, bool colons, bool known)
{
	struct name_parts p = name_parts(class);
	bool again;

	if (known || class.n == 0 || class.s[0] == '<')
		return false;
	if (colons && (name_scope(&p, &again).n == 0 || again))
		return true;
	return p.own.n > 0 && p.own.s[0] >= 'a' && p.own.s[0] <= 'z';
}

/* ---- groups -------------------------------------------------------------------------------- */

static struct str
group_file(const struct store *st, uint32_t method, struct str file)
{
	struct str s = method_file(st, method);

	return s.n > 0 ? s : file.n > 0 ? file : STR("(no file)");
}

/* known: the file marks which part of the name is the class. */
static struct str
group_class(const struct name_parts *p, enum view_group group, bool known)
{
	struct str file = name_file(p), folder, base, class, above;
	bool colons, ignored;

	class = name_scope(p, &colons);
	if (group == VIEW_CLASS)
		return class.n > 0 ? class : STR("(no class)");
	if (is_package(class, colons, known))
		return class;
	above = scope_of(class, &ignored);
	if (above.n == 0 && str_divide_last(file, '/', &folder, &base))
		above = folder;
	return above.n > 0 ? above : STR("(no package)");
}

void
view_group_name(const struct store *st, uint32_t method, enum view_group group, struct buf *b)
{
	bool known = store_cell(st, COL_LISTED_CLASS, method) != 0;
	struct name_parts p;
	struct str s;

	method_name(st, method, b);
	s = buf_view(b);
	/* Recordings have frames that are classes. */
	if (group == VIEW_METHOD || s.n == 0 || (group == VIEW_CLASS && method_kind(st, method) == 'c'))
		return;
	if (group == VIEW_NAME) {
		name_star(b, 0, true);
		return;
	}
	p = name_parts(s);
	if (group == VIEW_MODULE) {
		s = method_module(st, method);
		s = s.n > 0 ? s : STR("(no module)");
	} else if (group == VIEW_FILE)
		s = group_file(st, method, name_file(&p));
	else if (method_kind(st, method) == 'k')
		s = STR("(kernel)");
	else if ((s.s[0] != '[' && s.s[0] != '<') || p.scope.n > 0 || p.place.n > 0)
		s = group_class(&p, group, known);
	/* s may point into the buffer. */
	if (s.s >= b->s && s.s < b->s + b->n) {
		memmove(b->s, s.s, s.n);
		b->n = s.n;
	} else {
		buf_clear(b);
		buf_str(b, s);
	}
}
