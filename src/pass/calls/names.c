/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of threads, methods and events, and units of their times.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "icecore/columns_marks.h"
#include "icecore/columns_sched.h"
#include "icecore/columns_trace.h"
#include "icecore/facts.h"
#include "icecore/name.h"
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

/* ---- methods ------------------------------------------------------------------------ */

bool
trace_is_profile(const struct store *st)
{
	return store_column(st, COL_STACK_PARENT) != NULL && store_column(st, COL_SEGMENT_ROW) == NULL;
}

/* Return the text in column own if there is one, otherwise the text of ref. */
static struct str
listed_text(const struct store *st, uint32_t method, column_id own, column_id ref)
{
	struct str s = column_text(store_column(st, COL_LISTED_OWN_TEXT), store_cell(st, own, method));

	return s.n > 0 ? s : store_text(st, store_cell(st, ref, method));
}

/* A name without its class. */
static struct str
short_name(const struct store *st, uint32_t method)
{
	return listed_text(st, method, COL_LISTED_OWN, COL_LISTED_NAME);
}

struct str
method_module(const struct store *st, uint32_t method)
{
	return listed_text(st, method, COL_LISTED_MODULE_OWN, COL_LISTED_MODULE);
}

struct str
method_file(const struct store *st, uint32_t method)
{
	return listed_text(st, method, COL_LISTED_FILE_OWN, COL_LISTED_FILE);
}

struct str
method_signature(const struct store *st, uint32_t method)
{
	return store_text(st, store_cell(st, COL_LISTED_SIGNATURE, method));
}

static bool
names_is_listed(const struct store *st, uint32_t method)
{
	const struct column *name = store_column(st, COL_LISTED_NAME);

	return name != NULL && method <= name->rows;
}

void
method_name(const struct store *st, uint32_t method, struct buf *b)
{
	struct str class, name;

	if (method == 0)
		return;
	if (!names_is_listed(st, method)) {
		buf_printf(b, "<unknown method 0x%llx>", (unsigned long long)
		    store_cell(st, COL_METHOD_RAW, method));
		return;
	}
	class = store_text(st, store_cell(st, COL_LISTED_CLASS, method));
	name = short_name(st, method);
	class_name(class, b);
	if (class.n > 0 && name.n > 0)
		buf_chr(b, '.');
	if (class.n > 0 || !name_demangle(name, b))
		buf_str(b, name);
	if (class.n == 0 && name.n == 0 && trace_is_profile(st))
		buf_text(b, "[no stack]");
}

struct str
method_obfuscated(const struct store *st, uint32_t method)
{
	return store_text(st, store_cell(st, COL_RAW_METHOD, method));
}

char
method_kind(const struct store *st, uint32_t method)
{
	return (char)store_cell(st, COL_LISTED_KIND, method);
}

bool
method_has_cpu(const struct store *st, uint32_t method)
{
	const struct column *known = store_column(st, COL_LISTED_CPU);

	return known == NULL || method == 0 || method > known->rows || column_get(known, method - 1) != 0;
}

const char *
kind_word(char kind)
{
	static const struct { char kind; const char *word; } words[] = {
		{ 'k', "kernel" }, { 'j', "JIT" }, { 'i', "inlined" }, { 'c', "class" }, { 'w', "waker" },
		{ '0', "interpreted" }, { '1', "C1" }, { 'a', "ART" }
	};

	for (size_t i = 0; i < NELEM(words); i++)
		if (words[i].kind == kind)
			return words[i].word;
	return NULL;
}

bool
method_named(const struct store *st, uint32_t method)
{
	return !names_is_listed(st, method) || short_name(st, method).n > 0 || !trace_is_profile(st);
}

void
method_folded(const struct store *st, uint32_t method, struct buf *b)
{
	char kind = method_kind(st, method);

	if (!method_named(st, method))
		return;
	method_name(st, method, b);
	if (kind != 0)
		buf_printf(b, "_[%c]", kind);
}

/* ---- threads ------------------------------------------------------------------------- */

