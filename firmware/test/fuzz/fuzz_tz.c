/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Any bytes as a TZ string, then the offset at hostile times. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "tz.h"

/* MOST: the largest standard offset, and the hour more of a daylight time that has none of its own. */
enum { LONGEST = 47, MOST = 25 * 3600 + 59 * 60 + 59, CHANGES = 8 };

const char *const fuzz_words[] = {
	"EST5", "EDT", "UTC0", "<+0530>", "<-03>3", "-5:30", "24:59:59", ",M3.2.0", ",M11.1.0", ",M10.5.0/3", "/167", "/-167",
	"/24:00:00", ",J60", ",J365/25", ",0/0", ",59", ",365", ":", "<", ">", NULL,
};

size_t fuzz_seed(unsigned i, uint8_t *data)
{
	static const char *const good[] = {
		"EST5EDT,M3.2.0,M11.1.0", "CET-1CEST,M3.5.0,M10.5.0/3", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "XXX3YYY2,0/0,J365/25",
		"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "XXX3YYY2,59/0,299/0", "EST5EDT",
	};

	if (i >= sizeof(good) / sizeof(good[0]))
		return 0;
	memcpy(data, good[i], strlen(good[i]));
	return strlen(good[i]);
}

static int32_t checked(const struct tz *tz, uint32_t utc, uint32_t *next)
{
	int32_t offset = tz_offset(tz, utc, next);

	if (offset < -MOST || offset > MOST || (*next <= utc && utc != UINT32_MAX))
		abort();
	return offset;
}

/* It is the same until next: looked at in a few places. */
static void until_next(const struct tz *tz, uint32_t utc)
{
	uint32_t next, other, span;
	int32_t offset;

	for (unsigned i = 0; i < CHANGES && utc != UINT32_MAX; i++, utc = next) {
		offset = checked(tz, utc, &next);
		span = next - utc;
		if (checked(tz, utc + span / 3, &other) != offset || checked(tz, utc + span / 3 * 2, &other) != offset ||
		    checked(tz, next - 1, &other) != offset)
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const uint32_t hostile[] = {
		0, 1, 86399, 951782400, 0x7fffffff, 0x80000000, 4107542400U, 4294000000U, UINT32_MAX,
	};
	char text[LONGEST + 1];
	struct tz tz;
	uint32_t next;

	if (size > LONGEST)
		size = LONGEST;
	memcpy(text, data, size);
	text[size] = '\0';
	if (!tz_parse(text, &tz) && (tz.has_dst || checked(&tz, 0, &next) != 0))
		abort();
	for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		checked(&tz, hostile[i], &next);
		until_next(&tz, hostile[i]);
	}
	return 0;
}
