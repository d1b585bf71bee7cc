/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * teller: report the next bytes of a recording.
 */
#include "config.h"

#include <assert.h>

#include "teller.h"

/* Bytes before a part that were not reported are form. */
void
jfr_tell_part(struct teller *t, uint64_t at, uint64_t end, enum meaning means, bool packed, const char *path)
{
	struct meant_part form = { t->at, at - t->at, MEANT_FORM, false, "" },
	    part = { at, end - at, means, packed, path };

	assert(t->at <= at && at <= end && end <= t->c.size);
	t->at = end;
	INTO(&t->to, (form.n == 0 || t->take(t->arg, &form, t->to.err)) &&
	    (part.n == 0 || t->take(t->arg, &part, t->to.err)));
}

void
jfr_tell_lost(struct teller *t, const uint8_t *from, const uint8_t *end)
{
	t->lost += (uint64_t)(end - from);
	jfr_tell_part(t, (uint64_t)(from - t->c.data), (uint64_t)(end - t->c.data), MEANT_NUMBER, false, "");
}

void
jfr_tell_text(struct teller *t, const struct jfr_text *text, const struct jfr_meaning *rule, const char *path)
{
	uint64_t at = (uint64_t)(text->body.at - t->c.data), end = (uint64_t)(text->body.end - t->c.data);
	bool packed = false;

	if (rule->means == MEANT_FORM || at == end)
		return;
	if (rule->form != NULL) {
		buf_clear(&t->text);
		jfr_text_add(text, &t->text);
		if (!t->text.bad && rule->form(buf_view(&t->text)))
			return;
	}
	/* Letters of ASCII are one byte each in all encodings. */
	for (uint64_t i = at; text->kind == TEXT_UTF16 && i < end; i++)
		packed |= t->c.data[i] > 127;
	jfr_tell_part(t, at, end, rule->means, packed, path);
}

struct str
jfr_told_type(const struct teller *t, uint32_t row)
{
	return row == UINT32_MAX ? STR("") : jfr_word(&t->c, jfr_type(&t->c, row)->name);
}
