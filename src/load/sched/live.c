/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Scheduler text being written: sums by task and CPU, and the last switches.
 */
#include "config.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "icecore/chunk.h"
#include "icecore/limits.h"
#include "live.h"

#define READ_CHUNK CHUNK_OF(65536)
#define POLL_MS 100		/* interval for checking work */
#define SNIFF_LEAST 4096	/* lines before a text is recognised */
#define SNIFF_WAIT 300		/* ms to continue examining a text that may be scheduler text */

/* ---- lines ----------------------------------------------------------------------- */

/* Return a permanent copy of the name; empty if there is no room. */
static bool
live_keep_name(struct live *l, struct str *name, struct err *err)
{
	uint32_t place = texts_find(&l->names, *name);

	if (place == 0 && (name->n >= LIVE_NAMES - l->names.size || memchr(name->s, '\0', name->n) != NULL)) {
		name->n = 0;
		return true;
	}
	if (place == 0 && !texts_place(&l->names, *name, &place, err))
		return false;
	name->s = texts_at(&l->names, place);
	return true;
}

/* *thread 0: the idle task; UINT32_MAX: too many tasks. */
static bool
live_take_task(struct live *l, uint32_t tid, struct str name, uint32_t *thread, struct err *err)
{
	struct sched_thread *t;

	*thread = 0;
	if (tid == 0)
		return true;
	*thread = tid < l->threads.ndirect ? SCRATCH(l->threads.direct, uint32_t)[tid] : 0;
	if (*thread == 0 && l->threads.nthreads >= LIVE_TASKS && (tid < TIDS_DIRECT ||
	    idmap_get(&l->threads.others, tid) == 0)) {
		*thread = UINT32_MAX;
		return true;
	}
	*thread = sched_thread_of(&l->threads, tid, err);
	assert(*thread <= l->threads.nthreads);
	if (*thread == 0 || !scratch_array(&l->tasks, *thread, sizeof(struct live_task), err))
		return false;
	t = sched_thread_at(&l->threads, *thread);
	if (name.n == 0 || (t->named && sched_thread_is(t, name)))
		return true;
	return live_keep_name(l, &name, err) && sched_thread_named(&l->threads, *thread, name, err);
}

static const struct sched_range all = SCHED_ALL;

static inline struct live_task *
live_task_at(const struct live *l, uint32_t thread)
{
	assert(thread != 0 && thread <= l->threads.nthreads);
	return &SCRATCH(l->tasks, struct live_task)[thread - 1];
}

static void
count_in(struct live *l, uint32_t thread, uint64_t time)
{
	struct live_task *t = live_task_at(l, thread);
	uint64_t gap, delay;

	if (t->waking && t->sum.is_out)
		task_wake(&t->sum, t->sum.last_out);
	t->waking = false;
	task_in(&t->sum, &all, time, &gap, &delay);
	if (gap != UINT64_MAX)
		histogram_add(&t->gaps, gap);
	if (delay != UINT64_MAX)
		histogram_add(&t->delays, delay);
}

static bool
count_cpu(struct live *l, const struct sched_line *s, uint64_t time, uint32_t from, uint32_t to,
    bool known, struct err *err)
{
	if (s->cpu == SWITCH_NO_CPU)
		return true;
	if (!scratch_array(&l->cpus, (uint64_t)s->cpu + 1, sizeof(struct cpu_sum), err))
		return false;
	assert(s->cpu < SWITCH_NO_CPU);
	if (s->cpu >= l->ncpus)
		l->ncpus = s->cpu + 1;
	cpu_switch(&SCRATCH(l->cpus, struct cpu_sum)[s->cpu], &all, time, from, to, known);
	return true;
}

static void
live_gone(struct live_task *t)
{
	task_gone(&t->sum);
	t->waking = false;
}

static bool
live_take_switch(struct live *l, const struct sched_line *s, uint64_t time, struct err *err)
{
	uint32_t from, to, gone;
	bool known;

	if (!live_take_task(l, s->from, s->from_name, &from, err) ||
	    !live_take_task(l, s->to, s->to_name, &to, err))
		return false;
	known = sched_seats_switch(&l->seats, s->cpu, from, to, &gone);
	if (!count_cpu(l, s, time, from, to, known, err))
		return false;
	if (gone != 0)
		live_gone(live_task_at(l, gone));
	if (from == UINT32_MAX || to == UINT32_MAX) {
		l->left_out++;
		return true;
	}
	if (from != 0) {
		if (!known)
			task_unseen(&live_task_at(l, from)->sum);
		task_out(&live_task_at(l, from)->sum, &all, time, s->state);
		live_task_at(l, from)->waking &= s->state != 'R' && from != to;
		sched_thread_left(sched_thread_at(&l->threads, from), s);
	}
	if (to != 0)
		count_in(l, to, time);
	l->threads.idles |= from == 0;
	sched_threads_switch(&l->threads, from, to);
	SCRATCH(l->rows, struct sched_row)[l->nrows++ % LIVE_RING] =
	    (struct sched_row){ time, from, to, 0, (uint16_t)s->cpu, s->state };
	return true;
}

