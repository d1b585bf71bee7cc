/*
 * find: search patterns, and which methods they mean.
 */
#include "config.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "ui/app/room.h"

enum { MATCH_LIMIT = 100000 };

struct pattern {
	pcre2_code		*code;
	pcre2_match_data	*data;
	pcre2_match_context	*context;
};

/* ---- patterns ------------------------------------------------------------ */

static bool
has_capital(struct str s)
{
	size_t	i;

	for (i = 0; i < s.n; i++)
		if (s.s[i] == '\\')
			i++;
		else if (isupper((unsigned char)s.s[i]))
			return true;
	return false;
}

struct pattern *
pattern_make(struct str s, struct err *err)
{
	struct pattern	*p = mem_array(1, sizeof *p);
	uint32_t	 opt = has_capital(s) ? 0 : PCRE2_CASELESS;
	PCRE2_SIZE	 at;
	int		 code;

	if (p == NULL)
		goto bad;
	p->code = pcre2_compile((PCRE2_SPTR)s.s, s.n, opt, &code, &at, NULL);
	if (p->code == NULL)
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
	/* Without JIT it is slower, no more. */
	pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE);
	return p;
bad:
	pattern_free(p);
	fail(err, E_SYSTEM, "no memory for the search");
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
	return pcre2_match(p->code, (PCRE2_SPTR)(s.s != NULL ? s.s : ""), s.n, 0, 0,
	    p->data, p->context) >= 0;
}

/* ---- which methods match, or classes of a heap ---------------------------- */

/* By its name, or by the one it has in the file when a mapping gave it another. */
static bool
matches(const struct store *st, const struct heap *h, uint32_t i, struct pattern *p, struct buf *name)
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

static bool
match_names(struct found *f, const struct store *st, const struct heap *h, struct work *work,
    struct err *err)
{
	const struct column *raw = store_column(st, h != NULL ? "class.name" : "method.raw");
	struct pattern	*p;
	struct buf	 name = BUF_INIT;
	uint32_t	 i, n = raw != NULL ? (uint32_t)raw->rows : 0;
	bool		 ok = true;

	free(f->next_set);
	f->next_n = 0;
	f->next_set = mem_array((size_t)n + 1, 1);
	p = pattern_make(str_of(f->next_text), err);
	if (p == NULL)
		return false;
	if (f->next_set == NULL)
		ok = fail(err, E_SYSTEM, "no memory for %u names", n);
	work_start(work, "search", n);
	for (i = 1; ok && i <= n; i++) {
		f->next_set[i] = matches(st, h, i, p, &name);
		if (!work_tick(work, i))
			ok = fail_cancel(err);
	}
	f->next_n = n;
	buf_free(&name);
	pattern_free(p);
	return ok;
}

struct weigh {
	const struct column	*method, *thread, *calls, *size, *parent, *wall, *cpu;
	enum clock		 clock;
	bool			 differs, counted;
};

static uint64_t
weight_of(const struct weigh *w, uint64_t row)
{
	uint64_t	wall = column_get(w->wall, row), cpu = column_get(w->cpu, row);

	/* Of a delta, which may be below 0, the weight in both. */
	if (w->differs && w->clock == CLOCK_OFF)
		return num_add(wall, cpu);
	switch (w->clock) {
	case CLOCK_WALL:
		return wall;
	case CLOCK_CPU:
		return cpu;
	case CLOCK_OFF:
	case CLOCKS:
		break;
	}
	return wall > cpu ? wall - cpu : 0;
}

static bool
takes_thread(const struct found *f, uint64_t thread)
{
	size_t	i;

	for (i = 0; i < f->nthreads; i++)
		if (f->threads[i] == thread)
			return true;
	return f->nthreads == 0;
}

/* The outermost of nested matches counts; calls count each. */
static bool
weigh_matches(struct found *f, struct store *st, struct work *work, struct err *err)
{
	struct weigh	w = {
		store_column(st, "call.method"), store_column(st, "call.thread"),
		store_column(st, "call.calls"), store_column(st, "call.size"),
		store_column(st, "call.parent"), store_column(st, "call.total_wall"),
		store_column(st, "call.total_cpu"), f->clock,
		store_fact_get(st, "weight.differs") != 0, (load_shapes(st) & SHAPE_SAMPLES) == 0
	};
	uint64_t	row, n = w.method != NULL ? w.method->rows : 0, end = 0, m;
	uint64_t	thread = 0, t;
	bool		take = true;

	f->calls = f->weight = f->whole = 0;
	work_start(work, "search", n);
	for (row = 0; row < n; row++) {
		if ((row & 1023) == 0 && !work_tick(work, row))
			return fail_cancel(err);
		t = column_get(w.thread, row);
		if (t != thread) {
			thread = t;
			take = takes_thread(f, t);
		}
		if (!take)
			continue;
		if (column_get(w.parent, row) == 0)
			f->whole += weight_of(&w, row);
		m = column_get(w.method, row);
		if (m > f->next_n || !f->next_set[m])
			continue;
		/* Of a profile stacks: samples count where they end. */
		f->calls += w.counted ? column_get(w.calls, row) : 1;
		if (row < end)
			continue;
		f->weight += weight_of(&w, row);
		end = row + column_get(w.size, row);
	}
	return true;
}

