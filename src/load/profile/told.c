/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads that profilers write before stacks, as frames, or use as names of profiles; states that they write
 * as frames.
 */
#include "config.h"

#include <assert.h>
#include <string.h>

#include "profile.h"

/* Return the stack without its first frame; empty if that was the last one. */
static struct str
other_frames(struct str stack)
{
	size_t n = str_until(stack, ';').n;

	return str_after(stack, n + (n < stack.n));
}

/* Read a decimal or 0x number at the front. Thread ids of the C library are too long for system ids: 0. */
static bool
take_id(struct str *s, uint32_t *id)
{
	uint64_t v;

	if (!str_number_any(s, &v))
		return false;
	*id = v > UINT32_MAX ? 0 : (uint32_t)v;
	return true;
}

/* The same; an id that is too long is the name, otherwise it is empty. */
static bool
take_id_or_name(struct str *s, uint32_t *id, struct str *name)
{
	const char *begin = s->s;

	if (!take_id(s, id))
		return false;
	*name = (struct str){ begin, *id == 0 && s->s - begin > 1 ? (size_t)(s->s - begin) : 0 };
	return true;
}

/* "[name tid=123]" of async-profiler. */
static bool
is_async(struct str f, struct thread_told *t)
{
	struct str digits;
	size_t n;

	if (f.n < 7 || f.s[0] != '[' || f.s[f.n - 1] != ']')
		return false;
	for (n = f.n - 1; n > 1 && f.s[n - 1] >= '0' && f.s[n - 1] <= '9'; n--)
		;
	digits = (struct str){ f.s + n, f.n - 1 - n };
	if (n < 5 || memcmp(f.s + n - 4, "tid=", 4) != 0 || !take_id(&digits, &t->tid) || digits.n > 0)
		return false;
	t->name = str_trim((struct str){ f.s + 1, n - 5 });
	return true;
}

/*
 * Take "[name tid=123]" off the front of a stack.  The name may contain semicolons; the first frame that ends
 * in a bracket ends the search.
 */
static bool
take_async(struct str *stack, struct thread_told *t)
{
	struct str f = str_until(*stack, ';');

	if (f.n == 0 || f.s[0] != '[')
		return false;
	while (f.s[f.n - 1] != ']' && f.n < stack->n)
		f.n += 1 + str_until(str_after(*stack, f.n + 1), ';').n;
	if (!is_async(f, t))
		return false;
	f.n += f.n < stack->n;
	*stack = (struct str){ f.s + f.n, stack->n - f.n };
	return true;
}

/* "main (a.py:3)", as py-spy writes a frame. */
static bool
is_python(struct str f)
{
	return f.n > 3 && f.s[f.n - 1] == ')' && memmem(f.s, f.n, " (", 2) != NULL;
}

/* "tid:123" of the sampling profiler of Python. */
static bool
take_tachyon(struct str *stack, struct thread_told *t)
{
	struct str f = str_until(*stack, ';');

	if (!str_take(&f, STR("tid:")) || !take_id_or_name(&f, &t->tid, &t->name) || f.n > 0)
		return false;
	*stack = other_frames(*stack);
	return true;
}

/*
 * "thread (123): name" of py-spy, at the front of a stack: a name may have semicolons, and ends where frames with
 * source locations begin.
 */
static bool
take_py_spy(struct str *stack, struct thread_told *t)
{
	struct str f = *stack, frame, rest, id;

	if (!str_take(&f, STR("thread (")) || !take_id_or_name(&f, &t->tid, &id) || !str_take(&f, STR(")")))
		return false;
	if (f.n > 0 && f.s[0] != ';' && !str_take(&f, STR(": ")))
		return false;
	t->name = str_until(f, ';');
	for (rest = other_frames(f); t->name.n > 0 && rest.n > 0; rest = other_frames(rest)) {
		frame = str_until(rest, ';');
		if (is_python(frame)) {
			t->name.n = (size_t)(frame.s - f.s) - 1;
			break;
		}
	}
	*stack = str_after(f, t->name.n + (t->name.n < f.n));
	if (t->name.n == 0)
		t->name = id;
	return true;
}

