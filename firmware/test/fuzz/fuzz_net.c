/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any events at any moment under net.c, ask.c, servers.c and sync.c: pieces of
 * four bytes say what comes and what the driver thinks of requests.  The
 * server list is the input's begin.
 */
#include <stdlib.h>
#include <string.h>

#include "clk.h"
#include "conf.h"
#include "fuzz.h"
#include "hal.h"
#include "net.h"
#include "sync.h"
#include "winc.h"

enum { NAMES = 32 };

/* Pieces: the console asks, or has new settings; the driver is busy, or no more; some minutes. */
const char *const fuzz_words[] = {
	"\x04\x01\x01\x01", "\x04\x08\x01\x01", "\x03\x01\x01\x01", "\x03\x02\x01\x01", "\x05\xff\xff\x01", NULL,
};

struct conf conf;
static uint32_t ms;
static bool refuse;			/* the driver is busy */
static struct winc_event next;
static uint8_t next_data[48];
static uint8_t request[48], last_nonce[8];
static uint32_t asked_ip;
static unsigned requests;

uint32_t hal_ms(void) { return ms; }
uint32_t hal_ticks(void) { return ms * TICKS_PER_MS; }
void hal_second_at(uint32_t tick) { (void)tick; }
uint8_t hal_lock(void) { return 0; }
void hal_unlock(uint8_t before) { (void)before; }
void conf_keep_rate(int16_t rate) { if (rate > RATE_MAX || rate < -RATE_MAX) abort(); }
void winc_start(enum winc_depth depth) { if (depth > WINC_POWER) abort(); }
void winc_stop(void) { }
bool winc_random(void) { return !refuse; }
bool winc_leave(void) { return !refuse; }

void winc_poll(struct winc_event *event)
{
	*event = next;
	event->data = next_data;
	next.kind = WINC_NONE;
}

/* All text ends within its field, whatever index is asked for. */
static void read_text(winc_text *text, unsigned room)
{
	for (unsigned i = 0; i < 256; i++)
		if (i >= room && text((uint8_t)i) != '\0')
			abort();
}

bool winc_join(winc_text *ssid, winc_text *pass, uint8_t security)
{
	(void)security;
	read_text(ssid, CONF_SSID);
	read_text(pass, CONF_PASS);
	return !refuse;
}

bool winc_resolve(winc_text *name)
{
	read_text(name, CONF_SERVER);
	return !refuse;
}

bool winc_open(uint16_t port)
{
	if (port < 49152)
		abort();
	return !refuse;
}

bool winc_send(uint32_t ip, uint16_t port, const uint8_t *data, uint8_t size)
{
	if (port != 123 || size != 48 || ip == 0 || data[0] != 0x23 || memcmp(data + 40, last_nonce, 8) == 0)
		abort();
	if (refuse)
		return false;
	memcpy(request, data, 48);
	memcpy(last_nonce, data + 40, 8);
	asked_ip = ip;
	requests++;
	return true;
}

/* The server's time: right, or wrong by any size up to years. */
static void put_stamps(uint8_t lie)
{
	uint64_t wrong = lie < 64 ? 0 : (uint64_t)(lie & 1 ? 0x123456789 : 0x987654321) << (lie >> 1 & 31) >> 10;
	uint64_t stamp = (0xedff1010ULL << 32) + ((uint64_t)ms << 32) / 1000;

	stamp += lie & 2 ? wrong : 0 - wrong;
	for (int i = 0; i < 8; i++)
		next_data[32 + i] = next_data[40 + i] = (uint8_t)(stamp >> (56 - 8 * i));
}

