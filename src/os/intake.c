/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * intake: write data of unknown length to a file.
 */
#include "config.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "icecore/chunk.h"
#include "icecore/limits.h"
#include "icecore/policy.h"

#define ALLOWED ((uint64_t)64 << 30)
#define DRAIN_WAIT 100		/* ms */
#define DRAIN_CHUNK CHUNK_OF(65536)

/* An option, set before threads are started. */
static uint64_t allowed = ALLOWED;

void
intake_allow(uint64_t bytes)
{
	allowed = policy_least(policy_now()->unpacked, bytes);
}

uint64_t
intake_allowed(void)
{
	return policy_least(policy_now()->unpacked, allowed);
}

bool
fail_allowed(struct err *err, bool pipe)
{
	char size[NUM_TEXT];

	num_show_size(size, sizeof size, intake_allowed());
	return fail_for(err, REASON_LIMIT, E_UNREADABLE, ERR_NOWHERE, "%s more than %s%s",
	    pipe ? "gives" : "unpacks to", size,
	    intake_allowed() == policy_now()->unpacked ? ", the limit of " POLICY_FILE :
	    "; to allow more, use --unpacked SIZE");
}

/* Called before each INTAKE_LOOK bytes. */
static bool
intake_look(const struct intake *in, struct err *err)
{
	struct map m;
	bool ok;

	if (in->known == NULL || (in->n != INTAKE_LOOK && in->n != INTAKE_LAST))
		return space_ask(in->fd, INTAKE_LOOK, err);
	if (!map_regular(&m, in->fd, err))
		return false;
	ok = in->known->ok(&m, in->known->arg, err);
	map_close(&m);
	return ok && space_ask(in->fd, INTAKE_LOOK, err);
}

bool
intake_put(struct intake *in, const void *data, size_t size, struct err *err)
{
	const uint8_t *from = data;
	uint64_t room, left;
	size_t n;

	for (; size > 0; from += n, size -= n, in->n += n) {
		left = in->most - in->n;
		if (left == 0)
			return fail_allowed(err, false);
		if (in->n % INTAKE_LOOK == 0 && !intake_look(in, err))
			return false;
		room = INTAKE_LOOK - in->n % INTAKE_LOOK;
		room = room < left ? room : left;
		n = size < room ? size : (size_t)room;
		if (!fd_write_all(in->fd, from, n, err))
			return false;
	}
	return true;
}

bool
intake_drain(struct intake *in, int from, struct work *w, struct err *err)
{
	char chunk[DRAIN_CHUNK];
	struct pollfd p = { .fd = from, .events = POLLIN };
	ssize_t n = 1;

	while (n != 0) {
		if (!work_go(w, in->n, err))
			return false;
		if (poll(&p, 1, DRAIN_WAIT) <= 0) {
			work_waited();
			continue;
		}
		n = read(from, chunk, sizeof chunk);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n < 0)
			return fail(err, E_SYSTEM, "cannot read: %s", strerror(errno));
		if (!intake_put(in, chunk, (size_t)n, err))
			return false;
	}
	return true;
}
