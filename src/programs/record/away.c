/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * away: the longest time that each task was off its CPU, from lines of sched_switch.
 *
 * Names of tasks are hostile: they may contain anything that looks like another field, so fields are searched
 * from the end.
 */
#include "config.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "away.h"

#define MOST 10			/* tasks to print each time */
#define TASKS_MOST 1000000u
#define LINE_MOST 4096u

/* Take the number after the last "FIELD=" off the end of *s. */
static bool
away_number(struct str *s, struct str field, uint64_t *n)
{
	struct str digits;
	size_t end = s->n;

	for (size_t i = s->n < field.n ? 0 : s->n - field.n + 1; i-- > 0;)
		if (memcmp(s->s + i, field.s, field.n) == 0) {
			digits = (struct str){ s->s + i + field.n, end - i - field.n };
			for (size_t k = 0; k < digits.n; k++)
				if (!is_digit(digits.s[k]))
					digits.n = k;
			s->n = i;
			return num_u64(digits, 10, n);
		}
	return false;
}

/* "1234.567890" in seconds. */
static bool
away_time(struct str s, uint64_t *ns)
{
	struct str before, word;
	double seconds;

	s = str_trim(s);
	if (!str_divide_last(s, ' ', &before, &word) || !num_f64(word, &seconds) || seconds < 0 ||
	    seconds > 1e10)
		return false;
	*ns = (uint64_t)(seconds * 1e9);
	return true;
}

/* NULL: out of memory, or too many tasks. */
static struct away_task *
away_task(struct away *o, uint64_t pid, struct err *err)
{
	const struct away_task new = { .pid = (uint32_t)pid };
	uint32_t i = idmap_get(&o->by_pid, pid);

	if (i == 0) {
		if (o->ntasks == TASKS_MOST) {
			(void)fail(err, E_SYSTEM, "too many tasks");
			return NULL;
		}
		if (!scratch_add(&o->tasks, &o->ntasks, &new, sizeof new, err) ||
		    !idmap_put(&o->by_pid, pid, (uint32_t)o->ntasks, err))
			return NULL;
		i = (uint32_t)o->ntasks;
	}
	return &SCRATCH(o->tasks, struct away_task)[i - 1];
}

static bool
away_line(struct away *o, struct str line, struct err *err)
{
	struct str head, rest, name = STR("");
	uint64_t now, next, prev;
	struct away_task *t;

	if (!str_divide(line, STR(": sched_switch: prev_comm="), &head, &rest) || !away_time(head, &now) ||
	    !away_number(&rest, STR(" next_pid="), &next))
		return true;
	/* The name of the previous task may contain this as well. */
	for (name = rest; str_divide(name, STR(" ==> next_comm="), &head, &name);)
		;
	rest.n -= name.n;
	if (!away_number(&rest, STR(" prev_pid="), &prev) || next > UINT32_MAX || prev > UINT32_MAX)
		return true;
	/* Task 0 is the idle one of each CPU. */
	if (prev != 0) {
		t = away_task(o, prev, err);
		if (t == NULL)
			return false;
		t->left = now;
	}
	if (next == 0)
		return true;
	t = away_task(o, next, err);
	if (t == NULL)
		return false;
	if (t->left > 0 && now - t->left > t->longest && now > t->left)
		t->longest = now - t->left;
	t->left = 0;
	(void)text_fit(t->name, sizeof t->name, name);
	return true;
}

bool
away_take(struct away *o, const char *bytes, size_t n, struct err *err)
{
	struct str text, line;
	size_t whole;
	bool ok = true;

	buf_add(&o->rest, bytes, n);
	text = buf_view(&o->rest);
	for (whole = text.n; whole > 0 && text.s[whole - 1] != '\n'; whole--)
		;
	text.n = whole;
	while (ok && str_split(&text, '\n', &line))
		ok = away_line(o, line, err);
	if (o->rest.bad)
		return fail(err, E_SYSTEM, "out of memory");
	/* A line without end is not one of events. */
	if (whole == 0 && o->rest.n > LINE_MOST)
		whole = o->rest.n;
	if (whole > 0) {
		memmove(o->rest.s, o->rest.s + whole, o->rest.n - whole);
		o->rest.n -= whole;
	}
	return ok;
}

static int
task_by_longest(const void *a, const void *b)
{
	const struct away_task *x = a, *y = b;

	return num_order(y->longest, x->longest, num_order(x->pid, y->pid, 0));
}

bool
away_print(struct away *o, struct err *err)
{
	struct away_task *t = SCRATCH(o->tasks, struct away_task),
	    *copy = mem_array(o->ntasks + 1, sizeof *copy);
	char time_text[NUM_TEXT], clock[16];
	time_t now = time(NULL);
	struct tm tm;
	size_t n = 0;

	if (copy == NULL)
		return fail(err, E_SYSTEM, "out of memory");
	for (uint64_t i = 0; i < o->ntasks; i++) {
		if (t[i].longest > 0)
			copy[n++] = t[i];
		t[i].longest = 0;
	}
	qsort(copy, n, sizeof *copy, task_by_longest);
	clock[0] = '\0';
	if (localtime_r(&now, &tm) != NULL)
		(void)strftime(clock, sizeof clock, "%H:%M:%S", &tm);
	printf("%s  %zu task%s came back to a CPU; longest time off it:\n", clock, n, n == 1 ? "" : "s");
	for (size_t i = 0; i < n && i < MOST; i++) {
		num_show_duration(time_text, sizeof time_text, copy[i].longest);
		printf("%12s  %-15s %u\n", time_text, copy[i].name, copy[i].pid);
	}
	free(copy);
	return fflush(stdout) == 0 || fail_errno(err, "cannot write");
}

void
away_free(struct away *o)
{
	idmap_free(&o->by_pid);
	scratch_free(&o->tasks);
	buf_free(&o->rest);
}
