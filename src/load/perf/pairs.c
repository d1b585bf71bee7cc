/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pairs: tracepoints that begin and end something.
 */
#include "config.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "icecore/columns_sched.h"
#include "icecore/kernel.h"
#include "icecore/scan.h"
#include "pairs.h"

enum { BEGUN = 1, ENDED = 2, BOTH = BEGUN | ENDED };
enum { NO_RULE = UINT8_MAX, TEXTS = 3, PAGE = 4096, ORDER_MOST = 20, CALLERS_MOST = 16 };

enum pair_role {
	BEGIN, END,
	END_OF_SOME,		/* most of these events end nothing */
	ALLOC, FREE
};

/* Open ones differ in this and in the text of the key. */
enum pair_by { BY_NOTHING, BY_THREAD, BY_CPU, BY_FIRST };	/* BY_FIRST: the first text of the pattern */

/*
 * The pattern (scan.h) has the texts of the key and of the subject, by their numbers from 1; 0: the part of
 * the event's name that '*' stands for.  Rows of an event are adjacent.
 */
static const struct pair_rule {
	const char	*event;
	uint8_t		kind, role, by, key, subject;
	const char	*pattern;
	bool		named;		/* the subject is a name */
} rules[] = {
	{ "lock:contention_begin", PAIR_LOCK, BEGIN, BY_THREAD, 1, 2, "%w (flags=%t)" },
	{ "lock:contention_end", PAIR_LOCK, END, BY_THREAD, 1, 1, "%w" },
	{ "lock:lock_contended", PAIR_LOCK, BEGIN, BY_THREAD, 1, 2, "%w %t", true },
	{ "lock:lock_acquired", PAIR_LOCK, END_OF_SOME, BY_THREAD, 1, 1, "%w" },
	{ "block:block_rq_insert", PAIR_QUEUE, BEGIN, BY_FIRST, 3, 2, "%w %w %*t) %w +" },
	{ "block:block_rq_issue", PAIR_QUEUE, END_OF_SOME, BY_FIRST, 3, 2, "%w %w %*t) %w +" },
	{ "block:block_rq_issue", PAIR_BLOCK, BEGIN, BY_FIRST, 3, 2, "%w %w %*t) %w +" },
	{ "block:block_rq_complete", PAIR_BLOCK, END, BY_FIRST, 3, 2, "%w %w %*t) %w +" },
	{ "raw_syscalls:sys_enter", PAIR_CALL, BEGIN, BY_THREAD, 1, 1, "NR %w (" },
	{ "raw_syscalls:sys_exit", PAIR_CALL, END, BY_THREAD, 1, 1, "NR %w =" },
	{ "syscalls:sys_enter_*", PAIR_CALL, BEGIN, BY_THREAD, 0, 0, "" },
	{ "syscalls:sys_exit_*", PAIR_CALL, END, BY_THREAD, 0, 0, "" },
	{ "irq:irq_handler_entry", PAIR_IRQ, BEGIN, BY_CPU, 1, 2, "irq=%w name=%t", true },
	{ "irq:irq_handler_exit", PAIR_IRQ, END, BY_CPU, 1, 1, "irq=%w" },
	{ "irq_vectors:*_entry", PAIR_IRQ, BEGIN, BY_CPU, 0, 0, "" },
	{ "irq_vectors:*_exit", PAIR_IRQ, END, BY_CPU, 0, 0, "" },
	{ "irq:softirq_entry", PAIR_SOFTIRQ, BEGIN, BY_CPU, 1, 2, "vec=%w [action=%t]" },
	{ "irq:softirq_exit", PAIR_SOFTIRQ, END, BY_CPU, 1, 1, "vec=%w" },
	{ "workqueue:workqueue_execute_start", PAIR_WORK, BEGIN, BY_THREAD, 1, 2,
	"work struct %w function %w", true },
	{ "workqueue:workqueue_execute_end", PAIR_WORK, END, BY_THREAD, 1, 1, "work struct %w" },
	{ "kmem:kmalloc*", PAIR_MEMORY, ALLOC, BY_NOTHING, 2, 1,
	"call_site=%t ptr=%w %*t bytes_alloc=%w", true },
	{ "kmem:kmem_cache_alloc*", PAIR_MEMORY, ALLOC, BY_NOTHING, 2, 1,
	"call_site=%t ptr=%w %*t bytes_alloc=%w", true },
	{ "kmem:kfree", PAIR_MEMORY, FREE, BY_NOTHING, 2, 1, "call_site=%t ptr=%w", true },
	{ "kmem:kmem_cache_free", PAIR_MEMORY, FREE, BY_NOTHING, 2, 1, "call_site=%t ptr=%w", true },
	{ "kmem:mm_page_alloc", PAIR_PAGES, ALLOC, BY_NOTHING, 2, 1, "page=%w pfn=%w order=%w" },
	{ "kmem:mm_page_free", PAIR_PAGES, FREE, BY_NOTHING, 2, 1, "page=%w pfn=%w" },
};