/* Take a quoted text up to a quote that ends its frame; it may contain any bytes. */
static bool
told_take_quoted(struct str *s, struct str *name)
{
	const char *end = memmem(s->s, s->n, "\";", 2);

	if (end == NULL && (s->n == 0 || s->s[s->n - 1] != '"'))
		return false;
	*name = (struct str){ s->s, end == NULL ? s->n - 1 : (size_t)(end - s->s) };
	*s = str_after(*s, name->n + (end == NULL ? 1 : 2));
	return true;
}

/* "Thread 123 "name"", the name of a profile that py-spy writes for speedscope. */
static bool
take_profile(struct str *stack, struct thread_told *t)
{
	struct str s = *stack;

	if (!str_take(&s, STR("Thread ")) || !take_id(&s, &t->tid) || !str_take(&s, STR(" \"")) ||
	    !told_take_quoted(&s, &t->name))
		return false;
	*stack = s;
	return true;
}

/* "process 123:"command"" of py-spy, at the front of a stack; a command may contain any bytes. */
static bool
take_process(struct str *stack, struct thread_told *t)
{
	struct str s = *stack;
	uint32_t pid;

	if (!str_take(&s, STR("process ")) || !take_id(&s, &pid) || !str_take(&s, STR(":\"")) ||
	    !told_take_quoted(&s, &t->name))
		return false;
	t->pid = pid;
	*stack = s;
	return true;
}

/* "P123;T456" of Austin; later versions write the interpreter and a colon before the thread. */
static bool
take_austin(struct str *stack, struct thread_told *t)
{
	struct str process = str_until(*stack, ';'), thread = str_until(other_frames(*stack), ';');
	uint32_t interpreter;

	if (!str_take(&process, STR("P")) || !take_id(&process, &t->pid) || process.n > 0 ||
	    !str_take(&thread, STR("T")) || !take_id_or_name(&thread, &t->tid, &t->name))
		return false;
	interpreter = t->tid;
	if (thread.n > 0 && (!str_take(&thread, STR(":")) || !take_id_or_name(&thread, &t->tid, &t->name)))
		t->tid = interpreter;
	if (thread.n > 0)
		return false;
	*stack = other_frames(other_frames(*stack));
	return true;
}

/* How profilers write a thread at the front of a stack. */
static bool (*const takes[])(struct str *stack, struct thread_told *t) = {
	take_async, take_profile, take_py_spy, take_tachyon, take_austin
};

bool
thread_told(struct str *stack, struct thread_told *t)
{
	struct str s = *stack;
	bool told = false, taken = false;

	*t = (struct thread_told){ .name = STR("") };
	/* Processes come first, outermost first, then the thread. */
	while (take_process(&s, t))
		told = true;
	for (size_t i = 0; i < NELEM(takes) && !taken; i++)
		taken = takes[i](&s, t);
	told |= taken;
	assert(s.s >= stack->s && s.n <= stack->n);
	if (told)
		*stack = s;
	return told;
}

bool
frame_told(struct str frame, struct thread_told *t)
{
	struct thread_told own;

	if (!thread_told(&frame, &own) || frame.n > 0)
		return false;
	own.pid = own.pid == 0 ? t->pid : own.pid;
	*t = own;
	return true;
}

const char *
state_told(struct str frame)
{
	static const struct { const char *frame, *state; } states[] = {
		{ "CPU_TIME", "CPU" }, { "UNMANAGED_CODE_TIME", "unmanaged code" }, { "BLOCKED_TIME", "blocked" },
	};

	for (size_t i = 0; i < NELEM(states); i++)
		if (str_eq(frame, str_of(states[i].frame)))
			return states[i].state;
	return NULL;
}

bool
hook_told(struct str frame)
{
	static const char *const hooks[] = { "malloc_hook", "calloc_hook", "realloc_hook", "free_hook",
	    "posix_memalign_hook", "aligned_alloc_hook" };
	const char *dot = frame.n > 0 ? memrchr(frame.s, '.', frame.n) : NULL;

	if (dot != NULL && str_has_prefix(frame, STR("libasyncProfiler")))
		frame = str_after(frame, (size_t)(dot + 1 - frame.s));
	return str_is_one(hooks, NELEM(hooks), frame);
}
