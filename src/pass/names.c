/*
 * What threads and methods are called, and what their times mean.
 */
#include "config.h"

#include "icecore/pass.h"

/* Dalvik writes java/lang/Object. */
void
class_name(struct str class, struct buf *b)
{
	size_t from = b->n, i;

	buf_str(b, class);
	for (i = from; i < b->n; i++)
		if (b->s[i] == '/')
			b->s[i] = '.';
}

void
method_name(const struct store *st, uint32_t method, struct buf *b)
{
	const struct column *class = store_column(st, "listed.class");
	const struct column *name = store_column(st, "listed.name");
	struct str s;

	if (method == 0)
		return;
	if (class == NULL || method > class->rows) {
		buf_printf(b, "<unknown method 0x%llx>", (unsigned long long)
		    column_get(store_column(st, "method.raw"), method - 1));
		return;
	}
	class_name(store_text(st, column_get(class, method - 1)), b);
	s = store_text(st, column_get(name, method - 1));
	if (s.n > 0) {
		buf_chr(b, '.');
		buf_str(b, s);
	}
}

void
thread_name(const struct store *st, uint32_t thread, struct buf *b)
{
	struct str s;

	if (thread == 0)
		return;
	s = store_text(st, column_get(store_column(st, "thread.name"), thread - 1));
	if (s.n > 0)
		buf_str(b, s);
	else
		buf_printf(b, "thread %llu", (unsigned long long)
		    column_get(store_column(st, "thread.tid"), thread - 1));
}

void
thread_earlier(const struct store *st, uint32_t thread, struct buf *b)
{
	const struct column *before = store_column(st, "listed.before");
	const struct column *name = store_column(st, "listed.thread");
	uint64_t at = column_get(store_column(st, "thread.listed"), thread - 1), next;
	struct str last = store_text(st, column_get(name, at - 1)), s;
	size_t from = b->n;

	if (thread == 0 || at == 0)
		return;
	/* Rows only point to earlier ones. */
	for (; (next = column_get(before, at - 1)) != 0 && next < at; at = next) {
		s = store_text(st, column_get(name, next - 1));
		if (str_eq(s, last))
			continue;
		last = s;
		if (b->n > from)
			buf_str(b, STR(", "));
		buf_str(b, s);
	}
}

uint64_t
trace_ns(const struct store *st, uint64_t ticks)
{
	uint64_t tick = store_fact_get(st, "trace.tick");

	return tick != 0 && ticks > UINT64_MAX / tick ? UINT64_MAX : ticks * tick;
}

bool
trace_has_clock(const struct store *st, enum clock clock)
{
	uint64_t clocks = store_fact_get(st, "trace.clocks");

	if (clock == CLOCK_OFF)
		return clocks == (1 << CLOCK_WALL | 1 << CLOCK_CPU);
	return (clocks & 1u << clock) != 0;
}