/* The events that are made.  By default the one with the most samples is shown; of equal ones the first. */
static const char *const kinds[PAIR_KINDS] = {
	[PAIR_LOCK] = "lock contention", [PAIR_BLOCK] = "block I/O", [PAIR_QUEUE] = "block queue",
	[PAIR_CALL] = "syscalls", [PAIR_IRQ] = "irq", [PAIR_SOFTIRQ] = "softirq", [PAIR_WORK] = "workqueue",
	[PAIR_MEMORY] = "kmem not freed", [PAIR_PAGES] = "pages not freed",
};

/* The last begin with a key, and its sample. */
struct pair_begin {
	struct sample	sample;
	struct str	subject;
	uint32_t	event;		/* the tracepoint */
	bool		open;
};

struct pair_done {
	uint64_t	start, length, bytes;
	uint32_t	thread, event, what, stack, owner;
};

void
pairs_free(struct pairs *p)
{
	SCRATCH_FREE(&p->rules, &p->alone, &p->begun, &p->done);
	idmap_free(&p->by_key);
	idmap_free(&p->halves);
	texts_free(&p->words);
}

/* ---- which events -------------------------------------------------------------------------------- */

/* *some: what '*' stands for, of which a pattern has at most one. */
static bool
rule_fits(const struct pair_rule *r, struct str event, struct str *some)
{
	struct str before = str_of(r->event), after = STR("");

	*some = event;
	if (!str_divide(before, STR("*"), &before, &after))
		return str_eq(event, str_of(r->event));
	if (!str_take(some, before) || some->n < after.n || !str_has_suffix(*some, after))
		return false;
	some->n -= after.n;
	return true;
}

/* "lock:contention_begin:k" without modifiers. */
static struct str
event_head(struct str event)
{
	struct str system, name;

	if (str_divide(event, STR(":"), &system, &name))
		event.n = system.n + 1 + str_until(name, ':').n;
	return event;
}

static uint8_t
find_rule(struct str event)
{
	struct str some;

	for (uint8_t i = 0; i < NELEM(rules); i++)
		if (rule_fits(&rules[i], event_head(event), &some))
			return (uint8_t)(i + 1);
	return NO_RULE;
}

/* Rows of the same event as first, which are adjacent. */
static bool
same_event(const struct pair_rule *first, const struct pair_rule *r)
{
	return r < rules + NELEM(rules) && strcmp(r->event, first->event) == 0;
}

/* What both halves of a pair have in common: the kind, and where it is the key, what '*' stands for. */
static uint64_t
half_key(const struct pair_rule *r, struct str event)
{
	struct str some;

	if (!rule_fits(r, event_head(event), &some) || r->key != 0)
		return r->kind + 1u;
	return idmap_hash_text(some, r->kind) | 1;
}

/* A sample of an event was recorded. */
static bool
note_halves(struct pairs *p, uint8_t rule, struct str event, struct err *err)
{
	for (const struct pair_rule *first = &rules[rule - 1], *r = first; same_event(first, r); r++) {
		uint64_t key = half_key(r, event);
		uint32_t half = r->role == BEGIN || r->role == ALLOC ? BEGUN : ENDED;

		if (!idmap_put(&p->halves, key, idmap_get(&p->halves, key) | half, err))
			return false;
	}
	return true;
}