/* Files keep 16 bits of ids that they do not list: the only row that ends in them. */
static uint64_t
side_low(const struct column *tid, uint64_t low)
{
	uint64_t i, row = 0;

	for (i = 0; i < tid->rows; i++)
		if ((column_get(tid, i) & 0xffff) == low) {
			if (row != 0)
				return 0;
			row = i + 1;
		}
	return row;
}

/* Row of side.* for a thread, 0: none. */
static uint64_t
side_of(const struct store *st, uint32_t thread)
{
	const struct column *tid = store_column(st, COL_SIDE_TID);
	uint64_t listed, id, row;

	if (tid == NULL)
		return 0;
	listed = store_cell(st, COL_THREAD_LISTED, thread);
	if (listed != 0)
		return store_cell(st, COL_SIDE_LISTED, listed);
	id = store_cell(st, COL_THREAD_TID, thread);
	row = id == 0 ? 0 : column_find(tid, id);
	if (row != 0 || id == 0 || id > 0xffff || fact_value(st, FACT_TRACE_WIDE) != 0)
		return row;
	return side_low(tid, id);
}

/* Append "-100/103", as folded stacks of perf distinguish threads without a name of their own. */
static bool
add_task(const struct store *st, uint32_t thread, struct buf *b)
{
	const struct column *pid = store_column(st, COL_LISTED_PID);
	uint64_t listed = store_cell(st, COL_THREAD_LISTED, thread);
	uint64_t tid = store_cell(st, COL_THREAD_TID, thread);

	/* Names of other profiles are the threads' own. */
	if (!str_is(fact_text(st, FACT_LOADER), "perf") || listed == 0 || tid == 0)
		return false;
	if (column_get(pid, listed - 1) != 0)
		buf_printf(b, "-%llu/%llu", (unsigned long long)column_get(pid, listed - 1),
		    (unsigned long long)tid);
	else
		buf_printf(b, "-?/%llu", (unsigned long long)tid);
	return true;
}

struct str
thread_listed_name(const struct store *st, uint64_t listed, uint64_t name)
{
	struct str s = column_text(store_column(st, COL_LISTED_OWN_TEXT),
	    store_cell(st, COL_LISTED_THREAD_OWN, listed));

	return s.n > 0 ? s : store_text(st, name);
}

static struct str
own_name(const struct store *st, uint32_t thread)
{
	return thread_listed_name(st, store_cell(st, COL_THREAD_LISTED, thread),
	    store_cell(st, COL_THREAD_NAME, thread));
}

/* The name to show of a thread that may have none. */
static void
names_add_nameless(const struct store *st, uint32_t thread, struct buf *b)
{
	uint64_t tid = store_cell(st, COL_THREAD_TID, thread);

	if (store_cell(st, COL_THREAD_MAIN, thread) != 0)
		buf_text(b, "main");
	else if (tid == 0 && trace_is_profile(st))
		buf_text(b, "all");
	else
		buf_printf(b, "thread %llu", (unsigned long long)tid);
}

/* True: its tid is in it already. */
static bool
names_add_name(const struct store *st, uint32_t thread, bool task, struct buf *b)
{
	uint64_t row, listed;
	struct str s;

	if (thread == 0)
		return false;
	row = side_of(st, thread);
	listed = store_cell(st, COL_THREAD_LISTED, thread);
	s = row != 0 ? store_text(st, store_cell(st, COL_SIDE_NAME, row)) : own_name(st, thread);
	if (s.n > 0)
		buf_str(b, s);
	else
		names_add_nameless(st, thread, b);
	return row == 0 && s.n > 0 && fact_value(st, FACT_SIDE_JOINED) > 0 &&
	    (task || (listed != 0 && store_cell(st, COL_SIDE_ALIKE, listed) != 0)) && add_task(st, thread, b);
}

void
thread_name(const struct store *st, uint32_t thread, struct buf *b)
{
	names_add_name(st, thread, false, b);
}

/* ---- threads of the same name -------------------------------------------------------- */

