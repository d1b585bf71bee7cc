/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * packets_out: packets for those who do not know what they say.
 */
#include "config.h"

#include <stdlib.h>

#include "icecore/perfetto.h"
#include "perfetto.h"

struct packets_out {
	struct jload	 l;		/* the first member: packets_out_take */
	perfetto_take	 take;
	void		*arg;
};

bool
perfetto_is(const uint8_t *head, size_t n)
{
	return pf_sniff(head, n);
}

static bool
packets_out_take(struct perfetto *p, const struct pf_packet *k, struct err *err)
{
	struct packets_out *o = (struct packets_out *)(void *)p->l;

	return o->take(o->arg, k->body, err);
}

bool
perfetto_packets(struct str file, perfetto_take take, void *arg, struct perfetto_lost *lost, struct work *w,
    struct err *err)
{
	/* The reader only uses the range of the source. */
	struct packets_out o = { .l = { .work = w, .samples = { .source = file.s, .source_size = file.n } },
	    .take = take, .arg = arg };
	struct perfetto *p = mem_array(1, sizeof *p);
	bool ok;

	if (p == NULL)
		return fail(err, E_SYSTEM, "out of memory (packets)");
	p->l = &o.l;
	p->file = file;
	ok = pf_packets(p, packets_out_take, err);
	*lost = (struct perfetto_lost){ p->count[PF_BAD_PACKETS] + p->count[PF_CUT] + p->count[PF_BAD_FRAMING] +
	    p->count[PF_RESYNCS] +
	    p->count[PF_BAD_PACKED], p->count[PF_LOST_BYTES] };
	pf_graphs_close(&p->graph);
	scratch_free(&p->spill);
	free(p);
	return ok;
}
