/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chrome_marks: Chrome trace events other than calls: instants (chrome_marks.c), async operations (chrome_async.c),
 * counters (chrome_counters.c), flows (chrome_flows.c), metadata of processes and threads (chrome_names.c). They are
 * added to struct marks_in, or stored as rows until all events were read and can be sorted.
 */
#ifndef LOAD_CHROME_MARKS_H
#define LOAD_CHROME_MARKS_H

#include "chrome.h"
#include "marks_in.h"

struct chrome_marks {
	struct jload	*l;
	struct into	*to;
	struct marks_in	 in;
	struct scratch	 asyncs, flows, arrows;
	struct mark_set	 keys;		/* rows of async operations */
	struct mark_set	 chains;
	struct scratch	 orders;	/* int64_t by thread: sort index */
	struct scratch	 place;		/* uint32_t by thread: its number in sorted order */
	struct scratch	 args;		/* uint64_t: positions of the args of calls */
	struct scratch	 frames;	/* uint32_t by frame with args: its original frame */
	struct scratch	 works;		/* kernels and copies of GPUs */
	struct scratch	 waits;		/* waits for GPUs, which flows enter */
	uint64_t	 nargs, nasyncs, nflows, narrows, norders, nworks, nwaits;
	uint32_t	 nlone;		/* async operations that have no id to nest by */
	uint64_t	 plain;			/* calls without args in their names: too many names */
	const struct chrome_times *times;
};

/* Return whether events of this letter are read here. */
bool	chrome_marks_read(char letter);
/* A call that a flow leaves or enters. */
void	chrome_flow_bind(struct chrome_marks *, const struct chrome_event *, uint32_t frame);
/* A wait for a GPU, which is no call: flows at its begin lead to it. */
void	chrome_flow_wait(struct chrome_marks *, const struct chrome_event *);
/* "M": name and sort index of a process or thread; the last one is used. */
void	chrome_name(struct chrome_marks *, const struct chrome_event *);
/* Sort threads when all are known, before spans become calls. */
void	chrome_order_threads(struct chrome_marks *);
void	chrome_mark(struct chrome_marks *, const struct chrome_event *);
/* Write everything as columns and facts. */
bool	chrome_marks_columns(struct chrome_marks *, struct err *);
bool	chrome_marks_any(const struct chrome_marks *);
void	chrome_marks_close(struct chrome_marks *);

/* ---- for the files of marks ----------------------------------------------------------- */

/*
 * Describe the args of an event by the conventions of its writer, as a word; 0: nothing to show. places: 1 +
 * position of the args of the begin and of the end, 0: none; the end takes precedence. chrome_args.c
 */
uint32_t chrome_args_detail(struct chrome_marks *, const uint64_t places[2]);
/* Append the detail to an empty text.  Uses and clears the text buffer of jload. */
void	chrome_detail_add(struct jload *, const struct json args[2], struct buf *);
struct json chrome_args_at(struct json doc, uint64_t place);	/* at = size: missing */
uint64_t chrome_args(struct json args);		/* return the position of args, if they may be useful */
/*
 * After calls are made and before their names are used: write the columns with positions of args. With --detail, args
 * become part of call names. chrome_args.c
 */
void	chrome_args_names(struct chrome_marks *);	/* for --detail */
void	chrome_args_columns(struct chrome_marks *);
uint32_t chrome_args_frame(const struct chrome_marks *, uint32_t frame);	/* original frame of a frame of calls */
/* Return the number of a thread in sorted order. */
uint32_t chrome_thread(const struct chrome_marks *, uint32_t thread);

/* ---- shared helpers -------------------------------------------------------------------- */

/* Scope of an id: unscoped, global, or local to a process. */
enum chrome_id_kind { ID_ANY, ID_GLOBAL, ID_LOCAL };

struct chrome_id {
	uint32_t	kind, process, id;	/* enum chrome_id_kind; process, for ID_LOCAL; word */
};

/* If id2 is missing, use id; local ids belong to a process. */
struct chrome_id chrome_id(struct chrome_marks *, const struct chrome_event *, bool local);

void	chrome_async_add(struct chrome_marks *, const struct chrome_event *);
/* An async operation that one event is, of a kind or by its name; and one between events. */
void	chrome_async_span(struct chrome_marks *, const struct chrome_event *, struct str kind, uint64_t end);
void	chrome_async_gap(struct chrome_marks *, const char *name, uint32_t process, uint64_t start, uint64_t end);
bool	chrome_async_columns(struct chrome_marks *, struct err *);
/* Events of PyTorch: return whether an event is not a call; note work of a GPU; name its stream; make its idle time. */
static inline bool
chrome_torch_may(const struct chrome_event *e)
{
	return (e->is.cat.n > 0 && is_one_of(e->is.cat.s[0], "TgckKM")) ||
	    (e->is.name.n > 0 && e->is.name.s[0] == 'P');
}
bool	chrome_torch_apart(struct chrome_marks *, const struct chrome_event *, uint64_t end);
void	chrome_torch_work(struct chrome_marks *, const struct chrome_event *, uint64_t end);
void	chrome_torch_names(struct chrome_marks *);
void	chrome_torch_idle(struct chrome_marks *);
void	chrome_counter_add(struct chrome_marks *, const struct chrome_event *);
void	chrome_flow_add(struct chrome_marks *, const struct chrome_event *);
bool	chrome_flow_columns(struct chrome_marks *, struct err *);
bool	chrome_name_columns(struct chrome_marks *, struct err *);

#endif