/* Objects by their own sizes, and the one of them that retains most. */
static bool
weigh_objects(struct found *f, const struct heap *h, struct work *work, struct err *err)
{
	uint64_t	retained, most = 0, bytes;
	uint32_t	i, class;

	f->calls = f->weight = f->whole = f->best = 0;
	work_start(work, "search", h->objects);
	for (i = 1; i <= h->objects; i++) {
		if ((i & 1023) == 0 && !work_tick(work, i))
			return fail_cancel(err);
		if (heap_dominator(h, i) == 0)
			continue;
		bytes = heap_shallow(h, i);
		f->whole += bytes;
		class = heap_class(h, i);
		if (class > f->next_n || !f->next_set[class])
			continue;
		f->calls++;
		f->weight += bytes;
		retained = heap_retained(h, i);
		if (f->best != 0 && retained <= most)
			continue;
		f->best = i;
		most = retained;
	}
	return true;
}

static bool
found_run(struct task *task, struct work *work, struct err *err)
{
	struct found	*f = (struct found *)task;
	struct store	*st = ui_store(task->ui);
	struct heap	 h;

	if (ui_shapes(task->ui) & SHAPE_GRAPH)
		return ui_heap_want(task->ui, "REFS.SIZES.parent", work, err) &&
		    heap_open(&h, st, task->ui->session->refs, task->ui->session->sizes, err) &&
		    match_names(f, st, &h, work, err) && weigh_objects(f, &h, work, err);
	return pass_want(st, "call.method", work, err) &&
	    match_names(f, st, NULL, work, err) && weigh_matches(f, st, work, err);
}

static void
found_done(struct task *task, bool ok, const struct err *err)
{
	struct found	*f = (struct found *)task;
	struct ui	*ui = task->ui;
	struct pane	*p = ui_pane(ui);

	if (!ok) {
		if (!f->quiet)
			ui_fail(ui, err);
		return;
	}
	free(f->set);
	f->set = f->next_set;
	f->n = f->next_n;
	f->next_set = NULL;
	memcpy(f->text, f->next_text, sizeof f->text);
	if (f->quiet) {
		icicle_again(ui);
		return;
	}
	found_show(ui);
	if (p->kind->where & IN_FRAMES)
		p->kind->find(p, NULL, f->backward);
}

/* Methods of another store have other numbers: what was marked is marked again, nothing moves. */
void
found_again(struct ui *ui, const char *text)
{
	found_start(ui, text, ui->search_back);
	ui->found.quiet = true;
}

void
found_start(struct ui *ui, const char *text, bool backward)
{
	struct found	*f = &ui->found;
	const uint32_t	*threads;
	size_t		 n;

	if (ui_store(ui) == NULL || f->task.given) {
		ui_say(ui, "still working");
		return;
	}
	snprintf(f->next_text, sizeof f->next_text, "%s", text);
	f->backward = backward;
	f->quiet = false;
	f->clock = ui->session->clock;
	free(f->threads);
	f->threads = NULL;
	n = icicle_chosen(ui, &threads);
	if (n > 0)
		f->threads = mem_array(n, sizeof *f->threads);
	f->nthreads = f->threads != NULL ? n : 0;
	if (f->nthreads > 0)
		memcpy(f->threads, threads, n * sizeof *threads);
	f->task.run = found_run;
	f->task.done = found_done;
	task_give(ui, &f->task);
}

void
found_free(struct ui *ui)
{
	struct found	*f = &ui->found;

	free(f->set);
	free(f->next_set);
	free(f->threads);
	memset(f, 0, sizeof *f);
}

bool
found_has(const struct ui *ui, uint32_t method)
{
	const struct found *f = &ui->found;

	return method != 0 && f->set != NULL && method <= f->n && f->set[method];
}

void
found_show(struct ui *ui)
{
	struct found	*f = &ui->found;
	char		 n[NUM_TEXT];
	const char	*what = ui_shapes(ui) & SHAPE_GRAPH ? "object" : "call";

	if (f->calls == 0) {
		ui_say(ui, "/%s: not found", f->text);
		return;
	}
	num_show_count(n, sizeof n, f->calls);
	if (ui_shapes(ui) & SHAPE_SAMPLES)
		what = "stack";
	ui_say(ui, "/%s: %s %s%s, %.1f%% of total", f->text, n, what, f->calls == 1 ? "" : "s",
	    f->whole > 0 ? 100.0 * (double)f->weight / (double)f->whole : 0.0);
}
