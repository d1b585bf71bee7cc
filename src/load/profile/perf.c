/*
 * The output of perf script, and of simpleperf's report_sample: a profile with threads, events and times.
 */
#include "config.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "icecore/perf.h"
#include "profile.h"

/* ---- off-CPU time with stacks ----------------------------------------------------------- */

/* The stack that was printed when a thread left its CPU gets the time until that thread runs again. */
struct offcpu {
	struct samples	*samples;
	struct idmap	 by_tid;	/* row of away + 1 */
	struct scratch	 away;		/* struct sample: the last one of a thread that left; event 0: it is back */
	uint64_t	 n;
	uint64_t	 last;		/* time of any sample */
	uint32_t	 event;		/* 0: no switch was seen */
};

/* The number that s begins with. */
static bool
number(struct str s, uint32_t *v)
{
	uint64_t n;

	if (!str_number(&s, &n) || n > UINT32_MAX)
		return false;
	*v = (uint32_t)n;
	return true;
}

/* The last place of what, and the number behind it. */
static bool
number_behind(struct str s, struct str what, uint32_t *v)
{
	const char *hit = NULL, *from = s.s, *end = s.s + s.n;

	while (from < end && (from = memmem(from, (size_t)(end - from), what.s, what.n)) != NULL)
		hit = from++;
	return hit != NULL && number((struct str){ hit + what.n, (size_t)(end - hit) - what.n }, v);
}

/* "name:33233 [110] S": the number before the last " [". */
static bool
number_before_priority(struct str s, uint32_t *v)
{
	struct str left, rest, name;

	return str_divide_last(s, '[', &left, &rest) && str_divide_last(str_trim(left), ':', &name, &rest) &&
	    number(rest, v);
}

/* "prev_state=X", "[110] Z": it will not come back. */
static bool
has_ended(struct str before)
{
	struct str s = str_trim(before);

	while (s.n > 1 && s.s[s.n - 2] != ' ' && s.s[s.n - 2] != '=')
		s.n--;
	return s.n > 1 && (s.s[s.n - 1] == 'X' || s.s[s.n - 1] == 'Z');
}

/* Who leaves, 0 if it ends, and who comes, of either form of the text. */
static bool
switch_of(const struct perf_sample *p, uint32_t *from, uint32_t *to)
{
	struct str before, after;

	if (!str_has_suffix(p->event, STR("sched_switch")) || !str_divide(p->details, STR("==>"), &before, &after))
		return false;
	if (has_ended(before)) {
		*from = 0;
		return number_behind(after, STR(" next_pid="), to) || number_before_priority(after, to);
	}
	if (number_behind(after, STR(" next_pid="), to))
		return number_behind(before, STR(" prev_pid="), from);
	return number_before_priority(before, from) && number_before_priority(after, to);
}

/* The row of a thread, made if it is new. */
static struct sample *
row_of(struct offcpu *o, uint32_t tid, struct err *err)
{
	uint32_t row = idmap_get(&o->by_tid, tid);
	struct sample *new;

	if (row != 0)
		return &SCRATCH(o->away, struct sample)[row - 1];
	new = make_row(&o->away, o->n, sizeof *new, MAKE_MOST, "threads", err);
	return new != NULL && idmap_put(&o->by_tid, tid, (uint32_t)++o->n, err) ? new : NULL;
}

static bool
was_away(struct offcpu *o, uint64_t row, uint64_t time, struct err *err)
{
	struct sample *away = &SCRATCH(o->away, struct sample)[row], s = *away;

	away->event = 0;
	if (s.event == 0 || time < s.time)
		return true;
	if (o->event == 0)
		o->event = samples_event(o->samples, STR("off-cpu"), WEIGHT_TIME, "ns", err);
	if (o->event == 0)
		return false;
	assert(time >= s.time);
	s.event = o->event;
	s.weight = time - s.time;
	return samples_add(o->samples, &s, err);
}

static bool
comes_back(struct offcpu *o, uint32_t tid, uint64_t time, struct err *err)
{
	uint32_t row = idmap_get(&o->by_tid, tid);

	return row == 0 || was_away(o, row - 1, time, err);
}

