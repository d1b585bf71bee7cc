/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * called: what descriptors, events of metadata and scans of the processes call threads and processes.
 */
#include "config.h"

#include <stdio.h>

#include "perfetto.h"

enum { CHROME_RENDERER = 2, CHROME_EXTENSION = 37, KTHREADD = 2 };	/* the parent of the kernel's threads */

/* A message of ids and a name. */
struct called {
	uint64_t	v[8];
	struct str	s[8];
};

static struct called
called_read(struct str m)
{
	struct called c = { { 0 } };
	struct proto_field f;
	bool bad = false;

	for (size_t i = 0; i < NELEM(c.s); i++)
		c.s[i] = STR("");
	while (proto_next_whole(&m, &f, &bad))
		if (f.number < NELEM(c.v)) {
			c.v[f.number] = f.value;
			c.s[f.number] = f.in;
		}
	return c;
}

/* Chrome's name of a thread of a type; empty: unknown. */
static struct str
called_chrome_thread(uint64_t type)
{
	static const char *const names[] = { [1] = "CrProcessMain", "ChromeIOThread", "ThreadPoolBackgroundWorker&", "ThreadPoolForegroundWorker&",
		"ThreadPoolSingleThreadForegroundBlocking&", "ThreadPoolSingleThreadBackgroundBlocking&", "ThreadPoolService", "Compositor",
		"VizCompositorThread", "CompositorTileWorker&", "ServiceWorkerThread&", [50] = "MemoryInfra", "StackSamplingProfiler" };

	return type < NELEM(names) && names[type] != NULL ? str_of(names[type]) : STR("");
}

/* The two enumerations of types of processes differ from the fifth one on; old: the one in a process descriptor. */
static struct str
called_chrome_process(uint64_t type, bool old)
{
	static const char *const names[] = { [1] = "Browser", "Renderer", "Utility", "SandboxHelper", "Gpu", "PpapiPlugin", "PpapiBroker" };

	if (type == CHROME_EXTENSION && !old)
		return STR("Renderer Extension");
	type -= old && type > 4;
	return type < NELEM(names) && names[type] != NULL ? str_of(names[type]) : STR("");
}

/* {4 type, 5 name}; type: of Chrome's own descriptor. */
static bool
thread_called(struct perfetto *p, struct pf_task *t, const struct called *c, uint64_t type, struct err *err)
{
	struct str name = c->s[5].n > 0 ? c->s[5] : called_chrome_thread(c->v[4]);

	return pf_task_name(p, t, name, PF_NAMED_TRACK, err) &&
	    (c->s[5].n > 0 || pf_task_name(p, t, called_chrome_thread(type), PF_NAMED_CHROME, err));
}

/* {4 type, 6 name} */
static bool
process_called(struct perfetto *p, uint32_t process, const struct called *c, uint64_t type, struct err *err)
{
	return pf_process_name(p, process, c->s[6], PF_NAMED_TREE, err) &&
	    pf_process_name(p, process, called_chrome_process(c->v[4], true), c->v[4] == CHROME_RENDERER ? PF_NAMED_CHROME : PF_NAMED_KERNEL, err) &&
	    pf_process_name(p, process, called_chrome_process(type, false), type == CHROME_RENDERER || type == CHROME_EXTENSION ? PF_NAMED_CHROME :
	    PF_NAMED_KERNEL, err);
}

/* {1 pid, 2 tid, 5 name} */
bool
pf_play_thread(struct perfetto *p, struct str m, struct err *err)
{
	struct called c = called_read(m);

	return c.v[2] == 0 || thread_called(p, pf_task_in(p, (uint32_t)c.v[2], (uint32_t)c.v[1], err), &c, 0, err);
}

/* {1 uuid, 3 process, 4 thread, 6 Chrome's process {1 type}, 7 Chrome's thread {1 type}} */
bool
pf_play_descriptor(struct perfetto *p, struct str m, struct err *err)
{
	const struct called of = called_read(m), thread = called_read(of.s[4]), process = called_read(of.s[3]);
	struct pf_track *t = of.s[3].n > 0 || of.s[4].n > 0 ? pf_track_known(p, of.v[1]) : NULL;

	if (t == NULL)
		return true;
	if (!pf_track_scope(p, t, err))
		return false;
	if (!t->root)
		return true;
	return t->scope == PF_SCOPE_THREAD ? thread_called(p, pf_task_at(p, t->task), &thread, called_read(of.s[7]).v[1], err) :
	    process_called(p, t->process, &process, called_read(of.s[6]).v[1], err);
}

bool
pf_play_called(struct perfetto *p, struct str event, struct str what, uint32_t task, uint32_t process, struct err *err)
{
	struct str name = called_read(called_read(event).s[4]).s[6];

	if (str_eq(what, STR("thread_name")) && task != 0)
		return pf_task_name(p, pf_task_at(p, task), name, PF_NAMED_CHROME, err);
	return !str_eq(what, STR("process_name")) || process == 0 || pf_process_name(p, process, name, PF_NAMED_TREE, err);
}

