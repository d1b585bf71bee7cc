/*
 * ftrace: what ftrace.c gives to ftrace_spans.c.
 */
#ifndef LOAD_PERFETTO_FTRACE_H
#define LOAD_PERFETTO_FTRACE_H

#include "perfetto.h"

enum { PF_EVENT_FIELDS = 16 };

/* An event of the kernel: fields of its own message by number, numbers and texts. */
struct pf_kernel_event {
	uint32_t	kind, tid, flags;
	bool		has_tid;
	uint16_t	has;		/* bits: which fields it has */
	uint64_t	v[PF_EVENT_FIELDS];
	struct str	s[PF_EVENT_FIELDS];
};

/* ftrace_names.c, syscalls.c: NULL: unknown */
const char *pf_event_name(uint32_t kind);
const char *pf_syscall_name(enum pf_machine, uint64_t number);	/* without "sys_" */

/* One that begins or ends something. */
bool	pf_play_span(struct perfetto *, const struct pf_row *, const struct pf_kernel_event *, struct err *);

#endif
