/*
 * skipped: what a trace has that icecore does not show, counted by kind, as facts that 'info' lists.
 */
#include "config.h"

#include <stdio.h>
#include <string.h>

#include "ftrace.h"

/* Packets of no known kind, by their field of TracePacket. */
void
pf_skip_packet(struct perfetto *p, uint64_t number)
{
	struct pf_skipped *s = p->skipped;

	for (unsigned i = 0; i < PF_SKIPPED; i++, s++)
		if (s->number == number || s->n == 0) {
			s->number = number;
			s->n++;
			return;
		}
	p->more_packets++;
}

void
pf_skip_event(struct perfetto *p, uint32_t kind)
{
	p->skipped_ftrace++;
	if (kind < PF_EVENT_KINDS)
		p->events[kind]++;
}

static bool
skipped_events(struct perfetto *p, struct err *err)
{
	char name[80];

	for (uint32_t i = 0; i < PF_EVENT_KINDS; i++) {
		if (p->events[i] == 0)
			continue;
		if (pf_event_name(i) != NULL)
			snprintf(name, sizeof name, "skipped.kernel.%s", pf_event_name(i));
		else
			snprintf(name, sizeof name, "skipped.kernel.%u", (unsigned)i);
		if (!store_fact(p->l->st, name, FACT_COUNT, p->events[i], err))
			return false;
	}
	return true;
}

bool
pf_skipped_facts(struct perfetto *p, struct err *err)
{
	char name[80];

	for (unsigned i = 0; i < PF_PACKETS; i++) {
		if (p->packets[i] == 0 || pf_packet_read(i) || i == PKT_ZLIB)
			continue;
		pf_packet_name(i, name, sizeof name);
		if (!store_fact(p->l->st, name, FACT_COUNT, p->packets[i], err))
			return false;
	}
	for (unsigned i = 0; i < PF_SKIPPED && p->skipped[i].n > 0; i++) {
		snprintf(name, sizeof name, "skipped.packet_%llu", (unsigned long long)p->skipped[i].number);
		if (!store_fact(p->l->st, name, FACT_COUNT, p->skipped[i].n, err))
			return false;
	}
	snprintf(name, sizeof name, "skipped.packet_others");
	return (p->more_packets == 0 || store_fact(p->l->st, name, FACT_COUNT, p->more_packets, err)) && skipped_events(p, err);
}

bool
pf_nothing(const struct perfetto *p, struct err *err)
{
	char text[256] = "", name[80];
	size_t n = 0;
	bool unread = false;

	if (p->npackets == 0)
		return fail(err, E_UNREADABLE, "no packets in this trace");
	if (p->packets[PKT_HEAP_GRAPH] > 0)
		return fail(err, E_UNREADABLE, "only Java heap dumps (heap_graph) in this trace; icecore does not open these yet");
	if (p->packets[PKT_ZSTD] > 0)
		return fail(err, E_UNREADABLE, "packets of this trace are compressed by zstd, which icecore does not support; record without compression");
	/* Those that are not read explain it best. */
	for (unsigned i = 0; i < PF_PACKETS; i++)
		unread = unread || (p->packets[i] > 0 && !pf_packet_read(i) && i != PKT_ZLIB);
	for (unsigned i = 0; i < PF_PACKETS && n < sizeof text - sizeof name - 32; i++) {
		if (p->packets[i] == 0 || (unread && pf_packet_read(i)) || i == PKT_ZLIB)
			continue;
		pf_packet_name(i, name, sizeof name);
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%llu of %s", n == 0 ? "" : ", ", (unsigned long long)p->packets[i],
		    strchr(name, '.') + 1);
	}
	return n == 0 ? fail(err, E_UNREADABLE, "no events in this trace that icecore reads") :
	    fail(err, E_UNREADABLE, "no events in this trace that icecore reads; %spackets: %s", unread ? "unread " : "", text);
}