/* Who did not come back is away until the end; that of the last switch only began to be. */
static bool
stay_away(struct offcpu *o, struct err *err)
{
	for (uint64_t i = 0; i < o->n; i++)
		if (SCRATCH(o->away, struct sample)[i].time < o->last && !was_away(o, i, o->last, err))
			return false;
	return true;
}

#define SNIFF_SAMPLES 1000
#define DUMPED ". ... raw event: size "
#define NO_TIME 18446744069414584000u	/* samples of perf record --off-cpu have 0xffffffff00000000 ns, which is printed in us */
#define TICK 65536u		/* bytes between two looks at the clock */

/* One part of the text, or all of it; the first one becomes all. */
struct perf {
	struct perf_text text;
	uint64_t	 from, parts;
	atomic_bool	*alone;		/* one thread has to read all: a thread may come back in another part */
	struct samples	 samples;
	struct offcpu	 off;
	struct idmap	 tids;		/* thread that a tid was first */
	uint64_t	 nthreads;	/* that are in it */
	struct perf_seen seen;
	struct buf	 name;
	struct store	*st;
	uint64_t	 bad_frames, renames, timeless;
};

/* ---- sniffing ------------------------------------------------------------------------ */

/* The outermost frame; false: none of the lines is one. */
static bool
first_frame(struct str frames, struct perf_frame *f, uint64_t *bad)
{
	struct str line;

	while (perf_line(&frames, &line))
		if (perf_frame(line, 0, f, bad))
			return true;
	return false;
}

/* Scheduler events without stacks are for another loader; other texts may have lines like headers, but hardly with a time. */
static bool
perf_sniff(const uint8_t *head, size_t n)
{
	struct perf_text t;
	struct perf_sample p;
	struct perf_frame f;
	uint64_t bad = 0, timed = 0, sched = 0;

	/* A dump of perf script -D has lines like headers too. */
	if (memmem(head, n, DUMPED, sizeof DUMPED - 1) != NULL || !perf_open(&t, (const char *)head, n))
		return false;
	for (unsigned look = 0; look < SNIFF_SAMPLES && perf_next(&t, &p); look++) {
		if (first_frame(p.frames, &f, &bad) && f.address.n > 0)
			return true;
		timed += p.has_time && p.event.n > 0;
		sched += p.event.n > 0 && memmem(p.event.s, p.event.n, "sched_", 6) != NULL;
	}
	return timed > sched;
}

/* ---- samples --------------------------------------------------------------------------- */

/* Looks whether p is a switch; when a thread comes back, or the file ends, its last stack gets the time it was away, as event "off-cpu". */
static bool
offcpu_sample(struct perf *l, const struct perf_sample *p, const struct sample *s, struct err *err)
{
	uint32_t from, to;
	struct sample *away;

	if (!switch_of(p, &from, &to))
		return true;
	if (l->parts > 1) {
		atomic_store(l->alone, true);
		return true;
	}
	if (to != 0 && !comes_back(&l->off, to, p->time, err))
		return false;
	if (from == 0)
		return true;
	if ((away = row_of(&l->off, from, err)) != NULL)
		*away = *s;
	return away != NULL;
}

/* The functions of a frame on top of *stack; *known: the frame that they are, if it is one. */
static bool
add_frame(struct perf *l, const struct perf_frame *f, uint32_t *known, uint32_t *stack, struct err *err)
{
	struct str symbol = f->symbol, part;
	char kind = perf_kind(f, PERF_RUST);
	struct str module = f->module;
	uint32_t frame = 0, n = 0;

	/* These say that it is not known. */
	if (str_eq(module, STR("inlined")))
		kind = 'i';
	if (str_eq(module, STR("inlined")) || str_eq(module, STR("[unknown]")))
		module = STR("");
	for (; perf_part(&symbol, PERF_RUST, &part); kind = 'i', n++) {
		struct str name = perf_name(f, part, PERF_RUST, &l->name);

		if (l->name.bad)
			return fail(err, E_SYSTEM, "out of memory (name)");
		frame = samples_function(&l->samples, name, module, kind, err);
		if (frame == 0 || (*stack = samples_stack(&l->samples, *stack, frame, err)) == 0)
			return false;
	}
	*known = n == 1 ? frame : 0;
	return true;
}