/* Whether the other half of an event was recorded, too. */
static bool
has_halves(const struct pairs *p, uint32_t event)
{
	struct str name = samples_event_name(p->samples, event);
	uint8_t rule = SCRATCH(p->rules, uint8_t)[event];

	if (rule == NO_RULE)
		return false;
	for (const struct pair_rule *first = &rules[rule - 1], *r = first; same_event(first, r); r++)
		if (idmap_get(&p->halves, half_key(r, name)) == BOTH)
			return true;
	return false;
}

/* *rule: 1 + the first row of the table for an event; NO_RULE: none. */
static bool
rule_of(struct pairs *p, struct str name, uint32_t event, uint8_t *rule, struct err *err)
{
	if (event >= p->nrules || SCRATCH(p->rules, uint8_t)[event] == 0) {
		if (!scratch_array(&p->rules, event + 1ull, 1, err) ||
		    !scratch_array(&p->alone, event + 1ull, sizeof(uint64_t), err))
			return false;
		p->nrules = event >= p->nrules ? event + 1 : p->nrules;
		*rule = SCRATCH(p->rules, uint8_t)[event] = find_rule(name);
		if (*rule != NO_RULE && !note_halves(p, *rule, name, err))
			return false;
	}
	*rule = SCRATCH(p->rules, uint8_t)[event];
	return true;
}

bool
pairs_has(struct pairs *p, const struct perf_sample *s, uint32_t event, bool *is, struct err *err)
{
	uint8_t rule;
	bool ok = rule_of(p, s->event, event, &rule, err);

	*is = ok && rule != NO_RULE;
	return ok;
}

uint32_t
pairs_event(const struct pairs *p, struct str tracepoint)
{
	const struct sample_event *e = SCRATCH(p->samples->events, struct sample_event);
	struct str system, name, of, rest;
	uint32_t best = 0, event;

	if (!str_divide(tracepoint, STR(":"), &system, &name))
		return 0;
	for (size_t i = 0; i < NELEM(rules); i++) {
		event = p->event[rules[i].kind];
		if (event != 0 && str_divide(str_of(rules[i].event), STR(":"), &of, &rest) &&
		    str_eq(of, system) && (best == 0 || e[event - 1].samples > e[best - 1].samples))
			best = event;
	}
	return best;
}

/* "sched_setaffinity+0x10c" */
static struct str
site_function(struct str site)
{
	struct str name, offset;

	return str_divide(site, STR("+0x"), &name, &offset) ? name : site;
}

/* ---- what they mean -------------------------------------------------------------------------------- */

bool
pairs_known(struct str event)
{
	return find_rule(event) != NO_RULE;
}

bool
pairs_tell(struct tells *t, const struct perf_sample *s)
{
	struct str v[TEXTS] = { STR(""), STR(""), STR("") }, in = s->details;
	uint8_t rule = find_rule(s->event);
	const struct pair_rule *r = &rules[rule == NO_RULE ? 0 : rule - 1];

	if (rule == NO_RULE || !scan_text(&in, r->pattern, &v[0], &v[1], &v[2]))
		return false;
	telling_span(t, s->event, strchr(r->event, '*') == NULL ? MEANT_FORM : MEANT_WORDS, "event");
	for (size_t i = 0; i < TEXTS; i++)
		if (r->named && i + 1 == r->subject)
			telling_name(t, str_until(site_function(v[i]), '('), "function");
		else
			telling_span(t, str_until(v[i], '('), MEANT_FORM, "number");
	return true;
}

/* ---- begin and end --------------------------------------------------------------------------------- */

/* "[002]" between the name of the task and the event; UINT32_MAX: it is not there. */
static uint32_t
pairs_cpu(const struct perf_sample *s)
{
	const char *from = s->comm.s + s->comm.n;
	struct str rest = { from, s->event.s > from ? (size_t)(s->event.s - from) : 0 };
	uint32_t cpu;

	return scan(&rest, "%*t[%p]", &cpu) ? cpu : UINT32_MAX;
}

/* The idle tasks of all CPUs have the same id. */
static uint64_t
pairs_key(const struct pair_rule *r, const struct perf_sample *s, struct str text, struct str first)
{
	uint64_t by = r->by == BY_FIRST ? idmap_hash_text(first, 0) : r->by == BY_NOTHING ? 0 : s->tid;
	uint32_t cpu = r->by == BY_CPU || (r->by == BY_THREAD && s->tid == 0) ? pairs_cpu(s) : UINT32_MAX;

	if (cpu != UINT32_MAX)
		by = (uint64_t)1 << 32 | cpu;
	/* "0xffff8881: function f" */
	return idmap_hash(idmap_hash_text(str_until(text, ':'), by) ^ r->kind) | 1;
}

