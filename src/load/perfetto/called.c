/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * called: what descriptors, events of metadata and scans of the processes call threads and processes.
 */
#include "config.h"

#include <stdio.h>

#include "perfetto.h"

enum { CHROME_RENDERER = 2, CHROME_EXTENSION = 37, INIT_PID = 1,
    KTHREADD = 2 };	/* the parent of the kernel's threads */

SHAPE(tree_process, "process_tree.processes", FIELDS_TREE_PROCESS)
SHAPE(tree_thread, "process_tree.threads", FIELDS_TREE_THREAD)
SHAPE(tree_whole, "process_tree", FIELDS_TREE)
SHAPE(called_annotation, "debug_annotation", FIELDS_ANNOTATION)

/* Chrome's name of a thread of a type; empty: unknown. */
static struct str
called_chrome_thread(uint64_t type)
{
	static const char *const names[] = {
		[1] = "CrProcessMain", "ChromeIOThread", "ThreadPoolBackgroundWorker&",
		"ThreadPoolForegroundWorker&", "ThreadPoolSingleThreadForegroundBlocking&",
		"ThreadPoolSingleThreadBackgroundBlocking&", "ThreadPoolService", "Compositor",
		"VizCompositorThread", "CompositorTileWorker&", "ServiceWorkerThread&",
		[50] = "MemoryInfra", "StackSamplingProfiler"
	};

	return type < NELEM(names) && names[type] != NULL ? str_of(names[type]) : STR("");
}

/*
 * The two enumerations of types of processes differ from the fifth one on; old: the one in a process
 * descriptor.
 */
static struct str
called_chrome_process(uint64_t type, bool old)
{
	static const char *const names[] = { [1] = "Browser", "Renderer", "Utility", "SandboxHelper", "Gpu",
	    "PpapiPlugin", "PpapiBroker" };

	if (type == CHROME_EXTENSION && !old)
		return STR("Renderer Extension");
	type -= old && type > 4;
	return type < NELEM(names) && names[type] != NULL ? str_of(names[type]) : STR("");
}

/* Keep the command line, whose words are in fields of that number. */
static bool
process_command(struct perfetto *p, struct pf_process *r, struct str m, unsigned field, struct err *err)
{
	buf_clear(&p->text);
	SHAPE_EACH(m, field, arg)
		if (p->text.n < PF_TEXT_MOST)
			buf_list(&p->text, " ", str_head(arg, PF_TEXT_MOST));
	return p->text.n == 0 || marks_word_of(&p->marks, buf_view(&p->text), &r->command, err);
}

/* type: of Chrome's own descriptor. */
static bool
thread_called(struct perfetto *p, struct pf_task *t, const struct pf_thread_in *c, uint64_t type,
    struct err *err)
{
	return pf_task_name(p, t, c->name.n > 0 ? c->name : called_chrome_thread(c->type), PF_NAMED_TRACK,
	    err) && (c->name.n > 0 || pf_task_name(p, t, called_chrome_thread(type), PF_NAMED_CHROME, err));
}

static bool
process_called(struct perfetto *p, uint32_t process, struct str in, uint64_t type, struct err *err)
{
	struct pf_process_in c;

	(void)pf_process_in_read(in, &c, NULL);
	return process_command(p, pf_process_at(p, process), in, 2, err) &&
	    pf_process_name(p, process, c.name, PF_NAMED_TREE, err) &&
	    pf_process_name(p, process, called_chrome_process(c.type, true), c.type == CHROME_RENDERER ?
	    PF_NAMED_CHROME : PF_NAMED_KERNEL, err) &&
	    pf_process_name(p, process, called_chrome_process(type, false), type == CHROME_RENDERER ||
	    type == CHROME_EXTENSION ? PF_NAMED_CHROME : PF_NAMED_KERNEL, err);
}

bool
pf_play_thread(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	struct pf_thread_in c;

	(void)r;
	(void)pf_thread_in_read(m, &c, NULL);
	return c.tid == 0 || thread_called(p, pf_task_in(p, (uint32_t)c.tid, (uint32_t)c.pid, err), &c, 0,
	    err);
}

bool
pf_play_process(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	struct pf_process_in c;
	uint32_t process;

	(void)r;
	(void)pf_process_in_read(m, &c, &p->unread);
	return (uint32_t)c.pid == 0 || ((process = pf_process(p, (uint32_t)c.pid, err)) != 0 &&
	    process_called(p, process, m, 0, err));
}

