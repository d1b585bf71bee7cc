/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of servers that are wrong: jumps, lies, slow ways, drift, two that differ. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scen_ntp.h"

#define TWO "server=\"ntp.example ntp2.example\""

void ntp_steady(struct rig *rig, double seconds)
{
	CHECK(rig, rig_error_ms(rig, rig->cycle - (uint64_t)(seconds * SIM_HZ), rig->cycle) <= 50);
}

bool ntp_wait_asked(struct rig *rig, double seconds)
{
	bool asked = wifi_wait_asked(rig, seconds);

	rig_run(rig, 1);
	return asked;
}

uint16_t ntp_port(struct rig *rig)
{
	uint32_t count;
	uint16_t port = 0;
	const struct wsim_entry *entry = wsim_journal(rig->wifi, &count);

	for (uint32_t i = 0; i < count; i++)
		if (entry[i].what == WSIM_REQUEST && entry[i].group == 2 && entry[i].opcode == BIND)
			port = (uint16_t)(entry[i].bytes[2] << 8 | entry[i].bytes[3]);
	return port;
}

double ntp_error(struct rig *rig)
{
	const struct tubes *tubes = &rig->tubes;

	for (uint32_t i = tubes->changes; i > 0; i--) {
		const struct tubes_change *change = &tubes->change[i - 1];

		if (strspn(change->text, "0123456789") != 6)
			continue;
		unsigned digits = (unsigned)atoi(change->text);
		uint32_t frac, utc = rig_utc(rig, change->cycle, &frac);
		double shown = digits / 10000 * 3600.0 + digits / 100 % 100 * 60.0 + digits % 100;
		return remainder(shown - utc % 86400 - frac / 4294967296.0, 86400);
	}
	return 1e9;
}

static bool stat_says(struct rig *rig, const char *text)
{
	return strstr(rig_command(rig, "stat"), text) != NULL;
}

/* The lie of a server: it shifts `count` replies by seconds, from its reply `from` on. */
struct lie {
	double seconds;
	uint32_t from, count;
};

static void shift(uint8_t *p, double seconds)
{
	uint64_t stamp = 0;

	for (int i = 0; i < 8; i++)
		stamp = stamp << 8 | p[i];
	stamp += (uint64_t)(int64_t)(seconds * 4294967296.0);
	for (int i = 0; i < 8; i++)
		p[i] = (uint8_t)(stamp >> (56 - 8 * i));
}

static void lie(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	const struct lie *what = server->arg;

	(void)size;
	if (n < what->from || n - what->from >= what->count)
		return;
	shift(reply + 16, what->seconds);
	shift(reply + 32, what->seconds);
	shift(reply + 40, what->seconds);
}

/* ---- ways ---------------------------------------------------------------------- */

static void lopsided(struct rig *rig)
{
	rig->server[0].out_ms = 10;
	rig->server[0].back_ms = 890;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, "12****", 20));
	rig_run(rig, 30);
	CHECK(rig, fabs(ntp_error(rig)) <= 0.45 && fabs(ntp_error(rig)) > 0.3);
	/* no later correction by such replies, the other way round neither */
	rig->server[0].out_ms = 890;
	rig->server[0].back_ms = 10;
	rig_run(rig, 140);
	CHECK(rig, rig->server[0].requests >= 4);
	CHECK(rig, fabs(ntp_error(rig)) > 0.3);
	rig->server[0].out_ms = 10;
	CHECK(rig, rig_wait_time(rig, 160));
}

/* One way 65 ms, the other 5, then the other way round, at each poll: 30 ms of error that nobody can see. */
static void swinging(struct rig *rig)
{
	rig->server[0].out_ms = 65;
	wifi_start(rig, "");
	for (int i = 0; i < 24; i++) {
		double out = rig->server[0].out_ms;

		CHECK(rig, ntp_wait_asked(rig, 4000));
		rig->server[0].out_ms = rig->server[0].back_ms;
		rig->server[0].back_ms = out;
		rig_run(rig, 120);
		CHECK(rig, fabs(ntp_error(rig)) < 0.12);
	}
}

/* Occasionally a reply is held up for 200 ms: not followed. */
static void held_up(struct rig *rig)
{
	wifi_start(rig, "");
	rig_run(rig, 2 * 3600);
	for (int i = 0; i < 24; i++) {
		rig->server[0].back_ms = i % 3 == 1 ? 205 : 5;
		rig_run(rig, 1800);
		ntp_steady(rig, 1790);
	}
	CHECK(rig, wifi_asked(rig) <= 80);
}

/* ---- jumps ---------------------------------------------------------------------- */

static void spike(struct rig *rig)
{
	static struct lie once = { 5, 2, 1 };

	rig->server[0].edit = lie;
	rig->server[0].arg = &once;
	wifi_start(rig, "");
	rig_run(rig, 1000);
	ntp_steady(rig, 990);
	CHECK(rig, rig->server[0].requests == 4);
}

