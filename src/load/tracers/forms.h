/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * forms: texts of tracers that are known, each with a test and a reader.
 */
#ifndef LOAD_TRACERS_FORMS_H
#define LOAD_TRACERS_FORMS_H

#include "tracers_in.h"

struct tracer_form {
	const char	*name;		/* for people */
	bool		(*is)(struct str head);	/* tested in the order of the table; head may end anywhere */
	void		(*read)(struct tracers_in *);
};

/* The first form that the text has; NULL: none. */
const struct tracer_form *tracer_form_of(struct str head);

bool	massif_is(struct str head);
void	massif_read(struct tracers_in *);
bool	heapprofile_is(struct str head);
void	heapprofile_read(struct tracers_in *);
bool	ghc_is(struct str head);
void	ghc_read(struct tracers_in *);
bool	xctrace_is(struct str head);
void	xctrace_read(struct tracers_in *);
bool	vtune_is(struct str head);
void	vtune_read(struct tracers_in *);
bool	sample_is(struct str head);
void	sample_read(struct tracers_in *);
bool	spindump_is(struct str head);
void	spindump_read(struct tracers_in *);
bool	bpftrace_is(struct str head);
void	bpftrace_read(struct tracers_in *);
bool	bcc_is(struct str head);
void	bcc_read(struct tracers_in *);
bool	memleak_is(struct str head);
void	memleak_read(struct tracers_in *);
bool	histograms_is(struct str head);
void	histograms_read(struct tracers_in *);
bool	sched_debug_is(struct str head);
void	sched_debug_read(struct tracers_in *);
bool	dtrace_is(struct str head);
void	dtrace_read(struct tracers_in *);

#endif
