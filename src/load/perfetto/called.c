/*
 * called: what descriptors and events of metadata call threads and processes.
 */
#include "config.h"

#include "perfetto.h"

enum { CHROME_RENDERER = 2, CHROME_EXTENSION = 37 };

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