/* ---- scans -------------------------------------------------------------------------------- */

/* argv[0]; of one element the first word. */
static struct str
command_name(struct str first, unsigned n)
{
	return n == 1 ? str_until(first, ' ') : first;
}

/* A worker of the kernel is called by its queue as well, "kworker/0:1-events", which changes. */
static struct str
worker_name(struct str name)
{
	size_t n = 0;

	if (!str_has_prefix(name, STR("kworker/")))
		return name;
	while (n < name.n && name.s[n] != '-' && name.s[n] != '+')
		n++;
	return str_head(name, n);
}

/* Keep the parent, the user and the command line of a process. */
static bool
process_started(struct perfetto *p, uint32_t process, uint32_t parent, const struct proto_field *uid, struct str args, struct err *err)
{
	struct pf_process *r = pf_process_at(p, process);
	struct proto_field f;
	char digits[16];
	bool bad = false;

	buf_clear(&p->text);
	while (proto_next_whole(&args, &f, &bad))
		if (f.number == 3 && f.wire == PROTO_BYTES && p->text.n < PF_TEXT_MOST) {
			buf_str(&p->text, p->text.n > 0 ? STR(" ") : STR(""));
			buf_str(&p->text, str_head(f.in, PF_TEXT_MOST));
		}
	r->parent = parent != 0 && parent != process ? parent : r->parent;
	snprintf(digits, sizeof digits, "%u", (unsigned)uid->value);
	return (p->text.n == 0 || marks_word_of(&p->marks, buf_view(&p->text), &r->command, err)) &&
	    (uid->number == 0 || marks_word_of(&p->marks, str_of(digits), &r->uid, err));
}

/* {1 pid, 2 parent, 3 command line, 5 uid, 9 that is the name of the thread}: the parent is a process as well. */
static bool
called_take_process(struct perfetto *p, struct str m, struct err *err)
{
	struct proto_field f, uid = { .number = 0 };
	struct str name = STR(""), all = m;
	uint32_t pid = 0, parent = 0, process, parent_at = 0;
	unsigned args = 0;
	bool bad = false, of_thread = false;

	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number == 1 && f.wire == PROTO_VARINT)
			pid = (uint32_t)f.value;
		if (f.number == 2 && f.wire == PROTO_VARINT)
			parent = (uint32_t)f.value;
		if (f.number == 3 && f.wire == PROTO_BYTES && args++ == 0)
			name = f.in;
		if (f.number == 5 && f.wire == PROTO_VARINT)
			uid = f;
		of_thread |= f.number == 9 && f.value != 0;
	}
	if (args == 0 || bad || pid == 0)
		return true;
	if ((parent != 0 && (parent_at = pf_process(p, parent, err)) == 0) || (process = pf_process(p, pid, err)) == 0 ||
	    !process_started(p, process, parent_at, &uid, all, err))
		return false;
	pf_process_at(p, process)->kernel = parent == KTHREADD;
	name = parent == KTHREADD ? worker_name(name) : name;
	return pf_process_name(p, process, command_name(name, args), PF_NAMED_TRACK, err) &&
	    (!of_thread || pf_task_name(p, pf_task(p, pid, err), name, PF_NAMED_TREE, err));
}

/* {1 tid, 2 name, 3 pid} */
static bool
called_take_thread(struct perfetto *p, struct str m, struct err *err)
{
	struct proto_field f;
	struct str name = STR("");
	struct pf_task *t;
	uint32_t tid = 0, pid = 0;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number == 1 && f.wire == PROTO_VARINT)
			tid = (uint32_t)f.value;
		if (f.number == 2 && f.wire == PROTO_BYTES)
			name = f.in;
		if (f.number == 3 && f.wire == PROTO_VARINT)
			pid = (uint32_t)f.value;
	}
	if (bad)
		return true;
	t = pf_task_in(p, tid, pid, err);
	if (t != NULL && tid == pid && t->process != 0 && pf_process_at(p, t->process)->kernel)
		name = worker_name(name);
	return pf_task_name(p, t, name, PF_NAMED_TREE, err);
}

bool
pf_tree(struct perfetto *p, struct str m, struct err *err)
{
	static const uint64_t known[] = { [1] = PF_BITS(1, 3) | PF_BIT(5) | PF_BITS(8, 9), [2] = PF_BITS(1, 3) };
	struct proto_field f;
	bool bad = false;

	while (proto_next_whole(&m, &f, &bad)) {
		if (f.number == 1 || f.number == 2)
			pf_unread_rest(p, PKT_PROCESS_TREE, (unsigned)f.number, f.in, known[f.number]);
		else
			pf_unread_field(p, PKT_PROCESS_TREE, 0, f.number);
		if (f.wire == PROTO_BYTES && ((f.number == 1 && !called_take_process(p, f.in, err)) || (f.number == 2 && !called_take_thread(p,
		    f.in, err))))
			return false;
	}
	p->count[PF_BAD_PACKETS] += bad;
	return true;
}