bool
pf_play_descriptor(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	struct pf_chrome_process process;
	struct pf_chrome_thread thread;
	struct pf_thread_in c;
	struct pf_track_in of;
	struct pf_track *t;

	(void)r;
	(void)pf_track_in_read(m, &of, NULL);
	(void)pf_chrome_process_read(of.chrome_process, &process, &p->unread);
	(void)pf_chrome_thread_read(of.chrome_thread, &thread, &p->unread);
	t = of.process.n > 0 || of.thread.n > 0 ? pf_track_known(p, of.uuid) : NULL;
	if (t == NULL)
		return true;
	if (!pf_track_scope(p, t, err))
		return false;
	if (!t->root)
		return true;
	if (t->scope != PF_SCOPE_THREAD)
		return process_called(p, t->process, of.process, process.type, err);
	(void)pf_thread_in_read(of.thread, &c, NULL);
	return thread_called(p, pf_task_at(p, t->task), &c, thread.type, err);
}

bool
pf_play_called(struct perfetto *p, struct str event, struct str what, uint32_t task, uint32_t process,
    struct err *err)
{
	struct called_annotation name;
	struct str last = STR("");

	SHAPE_EACH(event, 4, annotation)
		last = annotation;
	(void)called_annotation_read(last, &name, NULL);
	if (str_eq(what, STR("thread_name")) && task != 0)
		return pf_task_name(p, pf_task_at(p, task), name.text, PF_NAMED_CHROME, err);
	return !str_eq(what, STR("process_name")) || process == 0 ||
	    pf_process_name(p, process, name.text, PF_NAMED_TREE, err);
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

/*
 * Return whether a scan shows a later process with the pid of an earlier one.  It started at another time
 * or, if no time is known, has another parent.  Init adopts processes, so it may be a new parent of the
 * same process.
 */
static bool
is_later(const struct perfetto *p, const struct pf_process *r, const struct tree_process *in, struct str name)
{
	if (r->scanned_start != 0 && in->start != 0)
		return r->scanned_start != in->start;
	return r->scanned_parent != 0 && in->parent != 0 && r->scanned_parent != (uint32_t)in->parent &&
	    (in->parent != INIT_PID || !str_eq(marks_text(&p->marks, r->word), name));
}

/* Keep the parent, the user and the command line of a process. */
static bool
process_started(struct perfetto *p, uint32_t process, uint32_t parent, const struct tree_process *in,
    struct str m, struct err *err)
{
	struct pf_process *r = pf_process_at(p, process);
	char digits[16];

	r->parent = parent != 0 && parent != process ? parent : r->parent;
	r->scanned_parent = (uint32_t)in->parent;
	r->scanned_start = in->start;
	snprintf(digits, sizeof digits, "%u", (unsigned)in->uid);
	return process_command(p, r, m, 3, err) &&
	    (!in->has_uid || marks_word_of(&p->marks, str_of(digits), &r->uid, err));
}

/* The parent is a process as well.  of_thread: the first argument is the name of the thread. */
static bool
called_take_process(struct perfetto *p, struct str m, struct err *err)
{
	struct tree_process t;
	struct str name = STR("");
	uint32_t process, parent = 0;
	unsigned args = 0;

	if (!tree_process_read(m, &t, &p->unread) || !t.has_command || (uint32_t)t.pid == 0)
		return true;
	SHAPE_EACH(m, 3, arg)
		if (args++ == 0)
			name = arg;
	if (((uint32_t)t.parent != 0 && (parent = pf_process(p, (uint32_t)t.parent, err)) == 0) ||
	    (process = pf_process(p, (uint32_t)t.pid, err)) == 0)
		return false;
	name = t.parent == KTHREADD ? worker_name(name) : name;
	if ((is_later(p, pf_process_at(p, process), &t, command_name(name, args)) &&
	    (process = pf_process_new(p, (uint32_t)t.pid, err)) == 0) ||
	    !process_started(p, process, parent, &t, m, err))
		return false;
	pf_process_at(p, process)->kernel = t.parent == KTHREADD;
	return pf_process_name(p, process, command_name(name, args), PF_NAMED_TRACK, err) &&
	    (t.of_thread == 0 || pf_task_name(p, pf_task(p, (uint32_t)t.pid, err), name, PF_NAMED_TREE, err));
}

static bool
take_thread(struct perfetto *p, struct str m, struct err *err)
{
	struct tree_thread in;
	struct pf_task *t;

	if (!tree_thread_read(m, &in, &p->unread))
		return true;
	t = pf_task_in(p, (uint32_t)in.tid, (uint32_t)in.pid, err);
	if (t != NULL && in.tid == in.pid && t->process != 0 && pf_process_at(p, t->process)->kernel)
		in.name = worker_name(in.name);
	return pf_task_name(p, t, in.name, PF_NAMED_TREE, err);
}

bool
pf_tree(struct perfetto *p, const struct pf_row *r, struct str m, struct err *err)
{
	struct tree_whole whole;

	(void)r;
	p->count[PF_BAD_PACKETS] += !tree_whole_read(m, &whole, &p->unread);
	SHAPE_EACH(m, 1, process)
		if (!called_take_process(p, process, err))
			return false;
	SHAPE_EACH(m, 2, thread)
		if (!take_thread(p, thread, err))
			return false;
	return true;
}
