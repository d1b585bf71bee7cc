/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_meant: loaders know what the bytes of damaged files mean, part after part, and as many bytes come out, of which the form is that of
 * the file.
 */
#include "config.h"

#include <string.h>

#include "heapwalk.h"
#include "target.h"
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

struct told_parts {
	const struct map *in;
	uint64_t	end;
};

static bool
check_part(void *parts, const struct meant_part *p, struct err *err)
{
	struct told_parts *t = parts;

	(void)err;
	MUST(p->at >= t->end && p->at <= t->in->size && p->n <= t->in->size - p->at && p->path != NULL);
	MUST(p->means != MEANT_FORM || memcmp(out.s + p->at, t->in->data + p->at, (size_t)p->n) == 0);
	for (uint64_t i = 0; p->means == MEANT_NUMBER && !p->packed && i < p->n; i++)
		MUST(out.s[p->at + i] == 0);
	t->end = p->at + p->n;
	return true;
}

TARGET(meant, &mutate_jfr)
{
	static const uint8_t secret[SHA256_BYTES];
	struct redact_options o = { .mode = (enum redact_mode)(size % REDACT_MODES), .names = (enum redact_names)(size % REDACT_NAMES) };
	struct redacted told = { .names = 0 };
	struct told_parts parts = { .end = 0 };
	struct map m;
	struct sink s;
	struct err err;
	struct redaction r = { .in = &m, .o = &o, .s = &s, .result = &told, .err = &err };
	uint64_t lost = 0;

	MUST(map_of_memory(&m, (struct str){ (const char *)data, size }, &err));
	if (redact_meant.is(&m)) {
		buf_clear(&out);
		MUST(keyed_open(&r.key, secret, sizeof secret, &err) && sink_begin(&s, -1, m.size, NULL, &err));
		s.put = collect;
		if (redact_meant.mask(&r)) {
			MUST(out.n == size);
			parts.in = &m;
			MUST(load_format(&m, "")->meant(&m, check_part, &parts, &lost, NULL, &err) && lost == told.unknown);
		} else
			MUST(err.kind == E_UNREADABLE || err.kind == E_SYSTEM);
		sink_free(&s);
		keyed_free(r.key);
		buf_free(&out);
		out = BUF_INIT;
	}
	map_close(&m);
}
