/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bytes into the console, at any speed, with gaps: nothing breaks, every
 * setting stays one that a slot may hold, and the pass phrase does not come out.
 *
 * Byte 0 of the input: how long a pass takes, and whether there is a time and
 * more to tell.  0xfe in it: bytes are lost; 0xfd: a pause.
 */
#include <assert.h>
#include <stdlib.h>

#include "cli_board.h"
#include "fuzz.h"
#include "tz.h"

static const char secret[] = "q7Wz-Kp4_Vx!";

const char *const fuzz_words[] = {
	"ssid ", "pass ", "set ", "sec open", "tz CET-1CEST,M3.5.0,M10.5.0/3", "server ", "dim 22:00 07:00 4", "hours 12",
	"zero off", "exercise on", "night dark", "save", "show", "stat", "sync", "test", "time 1795178096", "help",
	"erase yes", "\r", "\n", "\r\n", "\b", "\x15", "\x03", "\x1b[A", "\x1b", "\xc3\xa4", "a.example 192.0.2.1",
	"\xfe", "\xfd",
	"\rpass q7Wz-Kp4_Vx!\r", "show\r", NULL
};

size_t fuzz_seed(unsigned i, uint8_t *data)
{
	static const char *const seeds[] = {
		"\x05ssid net\rpass q7Wz-Kp4_Vx!\rtz EST5EDT,M3.2.0,M11.1.0\rserver a.example\rsave\r\xfdshow\rstat\r",
		"\xe1help\r\xfdset ssid x\rset pass q7Wz-Kp4_Vx!\rshow\rreboot\r\xfd",
		"\x02ssid 34567890123456789012345678901234567890123456789012345678901234567890123456\rshow\r",
		"\x1ehours 12\rdim 22:00 07:00 4\rzero off\rnight dark\rexercise off\rsec open\rerase yes\r\xfdsync\rtest\r",
	};

	if (i >= sizeof seeds / sizeof seeds[0])
		return 0;
	memcpy(data, seeds[i], strlen(seeds[i]));
	return strlen(seeds[i]);
}

static void check_conf(void)
{
	struct tz tz;

	assert(memchr(conf.ssid, '\0', sizeof conf.ssid) && memchr(conf.pass, '\0', sizeof conf.pass));
	assert(memchr(conf.tz, '\0', sizeof conf.tz) && memchr(conf.server, '\0', sizeof conf.server));
	assert(conf.pass[0] == '\0' || strlen(conf.pass) >= 8);
	assert(tz_parse(conf.tz, &tz));
	assert(conf.server[0] != '\0' && conf.server[0] != ' ');
	assert(conf.security == WINC_OPEN || conf.security == WINC_WPA);
	assert(conf.dim_from < 1440 && conf.dim_to < 1440 && conf.dim_level < 16 && conf.flags < 16);
}

/* The character at `at` is behind "pass " in a line that nothing was rubbed out of. */
static bool secretly(const uint8_t *data, const uint8_t *at)
{
	const uint8_t *line = at;

	while (line > data + 1 && line[-1] != '\r' && line[-1] != '\n') {
		line--;
		if (*line == '\b' || *line == 0x7f || *line == 0x15 || *line == 0x03)
			return false;
	}
	return (at - line >= 5 && memcmp(line, "pass ", 5) == 0) || (at - line >= 9 && memcmp(line, "set pass ", 9) == 0);
}

/* The secret, or a part of it, may be typed as an SSID or the like: then it is none. */
static bool typed_openly(const uint8_t *data, size_t size)
{
	for (size_t i = 1; i < size; i++)
		if (data[i] == (uint8_t)secret[0] && !secretly(data, data + i))
			return true;
	return false;
}

/* Set what stat shows: no data yet, or values derived from the length of the input. */
static void tell(uint8_t how, uint32_t any)
{
	any *= 2654435761U;
	board.known = how & 32;
	board.sync.age = how & 64 ? any : UINT32_MAX;
	board.utc = board.sync.bound = ~any;
	board.sync.offset = board.sync.delay = (int32_t)any;
	board.rate = (int16_t)(any % 4001) - 2000;
	board.net.ip = board.net.server = board.net.next = any;
	board.state = any % (SYNC_OLD + 1);
	board.net.state = any % (NET_IDLE + 1);
	board.cause = any & 15;
}

static void feed(const uint8_t *data, size_t size)
{
	for (size_t i = 1; i < size; i++) {
		if (data[i] == 0xfe)
			board.lost = true;
		else if (data[i] == 0xfd)
			board_run(2000000 / board.pass_us);
		else
			board_type(&data[i], 1);
	}
	board_run(2000000 / board.pass_us);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	board_init();
	board_forget();
	memcpy(conf.pass, secret, sizeof secret);
	board.pass_us = 200U + (data[0] % 32) * 400U;
	tell(data[0], (uint32_t)size);
	if (setjmp(board.reset) == 0)
		feed(data, size);
	check_conf();
	if (!typed_openly(data, size))
		assert(strstr(board.heard, secret) == NULL);
	return 0;
}