static bool
add_line(struct perf *l, struct str line, uint32_t *stack, struct err *err)
{
	uint32_t *known = perf_seen_line(&l->seen, line);
	struct perf_frame f;

	if (*known != 0) {
		*stack = samples_stack(&l->samples, *stack, *known, err);
		return *stack != 0;
	}
	if (perf_frame(line, PERF_RUST, &f, &l->bad_frames))
		return add_frame(l, &f, known, stack, err);
	/* It is counted in each sample. */
	perf_seen_end(&l->seen);
	return true;
}

static bool
find_stack(struct perf *l, const struct perf_sample *p, uint32_t *stack, struct err *err)
{
	struct str frames = p->frames, line;

	*stack = 0;
	if (!perf_seen_begin(&l->seen, &frames, PERF_RUST, stack, err))
		return false;
	while (perf_line(&frames, &line)) {
		if (!add_line(l, line, stack, err))
			return false;
		perf_seen_frame(&l->seen, frames, *stack);
	}
	return true;
}

/* A tid that has another name than it had is counted. */
static bool
count_renames(struct perf *l, struct err *err)
{
	for (; l->nthreads < l->samples.nthreads; l->nthreads++) {
		uint32_t tid = SCRATCH(l->samples.threads, struct sample_thread)[l->nthreads].tid;

		l->renames += tid != 0 && idmap_get(&l->tids, tid) != 0;
		if (!idmap_put(&l->tids, tid, (uint32_t)l->nthreads + 1, err))
			return false;
	}
	return true;
}

static uint32_t
find_event(struct perf *l, const struct perf_sample *p, struct err *err)
{
	char unit[64] = "samples";

	/* Clocks tick in nanoseconds. */
	if (p->has_period &&
	    (str_has_prefix(p->event, STR("cpu-clock")) || str_has_prefix(p->event, STR("task-clock")) ||
	    str_has_prefix(p->event, STR("offcpu-time"))))
		return samples_event(&l->samples, p->event, WEIGHT_TIME, "ns", err);
	if (p->has_period && p->event.n > 0) {
		size_t n = p->event.n < sizeof unit ? p->event.n : sizeof unit - 1;

		memcpy(unit, p->event.s, n);
		unit[n] = '\0';
		unit[strcspn(unit, ":")] = '\0';
	}
	return samples_event(&l->samples, p->event, WEIGHT_COUNT, unit[0] != '\0' ? unit : "samples", err);
}

static bool
add_sample(struct perf *l, const struct perf_sample *p, struct err *err)
{
	struct sample s = { .time = p->time < NO_TIME ? p->time : SAMPLE_NO_TIME, .offset = p->offset };

	s.weight = p->period > 0 ? p->period : 1;
	s.event = find_event(l, p, err);
	s.thread = s.event == 0 ? 0 : samples_thread(&l->samples, p->pid, p->tid, p->comm, err);
	if (s.thread == 0 || !find_stack(l, p, &s.stack, err) || !samples_add(&l->samples, &s, err))
		return false;
	assert(s.offset < l->text.size);
	l->timeless += !p->has_time;
	if (!p->has_time || s.time == SAMPLE_NO_TIME)
		return true;
	l->off.last = p->time > l->off.last ? p->time : l->off.last;
	return offcpu_sample(l, p, &s, err);
}

/* ---- the file ---------------------------------------------------------------------------- */

static bool
facts(struct perf *l, struct err *err)
{
	uint64_t cut = store_source(l->st)->size - l->text.size;
	const char *reason = l->text.lost > 0 ?
	    "perf lost events; lower the frequency or enlarge -m" :
	    cut > 0 ? "last line is incomplete" : "";
	const struct make_fact counts[] = {
		{ "format", .text = STR("perf script (text)") },
		{ "other_records", l->text.others, MAKE_ANY }, { "repair.stray_lines", l->text.stray, MAKE_ANY },
		{ "repair.bad_frames", l->bad_frames, MAKE_ANY },
		{ "repair.renames", l->renames, MAKE_ANY }, { "loss.tail_bytes", cut, MAKE_ANY | MAKE_BYTES },
		{ "loss.events", l->text.lost, MAKE_ANY },
		{ "loss.reason", .text = str_of(reason), .how = MAKE_ANY },
	};

	return make_facts(l->st, counts, NELEM(counts), err);
}

