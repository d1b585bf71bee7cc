/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_redact_text: whatever text goes in, as many bytes and lines come out, nothing that is masked is among them, and it is masked again
 * in the same places.
 */
#include "config.h"

#include <string.h>

#include "target.h"
#include "heapwalk.h"
#include "programs/redact/redact.h"

extern const struct redact_kind redact_meant;

static struct buf out;

static bool
collect(struct sink *s, const uint8_t *p, size_t n, bool last)
{
	(void)s;
	(void)last;
	buf_add(&out, p, n);
	return !out.bad;
}

/* False: the text cannot be redacted. */
static bool
redact_text(const struct map *in, const struct redact_options *o)
{
	static const uint8_t secret[SHA256_BYTES];
	struct redacted told = { .names = 0 };
	struct sink s;
	struct err err;
	struct redaction r = { .in = in, .o = o, .s = &s, .result = &told, .err = &err };
	bool ok;

	buf_clear(&out);
	MUST(keyed_open(&r.key, secret, sizeof secret, &err));
	MUST(sink_begin(&s, -1, in->size, NULL, &err));
	s.put = collect;
	ok = redact_meant.mask(&r);
	sink_free(&s);
	keyed_free(r.key);
	return ok;
}

/* Line ends stay; other bytes stay or become letters, so that numbers are those of the input, or ones. */
static void
check_bytes(const struct map *in)
{
	MUST(out.n == in->size);
	for (size_t i = 0; i < out.n; i++)
		MUST(out.s[i] == (char)in->data[i] || (out.s[i] >= 'a' && out.s[i] <= 'z' && in->data[i] != '\n') ||
		    (out.s[i] == '1' && is_digit((char)in->data[i])));
}

TARGET(redact_text, &mutate_text)
{
	struct redact_options o = { .mode = (enum redact_mode)(size % REDACT_MODES), .names = (enum redact_names)(size / 2 % REDACT_NAMES) };
	struct map m;
	struct err err;

	MUST(map_of_memory(&m, (struct str){ (const char *)data, size }, &err));
	if (redact_meant.is(&m) && redact_text(&m, &o))
		check_bytes(&m);
	buf_free(&out);
	out = BUF_INIT;
	map_close(&m);
}
