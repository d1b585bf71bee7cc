/*
 * flow_calls: the open calls of threads, for arrows from and to the call around an event.  Only traces with such arrows need them.
 */
#include "config.h"

#include "perfetto.h"

/* An open call of a thread; while it is free, below is the next free one. */
struct open_call {
	struct pf_flow_end	is;
	uint64_t		until;		/* as PF_TIME; UINT64_MAX: unknown */
	uint32_t		below;		/* the call around it, from 1; 0: none */
};

/* An arrow that ends at the next call of its thread. */
struct pending {
	uint64_t	key, id;
	uint32_t	next;
};

/* By thread: its innermost open call, and its arrows to the next one. */
struct thread_calls {
	uint32_t	top, pending;
};

#define CALL(p, i) (&SCRATCH((p)->calls, struct open_call)[(i) - 1])
#define PENDING(p, i) (&SCRATCH((p)->pending, struct pending)[(i) - 1])

static struct thread_calls *
calls_of(struct perfetto *p, uint32_t thread, struct err *err)
{
	const struct thread_calls none = { 0, 0 };

	while (p->nby_call <= thread)
		if (!make_add(&p->by_call, &p->nby_call, &none, sizeof none, MAKE_MOST, "threads", err))
			return NULL;
	return &SCRATCH(p->by_call, struct thread_calls)[thread];
}

static void
drop_call(struct perfetto *p, struct thread_calls *t)
{
	uint32_t top = t->top;

	t->top = CALL(p, top)->below;
	CALL(p, top)->below = p->free_call;
	p->free_call = top;
}

/* Calls of a known length end by themselves; one that ends at that time is still open. */
static void
drop_ended(struct perfetto *p, struct thread_calls *t, uint64_t time)
{
	while (t->top != 0 && CALL(p, t->top)->until < PF_TIME(time))
		drop_call(p, t);
}

static bool
end_pending(struct perfetto *p, struct thread_calls *t, const struct pf_flow_end *is, struct err *err)
{
	while (t->pending != 0) {
		struct pending *one = PENDING(p, t->pending);
		uint32_t next = one->next;

		if (!pf_flow(p, one->key, one->id, is, PF_FLOW_END, err))
			return false;
		one->next = p->free_pending;
		p->free_pending = t->pending;
		t->pending = next;
	}
	return true;
}

bool
pf_call_begins(struct perfetto *p, const struct pf_flow_end *is, uint64_t until, struct err *err)
{
	struct thread_calls *t = calls_of(p, is->thread, err);
	struct open_call new = { .is = *is, .until = until };
	uint32_t at = p->free_call;

	if (t == NULL || !end_pending(p, t, is, err))
		return false;
	drop_ended(p, t, is->time);
	new.below = t->top;
	if (at != 0) {
		p->free_call = CALL(p, at)->below;
		*CALL(p, at) = new;
	} else if (!make_add(&p->calls, &p->ncalls, &new, sizeof new, MAKE_MOST, "open calls", err))
		return false;
	t->top = at != 0 ? at : (uint32_t)p->ncalls;
	return true;
}

void
pf_call_ends(struct perfetto *p, uint32_t thread, uint64_t time)
{
	struct thread_calls *t = thread < p->nby_call ? &SCRATCH(p->by_call, struct thread_calls)[thread] : NULL;

	if (t == NULL)
		return;
	drop_ended(p, t, time);
	if (t->top != 0)
		drop_call(p, t);
}

bool
pf_call_around(struct perfetto *p, uint32_t thread, uint64_t time, struct pf_flow_end *around)
{
	struct thread_calls *t = thread < p->nby_call ? &SCRATCH(p->by_call, struct thread_calls)[thread] : NULL;

	if (t != NULL)
		drop_ended(p, t, time);
	if (t == NULL || t->top == 0)
		return false;
	*around = CALL(p, t->top)->is;
	return true;
}

bool
pf_call_awaits(struct perfetto *p, uint32_t thread, uint64_t key, uint64_t id, struct err *err)
{
	struct thread_calls *t = calls_of(p, thread, err);
	struct pending new = { .key = key, .id = id };
	uint32_t at = p->free_pending;

	if (t == NULL)
		return false;
	new.next = t->pending;
	if (at != 0) {
		p->free_pending = PENDING(p, at)->next;
		*PENDING(p, at) = new;
	} else if (!make_add(&p->pending, &p->npending, &new, sizeof new, MAKE_MOST, "flows", err))
		return false;
	t->pending = at != 0 ? at : (uint32_t)p->npending;
	return true;
}
