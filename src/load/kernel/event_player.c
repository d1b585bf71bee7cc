/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * event_player: events of the kernel become calls, async spans, counters and instants, as in Perfetto's
 * trace processor.
 */
#include "config.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "kernel.h"

/* bytes: a name in a word, a word, the name of an event */
enum { NAME_MOST = 128, WORD_MOST = 256, GENERIC_MOST = 4096 };

/* An event that is being played. */
struct playing {
	struct kernel_player		*k;
	const struct kernel_when	*when;
	const struct kernel_event	*e;
};

static uint32_t
field(const struct playing *p, unsigned number)
{
	return (uint32_t)p->e->v[number];
}

/* The number of a word; 0: failure. */
static uint32_t __attribute__((format(printf, 3, 4)))
word(const struct playing *p, struct err *err, const char *form, ...)
{
	char text[WORD_MOST];
	uint32_t w;
	va_list ap;

	va_start(ap, form);
	vsnprintf(text, sizeof text, form, ap);
	va_end(ap);
	return marks_word_of(p->k->marks, str_of(text), &w, err) ? w : 0;
}

/* For the form "%.*s". */
#define NAME(text) (int)str_head((text), NAME_MOST).n, (text).n > 0 ? (text).s : ""

/* ---- counters --------------------------------------------------------------------------------- */

/* A counter of a process; name 0: failure. */
static bool
process_level(const struct playing *p, uint32_t process, uint32_t name, struct str unit, double value,
    struct err *err)
{
	return process != 0 && name != 0 && counter_value(p->k->marks, p->when->time,
	    &(struct mark_counter){ .process = process, .name = name }, unit,
	    value, err);
}

/* A counter of the machine. */
static bool
global(const struct playing *p, uint32_t name, double value, struct err *err)
{
	return process_level(p, p->k->host->process(p->k->arg, 0, err), name, STR(""), value, err);
}

static bool
frequency(const struct playing *p, uint32_t cpu, uint32_t khz, struct err *err)
{
	return p->k->host->frequency(p->k->arg, p->when->time, cpu, khz, err) &&
	    global(p, word(p, err, "cpufreq CPU %u", cpu), khz, err);
}

bool
kernel_frequency(struct kernel_player *k, uint64_t time, uint32_t cpu, uint64_t khz, struct err *err)
{
	return frequency(&(struct playing){ k, &(struct kernel_when){ .time = time }, NULL }, cpu,
	    (uint32_t)khz, err);
}

static bool
idle_state(const struct playing *p, struct err *err)
{
	return global(p, word(p, err, "cpuidle CPU %u", field(p, 2)),
	    field(p, 1) == UINT32_MAX ? 0 : field(p, 1) + 1.0, err);
}

static bool
speed_limits(const struct playing *p, struct err *err)
{
	return global(p, word(p, err, "cpufreq limit min CPU %u", field(p, 3)), field(p, 1), err) &&
	    global(p, word(p, err, "cpufreq limit max CPU %u", field(p, 3)), field(p, 2), err);
}

/* A counter of the task that has the memory: an earlier event of that task, while it ran, said so. */
static bool
memory(const struct playing *p, struct err *err)
{
	static const char *const names[] = { "mem.rss.file", "mem.rss.anon", "mem.swap", "mem.rss.shmem",
	    "mem.unreclaimable" };
	struct str name = p->e->v[1] < NELEM(names) ? str_of(names[p->e->v[1]]) : STR("mem.unknown");
	const struct kernel_host *host = p->k->host;
	bool owned = (p->e->has & 1 << 4) != 0 && (p->e->has & 1 << 3) != 0;
	uint64_t key = async_key('m', p->e->v[4]) | 1;
	uint32_t task;

	if ((int64_t)p->e->v[2] < 0)
		return true;
	if (owned && p->e->v[3] == 0) {
		task = idmap_get(&p->k->memory, key);
		if (task == 0 || !host->turn(p->k->arg, task))
			return true;
	} else if ((task = host->task(p->k->arg, err)) == 0 ||
	    (owned && !idmap_put(&p->k->memory, key, task, err)))
		return false;
	return process_level(p, host->own(p->k->arg, true, err), word(p, err, "%s", name.s),
	    str_has_prefix(name, STR("mem.rss")) ? STR("bytes") : STR(""), (double)p->e->v[2], err);
}

/* A signed number of 16 bits. */
static bool
oom_score(const struct playing *p, struct err *err)
{
	return process_level(p, p->k->host->own(p->k->arg, true, err), word(p, err, "oom_score_adj"), STR(""),
	    (int16_t)p->e->v[2], err);
}

/* ---- spans ------------------------------------------------------------------------------------- */

/* A span of no process; name 0: failure. */
static bool
span(const struct playing *p, uint64_t key, uint32_t name, uint32_t cat, struct err *err)
{
	struct async_row new = { .is = { .start = p->when->time, .end = p->when->time, .name = name,
	    .cat = cat } };

	return name != 0 && (new.is.process = p->k->host->process(p->k->arg, 0, err)) != 0 &&
	    async_begin(p->k->marks, key, &new, &new.is, 0, err);
}