/* The input's event; with the top bit of b a reply that is nearly good. */
static void come(const uint8_t piece[4])
{
	memset(&next, 0, sizeof next);
	memset(next_data, piece[3], sizeof next_data);
	next.kind = piece[1] % (WINC_RANDOM + 3);
	next.code = (int8_t)piece[2];
	next.ip = piece[2] & 0x40 ? asked_ip : piece[3];
	next.port = piece[2] & 0x20 ? 123 : piece[3];
	next.length = piece[2] & 0x10 ? 48 : (uint16_t)(piece[3] * 7);
	next.tick = hal_ticks();
	if (!(piece[2] & 0x80))
		return;
	next_data[0] = 0x24;
	next_data[1] = piece[3] % 17;
	memcpy(next_data + 24, request + 40, 8);
	memset(next_data + 4, 0, 8);
	memset(next_data + 16, 0, 8);
	put_stamps(piece[3]);
	memcpy(next_data + 12, piece[3] & 1 ? "RATE" : "DENY", 4);
}

static void check(void)
{
	struct net_info info;
	struct sync_info sync;

	net_get(&info);
	sync_get(&sync);
	if (info.state > NET_IDLE || net_code() > CODE_DISAGREE || info.next > 36 * 3600U)
		abort();
	/* four in a row, then 15 s apart, but the console may ask for one more */
	if (requests > 6 + ms / 5000)
		abort();
}

static void step(const uint8_t piece[4])
{
	switch (piece[0] & 7) {
	case 0:
	case 1:
	case 2:
		come(piece);
		break;
	case 3:
		refuse = piece[1] & 1;
		break;
	case 4:
		if (piece[1] % 8 == 0)
			net_restart();
		else
			net_ask_now();
		break;
	default:
		for (unsigned i = 0; i < piece[1]; i++) {
			uint32_t second = ms / 1000;

			ms += 1 + piece[2] / 2;
			net_pass();
			if (ms / 1000 != second)
				sync_second();
		}
	}
	net_pass();
	check();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	memset(&conf, 0, sizeof conf);
	memset(conf.ssid, 'n', CONF_SSID - 1);
	memset(conf.pass, 'p', CONF_PASS - 1);
	if (size < NAMES)
		return 0;
	memcpy(conf.server, data, NAMES);
	ms = requests = asked_ip = 0;
	refuse = false;
	memset(&next, 0, sizeof next);
	memset(last_nonce, 0, sizeof last_nonce);
	clk_init(0);
	sync_init(false, UINT32_MAX, UINT32_MAX);
	net_init();
	for (size_t i = NAMES; i + 4 <= size; i += 4)
		step(data + i);
	return 0;
}

/* The good way: up, joined, address, name, bound, sent, reply; then some time, or the console asks again at once. */
size_t fuzz_seed(unsigned i, uint8_t *data)
{
	static const uint8_t way[] = {
		WINC_UP, WINC_RANDOM, WINC_JOINED, WINC_ADDRESS, WINC_NAME, WINC_BOUND, WINC_SENT, WINC_DATA,
	};
	static const char *const names[] = {
		"a.example b.example", "192.0.2.1 1.2.3.4.5", "  x 255.255.255.256  ", "a.example",
	};
	size_t size = NAMES;

	if (i >= sizeof names / sizeof names[0])
		return 0;
	memset(data, 0, FUZZ_ROOM);
	strcpy((char *)data, names[i]);
	for (unsigned round = 0; round < (i == 3 ? 12 : 4); round++) {
		for (unsigned k = round == 0 ? 0 : 4; k < sizeof way; k++) {
			/* the first name is asked for after up to 2 s */
			uint8_t passes = way[k] == WINC_NAME && round == 0 ? 255 : 2;
			const uint8_t pieces[8] = { 5, passes, 20, 0, 0, way[k], way[k] == WINC_DATA ? 0xf0 : 0, 7 };

			memcpy(data + size, pieces, sizeof pieces);
			size += sizeof pieces;
		}
		if (i == 3) {
			memcpy(data + size, "\x04\x01\0\0", 4);
			size += 4;
			continue;
		}
		/* some 100 s to the next question, then a moment for it to begin */
		memcpy(data + size, "\x05\xff\xff\0\x05\xff\xff\0\x05\xff\xff\0\x05\x02\x14", 16);
		size += 16;
	}
	return size;
}