/* What was read becomes that of the first part; false in *alike: one thread has to read all. */
static bool
join_part(struct perf *all, struct perf *l, bool *alike, struct err *err)
{
	all->text.stray += l->text.stray;
	all->text.others += l->text.others;
	all->text.lost = num_add(all->text.lost, l->text.lost);
	all->bad_frames += l->bad_frames;
	all->timeless += l->timeless;
	return samples_join(&all->samples, &l->samples, alike, err) && count_renames(all, err);
}

static bool
read_samples(struct perf *l, struct work *w, struct err *err)
{
	struct perf_sample p;
	uint64_t next = 0;

	while (perf_next(&l->text, &p) && (l->parts == 1 || !atomic_load(l->alone))) {
		if (l->text.at >= next) {
			next = l->text.at + TICK;
			/* Other parts are about as far. */
			if (!work_go(w, (l->text.at - l->from) * l->parts, err))
				return false;
		}
		if (!add_sample(l, &p, err))
			return false;
	}
	return stay_away(&l->off, err) && count_renames(l, err);
}

static bool
read_part(void *arg, uint64_t i, struct work *w, struct err *err)
{
	return read_samples((struct perf *)arg + i, w, err);
}

static void
close_part(struct perf *l)
{
	SCRATCH_FREE(&l->off.away);
	perf_seen_free(&l->seen);
	idmap_free(&l->off.by_tid);
	samples_close(&l->samples);
	idmap_free(&l->tids);
	buf_free(&l->name);
}

/* Parts begin behind an empty line, where no sample goes on. */
static void
open_parts(struct perf *all, uint64_t n, atomic_bool *alone, struct store *st, struct work *w)
{
	const struct map *m = store_source(st);
	const char *data = (const char *)m->data;
	uint64_t size = m->size - perf_cut(data, m->size);
	struct perf_text text;

	perf_open(&text, data, size);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t end = text_part(data, size, i + 1, n);

		all[i] = (struct perf){ .text = text, .st = st, .parts = n, .from = text.at, .alone = alone };
		text.at = end > text.at ? end : text.at;
		perf_apart(&text);
		all[i].text.size = text.at;
		samples_open(&all[i].samples, st, w);
		all[i].off.samples = &all[i].samples;
	}
}

static bool
read_parts(struct perf *all, uint64_t n, struct store *st, struct work *w, bool *alike, struct err *err)
{
	atomic_bool alone;
	uint64_t size;
	bool ok;

	atomic_init(&alone, false);
	open_parts(all, n, &alone, st, w);
	/* The last part has the end. */
	size = all[n - 1].text.size;
	work_start_bytes(w, "samples", all->text.size * n);
	ok = pool_run(w, n, read_part, all, err);
	*alike = !alone;
	for (uint64_t i = 1; ok && *alike && i < n; i++) {
		ok = join_part(all, &all[i], alike, err);
		close_part(&all[i]);
	}
	all->text.size = size;
	all->samples.times = all->timeless == 0;
	return ok;
}

static bool
perf_load(struct store *st, struct work *w, struct err *err)
{
	uint64_t n = text_parts(store_source(st)->size);
	struct perf *all = mem_array(n, sizeof *all);
	bool ok, alike = false;

	if (all == NULL)
		return fail(err, E_SYSTEM, "out of memory (samples)");
	for (ok = true; ok && !alike; n = 1) {
		ok = read_parts(all, n, st, w, &alike, err) && (!alike || ((all->samples.nsamples > 0 || fail(err, E_UNREADABLE,
		    "not output of perf script: no sample in this file")) && facts(all, err) && samples_columns(&all->samples, err)));
		for (uint64_t i = 0; i < n; i++)
			close_part(&all[i]);
	}
	free(all);
	return ok;
}

const struct loader load_perf = {
	"perf", "perf script or simpleperf report_sample output; perf.data, by running perf", SHAPE_SAMPLES, perf_sniff, perf_load,
	.threads = true
};
