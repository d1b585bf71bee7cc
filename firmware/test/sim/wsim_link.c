/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The WiFi module's model: the access point, DHCP and DNS behind it. */
#include <string.h>
#include <strings.h>

#include "wsim_in.h"

enum { CONNECT_BYTES = 108, SECURITY = 65, CHANNEL = 68, SSID = 70, STORE = 103 };
enum { OPEN = 1, WPA = 2, NOT_FOUND = 1, NOT_JOINED = 2, NOT_AUTHENTICATED = 3, IN_PROGRESS = 5 };

void wsim_link_reset(struct wsim *wifi)
{
	struct wsim_link *link = &wifi->link;

	memset(link, 0, sizeof *link);
	link->join_at = link->dhcp_at = link->renew_at = WSIM_IDLE;
	for (unsigned i = 0; i < WSIM_NAMES; i++)
		wifi->name[i].at = WSIM_IDLE;
}

bool wsim_joined(const struct wsim *wifi)
{
	return wifi->link.state >= LINK_UP;
}

static void link_event(struct wsim *wifi, uint8_t state, uint8_t error)
{
	const uint8_t payload[4] = { state, error, 0, 0 };

	wsim_event(wifi, 1, 0x2c, payload, sizeof payload);
}

static void link_off(struct wsim *wifi, uint8_t error)
{
	bool told = wifi->link.told;

	wsim_link_reset(wifi);
	wifi->link.told = told;
	wsim_sockets_die(wifi);
	link_event(wifi, 0, error);
}

void wsim_drop(struct wsim *wifi)
{
	if (wifi->link.state != LINK_OFF)
		link_off(wifi, 0);
}

static bool all_zero(const uint8_t *p, unsigned count)
{
	while (count && !*p) {
		p++;
		count--;
	}
	return !count;
}

static bool hex_key(const uint8_t *key)
{
	for (unsigned i = 0; i < 64; i++)
		if (!strchr("0123456789abcdefABCDEF", key[i]) || !key[i])
			return false;
	return true;
}

/* Text with its NUL and nothing behind it. */
static bool is_text(const uint8_t *p, unsigned room)
{
	unsigned length = (unsigned)strnlen((const char *)p, room);

	return length < room && all_zero(p + length, room - length);
}

static void check_pass(struct wsim *wifi, const uint8_t *c)
{
	unsigned length = (unsigned)strnlen((const char *)c, SECURITY);

	if (!is_text(c, SECURITY))
		wsim_error(wifi, "connect: pass phrase without NUL or with bytes behind it");
	else if (c[SECURITY] == OPEN && length)
		wsim_error(wifi, "connect: pass phrase for an open network");
	else if (c[SECURITY] == WPA && (length < 8 || (length == 64 && !hex_key(c))))
		wsim_error(wifi, "connect: pass phrase of the wrong length or no hex key");
}

static void check_connect(struct wsim *wifi, const uint8_t *c)
{
	uint16_t channel = wsim_get16(c + CHANNEL);

	check_pass(wifi, c);
	if (c[SECURITY] < OPEN || c[SECURITY] > 4)
		wsim_error(wifi, "connect: no such security");
	if (channel != 255 && (channel < 1 || channel > 14))
		wsim_error(wifi, "connect: no such channel");
	if (!c[SSID] || !is_text(c + SSID, STORE - SSID))
		wsim_error(wifi, "connect: SSID empty, without NUL or with bytes behind it");
	if (c[STORE] != 1)
		wsim_error(wifi, "connect: credentials would be stored in the module's flash");
	if (c[66] || c[67] || !all_zero(c + 104, 4))
		wsim_error(wifi, "connect: reserved bytes are not 0");
}

void wsim_connect(struct wsim *wifi, const uint8_t *payload, uint16_t size)
{
	struct wsim_link *link = &wifi->link;

	(void)size;
	check_connect(wifi, payload);
	if (link->state == LINK_JOINING) {
		link_event(wifi, 0, IN_PROGRESS);
		return;
	}
	wsim_sockets_die(wifi);
	wsim_link_reset(wifi);
	memcpy(link->connect, payload, CONNECT_BYTES);
	link->state = LINK_JOINING;
	link->join_at = wsim_after(wifi, wifi->script.join_ms);
}

void wsim_disconnect(struct wsim *wifi, const uint8_t *payload, uint16_t size)
{
	(void)payload;
	(void)size;
	wsim_drop(wifi);
}

