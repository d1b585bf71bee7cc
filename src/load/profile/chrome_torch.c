/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces of PyTorch's profiler: the recording, its steps, and annotations of a GPU are async operations, not
 * calls.  Kernels and copies are calls of streams; the time of a GPU between them is idle.
 */
#include "config.h"

#include "icecore/facts.h"
#include "chrome_marks.h"
#include "spans.h"

#define STEP "ProfilerStep#"

#define TORCH_ARGS(W, V, O) W(stream)
JLOAD_SHAPE(torch_args, TORCH_ARGS)

enum torch_kind { TORCH_OTHER, TORCH_RECORDING, TORCH_APART, TORCH_WORK };

/* A kernel or a copy. */
struct torch_work {
	uint64_t	process, start;	/* first: make_sort_both */
	uint64_t	end;
	uint32_t	thread;
};

static enum torch_kind
torch_kind_of(struct jload *l, const struct chrome_event *e)
{
	/* Versions before 1.10 write capitals. */
	static const struct { const char *cat; enum torch_kind is; } kinds[] = { { "Trace", TORCH_RECORDING },
	    { "gpu_user_annotation", TORCH_APART }, { "cuda_sync", TORCH_APART },
	    { "kernel", TORCH_WORK }, { "gpu_memcpy", TORCH_WORK }, { "gpu_memset", TORCH_WORK },
	    { "Kernel", TORCH_WORK }, { "Memcpy", TORCH_WORK }, { "Memset", TORCH_WORK } };
	enum torch_kind is = str_has_prefix(e->is.name, STR(STEP)) ? TORCH_APART : TORCH_OTHER;

	for (size_t i = 0; i < NELEM(kinds) && is == TORCH_OTHER; i++)
		if (str_is(e->is.cat, kinds[i].cat))
			is = kinds[i].is;
	if (is == TORCH_RECORDING)
		return str_is(e->is.pid, "Spans") ? TORCH_APART : TORCH_OTHER;
	return is == TORCH_WORK && !torch_args_read(l, e->is.args).has_stream ? TORCH_OTHER : is;
}

bool
chrome_torch_apart(struct chrome_marks *m, const struct chrome_event *e, uint64_t end)
{
	bool step = str_has_prefix(e->is.name, STR(STEP));

	if (torch_kind_of(m->l, e) != TORCH_APART)
		return false;
	/* Each step has a name of its own, with its number. */
	chrome_async_span(m, e, step ? str_head(e->is.name, sizeof STEP - 2) : STR(""), end);
	if (str_is(e->is.cat, "cuda_sync"))
		chrome_flow_wait(m, e);
	return true;
}

void
chrome_torch_work(struct chrome_marks *m, const struct chrome_event *e, uint64_t end)
{
	struct torch_work new = { .start = e->time, .end = end, .thread = e->thread };

	if (torch_kind_of(m->l, e) != TORCH_WORK)
		return;
	new.process = into_process(m->to, e->is.pid);
	INTO_ROW(m->to, m->works, m->nworks, new, "kernels");
}

/* "stream 7" of "GPU 0", if the file does not name them. */
static void
name_stream(struct chrome_marks *m, const struct torch_work *work)
{
	struct mark_process *p = marks_process_at(&m->in, (uint32_t)work->process);
	struct span_thread *t = spans_thread_at(&m->l->spans, work->thread);
	struct buf *b = &m->l->name;

	if (t->name.n == 0) {
		buf_clear(b);
		buf_str(b, STR("stream "));
		buf_str(b, t->ids[1]);
		INTO(m->to, spans_in_name(&m->l->spans, work->thread, into_made(m->to, b), m->to->err));
	}
	if (p->name == 0 && p->labels == 0) {
		buf_clear(b);
		buf_str(b, STR("GPU "));
		buf_str(b, t->ids[0]);
		p->name = into_text(m->to, into_made(m->to, b));
	}
}

void
chrome_torch_names(struct chrome_marks *m)
{
	for (uint64_t i = 0; i < m->nworks && !m->to->bad; i++)
		name_stream(m, &SCRATCH(m->works, struct torch_work)[i]);
}

/* The time of each GPU from its first kernel to the last one is busy or idle. */
void
chrome_torch_idle(struct chrome_marks *m)
{
	const struct torch_work *w;
	uint64_t whole = 0, idle = 0, gpus = 0, end = 0;

	INTO(m->to, make_sort_both(&m->works, m->nworks, sizeof *w, m->l->work, m->to->err));
	w = SCRATCH(m->works, struct torch_work);
	for (uint64_t i = 0; i < m->nworks && into_go(m->to, m->l->doc.size); i++) {
		if (i == 0 || w[i].process != w[i - 1].process) {
			gpus++;
			end = w[i].start;
		} else if (w[i].start > end) {
			chrome_async_gap(m, "GPU idle", (uint32_t)w[i].process, end, w[i].start);
			idle += w[i].start - end;
			whole += w[i].start - end;
			end = w[i].start;
		}
		whole += w[i].end > end ? w[i].end - end : 0;
		end = w[i].end > end ? w[i].end : end;
	}
	const struct make_fact facts[] = { { FACT_GPUS, gpus, MAKE_ANY }, { FACT_GPU_TIME, whole, MAKE_ANY },
	    { FACT_GPU_BUSY, whole - idle, MAKE_ANY }, { FACT_GPU_IDLE, idle, MAKE_ANY } };

	INTO(m->to, make_facts(m->l->st, facts, NELEM(facts), m->to->err));
}
