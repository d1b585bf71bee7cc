/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * passed_over: packets and kernel events that icecore does not show, counted by kind.
 */
#include "config.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "perfetto.h"

static bool
passed_over_is_read(uint64_t number)
{
	const struct pf_kind *kind = pf_kind(number);

	return kind != NULL && kind->when != PF_UNREAD;
}

/* The name of a kind of packets, or its number. */
static struct str
packet_name(uint64_t number, char *text, size_t size)
{
	const struct pf_kind *kind = pf_kind(number);

	return kind != NULL && kind->name != NULL ? str_of(kind->name) :
	    (struct str){ text, (size_t)snprintf(text, size, "%" PRIu64, number) };
}

void
pf_skip_packet(struct perfetto *p, uint64_t number)
{
	unread_add_number(&p->unread, UNREAD_PACKET, number, 1);
}

void
pf_skip_event(struct perfetto *p, uint32_t kind)
{
	if (kind < KERNEL_KINDS)
		p->events[kind]++;
	else
		unread_add_number(&p->unread, UNREAD_KERNEL, kind, 1);
}

bool
pf_unread_facts(struct perfetto *p, struct err *err)
{
	struct unread *u = &p->unread;
	char text[24];

	for (unsigned i = 0; i < PF_PACKETS; i++)
		if (p->packets[i] > 0 && !passed_over_is_read(i))
			unread_add(u, UNREAD_PACKET, packet_name(i, text, sizeof text), p->packets[i]);
	unread_add_letters(u, p->phases);
	for (uint32_t i = 0; i < KERNEL_KINDS; i++)
		if (p->events[i] > 0 && kernel_event_name(i) != NULL)
			unread_add(u, UNREAD_KERNEL, str_of(kernel_event_name(i)), p->events[i]);
		else if (p->events[i] > 0)
			unread_add_number(u, UNREAD_KERNEL, i, p->events[i]);
	return unread_facts(u, p->l->st, err);
}

bool
pf_nothing(const struct perfetto *p, struct err *err)
{
	char text[256] = "", number[24];
	struct str name;
	size_t n = 0;
	bool unread = false;

	if (p->npackets == 0)
		return fail(err, E_UNREADABLE, "no packets in this trace");
	if (p->packets[PKT_ZSTD] > 0)
		return fail_for(err, REASON_UNREAD, E_UNREADABLE, ERR_NOWHERE,
		    "packets of this trace are compressed by zstd, and icecore was built without libzstd; "
		    "record without compression");
	/* Packets that are not read are the best explanation of a trace without events. */
	for (unsigned i = 0; i < PF_PACKETS; i++)
		unread = unread || (p->packets[i] > 0 && !passed_over_is_read(i));
	for (unsigned i = 0; i < PF_PACKETS && n < sizeof text - 112; i++) {
		if (p->packets[i] == 0 || (unread && passed_over_is_read(i)))
			continue;
		name = packet_name(i, number, sizeof number);
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%llu of %.*s", n == 0 ? "" : ", ",
		    (unsigned long long)p->packets[i], (int)name.n, name.s);
	}
	return n == 0 ? fail(err, E_UNREADABLE, "no events in this trace that icecore reads") :
	    fail_for(err, REASON_UNREAD, E_UNREADABLE, ERR_NOWHERE,
	    "no events in this trace that icecore reads; %spackets: %s", unread ? "unread " : "", text);
}