/* The error of opcode 44, 0: joined. */
static uint8_t join_result(const struct wsim *wifi)
{
	const struct wsim_script *script = &wifi->script;
	const uint8_t *c = wifi->link.connect;
	bool open = !script->pass[0];

	if (script->join_error)
		return script->join_error;
	if (!script->ssid[0] || strncmp((const char *)c + SSID, script->ssid, STORE - SSID))
		return NOT_FOUND;
	if (open)
		return c[SECURITY] == OPEN ? 0 : NOT_JOINED;
	if (c[SECURITY] != WPA)
		return NOT_JOINED;
	bool key = strlen(script->pass) == 64;
	int differs = key ? strncasecmp((const char *)c, script->pass, 64) : strncmp((const char *)c, script->pass, SECURITY);
	return differs ? NOT_AUTHENTICATED : 0;
}

static void join(struct wsim *wifi)
{
	struct wsim_link *link = &wifi->link;
	uint8_t error = join_result(wifi);

	link->join_at = WSIM_IDLE;
	if (error) {
		link_off(wifi, error);
		return;
	}
	link->state = LINK_UP;
	link->dhcp_at = wsim_after(wifi, wifi->script.dhcp_ms);
	link_event(wifi, 1, 0);
}

void wsim_renew(struct wsim *wifi)
{
	const struct wsim_script *script = &wifi->script;
	struct wsim_link *link = &wifi->link;
	uint8_t payload[20];

	if (link->state < LINK_UP)
		return;
	link->dhcp_at = WSIM_IDLE;
	link->state = LINK_ADDRESS;
	link->renew_at = script->lease ? wifi->cycle + 500 * WSIM_MS * script->lease : WSIM_IDLE;
	wsim_put32(payload, script->our_ip);
	wsim_put32(payload + 4, (script->our_ip & 0xffffff) | 1u << 24);
	wsim_put32(payload + 8, (script->our_ip & 0xffffff) | 53u << 24);
	wsim_put32(payload + 12, 0xffffff);
	wsim_put32(payload + 16, script->lease);
	bool old = script->version[0] < 19 || (script->version[0] == 19 && script->version[1] < 5);
	wsim_event(wifi, 1, 0x32, payload, old ? 16 : 20);
}

static void dhcp(struct wsim *wifi)
{
	wifi->link.dhcp_at = WSIM_IDLE;
	if (!wifi->script.dhcp_fails) {
		wsim_renew(wifi);
		return;
	}
	wsim_event(wifi, 1, 0x3d, NULL, 0);
	link_off(wifi, 0);
}

void wsim_resolve(struct wsim *wifi, const uint8_t *payload, uint16_t size)
{
	unsigned length = (unsigned)strnlen((const char *)payload, size);

	if (!length || size > 64 || length + 1 != size) {
		wsim_error(wifi, "DNS: no name with one NUL at its end, 64 bytes at most");
		return;
	}
	if (!wifi->link.told)
		wsim_error(wifi, "DNS question without an address of our own");
	if (wifi->link.state != LINK_ADDRESS)
		return;
	for (unsigned i = 0; i < WSIM_NAMES; i++) {
		struct wsim_name *name = &wifi->name[i];

		if (name->at != WSIM_IDLE)
			continue;
		name->at = wsim_after(wifi, wifi->script.dns_ms);
		memset(name->name, 0, sizeof name->name);
		memcpy(name->name, payload, size);
		return;
	}
}

static void answer_name(struct wsim *wifi, const char *name)
{
	const struct wsim_script *script = &wifi->script;
	uint8_t payload[68];
	uint32_t ip[WSIM_HOSTS], known = 0, none = 0;

	for (unsigned i = 0; i < WSIM_HOSTS && !script->dns_fails; i++)
		if (script->host[i].name[0] && !strcasecmp(script->host[i].name, name))
			ip[known++] = script->host[i].ip;
	memcpy(payload, name, 64);
	wsim_put32(payload + 64, known > 0 ? ip[wifi->link.names++ % known] : none);
	wsim_event(wifi, 2, 0x4a, payload, sizeof payload);
}

WSIM_LEAN static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

WSIM_LEAN uint64_t wsim_link_tick(struct wsim *wifi)
{
	struct wsim_link *link = &wifi->link;

	if (wifi->cycle >= link->join_at)
		join(wifi);
	if (wifi->cycle >= link->dhcp_at)
		dhcp(wifi);
	if (wifi->cycle >= link->renew_at)
		wsim_renew(wifi);
	uint64_t due = earlier(link->join_at, earlier(link->dhcp_at, link->renew_at));
	for (unsigned i = 0; i < WSIM_NAMES; i++) {
		struct wsim_name *name = &wifi->name[i];

		if (wifi->cycle >= name->at && name->at != WSIM_IDLE) {
			name->at = WSIM_IDLE;
			answer_name(wifi, name->name);
		}
		due = earlier(due, name->at);
	}
	return due;
}

void wsim_link_told(struct wsim *wifi, const struct wsim_message *event)
{
	if (event->group != 1)
		return;
	if (event->opcode == 0x32)
		wifi->link.told = true;
	if (event->opcode == 0x2c && event->bytes[WSIM_HEADER] == 0)
		wifi->link.told = false;
}
