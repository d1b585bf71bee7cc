/* The server list: words of conf.server, and what each server said to being asked. */
#include "servers.h"

#include <string.h>

#include "conf.h"
#include "hal.h"

enum { SERVERS = 2, SLOWER_MAX = 16 };

/* Times of 65536 ms */
#define NOW ((uint16_t)(hal_ms() >> 16))
#define OUT ((uint16_t)(24 * 3600000UL >> 16) + 1)

#define LONGEST (36 * 3600UL)

struct server {
	uint32_t ip;
	uint16_t refused;	/* when it sent DENY or RSTR */
	uint8_t slower;		/* times it sent RATE */
	bool out;		/* since refused */
};
static struct server servers[SERVERS];
static uint8_t servers_index;

static bool is_end(char c)
{
	return c == '\0' || c == ' ';
}

/* Server i's name, NULL: there is no such server. */
static const char *find(uint8_t i)
{
	const char *p = conf.server;

	for (;;) {
		while (*p == ' ')
			p++;
		if (*p == '\0')
			return NULL;
		if (i-- == 0)
			return p;
		while (!is_end(*p))
			p++;
	}
}

static struct server *now(void)
{
	return &servers[servers_index];
}

void servers_init(void)
{
	memset(servers, 0, sizeof servers);
	servers_index = 0;
}

/* Two names of one machine are one server: it is no second opinion on itself. */
static bool same(void)
{
	return servers[0].ip == servers[1].ip;
}

uint8_t servers_now(void)
{
	return same() ? 0 : servers_index;
}

static bool usable(uint8_t i)
{
	struct server *server = &servers[i];

	if (server->out && (uint16_t)(NOW - server->refused) >= OUT)
		server->out = false;
	return !server->out && find(i) != NULL;
}

uint8_t servers_usable(void)
{
	uint8_t count = usable(0);

	if (usable(1) && !(count == 1 && same()))
		count++;
	return count;
}

bool servers_other(void)
{
	if (!usable(servers_index ^ 1))
		return false;
	servers_index ^= 1;
	return true;
}

bool servers_choose(void)
{
	return usable(servers_index) || servers_other();
}

bool servers_listed(void)
{
	return find(0) != NULL;
}

uint32_t servers_dotted(void)
{
	const char *p = find(servers_index);
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
	const char *p = find(servers_index);

	if (p == NULL)
		return '\0';
	for (; i > 0 && !is_end(*p); i--)
		p++;
	return is_end(*p) ? '\0' : *p;
}

void servers_found(uint32_t ip)
{
	now()->ip = ip;
}

uint32_t servers_ip(void)
{
	return now()->ip;
}

void servers_refuse(void)
{
	now()->out = true;
	now()->refused = NOW;
}

void servers_slow(void)
{
	if (now()->slower < SLOWER_MAX)
		now()->slower++;
}

uint32_t servers_interval(uint32_t seconds)
{
	for (uint8_t i = now()->slower; i > 0 && seconds < LONGEST; i--)
		seconds *= 2;
	return seconds < LONGEST ? seconds : LONGEST;
}