enum thread_alike { ALIKE_NONE, ALIKE_NAME, ALIKE_TID };	/* another has its name; its tid, too */

static int
by_name_and_tid(const void *x, const void *y, void *store)
{
	const struct thread_called *a = x, *b = y;
	int order = str_cmp(thread_listed_name(store, a->listed, a->name),
	    thread_listed_name(store, b->listed, b->name));

	return order != 0 ? order : (a->tid > b->tid) - (a->tid < b->tid);
}

bool
threads_alike(struct store *st, struct thread_called *list, uint32_t n, struct err *err)
{
	uint8_t *alike = store_make(st, COL_THREAD_ALIKE, COL_U8, n, err), *last, how;
	struct str name, before = STR("");

	for (uint32_t i = 0; i < n; i++)
		list[i].thread = i;
	if (n > 0)
		qsort_r(list, n, sizeof *list, by_name_and_tid, st);
	for (uint32_t i = 0; alike != NULL && i < n; i++, before = name) {
		name = thread_listed_name(st, list[i].listed, list[i].name);
		if (i == 0 || name.n == 0 || !str_eq(name, before))
			continue;
		how = list[i].tid == list[i - 1].tid ? ALIKE_TID : ALIKE_NAME;
		last = &alike[list[i - 1].thread];
		*last = how > *last ? how : *last;
		alike[list[i].thread] = how;
	}
	return alike != NULL;
}

/* The id of its process, if it is known. */
static void
add_pid(const struct store *st, uint64_t listed, struct buf *b)
{
	uint64_t pid = store_cell(st, COL_LISTED_PID, listed);

	if (pid != 0)
		buf_printf(b, "%llu", (unsigned long long)pid);
	else
		buf_str(b, word_text(st, (uint32_t)store_cell(st, COL_PROCESS_PID,
		    store_cell(st, COL_LISTED_PROCESS, listed))));
}

void
thread_label(const struct store *st, uint32_t thread, struct buf *b)
{
	uint64_t tid = store_cell(st, COL_THREAD_TID, thread),
	    listed = store_cell(st, COL_THREAD_LISTED, thread), alike;
	OWN_BUF ids = BUF_INIT;

	alike = fact_value(st, FACT_SIDE_JOINED) > 0 ? store_cell(st, COL_SIDE_ALIKE, listed) : store_cell(st,
	    COL_THREAD_ALIKE, thread);
	if (names_add_name(st, thread, false, b) || alike == ALIKE_NONE)
		return;
	if (alike == ALIKE_TID)
		add_pid(st, listed, &ids);
	if (tid != 0)
		buf_printf(&ids, ids.n > 0 ? "/%llu" : "%llu", (unsigned long long)tid);
	if (ids.n > 0)
		buf_printf(b, " %.*s", (int)ids.n, ids.s);
}

void
thread_folded(const struct store *st, uint32_t thread, struct buf *b)
{
	names_add_name(st, thread, true, b);
}

const char *
thread_by(const struct store *st, uint32_t thread)
{
	switch (store_cell(st, COL_SIDE_BY, side_of(st, thread))) {
	case SIDE_BY_TID:
		return "tid";
	case SIDE_BY_NAME:
		return "name";
	default:
		return own_name(st, thread).n > 0 ? "file" : "";
	}
}

struct str
thread_state(const struct store *st, uint32_t thread)
{
	return store_text(st, store_cell(st, COL_SIDE_STATE, side_of(st, thread)));
}

struct str
thread_top(const struct store *st, uint32_t thread)
{
	return store_text(st, store_cell(st, COL_SIDE_TOP, side_of(st, thread)));
}

/* Append s to the list that begins at byte from, unless it repeats the last entry. */
static void
add_earlier(struct str s, size_t from, struct buf *b)
{
	size_t n = b->n - from;

	if (s.n == 0 || (n >= s.n && memcmp(b->s + b->n - s.n, s.s, s.n) == 0 &&
	    (n == s.n || (n > s.n + 1 && memcmp(b->s + b->n - s.n - 2, ", ", 2) == 0))))
		return;
	if (n > 0)
		buf_text(b, ", ");
	buf_str(b, s);
}

