/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * messages: what the fields of packets hold, for code that rewrites packets.
 */
#include "config.h"

#include <assert.h>

#include "icecore/perfetto.h"
#include "kinds.h"
#include "messages.h"

enum {
	IN_OTHER, IN_PACKET, IN_ZSTD,
#define ROW(name) IN_##name,
	PERFETTO_MESSAGES(ROW)
#undef ROW
};
static_assert(IN_PACKET == (int)PERFETTO_PACKET && IN_ZSTD == (int)PERFETTO_ZSTD &&
    IN_KERNEL_EVENT == (int)PERFETTO_KERNEL_EVENT, "numbers of messages");

/* Kinds of fields that hold nothing of a text. */
enum { HOLDS_NONE, HOLDS_U64 = 0, HOLDS_I64 = 0, HOLDS_REAL = 0, HOLDS_REAL_4 = 0, HOLDS_FLAG = 0,
    HOLDS_UNREAD = 0 };
#define HOLDS_OF(message) HOLDS_MESSAGE, IN_##message
#define HOLDS_EACH HOLDS_OF
#define HOLDS_AS(holds, kind) HOLDS_##holds

#define ROW(number, member, kind) [number] = { HOLDS_##kind },
#define MESSAGE(name) static const struct perfetto_field fields_##name[] = { FIELDS_##name(ROW) };
PERFETTO_MESSAGES(MESSAGE)
#undef ROW
#undef MESSAGE

static const struct perfetto_field fields_PACKET[] = {
	[PKT_INTERNED] = { HOLDS_OF(INTERNED) },
	    [PKT_DEFAULTS] = { HOLDS_OF(DEFAULTS) },
	[PKT_ZSTD] = { HOLDS_UNKNOWN, IN_ZSTD },
#define ROW(number, ID, name, when, rows, play, kept, holds) [number] = { HOLDS_##holds },
	PF_READ(ROW)
#undef ROW
};

static const struct { const struct perfetto_field *field; size_t n; } messages[] = {
	[IN_PACKET] = { fields_PACKET, NELEM(fields_PACKET) },
#define ROW(name) [IN_##name] = { fields_##name, NELEM(fields_##name) },
	PERFETTO_MESSAGES(ROW)
#undef ROW
};

struct perfetto_field
perfetto_field(unsigned message, uint64_t number)
{
	assert(message < NELEM(messages));
	return number < messages[message].n ? messages[message].field[number] :
	    (struct perfetto_field){ HOLDS_UNKNOWN, PERFETTO_OTHER };
}