static bool
end(const struct playing *p, uint64_t key, struct err *err)
{
	return async_end(p->k->marks, key, p->when->time, err);
}

static bool
interrupt(const struct playing *p, struct err *err)
{
	static const char *const soft[] = { "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET",
	    "SCHED", "HRTIMER", "RCU" };
	bool is_soft = p->e->kind == KERNEL_SOFTIRQ_ENTRY || p->e->kind == KERNEL_SOFTIRQ_EXIT;
	uint64_t key = async_key(is_soft ? 's' : 'i', p->when->cpu);
	uint32_t cat;

	if (is_soft && p->e->v[1] >= NELEM(soft))
		return true;
	if (p->e->kind == KERNEL_SOFTIRQ_EXIT || p->e->kind == KERNEL_IRQ_EXIT)
		return end(p, key, err);
	cat = word(p, err, "%s CPU %u", is_soft ? "softirq" : "irq", p->when->cpu);
	return cat != 0 && span(p, key, is_soft ? word(p, err, "%s", soft[p->e->v[1]]) :
	    word(p, err, "IRQ (%.*s)", NAME(p->e->s[2])), cat, err);
}

/* A wake lock lasts until its ends are as many as its begins. */
static bool
wakelock(const struct playing *p, struct err *err)
{
	uint64_t key = async_key('w', idmap_hash_text(p->e->s[1], 0)) | 1;
	uint32_t held = idmap_get(&p->k->wakelocks, key);	/* 1 more; 0: never yet */
	bool begins = p->e->kind == KERNEL_WAKELOCK;

	held -= held > 0;
	if ((!begins && held == 0) || held == UINT32_MAX - 1)
		return true;
	if (!idmap_put(&p->k->wakelocks, key, begins ? held + 2 : held, err))
		return false;
	if (begins)
		return held > 0 || span(p, key, word(p, err, "Wakelock(%.*s)", NAME(p->e->s[1])), 0, err);
	return held > 1 || end(p, key, err);
}

/* {1 id, 2 change, 3 total}: its counters, and a span of each buffer. */
static bool
buffer(const struct playing *p, const char *what, struct err *err)
{
	uint64_t key = async_key(what[0] == 'i' ? 'b' : 'd', p->e->v[1]);
	uint32_t process = p->k->host->process(p->k->arg, 0, err);
	int64_t change = (int64_t)p->e->v[2];

	if (!process_level(p, process, word(p, err, "mem.%s", what), STR("bytes"),
	    (double)(int64_t)p->e->v[3], err) ||
	    !process_level(p, process, word(p, err, "mem.%s_change", what), STR("bytes"), (double)change,
	    err))
		return false;
	return change <= 0 ? end(p, key, err) : span(p, key, word(p, err, "%" PRId64 " kB", change / 1024), 0,
	    err);
}

/* ---- calls and instants ------------------------------------------------------------------------ */

bool
kernel_call(struct kernel_player *k, const struct kernel_when *when, char letter, struct str name,
    struct err *err)
{
	return when->idle || k->host->call(k->arg, when->time, letter, 0, name, err);
}

static bool
instant(const struct playing *p, struct str name, struct str cat, struct err *err)
{
	struct mark_instant new = { .time = p->when->time, .scope = 't', .letter = 'i' };

	return p->k->host->thread(p->k->arg, 0, &new.thread, err) &&
	    (new.process = p->k->host->own(p->k->arg, false, err)) != 0 &&
	    marks_word_of(p->k->marks, name, &new.name, err) &&
	    marks_word_of(p->k->marks, cat, &new.cat, err) &&
	    marks_instant(p->k->marks, &new, err);
}

bool
kernel_instant(struct kernel_player *k, const struct kernel_when *when, struct str name, struct str cat,
    struct err *err)
{
	return when->idle || instant(&(struct playing){ k, when, NULL }, name, cat, err);
}

/* An instant of the task that the event is about. */
static bool
instant_about(const struct playing *p, const char *name, struct err *err)
{
	return field(p, kernel_event_about(p->e->kind)) == 0 || instant(p, str_of(name), STR(""), err);
}

/* ---- binder: {1 id, 5 is a reply, 7 flags: 1 one way} ------------------------------------------ */

enum { BINDER_REPLY = 1, BINDER_ONE_WAY, BINDER_CALL };

/* An arrow from a transaction to its receiver. */
static bool
binder_flow(const struct playing *p, struct str name, bool one_way, enum flow_how how, struct err *err)
{
	struct flow_stop at = { .time = p->when->time };

	return p->when->idle || (p->k->host->end(p->k->arg, one_way ? STR("") : name, &at, err) &&
	    marks_word_of(p->k->marks, name, &at.name, err) &&
	    marks_word_of(p->k->marks, STR("binder"), &at.cat, err) &&
	    flow_pass(&p->k->flows, p->k->marks, async_key('B', field(p, 1)), 0, &at, how, err));
}