/* Return the task of the line itself; 0: the idle task, or too many tasks. */
static bool
live_take_self(struct live *l, const struct sched_line *s, uint32_t *thread, struct err *err)
{
	struct str name = sched_line_name(s);
	struct sched_thread *t;

	if (!live_take_task(l, s->tid, STR(""), thread, err))
		return false;
	*thread = *thread == UINT32_MAX ? 0 : *thread;
	if (*thread == 0)
		return true;
	t = sched_thread_at(&l->threads, *thread);
	if (name.n == 0 || t->named || sched_thread_is(t, name))
		return true;
	return live_keep_name(l, &name, err) && sched_thread_called(&l->threads, *thread, name, err);
}

/* Add a wakeup of a task; by: as in wake.by. */
static void
live_add_wake(struct live *l, const struct sched_line *s, uint64_t time, uint32_t thread, uint32_t by,
    uint16_t target)
{
	struct live_task *t = live_task_at(l, thread);

	t->waking = t->sum.is_in && WAKE_KIND(by) == WAKE_WAKING;
	task_wake(&t->sum, time);
	SCRATCH(l->wakes, struct live_wake)[l->nwakes++ % LIVE_RING] =
	    (struct live_wake){ time, l->nrows, thread, by, (uint16_t)s->cpu, target };
}

static bool
live_take_wake(struct live *l, const struct sched_line *s, uint64_t time, struct err *err)
{
	uint32_t thread, waker;

	if (!live_take_task(l, s->to, s->to_name, &thread, err))
		return false;
	if (thread == 0 || thread == UINT32_MAX)
		return true;
	if (!live_take_self(l, s, &waker, err))
		return false;
	live_add_wake(l, s, time, thread, sched_wake_by((enum wake_kind)s->wake, s->irq, waker), s->target);
	return true;
}

/* An event is not kept, but it may name, make or end a task. */
static bool
live_take_event(struct live *l, const struct sched_line *s, uint64_t time, struct err *err)
{
	uint32_t self = 0, about;

	if ((kernel_event_runs(s->event_kind) && !live_take_self(l, s, &self, err)) ||
	    !live_take_task(l, s->to, s->to_name, &about, err))
		return false;
	if (about == 0 || about == UINT32_MAX)
		return true;
	if (s->event_kind == KERNEL_FREE)
		sched_thread_at(&l->threads, about)->ended = true;
	if (s->event_kind == KERNEL_NEW_TASK) {
		sched_thread_made(&l->threads, s, self, about);
		live_add_wake(l, s, time, about, sched_wake_by(WAKE_NEW, 0, self), SWITCH_NO_CPU);
	}
	return true;
}

static bool
live_take_exit(struct live *l, const struct sched_line *s, struct err *err)
{
	uint32_t thread;

	if (!live_take_task(l, s->to, s->to_name, &thread, err))
		return false;
	if (thread != 0 && thread != UINT32_MAX)
		sched_thread_at(&l->threads, thread)->ended = true;
	return true;
}

/* The mark is not kept, but its task is one. */
static bool
live_take_mark(struct live *l, const struct sched_line *s, struct err *err)
{
	uint32_t thread;

	if (!live_take_self(l, s, &thread, err))
		return false;
	if (thread != 0 && s->pid != 0)
		sched_thread_at(&l->threads, thread)->pid = s->pid;
	return true;
}

