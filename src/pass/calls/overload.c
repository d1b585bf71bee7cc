/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * overload: distinguishes methods of the same name, by the module or the types of the arguments.
 */
#include "config.h"

#include <string.h>

#include "icecore/name.h"
#include "icecore/pass.h"

void
module_told(struct str module, struct buf *b)
{
	struct str folder;

	str_divide_last(module, '/', &folder, &module);
	if (module.n == 0)
		return;
	buf_text(b, " (");
	buf_str(b, module);
	buf_chr(b, ')');
}

/* The first type of a descriptor (JVMS 4.3), without its package; other texts are taken whole. */
static void
overload_add_type(struct str *rest, struct buf *b)
{
	struct str package, name, primitive;
	size_t depth = 0;
	const char *end;

	while (depth < rest->n && rest->s[depth] == '[')
		depth++;
	name = *rest = str_after(*rest, depth);
	primitive = rest->n > 0 ? name_primitive(rest->s[0]) : STR("");
	end = rest->n > 0 && rest->s[0] == 'L' ? memchr(rest->s, ';', rest->n) : NULL;
	if (primitive.n > 0)
		name = primitive;
	else if (end != NULL)
		str_divide_last((struct str){ rest->s + 1, (size_t)(end - rest->s) - 1 }, '/', &package,
		    &name);
	*rest = str_after(*rest, primitive.n > 0 ? 1 : end != NULL ? (size_t)(end - rest->s) + 1 : rest->n);
	buf_str(b, name);
	while (depth-- > 0)
		buf_text(b, "[]");
}

/* "int, java.lang.String" without the packages. */
static void
overload_add_words(struct str words, struct buf *b)
{
	struct str word, package;

	while (str_split(&words, ',', &word)) {
		str_divide_last(str_skip_blanks(word), '.', &package, &word);
		buf_str(b, word);
		if (words.n > 0)
			buf_text(b, ", ");
	}
}

void
signature_told(struct str signature, struct buf *b)
{
	const char *end = signature.n > 0 && signature.s[0] == '(' ? memchr(signature.s, ')', signature.n) :
	    NULL;
	struct str types;

	if (end == NULL)
		return;
	types = (struct str){ signature.s + 1, (size_t)(end - signature.s) - 1 };
	buf_text(b, " (");
	if (end + 1 == signature.s + signature.n)
		overload_add_words(types, b);
	else
		while (types.n > 0) {
			overload_add_type(&types, b);
			if (types.n > 0)
				buf_text(b, ", ");
		}
	buf_chr(b, ')');
}

void
method_apart(const struct store *st, uint32_t method, struct buf *b)
{
	struct str module = method_module(st, method);

	if (module.n > 0)
		module_told(module, b);
	else
		signature_told(method_signature(st, method), b);
}