void
thread_earlier(const struct store *st, uint32_t thread, struct buf *b)
{
	const struct column *before = store_column(st, COL_LISTED_BEFORE);
	const struct column *name = store_column(st, COL_LISTED_THREAD);
	uint64_t at = store_cell(st, COL_THREAD_LISTED, thread), row = side_of(st, thread), next;
	struct str s = own_name(st, thread), now = s;
	size_t from = b->n;

	if (row != 0) {
		now = store_text(st, store_cell(st, COL_SIDE_NAME, row));
		add_earlier(store_text(st, store_cell(st, COL_SIDE_EARLIER, row)), from, b);
		/* The name in the trace may be a truncated copy of the current name. */
		if (!str_has_prefix(now, s))
			add_earlier(s, from, b);
	}
	if (at == 0)
		return;
	/* Rows only point to earlier ones. */
	for (; (next = column_get(before, at - 1)) != 0 && next < at; at = next) {
		s = store_text(st, column_get(name, next - 1));
		if (b->n > from || !str_eq(s, now))
			add_earlier(s, from, b);
	}
	/* Scheduler traces: former names of the task. */
	at = column_get(store_column(st, COL_LISTED_EARLIER),
	    store_cell(st, COL_THREAD_LISTED, thread) - 1);
	add_earlier(column_text(store_column(st, COL_LISTED_EARLIER_TEXT), at), from, b);
}

/* ---- times ---------------------------------------------------------------------------- */

uint64_t
trace_ns(const struct store *st, uint64_t ticks)
{
	uint64_t tick = fact_value(st, FACT_TRACE_TICK);

	return tick != 0 && ticks > UINT64_MAX / tick ? UINT64_MAX : ticks * tick;
}

bool
trace_has_clock(const struct store *st, enum clock clock)
{
	uint64_t clocks = fact_value(st, FACT_TRACE_CLOCKS);

	if (clock == CLOCK_OFF)
		return clocks == (1 << CLOCK_WALL | 1 << CLOCK_CPU);
	return (clocks & 1u << clock) != 0;
}

/* ---- the words of trace events ---------------------------------------------------------------- */

struct str
word_text(const struct store *st, uint32_t word)
{
	uint64_t own = store_cell(st, COL_WORD_OWN, word);

	return own != 0 ? column_text(store_column(st, COL_WORD_TEXT), own) : store_text(st,
	    store_cell(st, COL_WORD_REF, word));
}

struct str
process_name(const struct store *st, uint32_t process)
{
	uint64_t name = store_cell(st, COL_PROCESS_NAME, process);

	return word_text(st, (uint32_t)(name != 0 ? name : store_cell(st, COL_PROCESS_PID, process)));
}

void
process_label(const struct store *st, uint32_t process, struct buf *b)
{
	uint32_t word = (uint32_t)store_cell(st, COL_PROCESS_PID, process);
	struct str name = process_name(st, process), pid = word_text(st, word);

	buf_str(b, name);
	if (name.n > 0 && pid.n > 0 && !str_eq(name, pid)) {
		buf_chr(b, ' ');
		buf_str(b, pid);
	}
}

void
process_heading(const struct store *st, uint32_t process, struct buf *b)
{
	size_t n = b->n;

	process_label(st, process, b);
	if (b->n == n)
		buf_text(b, "(process unknown)");
}

uint32_t
thread_process(const struct store *st, uint32_t thread)
{
	/*
	 * Threads of a scheduler trace are those that are listed.  Its column is found faster than its shape,
	 * and this is asked for each row.
	 */
	uint64_t listed = store_column(st, COL_SWITCH_TIME) != NULL ? thread : store_cell(st,
	    COL_THREAD_LISTED, thread);

	return (uint32_t)store_cell(st, COL_LISTED_PROCESS, listed);
}