/* Find by signs in the text which machine has the numbers of calls. */
static void
find_machine(struct pairs *p)
{
	static const struct { const char *sign; enum kernel_machine machine; } signs[] = {
		{ "entry_SYSCALL_64", MACHINE_X86_64 }, { "# arch : x86_64", MACHINE_X86_64 },
		{ "# arch : aarch64", MACHINE_AARCH64 }, { "el0t_64_sync", MACHINE_AARCH64 },
		{ "el0_svc", MACHINE_AARCH64 }
	};

	p->machine = (int)load_perf_machine(p->file);
	for (size_t i = 0; i < NELEM(signs) && p->machine == MACHINE_OTHER; i++)
		if (memmem(p->text.s, p->text.n, signs[i].sign, strlen(signs[i].sign)) != NULL)
			p->machine = (int)signs[i].machine;
}

/* The name of a call of the kernel with that number; otherwise "syscall 12". */
static struct str
pairs_call(struct pairs *p, struct str number, char *space, size_t size)
{
	const char *name = NULL;
	uint64_t v;

	if (p->machine < 0)
		find_machine(p);
	if (num_u64(number, 10, &v))
		name = kernel_syscall((enum kernel_machine)p->machine, v);
	if (name != NULL)
		return str_of(name);
	snprintf(space, size, "syscall %.*s", (int)str_head(number, 20).n, number.s);
	return str_of(space);
}

/* Kinds of locks, as perf lock names them. */
static struct str
lock_type(struct str flags)
{
	static const struct { const char *flags, *type; } types[] = {
		{ "", "semaphore" }, { "0x0", "semaphore" }, { "SPIN", "spinlock" },
		{ "SPIN|READ", "rwlock:R" }, { "SPIN|WRITE", "rwlock:W" }, { "READ", "rwsem:R" },
		{ "WRITE", "rwsem:W" }, { "RT", "rt-mutex" }, { "RT|READ", "rwlock-rt:R" },
		{ "RT|WRITE", "rwlock-rt:W" }, { "PERCPU|READ", "pcpu-sem:R" },
		{ "PERCPU|WRITE", "pcpu-sem:W" }, { "MUTEX", "mutex" }, { "MUTEX|SPIN", "mutex" },
		{ "SPIN|MUTEX", "mutex" }
	};

	for (size_t i = 0; i < NELEM(types); i++)
		if (str_eq(flags, str_of(types[i].flags)))
			return str_of(types[i].type);
	return flags;
}

/* Count an event that is half of a pair. */
static void
pairs_alone(struct pairs *p, uint32_t event)
{
	assert(event < p->nrules);
	SCRATCH(p->alone, uint64_t)[event]++;
}

static struct pair_begin *
begin_at(const struct pairs *p, uint64_t row)
{
	assert(row != 0 && row <= p->nbegun);
	return &SCRATCH(p->begun, struct pair_begin)[row - 1];
}

/*
 * Another begin of the same key did not end.  A thread that waits for a lock begins again where it stops to
 * spin, or spins again.
 */
static bool
pairs_begin(struct pairs *p, unsigned kind, uint64_t key, const struct pair_begin *new, struct err *err)
{
	uint32_t row = idmap_get(&p->by_key, key);

	if (row != 0) {
		struct pair_begin *old = begin_at(p, row);

		if (kind == PAIR_LOCK && old->open)
			return true;
		if (old->open)
			pairs_alone(p, old->event);
		*old = *new;
		return true;
	}
	return make_add(&p->begun, &p->nbegun, new, sizeof *new, MAKE_MOST, "events that begin", err) &&
	    idmap_put(&p->by_key, key, (uint32_t)p->nbegun, err);
}

