/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * slot_text: values of slots as text.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heap.h"

/* The shortest digits, two at least, that read back as the same number: "d.ddde-dd". */
static void
slot_text_shortest(double v, bool single, char *text, size_t size)
{
	for (int digits = 1; digits < 17; digits++) {
		snprintf(text, size, "%.*e", digits, v);
		if (single ? strtof(text, NULL) == (float)v : strtod(text, NULL) == v)
			return;
	}
}

/* Digits and exponent as Java writes them: plain from 0.001 up to ten million, else 1.5E10. */
static void
slot_text_add_digits(const char *text, struct buf *b)
{
	const char *e = strchr(text, 'e');
	int exponent = e == NULL ? 0 : atoi(e + 1);
	char digit[24];
	int n = 0;

	for (; text < e && n < (int)sizeof digit; text++)
		if (*text != '.')
			digit[n++] = *text;
	assert(n > 0);
	while (n > 2 && digit[n - 1] == '0')
		n--;
	if (exponent < -3 || exponent >= 7) {
		buf_printf(b, "%c.%.*sE%d", digit[0], n - 1, digit + 1, exponent);
		return;
	}
	if (exponent < 0)
		buf_text(b, "0.");
	for (int i = exponent + 1; i < 0; i++)
		buf_chr(b, '0');
	/* 1.0 has the digits 10: keep a trailing 0 only as the first digit after the point. */
	while (n > 1 && exponent < 0 && digit[n - 1] == '0')
		n--;
	for (int i = 0; i < n || i < exponent + 2; i++) {
		if (i == exponent + 1 && exponent >= 0)
			buf_chr(b, '.');
		buf_chr(b, i < n ? digit[i] : '0');
	}
}

static void
slot_text_add_real(double v, bool single, struct buf *b)
{
	char text[40];

	if (isnan(v)) {
		buf_text(b, "NaN");
		return;
	}
	if (signbit(v))
		buf_chr(b, '-');
	v = fabs(v);
	if (isinf(v)) {
		buf_text(b, "Infinity");
	} else if (v == 0) {
		buf_text(b, "0.0");
	} else {
		slot_text_shortest(v, single, text, sizeof text);
		slot_text_add_digits(text, b);
	}
}

void
heap_value(const struct heap_slot *slot, struct buf *b)
{
	uint32_t bits = (uint32_t)slot->bits;
	double d;
	float f;

	switch (slot->type) {
	case HEAP_BOOLEAN:
		buf_text(b, bits != 0 ? "true" : "false");
		break;
	case HEAP_CHAR:
		code_add(bits, b);
		break;
	case HEAP_FLOAT:
		memcpy(&f, &bits, sizeof f);
		slot_text_add_real((double)f, true, b);
		break;
	case HEAP_DOUBLE:
		memcpy(&d, &slot->bits, sizeof d);
		slot_text_add_real(d, false, b);
		break;
	case HEAP_BYTE:
		buf_printf(b, "%d", (int)(int8_t)bits);
		break;
	case HEAP_SHORT:
		buf_printf(b, "%d", (int)(int16_t)bits);
		break;
	case HEAP_INT:
		buf_printf(b, "%" PRId32, (int32_t)bits);
		break;
	case HEAP_LONG:
		buf_printf(b, "%" PRId64, (int64_t)slot->bits);
		break;
	}
}