/* A side of a transaction: a call, which the reply ends, or an instant if nobody replies. */
static bool
binder_side(const struct playing *p, uint32_t goes, bool received, struct err *err)
{
	static const char *const names[2][2] = {
		{ "binder transaction", "binder reply" }, { "binder transaction async", "binder async rcv" }
	};
	bool one_way = goes == BINDER_ONE_WAY;
	struct str name = str_of(names[one_way][received]);

	if (goes == BINDER_REPLY)
		return kernel_call(p->k, p->when, 'E', STR(""), err);
	return binder_flow(p, name, one_way, received ? FLOW_CLOSE : FLOW_START, err) &&
	    (one_way ? kernel_instant(p->k, p->when, name, STR("binder"), err) :
	    kernel_call(p->k, p->when, 'B', name, err));
}

static bool
binder(const struct playing *p, struct err *err)
{
	uint64_t key = idmap_hash(field(p, 1)) | 1;
	uint32_t goes = p->e->v[5] != 0 ? BINDER_REPLY : p->e->v[7] & 1 ? BINDER_ONE_WAY : BINDER_CALL;

	if (p->e->kind == KERNEL_BINDER)
		return idmap_put(&p->k->binder, key, goes, err) && binder_side(p, goes, false, err);
	goes = idmap_get(&p->k->binder, key);
	return goes == 0 || binder_side(p, goes, true, err);
}

/* ---- all --------------------------------------------------------------------------------------- */

static bool
blocked(const struct playing *p, struct err *err)
{
	struct str function = p->k->host->symbol(p->k->arg, p->e, 2);
	uint32_t name = 0;

	return (function.n == 0 || marks_word_of(p->k->marks, function, &name, err)) &&
	    p->k->host->blocked(p->k->arg, p->when->time, p->e->v[3] != 0, name, err);
}

/* A function of the kernel begins; it may have only an address. */
static bool
function(const struct playing *p, struct err *err)
{
	struct str name = p->k->host->symbol(p->k->arg, p->e, 2);
	char address[32];

	snprintf(address, sizeof address, "0x%" PRIx64, p->e->v[2]);
	return kernel_call(p->k, p->when, 'B', name.n > 0 ? name : str_of(address), err);
}

bool
kernel_play(struct kernel_player *k, const struct kernel_when *when, const struct kernel_event *e,
    bool *known, struct err *err)
{
	const struct playing playing = { k, when, e }, *p = &playing;

	*known = true;
	if (kernel_event_about(e->kind) != 0)
		k->host->about(k->arg, e);
	switch (e->kind) {
	case KERNEL_BLOCKED: return blocked(p, err);
	case KERNEL_CPU_FREQUENCY: return frequency(p, field(p, 2), field(p, 1), err);
	case KERNEL_CPU_IDLE: return idle_state(p, err);
	case KERNEL_CPU_LIMITS: return speed_limits(p, err);
	case KERNEL_GPU_FREQUENCY: return global(p, word(p, err, "gpufreq %u", field(p, 1)), field(p, 2),
	    err);
	case KERNEL_CLOCK_RATE: return global(p, word(p, err, "%.*s Frequency", NAME(e->s[1])),
	    (double)e->v[2], err);
	case KERNEL_RSS: return memory(p, err);
	case KERNEL_OOM: return oom_score(p, err);
	case KERNEL_IRQ_ENTRY: case KERNEL_IRQ_EXIT: case KERNEL_SOFTIRQ_ENTRY:
	    case KERNEL_SOFTIRQ_EXIT: return interrupt(p, err);
	case KERNEL_WORK_START: case KERNEL_GRAPH_ENTRY: return function(p, err);
	case KERNEL_WORK_END: case KERNEL_GRAPH_EXIT: return kernel_call(p->k, p->when, 'E', STR(""), err);
	case KERNEL_BINDER: case KERNEL_BINDER_RECEIVED: return binder(p, err);
	case KERNEL_SIGNAL_GENERATE: return instant_about(p, "signal_generate", err);
	case KERNEL_SIGNAL_DELIVER: return kernel_instant(k, when, STR("signal_deliver"), STR(""), err);
	case KERNEL_VICTIM: return instant_about(p, "mem.oom_kill", err);
	case KERNEL_ION: return buffer(p, "ion", err);
	case KERNEL_DMA: return buffer(p, "dma_heap", err);
	case KERNEL_WAKELOCK: case KERNEL_WAKELOCK_END: return wakelock(p, err);
	case KERNEL_GENERIC:
		*known = e->s[1].n > 0;
		return e->s[1].n == 0 || kernel_instant(k, when, str_head(e->s[1], GENERIC_MOST),
		    STR("kernel"), err);
	default:
		*known = false;
		return true;
	}
}

void
kernel_player_close(struct kernel_player *k)
{
	flow_close(&k->flows);
	idmap_free(&k->binder);
	idmap_free(&k->memory);
	idmap_free(&k->wakelocks);
}
