/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slice_file: a part of a recording as a file, which appears whole or not at all.
 */
#include "config.h"

#include <unistd.h>

#include "icecore/facts.h"
#include "redact.h"

static bool
slice_file_put(void *sink, struct str bytes, struct err *err)
{
	((struct sink *)sink)->err = err;
	return sink_put(sink, bytes);
}

bool
slice_ready(const struct slice_options *o, struct err *err)
{
	const struct output_path all[] = { { "input", o->in, .made = false },
	    { "output", o->out, .made = true } };

	return output_check(all, NELEM(all), o->force, err);
}

/* An empty part is an error. */
static bool
slice_file_some(const struct slice_options *o, const struct slicing *s, struct err *err)
{
	char ends[NUM_TEXT];

	num_show_duration(ends, sizeof ends, fact_value(s->st, FACT_ELAPSED));
	return s->counts->kept > 0 || fail_file(err, E_USAGE, o->in, "no %s in that range; it lasts %s",
	    s->counts->unit, ends);
}

static bool
slice_file_write(const struct slice_options *o, struct slicing *s, int fd, struct err *err)
{
	struct sink sink = { .room = NULL };
	bool ok;

	s->arg = &sink;
	/* Decompressed data may be longer than the input. */
	ok = output_sink(&sink, o->out, fd, UINT64_MAX, o->level, NULL, s->work, err) &&
	    slice_make(s, err) && slice_file_some(o, s, err) && sink_end(&sink) &&
	    (!store_lost(s->st) || fail_file(err, E_SYSTEM, o->in,
	    "file changed while reading; run icecore again"));
	sink_free(&sink);
	return ok;
}

bool
slice_file(const struct slice_options *o, struct store *st, uint64_t from, uint64_t to, struct sliced *counts,
    struct work *work, struct err *err)
{
	struct slicing s = { .st = st, .from = from, .to = to, .put = slice_file_put, .counts = counts,
	    .work = work };
	struct file f = FILE_INIT;
	bool std = output_is_std(o->out), ok;

	ok = slice_ready(o, err) && (std || output_begin(&f, o->out, err)) &&
	    slice_file_write(o, &s, std ? STDOUT_FILENO : f.fd, err) &&
	    (std || output_size(f.fd, &counts->written, err)) && (std || file_commit(&f, o->force, err));
	file_abandon(&f);
	return ok;
}
