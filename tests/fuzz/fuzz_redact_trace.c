/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fuzz_redact_trace: of a trace, and of each other file whose loader knows what its bytes mean, no text is left if all become letters;
 * the check accepts what was written; and a second time changes only letters.
 */
#include "config.h"

#include <stdlib.h>
#include <string.h>

#include "heapwalk.h"
#include "target.h"
#include "programs/redact/left.h"

extern const struct redact_kind redact_meant, redact_trace;

static struct buf redacted;

static bool
collect(struct sink *s, const uint8_t *p, size_t n, bool last)
{
	(void)s;
	(void)last;
	buf_add(&redacted, p, n);
	return !redacted.bad;
}

static bool
write_redacted(const struct redact_kind *kind, const struct map *in, const struct redact_options *o)
{
	static const uint8_t secret[SHA256_BYTES];
	struct redacted told = { .names = 0 };
	struct sink s;
	struct err err;
	struct redaction r = { .in = in, .o = o, .s = &s, .result = &told, .err = &err };
	bool ok;

	buf_clear(&redacted);
	MUST(keyed_open(&r.key, secret, sizeof secret, &err) && sink_begin(&s, -1, UINT64_MAX, NULL, &err));
	s.put = collect;
	ok = kind->mask(&r);
	sink_free(&s);
	keyed_free(r.key);
	return ok;
}

/* Without the key, the check may find by chance that letters are those of the input. */
static void
check_peer(const struct redact_kind *kind, const struct map *in, const struct map *out, const struct redact_options *o)
{
	struct redacted told = { .names = 0 };
	struct sink s;
	struct err err;
	struct redaction r = { .in = in, .o = o, .s = &s, .result = &told, .err = &err };

	MUST(sink_begin_peer(&s, out, UINT64_MAX, NULL, &err));
	MUST(kind->mask(&r) || strstr(err.text, "value unchanged") != NULL);
	sink_free(&s);
}

static void
check_text(void *kind, const struct map *m, const struct redact_text *t)
{
	static const char *const known[] = { "45.1.1", "45.1.3", "45.1.4", "86.1.1" };
	struct str event = t->field;
	bool may = t->letters || t->text.n <= 2;
	size_t ones = 0;

	(void)m;
	/* Private digits in JSON, and in events of a program's own. */
	while (ones < t->text.n && strchr("1-0x,;", t->text.s[ones]) != NULL)
		ones++;
	may |= ones == t->text.n && str_is(t->field, "number");
	/* In damaged kernel events of unknown kinds, bytes of a text may be numbers. */
	may |= str_take(&event, STR("1.2.")) && memchr(event.s, '.', event.n) == NULL;
	/* The kernel and the machine, whose names loaders need. */
	for (size_t i = 0; kind == &redact_trace && i < NELEM(known); i++)
		may |= str_eq(t->field, str_of(known[i]));
	MUST(may);
}

static void
check_same(const struct redact_kind *kind, const struct map *out, const struct redact_options *o)
{
	struct buf once = redacted;

	redacted = BUF_INIT;
	MUST(write_redacted(kind, out, o) && redacted.n == once.n);
	for (size_t i = 0; i < once.n; i++)
		MUST(once.s[i] == redacted.s[i] || (once.s[i] >= 'a' && once.s[i] <= 'z' && redacted.s[i] >= 'a' && redacted.s[i] <= 'z'));
	buf_free(&redacted);
	redacted = once;
}

static void
check_kind(const struct redact_kind *kind, const struct map *in, const struct redact_options *o)
{
	struct map out;
	struct err err;
	uint64_t omitted;

	if (!write_redacted(kind, in, o))
		return;
	MUST(map_of_memory(&out, buf_view(&redacted), &err));
	check_peer(kind, in, &out, o);
	if (kind->is(&out)) {
		if (o->names == REDACT_HASH_ALL)
			MUST(left_list(&out, kind, check_text, (void *)(uintptr_t)kind, &omitted, NULL, &err));
		check_same(kind, &out, o);
	}
	map_close(&out);
}

TARGET(redact_trace, &mutate_proto)
{
	static const struct redact_kind *const kinds[] = { &redact_trace, &redact_meant };
	struct redact_options o = { .mode = size % 2 == 0 ? REDACT_SHAPE : REDACT_STABLE };
	struct map m;
	struct err err;

	MUST(map_of_memory(&m, (struct str){ (const char *)data, size }, &err));
	for (size_t i = 0; i < NELEM(kinds); i++)
		for (int names = 0; kinds[i]->is(&m) && names < REDACT_NAMES; names++) {
			o.names = (enum redact_names)names;
			check_kind(kinds[i], &m, &o);
		}
	buf_free(&redacted);
	redacted = BUF_INIT;
	map_close(&m);
}
