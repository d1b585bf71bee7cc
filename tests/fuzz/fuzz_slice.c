/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_slice: opens any bytes as a file and cuts it, whole and to its middle third.  The parts are opened and cut again, which changes
 * nothing in parts without damage.
 */
#include "config.h"

#include <string.h>

#include "icecore/facts.h"
#include "icecore/slice.h"
#include "heapwalk.h"
#include "target.h"
#include "walk.h"

static bool
fuzz_slice_put(void *to, struct str bytes, struct err *err)
{
	buf_str(to, bytes);
	return !((struct buf *)to)->bad || fail(err, E_SYSTEM, "out of memory");
}

/* From the parts of the whole that are numbers from 0 to 3; false: it cannot be read, or not be cut. */
static bool
fuzz_slice_cut(struct str bytes, unsigned from, unsigned to, struct buf *out, struct sliced *counts)
{
	struct err err = { .kind = E_NONE };
	struct slicing s = { .put = fuzz_slice_put, .arg = out, .counts = counts };
	uint64_t third;
	bool ok;

	if (!load_open(&s.st, "input", &(struct store_options){ .bytes = &bytes }, NULL, &err)) {
		MUST(err.kind != E_SYSTEM);
		return false;
	}
	third = fact_value(s.st, FACT_ELAPSED) / 3;
	s.from = from * third;
	s.to = to == 3 ? UINT64_MAX : to * third;
	ok = slice_can(s.st, &err) && slice_make(&s, &err);
	MUST(ok || err.kind == E_UNREADABLE);
	store_close(s.st);
	return ok;
}

TARGET(slice, &mutate_proto)
{
	struct buf once = BUF_INIT, twice = BUF_INIT;
	struct sliced told, again;

	if (fuzz_slice_cut((struct str){ (const char *)data, size }, 0, 3, &once, &told) && told.kept > 0 && told.damaged == 0 &&
	    fuzz_slice_cut(buf_view(&once), 0, 3, &twice, &again))
		MUST(str_eq(buf_view(&once), buf_view(&twice)) && again.kept == told.kept);
	buf_clear(&once);
	if (fuzz_slice_cut((struct str){ (const char *)data, size }, 1, 2, &once, &told) && once.n > 0)
		load_bytes((const uint8_t *)once.s, once.n);
	buf_free(&once);
	buf_free(&twice);
}