static void jump(struct rig *rig)
{
	wifi_start(rig, "");
	rig->server[0].jump = 5;
	CHECK(rig, ntp_wait_asked(rig, 80));
	CHECK(rig, fabs(ntp_error(rig) + 5) < 0.05);	/* not yet */
	CHECK(rig, ntp_wait_asked(rig, 18));
	rig_run(rig, 2);
	CHECK(rig, fabs(ntp_error(rig)) < 0.05);
	rig_run(rig, 100);
	ntp_steady(rig, 95);
}

/* Back by 2 s with one server: never shown backward, right in the end. */
static void jump_back(struct rig *rig)
{
	uint32_t last = 0;

	wifi_start(rig, "");
	rig->server[0].jump = -2;
	for (int i = 0; i < 4300; i++) {
		uint32_t shown = (uint32_t)strtoul(tubes_at(&rig->tubes, rig->cycle), NULL, 10);

		CHECK(rig, shown >= last);
		last = shown;
		rig_run(rig, 1);
	}
	rig_run(rig, 900);
	ntp_steady(rig, 100);
}

static void far_one(struct rig *rig)
{
	uint64_t began;

	wifi_start(rig, "");
	rig->server[0].jump = -2000;
	CHECK(rig, ntp_wait_asked(rig, 80));
	began = rig->cycle;
	for (int i = 0; i < 2; i++) {
		CHECK(rig, fabs(ntp_error(rig) - 2000) < 0.05);
		CHECK(rig, ntp_wait_asked(rig, 400));
	}
	CHECK(rig, rig_wait_time(rig, 10));
	CHECK(rig, rig->cycle - began >= (uint64_t)(300 * SIM_HZ));
}

static void far_two(struct rig *rig)
{
	wifi_start(rig, TWO);
	CHECK(rig, ntp_wait_asked(rig, 80));
	rig->server[0].jump = rig->server[1].jump = -2000;
	CHECK(rig, ntp_wait_asked(rig, 600));
	CHECK(rig, rig_wait_time(rig, 10));
}

/* ---- quality --------------------------------------------------------------------- */

static void drift(struct rig *rig)
{
	rig->server[0].ppm = 300;	/* more than the clock can mend */
	rig->judge_from = UINT64_MAX;
	wifi_start(rig, "");
	rig_run(rig, 3600);
	rig->judge_from = rig->cycle;
	for (int i = 0; i < 11; i++) {
		uint64_t since = rig->cycle;

		rig_run(rig, 3600);
		CHECK(rig, rig_error_ms(rig, since, rig->cycle) <= 80);
	}
	CHECK(rig, wifi_asked(rig) < 12 * 10);
}

/* A server that lost its own source: the distance grows until it is not believed any more. */
static void dispersion(struct rig *rig)
{
	wifi_start(rig, "");
	for (int i = 0; i < 24; i++) {
		rig->server[0].root_dispersion += 65536 / 12;
		rig_run(rig, 3600);
		ntp_steady(rig, 3000);
	}
	CHECK(rig, stat_says(rig, "code: 24\r"));
	/* the last one was good to 0.9 s only: 15 ppm of 20 h, and the seconds are not to be trusted */
	for (int i = 0; i < 12 * 60 && tubes_at(&rig->tubes, rig->cycle)[5] != '-'; i++)
		rig_run(rig, 60);
	CHECK_TUBES(rig, "****--");
	rig->server[0].root_dispersion = 100;
	rig_run(rig, 1200);
	ntp_steady(rig, 100);
}

static void li_3_day(struct rig *rig)
{
	rig->server[0].leap = 3;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NOT_SYNCHRONISED, 20));
	rig_run(rig, 86400);
	CHECK_TUBES(rig, NOT_SYNCHRONISED);
	CHECK(rig, wifi_asked(rig) < 105);
	rig->server[0].leap = 0;
	CHECK(rig, rig_wait_time(rig, 1200));
}

static void leap_wrong(struct rig *rig)
{
	rig_set_utc(rig, 1795218900);	/* 2026-11-20 23:55 */
	rig->server[0].leap = 1;
	wifi_start(rig, "");
	rig_run(rig, 400);
	ntp_steady(rig, 390);
}

/* Every third reply is spoilt in one of many ways, by seed, for two days: none of it may show. */
static void spoil(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	uint64_t *noise = server->arg;
	double seconds;

	(void)n;
	*noise = *noise * 6364136223846793005u + 1442695040888963407u;
	/* 1 s to 18 h, either way */
	seconds = exp2((double)(*noise >> 40 & 0xffff) / 4096) * (*noise >> 33 & 1 ? 1 : -1);
	switch (*noise >> 58) {
	case 0: case 1: case 2: reply[24 + (*noise >> 20 & 7)] ^= 0x10; break;
	case 3: case 4: reply[0] |= 0xc0; break;
	case 5: reply[1] = 16; break;
	case 6: reply[1] = 0; memcpy(reply + 12, "STEP", 4); break;
	case 7: *size = (uint16_t)(*noise >> 20 & 31); break;
	case 8: memset(reply + 40, 0, 8); break;
	case 9: reply[8] = 1; break;
	case 10: *size = 0; break;
	case 11: case 12: case 13: case 14: case 15: case 16: case 17: case 18:
		for (int at = 16; at <= 40; at += at == 16 ? 16 : 8)
			shift(reply + at, seconds);
		break;
	case 19: server->back_ms = 1500; return;
	case 20: server->out_ms = 300; return;
	case 21: server->out_ms = 25; return;
	}
	server->out_ms = server->back_ms = 5;
}