static bool
live_take_line(struct live *l, struct str line, bool last, struct err *err)
{
	struct sched_line s;
	uint64_t time;
	bool wakes;

	if (line.n == 0)
		return true;
	if (line.s[0] == '#') {
		l->lost = num_add(l->lost, sched_overwritten(line));
		return true;
	}
	sched_read(line, &s);
	if (last && sched_cut_off(&s) > 0) {
		l->tail = line.n;
		return true;
	}
	l->count[s.kind]++;
	if ((s.kind == SCHED_OTHER && !s.failed) || s.kind == SCHED_EVENT || s.kind == SCHED_ODD ||
	    s.kind == SCHED_USED || s.kind == SCHED_RAN)
		unread_add(&l->unread, UNREAD_KERNEL, s.event, 1);
	if (s.kind == SCHED_LOST) {
		l->lost = num_add(l->lost, s.value);
		if (!sched_loss(&l->losses, line, err))
			return false;
	}
	if (!sched_has_time(&s))
		return true;
	time = s.time;
	if (l->first == UINT64_MAX)
		l->first = l->last = time;
	if (time > l->end)
		l->end = time;
	wakes = s.kind == SCHED_WAKE || (s.kind == SCHED_EVENT && s.event_kind == KERNEL_NEW_TASK);
	/* Late switches and wakeups cannot be sorted in any more.  Others are late only before the first event. */
	if (s.kind != SCHED_SWITCH && !wakes) {
		l->unordered += time < l->first;
		return s.kind == SCHED_EXIT ? live_take_exit(l, &s, err) : s.kind == SCHED_EVENT ?
		    live_take_event(l, &s, 0, err) : s.kind != SCHED_MARK || live_take_mark(l, &s, err);
	}
	l->unordered += time < l->last;
	if (time < l->last)
		time = l->last;
	l->last = time;
	if (!sched_loss_line(&l->losses, s.cpu, time - l->first, err))
		return false;
	time -= l->first;
	return s.kind == SCHED_SWITCH ? live_take_switch(l, &s, time, err) :
	    s.kind == SCHED_WAKE ? live_take_wake(l, &s, time, err) : live_take_event(l, &s, time, err);
}

/* Keep the text after the last line end for the next read. */
static void
keep_rest(struct live *l, const char *p, size_t n)
{
	assert(l->ntext <= LIVE_LINE);
	if (l->skipping)
		return;
	/* A stream without line ends must not fill the memory: skip the line up to its end. */
	if (n > LIVE_LINE - l->ntext) {
		l->too_long++;
		l->ntext = 0;
		l->skipping = true;
		return;
	}
	memcpy(l->text + l->ntext, p, n);
	l->ntext += n;
	assert(l->ntext <= LIVE_LINE);
}

/* Take whole lines; the text after the last line end is kept for later. */
static bool
live_take(struct live *l, const char *p, size_t n, struct err *err)
{
	const char *end = p + n, *next;
	struct str line;

	for (; p < end; p = next + 1) {
		next = memchr(p, '\n', (size_t)(end - p));
		if (next == NULL) {
			keep_rest(l, p, (size_t)(end - p));
			return true;
		}
		line = (struct str){ p, (size_t)(next - p) };
		if (l->ntext > 0) {
			keep_rest(l, p, line.n);
			line = (struct str){ l->text, l->ntext };
		}
		l->ntext = 0;
		if (!l->skipping && !live_take_line(l, line, false, err))
			return false;
		l->skipping = false;
	}
	return true;
}

/* Take the last line, which may lack its end. */
static bool
live_end(struct live *l, struct err *err)
{
	struct str line = { l->text, l->ntext };

	l->ntext = 0;
	return l->skipping || live_take_line(l, line, true, err);
}

/* ---- reading ------------------------------------------------------------------------ */

/* Read up to size bytes, waiting at most that long; *n 0 and *end: no more; *n 0 otherwise: none arrived. */
static bool
live_read_some(int fd, char *to, size_t size, unsigned wait_ms, size_t *n, bool *end, struct err *err)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	ssize_t got;

	*n = 0;
	*end = false;
	if (poll(&p, 1, (int)wait_ms) == 0)
		return true;
	got = read(fd, to, size);
	if (got < 0 && (errno == EINTR || errno == EAGAIN))
		return true;
	if (got < 0)
		return fail_errno(err, "cannot read");
	*n = (size_t)got;
	*end = got == 0;
	return true;
}

bool
live_read(struct live *l, unsigned wait_ms, bool *end, struct work *w, struct err *err)
{
	uint64_t until = os_now() + (uint64_t)wait_ms * 1000000, now;
	char chunk[READ_CHUNK];
	unsigned wait;
	size_t n;

	work_start(w, "reading", 0);
	for (;;) {
		now = os_now();
		*end = l->ended;
		if (l->ended || now >= until)
			return true;
		wait = (unsigned)((until - now) / 1000000) + 1;
		if (!work_go(w, l->nrows, err) ||
		    !live_read_some(l->fd, chunk, sizeof chunk, wait < POLL_MS ? wait : POLL_MS, &n,
		    &l->ended, err) ||
		    !live_take(l, chunk, n, err) || (l->ended && !live_end(l, err)))
			return false;
	}
}