/* End a stack at the caller of the allocator; with at most one frame, that is the stack. */
static bool
cut_to_caller(struct pairs *p, struct str caller, uint32_t *stack, struct err *err)
{
	const struct sample_stack *node = SCRATCH(p->samples->stacks, struct sample_stack);
	uint32_t at = *stack, frame;

	for (unsigned i = 0; i < CALLERS_MOST && at != 0; i++, at = node[at].parent)
		if (str_eq(samples_frame_name(p->samples, node[at].frame), caller)) {
			*stack = at;
			return true;
		}
	if (*stack != 0 && node[*stack].parent != 0)
		return true;
	frame = samples_function(p->samples, caller, STR(""), 'k', err);
	return frame != 0 && (*stack = samples_stack(p->samples, 0, frame, err)) != 0;
}

/* The stack that shows who waits for a lock or has memory; of others, the subject is on top. */
static bool
pairs_stack(struct pairs *p, unsigned kind, struct str subject, uint32_t *stack, struct err *err)
{
	uint32_t frame;
	bool io;

	switch (kind) {
	case PAIR_MEMORY: return cut_to_caller(p, site_function(subject), stack, err);
	case PAIR_PAGES: return true;
	case PAIR_LOCK:
		if (*stack != 0)
			return offcpu_cut(p->off, stack, &io, err);
		/* FALLTHROUGH */
	default:
		frame = samples_function(p->samples, subject, STR(""), 0, err);
		return frame != 0 && (*stack = samples_stack(p->samples, *stack, frame, err)) != 0;
	}
}

/* Add a sample of a kind. */
static bool
pairs_add(struct pairs *p, unsigned kind, struct sample *s, struct str subject, struct err *err)
{
	bool bytes = kind == PAIR_MEMORY || kind == PAIR_PAGES;

	if (p->event[kind] == 0)
		p->event[kind] = samples_event(p->samples, str_of(kinds[kind]),
		    bytes ? WEIGHT_BYTES : WEIGHT_TIME, bytes ? "bytes" : "ns", err);
	s->event = p->event[kind];
	return s->event != 0 && pairs_stack(p, kind, subject, &s->stack, err) &&
	    samples_add(p->samples, s, err);
}

static bool
pairs_finish(struct pairs *p, unsigned kind, const struct pair_begin *b, uint64_t time, struct err *err)
{
	struct pair_done done = { .start = b->sample.time, .length = time - b->sample.time,
	    .bytes = UINT64_MAX, .thread = b->sample.thread };
	struct str subject = b->subject;
	struct sample s = b->sample;
	char space[64];

	if (kind == PAIR_CALL && subject.n > 0 && is_digit(subject.s[0]))
		subject = pairs_call(p, subject, space, sizeof space);
	else if (kind == PAIR_LOCK)
		subject = lock_type(subject);
	s.weight = done.length;
	if (!pairs_add(p, kind, &s, subject, err) ||
	    !texts_place(&p->words, str_of(kinds[kind]), &done.event, err) ||
	    !texts_place(&p->words, subject, &done.what, err))
		return false;
	done.stack = s.stack;
	return make_add(&p->done, &p->ndone, &done, sizeof done, UINT32_MAX, "intervals", err);
}

/* ---- samples -------------------------------------------------------------------------------------- */

/* Bytes of an allocation: its number, or its pages, of which the number is a power of 2. */
static uint64_t
bytes_of(unsigned kind, struct str number)
{
	uint64_t v;

	if (!num_u64(number, 10, &v))
		return 0;
	return kind != PAIR_PAGES ? v : v <= ORDER_MOST ? (uint64_t)PAGE << v : 0;
}

/* An allocation that failed, or one that nobody frees. */
static bool
is_nowhere(struct str address)
{
	str_take(&address, STR("0x"));
	while (str_take(&address, STR("0")))
		;
	return address.n == 0 || address.s[0] == '(';
}

