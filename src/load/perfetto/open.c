/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * open: create and free the state of a trace that is read.
 */
#include "config.h"

#include <stdlib.h>

#include "cut.h"

static uint64_t
same_time(void *none, uint64_t time)
{
	(void)none;
	return time;
}

bool
pf_open(struct perfetto **out, struct jload *l, struct store *st, struct work *w, struct err *err)
{
	const struct map *m = store_source(st);
	struct perfetto *p = *out = mem_array(1, sizeof *p);

	*l = (struct jload){ .st = st, .work = w, .text = BUF_INIT, .file = BUF_INIT, .name = BUF_INIT };
	if (p == NULL)
		return fail(err, E_SYSTEM, "out of memory (trace)");
	p->l = l;
	p->file = (struct str){ (const char *)m->data, (size_t)m->size };
	p->marks = (struct marks_in){ .l = l, .shown = same_time };
	p->player = (struct kernel_player){ .host = &pf_host, .marks = &p->marks, .arg = p };
	p->text = (struct buf)BUF_INIT;
	p->v8 = (struct chrome_samples){ .l = l, .nodes = { .l = l } };
	samples_open(&l->samples, st, w);
	spans_in_open(&l->spans, &l->samples);
	return true;
}

void
pf_close(struct perfetto *p)
{
	struct jload *l;

	if (p == NULL)
		return;
	struct idmap *const maps[] = { &p->gpus.by_gpu, &p->gpus.by_disk, &p->gpus.by_pair,
	    &p->frame.by_frame, &p->frame.by_display, &p->seq.by_sequence, &p->seq.by_name, &p->seq.by_sum,
	    &p->who.by_track, &p->who.by_tid, &p->who.by_pid };

	l = p->l;
	marks_close(&p->marks);
	chrome_samples_close(&p->v8);
	pf_clocks_close(&p->clocks);
	SCRATCH_FREE(&p->flow.calls, &p->flow.by_call, &p->flow.pending);
	kernel_player_close(&p->player);
	SCRATCH_FREE(&p->who.direct, &p->who.tracks, &p->who.tasks, &p->who.processes);
	SCRATCH_FREE(&p->row.runs, &p->row.rows, &p->row.late, &p->row.cpus);
	SCRATCH_FREE(&p->seq.states, &p->seq.interned, &p->seq.sequences, &p->seq.sums);
	SCRATCH_FREE(&p->spill, &p->samples, &p->gpus.gpu, &p->gpus.disks, &p->frame.frames);
	SCRATCH_FREE(&p->arg.args, &p->arg.args_own);
	pf_symbols_close(&p->symbols);
	pf_heaps_close(&p->heaps);
	pf_graphs_close(&p->graph);
	for (size_t i = 0; i < NELEM(maps); i++)
		idmap_free(maps[i]);
	buf_free(&p->text);
	spans_in_close(&l->spans);
	samples_close(&l->samples);
	buf_free(&l->text);
	buf_free(&l->file);
	buf_free(&l->name);
	free(p);
}
