/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The server list: words of conf.server, their addresses, and what each address said to being asked. */
#include "servers.h"

#include <string.h>

#include "conf.h"
#include "hal.h"
#include "vote.h"

/* Times of 65536 ms */
#define NOW ((uint16_t)(hal_ms() >> 16))
#define UNITS(seconds) ((uint16_t)((seconds) * 1000UL >> 16) + 2)	/* no less than so many */
#define OUT UNITS(24 * 3600UL)
#define SLOWEST UNITS(18 * 3600UL)	/* a day without an answer is shown on the tubes: its cause must not be this pause */

enum { HELD = 6 };

/* An address that said that it is asked too often. */
struct held {
	uint32_t ip;
	uint16_t since, span;
	bool over;		/* may be asked; span is kept for its next RATE, as long as nobody else needs the room */
};

static struct servers {
	uint32_t ip[VOTES];	/* of each place in the round: found in this one or an earlier */
	struct held held[HELD];
	uint8_t place;
} servers;

static bool is_end(char c)
{
	return c == '\0' || c == ' ';
}

/* The name of the round's place: when the list is over it begins again.  NULL: there is none. */
static const char *find(uint8_t *first)
{
	const char *p = conf.server;
	uint8_t i = servers.place;

	*first = true;
	for (;;) {
		while (*p == ' ')
			p++;
		if (*p == '\0') {
			if (i == servers.place)
				return NULL;
			*first = false;
			p = conf.server;
			continue;
		}
		if (i-- == 0)
			return p;
		while (!is_end(*p))
			p++;
	}
}

void servers_init(void)
{
	memset(&servers, 0, sizeof servers);
}

void servers_begin(void)
{
	servers.place = 0;
}

bool servers_next(void)
{
	return ++servers.place < VOTES;
}

bool servers_first(void)
{
	uint8_t first;

	find(&first);
	return first;
}

bool servers_listed(void)
{
	uint8_t first;

	return find(&first) != NULL;
}

uint32_t servers_dotted(void)
{
	uint8_t first;
	const char *p = find(&first);
	uint8_t dots = 0, digits = 0;
	uint16_t part = 0;
	uint32_t ip = 0;

	for (; p != NULL; p++) {
		uint8_t digit = (uint8_t)(*p - '0');

		if (digit <= 9) {
			part = part * 10 + digit;
			if (++digits > 3 || part > 255)
				return 0;
			continue;
		}
		if (digits == 0)
			return 0;
		ip = ip >> 8 | (uint32_t)part << 24;
		part = digits = 0;
		if (*p != '.')
			return dots == 3 && is_end(*p) ? ip : 0;
		dots++;
	}
	return 0;
}

char servers_name(uint8_t i)
{
	uint8_t first;
	const char *p = find(&first);

	if (p == NULL)
		return '\0';
	for (; i > 0 && !is_end(*p); i--)
		p++;
	return is_end(*p) ? '\0' : *p;
}

uint32_t servers_ip(void)
{
	return servers.ip[servers.place];
}

/*
 * Returns the entry of the address.  If the address has no entry, returns one
 * that can be overwritten; NULL: machines that still want to be left alone hold
 * all entries.  Marks the entries before it that are over, so that none lasts
 * until the time wraps.
 */
static struct held *held(void)
{
	struct held *found = NULL;
	uint32_t ip = servers_ip();

	for (struct held *h = servers.held; h < servers.held + HELD; h++) {
		if ((uint16_t)(NOW - h->since) >= h->span)
			h->over = true;
		if (h->ip == ip)
			return h;
		if (h->over)
			found = h;
	}
	return found;
}

static void hold(uint16_t span)
{
	struct held *h = held();

	if (h == NULL)
		return;
	h->ip = servers_ip();
	h->since = NOW;
	h->span = span;
	h->over = false;
}

enum servers_found servers_found(uint32_t ip)
{
	struct servers *s = VIA(servers);
	struct held *h;

	if (ip == 0)
		ip = s->ip[s->place];
	if (ip == 0)
		return SERVERS_NONE;
	s->ip[s->place] = ip;
	for (uint8_t i = 0; i < s->place; i++)
		if (s->ip[i] == ip)
			return SERVERS_AGAIN;
	h = held();
	return h != NULL && h->over ? SERVERS_ASK : SERVERS_HELD;
}

static uint16_t span_now(void)
{
	const struct held *h = held();

	return h != NULL && h->ip == servers_ip() ? h->span : 0;
}

void servers_refused(void)
{
	hold(OUT);
}

void servers_slower(uint16_t seconds)
{
	uint16_t span = span_now(), least = UNITS(seconds);

	if (span < least)
		span = least;
	hold(span < SLOWEST / 2 ? span * 2 : SLOWEST);
}

void servers_good(void)
{
	uint16_t span = span_now();

	if (span > 0)
		hold(span > SLOWEST ? 0 : span / 2);
}