static void storm(struct rig *rig)
{
	static uint64_t noise;

	noise = rig->seed;
	wifi_start(rig, "");
	rig_run(rig, 700);
	rig->server[0].edit = spoil;
	rig->server[0].arg = &noise;
	for (int i = 0; i < 24; i++) {
		rig_run(rig, 7200);
		ntp_steady(rig, 7195);
	}
	CHECK(rig, wifi_asked(rig) <= 2 * 60);
}

static void any_time(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	struct lie now = { fmod(n * 123.456, 3000) - 1500, 0, UINT32_MAX };

	void *arg = server->arg;

	server->arg = &now;
	lie(server, n, reply, size);
	server->arg = arg;
}

/* From some moment on it says another time each time it is asked. */
static void babbler(struct rig *rig)
{
	wifi_start(rig, "");
	rig_run(rig, 3600);
	rig->server[0].edit = any_time;
	rig_run(rig, 12 * 3600);
	ntp_steady(rig, 12 * 3600);
	CHECK(rig, stat_says(rig, "code: 24\r"));
	CHECK(rig, wifi_asked(rig) < 12 * 15);
	rig->server[0].edit = NULL;
	rig_run(rig, 3600);
	CHECK(rig, stat_says(rig, "code: 0\r"));
}

/* ---- eras ------------------------------------------------------------------------ */

static void era_unset(struct rig *rig)
{
	rig_set_utc(rig, 2085978496 - 60);
	rig->server[0].silent = true;
	rig_config(rig, "");
	rig_power(rig, true);
	rig_run(rig, 70);
	CHECK_TUBES(rig, NO_ANSWER);
	rig->server[0].silent = false;
	CHECK(rig, rig_wait_time(rig, 80));
	rig_run(rig, 100);
	ntp_steady(rig, 90);
}

static void era_between(struct rig *rig)
{
	rig_set_utc(rig, 2085978496 - 80);
	wifi_start(rig, "");
	/* the second reply comes after the end of the era */
	CHECK(rig, ntp_wait_asked(rig, 90));
	rig_run(rig, 60);
	ntp_steady(rig, 120);
	CHECK(rig, wifi_asked(rig) == 2);
}

/* ---- the console's sync ------------------------------------------------------------ */

static void sync_flood(struct rig *rig)
{
	uint32_t before;

	wifi_start(rig, "");
	before = wifi_asked(rig);
	for (int i = 0; i < 60; i++) {
		rig_command(rig, "sync");
		rig_run(rig, 0.5);
	}
	CHECK(rig, wifi_asked(rig) - before <= 4);
	CHECK(rig, wifi_asked(rig) > before);
	ntp_steady(rig, 25);
}

const struct scenario scen_lies[] = {
	{ "lopsided", "round trip 900 ms, all of it on one way", "set within 0.45 s; not used later", lopsided, 0 },
	{ "swinging", "65 + 5 ms, then 5 + 65 ms, at each poll", "error < 120 ms, rate stays", swinging, SCEN_PC },
	{ "held-up", "each third reply comes 200 ms late", "not followed", held_up, SCEN_PC },
	{ "spike", "the server is 5 s off for one reply", "no step", spike, SCEN_PC },
	{ "jump", "the server jumps by 5 s and stays", "step after the second sample", jump, SCEN_LIES },
	{ "jump-back", "the server jumps back by 2 s", "slewed, never backward", jump_back, SCEN_PC | SCEN_LIES },
	{ "far-one", "the only server jumps by -2000 s", "three samples, five minutes, step", far_one, SCEN_PC | SCEN_LIES },
	{ "far-two", "both servers jump by -2000 s", "step after one sample of each", far_two, SCEN_PC | SCEN_LIES },
	{ "drift-300", "crystal 300 ppm off", "error <= 80 ms, asked more often", drift, SCEN_PC },
	{ "dispersion", "root dispersion grows beyond 1 s",
	    "time continues, code 24 in stat; seconds dark at 2 s of doubt", dispersion, SCEN_PC },
	{ "li-3-day", "not synchronised for a day", "code 22, then time", li_3_day, SCEN_PC },
	{ "leap-wrong", "LI 1 on 20 November", "midnight without a leap second", leap_wrong, SCEN_PC },
	{ "storm", "each third reply is spoilt somehow, two days", "nothing shows", storm, SCEN_PC },
	{ "babbler", "the server says any time, each time another", "time stays, code 24 in stat", babbler, SCEN_PC },
	{ "era-unset", "2036-02-07 06:28:16 passes before the first reply", "right", era_unset, 0 },
	{ "era-between", "2036-02-07 06:28:16 between two replies", "right, no jump", era_between, 0 },
	{ "sync-flood", "`sync` typed 60 times in a minute", "asked each 15 s at most", sync_flood, SCEN_PC },
	{ NULL, NULL, NULL, NULL, 0 },
};
