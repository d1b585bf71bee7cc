/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * inspect_rows: what rows of the table of inspectors say of an object: the fields that decide whether it has
 * ended, and the parts of its label.
 */
#include "config.h"

#include <inttypes.h>

#include "inspect.h"

static uint32_t
inspect_rows_part_of(struct inspector *in, uint32_t object, const struct inspect_part *part)
{
	for (size_t i = 0; i < NELEM(part->path) && part->path[i].name != NULL; i++)
		object = field_object(in, object, part->path[i]);
	return object;
}

/* Return 1 for yes, 0 for no; -1: unknown. */
static int
ask_part(struct inspector *in, uint32_t object, const struct inspect_part *part)
{
	uint32_t of = inspect_rows_part_of(in, object, part);
	int64_t n;

	switch (part->how) {
	case PART_FLAG:
		return field_flag(in, of, part->field);
	case PART_REF:
		return field_ref(in, of, part->field);
	case PART_NUMBER:
		return field_number(in, of, part->field, &n) ? n != 0 : -1;
	case PART_EQUALS:
		return field_number(in, of, part->field, &n) ? n == part->value : -1;
	case PART_ALWAYS:
		return 1;
	case PART_DESTROYED:
		return inspect_destroyed(in, part->field.name == NULL ? of : field_object(in, of,
		    part->field));
	default:
		return -1;
	}
}

/* Return the text of the answer; NULL: none.  *end: the parts behind this one do not count. */
static const char *
part_says(struct inspector *in, uint32_t object, const struct inspect_part *part, int *answer, bool *end)
{
	*answer = ask_part(in, object, part);
	*end = part->gate == GATE_YES ? *answer != 1 : part->gate == GATE_NOT_NO && *answer == 0;
	return *answer == 1 ? part->yes : *answer == 0 ? part->no : NULL;
}

/* Append a part whose text is what the field has. */
static void
label_part(struct inspector *in, uint32_t object, const struct inspect_part *part, struct buf *b)
{
	uint32_t of = inspect_rows_part_of(in, object, part);
	int64_t n;

	if (part->how == PART_TEXT)
		label_text(in, of, part->field, part->yes, b);
	else if (part->how == PART_OBJECT)
		label_object(in, field_object(in, of, part->field), part->yes, b);
	else if (part->how == PART_VALUE && field_number(in, of, part->field, &n)) {
		label_sep(b);
		buf_printf(b, "%s %" PRId64, part->yes, n);
	}
}

void
label_parts(struct inspector *in, uint32_t object, const struct inspect_part *part, struct buf *b)
{
	const char *said;
	bool end = false;
	int answer;

	for (; part->how != PART_NONE && !end; part++) {
		label_part(in, object, part, b);
		said = part_says(in, object, part, &answer, &end);
		if (said == NULL)
			continue;
		label_sep(b);
		buf_text(b, said);
	}
}

void
inspect_flags(struct inspector *in, uint32_t object, const struct inspect_flags *flags, struct verdict *v)
{
	const struct inspect_part *flag = flags->flag;
	const char *said;
	bool end = false;
	int answer;

	for (; flag->how != PART_NONE && v->mark == LEAK_UNKNOWN && !end; flag++) {
		said = part_says(in, object, flag, &answer, &end);
		if (said != NULL && (answer == 1) != flag->alive)
			verdict_yes(v, flags->kind, said);
		else if (said != NULL)
			verdict_not(v, said);
	}
}

bool
inspect_part_number(const struct inspect_part *part, size_t *i, struct kept_field *f)
{
	for (; part != NULL && part->how != PART_NONE; part++)
		if (part->how >= PART_FLAG && part->field.class != NULL &&
		    (*i)-- == 0) {
			*f = (struct kept_field){ .class = part->field.class, .name = part->field.name };
			return true;
		}
	return false;
}