/* ---- opening ------------------------------------------------------------------------- */

static bool
live_make_room(struct live *l, struct err *err)
{
	l->text = mem_array(LIVE_LINE, 1);
	return (l->text != NULL || fail(err, E_SYSTEM, "out of memory (read)")) &&
	    sched_seats_open(&l->seats, LIVE_TASKS, err) &&
	    scratch_array(&l->rows, LIVE_RING, sizeof(struct sched_row), err) &&
	    scratch_array(&l->wakes, LIVE_RING, sizeof(struct live_wake), err) &&
	    scratch_array(&l->names.bytes, LIVE_NAMES, 1, err);
}

static struct live *
new_live(int fd, struct err *err)
{
	struct live *l = mem_array(1, sizeof *l);

	if (l == NULL) {
		fail(err, E_SYSTEM, "out of memory (read)");
		return NULL;
	}
	l->fd = -1;
	l->first = UINT64_MAX;
	if (!live_make_room(l, err)) {
		live_close(l);
		return NULL;
	}
	l->fd = fd;
	return l;
}

void
live_close(struct live *l)
{
	if (l == NULL)
		return;
	if (l->fd >= 0)
		close(l->fd);
	sched_threads_close(&l->threads);
	sched_seats_close(&l->seats);
	SCRATCH_FREE(&l->tasks, &l->cpus, &l->rows, &l->wakes);
	texts_free(&l->names);
	sched_losses_close(&l->losses);
	free(l->text);
	free(l);
}

/*
 * Read the beginning until the format is certain: stacks below the first events would make it another
 * format.
 */
static bool
live_look(int fd, char *head, size_t *n, bool *ours, bool *end, struct work *w, struct err *err)
{
	uint64_t since = UINT64_MAX;
	const char *last;
	size_t more;

	*ours = *end = false;
	*n = 0;
	while (!*end && *n < SNIFF_MAX) {
		if (!work_go(w, *n, err) || !live_read_some(fd, head + *n, SNIFF_MAX - *n, POLL_MS, &more,
		    end, err))
			return false;
		*n += more;
		/* Only complete lines can be recognised. */
		last = memrchr(head, '\n', *n);
		*ours = last != NULL && sched_sniff_live((const uint8_t *)head, (size_t)(last - head) + 1);
		if (*ours && since == UINT64_MAX)
			since = os_now();
		if (*ours && (*n >= SNIFF_LEAST || os_now() - since > SNIFF_WAIT * 1000000ull ||
		    (*n > 9 && memcmp(head, "# tracer:", 9) == 0)))
			return true;
	}
	*ours = *n > 0 && sched_sniff_live((const uint8_t *)head, *n);
	return true;
}

/* Copy everything from fd to a file that replaces it. */
static bool
put_aside(int fd, const char *head, size_t n, bool end, struct work *w, struct err *err)
{
	struct intake to = { .known = &(struct intake_check){ load_knows, "-" }, .most = intake_allowed() };
	bool ok;

	if (!fd_temporary(&to.fd, NULL, err))
		return false;
	ok = intake_put(&to, head, n, err) && (end || intake_drain(&to, fd, w, err));
	if (ok && (lseek(to.fd, 0, SEEK_SET) < 0 || dup2(to.fd, fd) < 0))
		ok = fail_errno(err, "cannot read");
	close(to.fd);
	return ok;
}

bool
live_open(struct live **out, int fd, struct work *w, struct err *err)
{
	char *head = mem_array(SNIFF_MAX, 1);
	bool ours, end, ok;
	size_t n;

	*out = NULL;
	if (head == NULL)
		return fail(err, E_SYSTEM, "out of memory (read)");
	work_start(w, "reading", 0);
	ok = live_look(fd, head, &n, &ours, &end, w, err);
	if (ok && !ours)
		ok = put_aside(fd, head, n, end, w, err);
	else if (ok) {
		*out = new_live(fd, err);
		ok = *out != NULL && live_take(*out, head, n, err);
		if (ok && end) {
			(*out)->ended = true;
			ok = live_end(*out, err);
		}
	}
	free(head);
	if (!ok) {
		live_close(*out);
		*out = NULL;
	}
	return ok;
}
