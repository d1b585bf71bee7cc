/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pattern: search patterns.
 */
#include "config.h"

#include <ctype.h>
#include <stdatomic.h>
#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "icecore/columns_heap.h"
#include "icecore/columns_trace.h"
#include "icecore/name.h"
#include "core.h"

enum { MATCH_LIMIT = 100000, HEAP_LIMIT = 16384 };	/* HEAP_LIMIT: in KiB */

/* A text was skipped since the last pattern was made, because matching took too many steps. */
static atomic_bool gave_up;

struct pattern {
	pcre2_code		*code;
	pcre2_match_data	*data;
	pcre2_match_context	*context;
};

static bool
has_capital(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.s[i] == '\\')
			i++;
		else if (isupper((unsigned char)s.s[i]))
			return true;
	return false;
}

/* A method as perf maps of JVMs name it, "Lio/netty/Loop;::run", is shown as "io.netty.Loop.run": both find it. */
static struct str
pattern_of(struct str s, struct buf *b)
{
	size_t from;

	buf_text(b, "\\Q");
	buf_str(b, s);
	buf_text(b, "\\E|\\Q");
	from = b->n;
	if (str_has(s, STR("\\")) || !name_java(s, b) || b->n == from)
		return s;
	buf_text(b, "\\E");
	return b->bad ? s : buf_view(b);
}

/* Keep escapes.  Escape slashes and a backslash at the end, which would break the /x/ syntax. */
void
pattern_text(struct str typed, struct buf *b)
{
	OWN_BUF both = BUF_INIT;
	struct str s = pattern_of(typed, &both);

	buf_chr(b, '/');
	for (size_t i = 0; i < s.n; i++) {
		if (s.s[i] == '\\' && i + 1 < s.n)
			buf_chr(b, s.s[i++]);
		else if (s.s[i] == '/' || s.s[i] == '\\')
			buf_chr(b, '\\');
		buf_chr(b, s.s[i]);
	}
	buf_str(b, has_capital(s) ? STR("/") : STR("/i"));
}

struct pattern *
pattern_make(struct str typed, struct err *err)
{
	OWN_BUF		 both = BUF_INIT;
	struct str	 s = pattern_of(typed, &both);
	struct pattern	*p = mem_array(1, sizeof *p);
	uint32_t	 opt = has_capital(s) ? 0 : PCRE2_CASELESS;
	PCRE2_SIZE	 at;
	int		 code;

	atomic_store(&gave_up, false);
	if (p == NULL)
		goto bad;
	p->code = pcre2_compile((PCRE2_SPTR)s.s, s.n, opt, &code, &at, NULL);
	if (p->code == NULL && code != PCRE2_ERROR_HEAP_FAILED)
		p->code = pcre2_compile((PCRE2_SPTR)s.s, s.n, opt | PCRE2_LITERAL,
		    &code, &at, NULL);
	p->context = pcre2_match_context_create(NULL);
	if (p->code == NULL || p->context == NULL)
		goto bad;
	p->data = pcre2_match_data_create_from_pattern(p->code, NULL);
	if (p->data == NULL)
		goto bad;
	pcre2_set_match_limit(p->context, MATCH_LIMIT);
	pcre2_set_depth_limit(p->context, MATCH_LIMIT);
	pcre2_set_heap_limit(p->context, HEAP_LIMIT);
	/* Without JIT it is only slower. */
	pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE);
	return p;
bad:
	mem_refuse();
	pattern_free(p);
	fail(err, E_SYSTEM, "out of memory (search)");
	return NULL;
}

void
pattern_free(struct pattern *p)
{
	if (p == NULL)
		return;
	pcre2_match_data_free(p->data);
	pcre2_match_context_free(p->context);
	pcre2_code_free(p->code);
	free(p);
}

bool
pattern_match(struct pattern *p, struct str s)
{
	int n = pcre2_match(p->code, (PCRE2_SPTR)(s.s != NULL ? s.s : ""), s.n, 0, 0, p->data, p->context);

	if (n == PCRE2_ERROR_NOMEMORY)
		mem_refuse();
	else if (n < 0 && n != PCRE2_ERROR_NOMATCH)
		atomic_store(&gave_up, true);
	return n >= 0;
}

bool
pattern_gave_up(void)
{
	return atomic_load(&gave_up);
}

/* ---- names --------------------------------------------------------------- */

/* Match a method or class by its name, or by its name in the file if a mapping renamed it. */
static bool
pattern_matches(const struct store *st, const struct heap *h, uint32_t i, struct pattern *p, struct buf *name)
{
	struct str	other = STR("");

	buf_clear(name);
	if (h != NULL)
		heap_class_name(h, i, name);
	else
		method_name(st, i, name);
	if (pattern_match(p, buf_view(name)))
		return true;
	buf_clear(name);
	if (h != NULL)
		heap_class_obfuscated(h, i, name);
	else
		other = method_obfuscated(st, i);
	other = h != NULL ? buf_view(name) : other;
	return other.n > 0 && pattern_match(p, other);
}

uint8_t *
pattern_names(const char *text, const struct store *st, const struct heap *h, uint32_t *n, struct work *work,
    struct err *err)
{
	const struct column *raw = store_column(st, h != NULL ? COL_CLASS_NAME : COL_METHOD_RAW);
	struct pattern	*p = pattern_make(str_of(text), err);
	struct buf	 name = BUF_INIT;
	uint8_t		*set;
	bool		 ok = p != NULL;

	*n = raw != NULL ? (uint32_t)raw->rows : 0;
	set = mem_array((size_t)*n + 1, 1);
	if (ok && set == NULL)
		ok = fail(err, E_SYSTEM, "out of memory (search)");
	work_start(work, "search", *n);
	for (uint32_t i = 1; ok && i <= *n; i++) {
		set[i] = pattern_matches(st, h, i, p, &name);
		ok = work_go(work, i, err);
	}
	buf_free(&name);
	pattern_free(p);
	if (!ok) {
		free(set);
		set = NULL;
	}
	return set;
}