/* Apply a row of the table to a sample; v: the texts of its pattern. */
static bool
pairs_apply(struct pairs *p, const struct pair_rule *r, const struct perf_sample *s,
    const struct sample *sample, const struct str *v, struct str some, struct err *err)
{
	struct str subject = r->subject == 0 ? some : v[r->subject - 1];
	struct pair_begin new = { *sample, subject, sample->event, true }, *of;
	uint64_t key = pairs_key(r, s, r->key == 0 ? some : v[r->key - 1], v[0]);
	uint32_t row;

	if (r->by == BY_FIRST)
		new.subject = (struct str){ v[0].s, (size_t)(v[1].s - v[0].s) + v[1].n };
	if (r->role == ALLOC)
		new.sample.weight = bytes_of(r->kind, v[2]);
	if ((r->role == ALLOC || r->role == FREE) && (is_nowhere(v[0]) || is_nowhere(v[1])))
		return true;
	if (r->role == BEGIN || r->role == ALLOC)
		return pairs_begin(p, r->kind, key, &new, err);
	row = idmap_get(&p->by_key, key);
	of = row == 0 ? NULL : begin_at(p, row);
	if (of == NULL || !of->open || s->time < of->sample.time) {
		if (r->role != END_OF_SOME)
			pairs_alone(p, sample->event);
		return true;
	}
	of->open = false;
	return r->role == FREE || pairs_finish(p, r->kind, of, s->time, err);
}

bool
pairs_sample(struct pairs *p, const struct perf_sample *s, const struct sample *sample, struct err *err)
{
	struct str v[TEXTS] = { STR(""), STR(""), STR("") }, details = s->details, in, some;
	uint8_t rule;

	if (!rule_of(p, s->event, sample->event, &rule, err))
		return false;
	if (rule == NO_RULE)
		return true;
	/* Without a chain of callers, a frame is behind the fields. */
	if (s->frames.n > 0 && s->frames.s > details.s && s->frames.s < details.s + details.n)
		details = str_trim((struct str){ details.s, (size_t)(s->frames.s - details.s) });
	for (const struct pair_rule *first = &rules[rule - 1], *r = first; same_event(first, r); r++) {
		in = details;
		/* One that stands for several has lost its partner. */
		if (s->period > 1 || !rule_fits(r, event_head(s->event), &some) ||
		    !scan_text(&in, r->pattern, &v[0], &v[1], &v[2]))
			pairs_alone(p, sample->event);
		else if (!pairs_apply(p, r, s, sample, v, some, err))
			return false;
	}
	return true;
}

bool
pairs_end(struct pairs *p, struct err *err)
{
	for (uint64_t row = 1; row <= p->nbegun; row++) {
		struct pair_begin *b = begin_at(p, row);
		const struct pair_rule *r;

		if (!b->open)
			continue;
		r = &rules[SCRATCH(p->rules, uint8_t)[b->event] - 1];
		if (r->role != ALLOC)
			pairs_alone(p, b->event);
		else if (b->sample.weight > 0 && has_halves(p, b->event) &&
		    !pairs_add(p, r->kind, &b->sample, b->subject, err))
			return false;
	}
	for (uint32_t event = 0; event < p->nrules; event++) {
		uint64_t n = SCRATCH(p->alone, uint64_t)[event];

		if (n > 0 && has_halves(p, event))
			unread_add(p->unread, UNREAD_PAIR, samples_event_name(p->samples, event), n);
	}
	return true;
}

bool
pairs_columns(struct pairs *p, uint64_t first, struct work *w, struct err *err)
{
	static const struct make_column columns[] = {
		MAKE(COL_INTERVAL_START, pair_done, start), MAKE(COL_INTERVAL_LENGTH, pair_done, length),
		MAKE(COL_INTERVAL_THREAD, pair_done, thread), MAKE(COL_INTERVAL_EVENT, pair_done, event),
		MAKE(COL_INTERVAL_WHAT, pair_done, what), MAKE(COL_INTERVAL_BYTES, pair_done, bytes),
		MAKE(COL_INTERVAL_STACK, pair_done, stack), MAKE(COL_INTERVAL_OWNER, pair_done, owner),
	};
	struct pair_done *d;

	if (!make_sort(&p->done, p->ndone, sizeof *d, w, err))
		return false;
	d = SCRATCH(p->done, struct pair_done);
	for (uint64_t i = 0; i < p->ndone; i++)
		d[i].start = d[i].start > first ? d[i].start - first : 0;
	return make_columns(p->samples->st, columns, NELEM(columns), MAKE_ROWS(d, p->ndone), err) &&
	    make_copy(p->samples->st, COL_INTERVAL_TEXT, COL_BYTES, p->words.bytes.data, p->words.size, err);
}
