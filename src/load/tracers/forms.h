/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * forms: texts of tracers that are known, each with a test and a reader.
 */
#ifndef LOAD_TRACERS_FORMS_H
#define LOAD_TRACERS_FORMS_H

#include "tracers_in.h"

struct tracer_form {
	const char	*name;		/* for people */
	const char	*begins[2];	/* the text has lines that begin so; or NULL */
	bool		(*line)(struct str line);	/* the text has such a line; or NULL */
	bool		(*is)(struct str head);	/* further condition, or NULL; head may end anywhere */
	void		(*read)(struct tracers_in *);
};

/* The first form that the text has, in the order of the table; NULL: none. */
const struct tracer_form *tracer_form_of(struct str head);

void	massif_read(struct tracers_in *);
bool	svg_is(struct str head);
void	svg_read(struct tracers_in *);
bool	flame_page_is(struct str head);
void	flame_page_read(struct tracers_in *);
bool	flame_tree_is(struct str head);
void	flame_tree_read(struct tracers_in *);
bool	flamebearer_is(struct str head);
void	flamebearer_read(struct tracers_in *);
bool	d3_is(struct str head);
void	d3_read(struct tracers_in *);
bool	gprof2dot_is(struct str head);
void	gprof2dot_read(struct tracers_in *);
bool	heapprofile_is(struct str head);
void	heapprofile_read(struct tracers_in *);
bool	ghc_is(struct str head);
void	ghc_read(struct tracers_in *);
bool	xctrace_is(struct str head);
void	xctrace_read(struct tracers_in *);
void	vtune_read(struct tracers_in *);
bool	sample_line(struct str);
void	sample_read(struct tracers_in *);
bool	spindump_line(struct str);
void	spindump_read(struct tracers_in *);
bool	bpftrace_line(struct str);
void	bpftrace_read(struct tracers_in *);
bool	bcc_is(struct str head);
void	bcc_read(struct tracers_in *);
bool	memleak_line(struct str);
void	memleak_read(struct tracers_in *);
bool	histograms_line(struct str);
void	histograms_read(struct tracers_in *);
bool	longest_line(struct str);
void	longest_read(struct tracers_in *);
bool	sched_tasks_line(struct str);
void	sched_debug_read(struct tracers_in *);
bool	dtrace_line(struct str);
void	dtrace_read(struct tracers_in *);

#endif
