/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of real homes: routers, providers and servers as they are, good and bad. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scen_console.h"
#include "scen_ntp.h"

#define TWO "server=\"ntp.example ntp2.example\""

static double stat_number(struct rig *rig, const char *label)
{
	const char *at = strstr(rig_command(rig, "stat"), label);

	CHECK(rig, at != NULL);
	return atof(at + strlen(label));
}

/* No second since the cycle was shorter or longer than 500 ppm of slew make it. */
static void no_jump(struct rig *rig, uint64_t since)
{
	const struct tubes *tubes = &rig->tubes;

	for (uint32_t i = tubes->changes - 1; i > 1 && tubes->change[i - 1].cycle >= since; i--) {
		double length = (double)(tubes->change[i].cycle - tubes->change[i - 1].cycle) / SIM_HZ;

		CHECK(rig, fabs(length - 1) < 0.00075);
	}
}

/* ---- routers and providers ------------------------------------------------------- */

/* At four in the morning the router starts again: another address, gateway and DNS server, no names for a while. */
static void router_reboots(struct rig *rig)
{
	struct wsim_script *script = wifi_script(rig);

	wifi_start(rig, "");
	rig_run(rig, 1300);
	uint64_t since = rig->cycle;
	for (unsigned night = 1; night <= 4; night++) {
		script->ssid[0] = '\0';
		wsim_drop(rig->wifi);
		rig_run(rig, 95);
		strcpy(script->ssid, "net");
		script->our_ip += 0x01010000;
		script->dns_fails = true;
		rig_run(rig, 40);
		script->dns_fails = false;
		rig_run(rig, 4000);
		CHECK(rig, wsim_joined(rig->wifi));
		wifi_steady(rig, since);
	}
	CHECK(rig, wifi_asked(rig) >= 6 && wifi_asked(rig) <= 30);
	CHECK(rig, stat_number(rig, "code: ") == 0);
}

/* Until somebody clicks, every name leads to the portal, which has no time. */
static void portal(struct rig *rig)
{
	struct wsim_script *script = wifi_script(rig);
	uint32_t right[2] = { script->host[0].ip, script->host[1].ip };

	script->host[0].ip = script->host[1].ip = 1U | 2U << 8 | 3U << 16 | 4U << 24;
	rig_config(rig, TWO);
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_ANSWER, 40));
	rig_run(rig, 300);
	CHECK_TUBES(rig, NO_ANSWER);
	script->host[0].ip = right[0];
	script->host[1].ip = right[1];
	CHECK(rig, rig_wait_time(rig, 1200));
}

/* Both names lead to one machine, which says something else from now on: that is one opinion, not two. */
static void one_behind_two(struct rig *rig)
{
	struct wsim_script *script = wifi_script(rig);

	script->host[1].ip = script->host[0].ip;
	wifi_start(rig, TWO);
	CHECK(rig, ntp_wait_asked(rig, 80));
	rig->server[0].jump = -2000;
	CHECK(rig, ntp_wait_asked(rig, 600));
	uint64_t began = rig->cycle;
	for (int i = 0; i < 280; i++) {
		rig_run(rig, 1);
		CHECK(rig, fabs(ntp_error(rig) - 2000) < 0.1);
	}
	CHECK(rig, rig_wait_time(rig, 2 * 3600));
	CHECK(rig, rig->cycle - began >= (uint64_t)(300 * SIM_HZ));
}

/* By satellite: 300 ms there and back, more than a correction may take.  Once a day is what is left. */
static void satellite(struct rig *rig)
{
	rig->server[0].ppm = 15;
	rig->server[0].out_ms = 160;
	rig->server[0].back_ms = 140;
	wifi_start(rig, "");
	for (int day = 0; day < 4; day++) {
		uint32_t before = wifi_asked(rig);

		for (int hour = 0; hour < 25; hour++) {
			rig_run(rig, 3600);
			CHECK(rig, fabs(ntp_error(rig)) < (day == 0 ? 1.5 : 0.3));
		}
		CHECK(rig, wifi_asked(rig) - before <= 115);
	}
}

/* Every other request gets lost on the way out. */
static void every_other(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	(void)server;
	(void)reply;
	if (n % 2 == 0)
		*size = 0;
}

static void half_is_lost(struct rig *rig)
{
	rig->server[0].edit = every_other;
	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	rig_run(rig, 24 * 3600);
	wifi_steady(rig, since);
	CHECK(rig, wifi_asked(rig) <= 60);
}

/* The DNS server is as slow as it may be. */
static void dns_slow(struct rig *rig)
{
	wifi_script(rig)->dns_ms = 4000;
	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	rig_run(rig, 700);
	CHECK(rig, wifi_asked(rig) == 3);
	wifi_steady(rig, since);
}

/* ---- servers that are wrong, a little or a lot ------------------------------------- */

/* 0.4 s wrong for a day, then right: followed there and back, none of it counts as the crystal's error. */
static void wrong_for_a_day(struct rig *rig)
{
	wifi_start(rig, "");
	rig_run(rig, 3 * 3600);
	rig->server[0].jump = 0.4;
	rig_run(rig, 24 * 3600);
	ntp_steady(rig, 22 * 3600);
	rig->server[0].jump = 0;
	rig_run(rig, 2 * 3600);
	ntp_steady(rig, 1800);
	CHECK(rig, fabs(stat_number(rig, "rate ppm: ")) < 2);
}

/* Two servers take turns having a long, asymmetric delay. */
static void quality_swaps(struct rig *rig)
{
	wifi_start(rig, TWO);
	rig_run(rig, 700);
	for (unsigned turn = 0; turn < 8; turn++) {
		rig->server[turn % 2].out_ms = 120;
		rig->server[1 - turn % 2].out_ms = 5;
		for (unsigned i = 0; i < 30; i++) {
			rig_run(rig, 360);
			CHECK(rig, fabs(ntp_error(rig)) < 0.1);
		}
	}
	CHECK(rig, fabs(stat_number(rig, "rate ppm: ")) < 10);
}

/* Just what is slewed, just what is stepped: both are right in the end, the first without a jump. */
static void edge_of_slew(struct rig *rig)
{
	static const double jumps[] = { 0.124, -0.124, 0.125, -0.125, 0.126, -0.126 };

	for (unsigned i = 0; i < sizeof jumps / sizeof jumps[0]; i++) {
		wifi_start(rig, "");
		rig_run(rig, 10);
		uint64_t since = rig->cycle;
		rig->server[0].jump = jumps[i];
		CHECK(rig, ntp_wait_asked(rig, 80));
		rig_run(rig, 300);
		if (fabs(jumps[i]) < 0.125)
			no_jump(rig, since);
		uint64_t now = rig->cycle;
		rig_run(rig, 10);
		CHECK(rig, rig_error_ms(rig, now, rig->cycle) < 10);
		rig->server[0].jump = 0;
		rig_power(rig, false);
		rig_run(rig, 1);
	}
}

/* 999 s are believed after 16 s, 1001 s only after five minutes. */
static void edge_of_far(struct rig *rig)
{
	wifi_start(rig, "");
	rig->server[0].jump = 999;
	CHECK(rig, ntp_wait_asked(rig, 80));
	CHECK(rig, rig_wait_time(rig, 25));
	CHECK(rig, ntp_wait_asked(rig, 80));
	rig->server[0].jump = 999 - 1001;
	CHECK(rig, ntp_wait_asked(rig, 600));
	for (int i = 0; i < 295; i++) {
		rig_run(rig, 1);
		CHECK(rig, fabs(ntp_error(rig) - 1001) < 0.1);
	}
	CHECK(rig, rig_wait_time(rig, 60));
}

/* 2105 is further away than any clock lives: not believed at power-on, nor later. */
static void year_2105(struct rig *rig)
{
	uint32_t now = rig->server[0].utc;

	rig_set_utc(rig, 4270000000U);
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, REJECTED, 30));
	rig->server[0].utc = now;
	CHECK(rig, rig_wait_time(rig, 60));
	uint64_t since = rig->cycle;
	rig->server[0].jump = 4270000000.0 - now;
	rig_run(rig, 700);
	rig->server[0].jump = 0;
	wifi_steady(rig, since);
	CHECK(rig, stat_number(rig, "code: ") == 24);
}

/* 1.05 s on the way is too much even for the first time, 0.95 s is not. */
static void edge_of_delay(struct rig *rig)
{
	rig->server[0].out_ms = rig->server[0].back_ms = 525;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, REJECTED, 30));
	rig_run(rig, 20);
	CHECK_TUBES(rig, REJECTED);
	rig->server[0].out_ms = rig->server[0].back_ms = 475;
	CHECK(rig, rig_wait_time(rig, 80));
}

static void kiss(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	(void)n;
	(void)size;
	reply[0] |= 0xc0;
	reply[1] = 0;
	memcpy(reply + 12, server->arg, 4);
}

/* "deny" is not a kiss: no time now, and it is asked again. */
static void lower_case_kiss(struct rig *rig)
{
	rig->server[0].edit = kiss;
	rig->server[0].arg = "deny";
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NOT_SYNCHRONISED, 30));
	rig->server[0].edit = NULL;
	CHECK(rig, rig_wait_time(rig, 60));
}

/* The first wants to be asked less, the second is dead: the first is not asked more often for that. */
static void rate_and_dead(struct rig *rig)
{
	wifi_start(rig, TWO);
	CHECK(rig, ntp_wait_asked(rig, 80));
	rig_run(rig, 1200);
	rig->server[0].edit = kiss;
	rig->server[0].arg = "RATE";
	rig->server[1].silent = true;
	uint32_t before = rig->server[0].requests;
	rig_run(rig, 4 * 3600);
	CHECK(rig, rig->server[0].requests - before <= 6);
}

static void stratum_1_li_3(struct rig *rig)
{
	rig->server[0].leap = 3;
	rig->server[0].stratum = 1;
	memcpy(rig->server[0].refid, "GPS", 4);
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NOT_SYNCHRONISED, 30));
	rig->server[0].leap = 0;
	CHECK(rig, rig_wait_time(rig, 60));
}

static void with_mac(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	(void)server;
	(void)n;
	memset(reply + 48, 0xa5, 20);
	*size = 68;
}

static void mac(struct rig *rig)
{
	rig->server[0].edit = with_mac;
	wifi_start(rig, "");
	rig_run(rig, 80);
	ntp_steady(rig, 75);
	CHECK(rig, rig->server[0].requests == 2);
}

/* A distant forger would have to know the port and 64 bits.  Both differ for each question and at each power-on. */
static void nothing_to_guess(struct rig *rig)
{
	enum { QUESTIONS = 12, PER_POWER_ON = 3 };
	uint8_t nonce[QUESTIONS][8];
	uint16_t port[QUESTIONS];
	unsigned ports = 1;

	rig_config(rig, "");
	for (unsigned i = 0; i < QUESTIONS; i++) {
		static const uint8_t plain[40] = { 0x23 };

		if (i % PER_POWER_ON == 0) {
			rig_power(rig, false);
			rig_run(rig, 1);
			rig_power(rig, true);
		}
		CHECK(rig, ntp_wait_asked(rig, 600));
		CHECK(rig, memcmp(rig->server[0].last, plain, sizeof plain) == 0);
		memcpy(nonce[i], rig->server[0].last + 40, 8);
		port[i] = ntp_port(rig);
		CHECK(rig, port[i] >= 49152);
		for (unsigned k = 0; k < i; k++)
			CHECK(rig, memcmp(nonce[i], nonce[k], 8) != 0);
		ports += i > 0 && port[i] != port[i - 1];
	}
	CHECK(rig, ports >= QUESTIONS - 1);
}

/* The power of a street comes back: its clocks must not ask in step, neither at once nor when they try again. */
static void street(struct rig *rig)
{
	enum { CLOCKS = 8, QUESTIONS = 5 };
	double least[QUESTIONS], most[QUESTIONS];

	rig->server[0].silent = true;
	rig_config(rig, "");
	for (unsigned i = 0; i < CLOCKS; i++) {
		uint32_t before = rig->server[0].requests;

		rig_power(rig, true);
		rig_run(rig, 70);
		CHECK(rig, rig->server[0].requests >= before + QUESTIONS);
		for (unsigned k = 0; k < QUESTIONS; k++) {
			double gap = (double)(rig->server[0].asked[before + k] -
			    (k == 0 ? rig->power_on : rig->server[0].asked[before + k - 1])) / SIM_HZ;

			least[k] = i == 0 ? gap : fmin(gap, least[k]);
			most[k] = i == 0 ? gap : fmax(gap, most[k]);
		}
		rig_power(rig, false);
		rig_run(rig, 1);
	}
	CHECK(rig, most[0] - least[0] > 0.7);
	for (unsigned k = 1; k < QUESTIONS; k++)
		CHECK(rig, most[k] - least[k] > 0.1 * k);
}

const struct scenario scen_homes[] = {
	{ "router-reboots", "the router away for 95 s, other addresses, then no DNS for 40 s; four times",
	    "the time continues, no code", router_reboots, SCEN_PC },
	{ "portal", "every name leads to one machine without time, then no more", "code 21, then the time", portal, SCEN_PC },
	{ "one-behind-two", "both names are one machine, which jumps by -2000 s",
	    "not believed as two: five minutes", one_behind_two, SCEN_PC | SCEN_LIES },
	{ "satellite", "300 ms to the server and back, crystal +15 ppm, four days",
	    "a reply a day is taken; error < 1.5 s on the first day, < 0.3 s later", satellite, SCEN_PC | SCEN_LONG },
	{ "half-is-lost", "every other request without an answer, a day",
	    "the time, 60 requests at most", half_is_lost, SCEN_PC },
	{ "dns-slow", "DNS answers after 4 s", "the time, as often as ever", dns_slow, SCEN_PC },
	{ "wrong-for-a-day", "the server 0.4 s wrong for a day, then right",
	    "followed there and back, the rate stays", wrong_for_a_day, SCEN_PC | SCEN_LIES },
	{ "quality-swaps", "of two servers each is lopsided in turn", "error < 100 ms", quality_swaps, SCEN_PC },
	{ "edge-of-slew", "the server jumps by 124, 125, 126 ms either way",
	    "right after 5 min; 124 ms without a jump", edge_of_slew, SCEN_PC | SCEN_LIES },
	{ "edge-of-far", "the server jumps by 999 s, then by -1001 s",
	    "stepped after 16 s; after 5 min", edge_of_far, SCEN_PC | SCEN_LIES },
	{ "year-2105", "the server says 2105, at power-on and later", "code 24; the time continues", year_2105, SCEN_PC },
	{ "edge-of-delay", "1.05 s to the server and back, then 0.95 s", "code 24, then the time", edge_of_delay, 0 },
	{ "lower-case-kiss", "kiss code \"deny\"", "code 22, asked again", lower_case_kiss, 0 },
	{ "rate-and-dead", "one server says RATE, the other nothing",
	    "the first is not asked more often", rate_and_dead, SCEN_PC },
	{ "stratum-1-li-3", "a GPS receiver without satellites: stratum 1, LI 3",
	    "code 22, then the time", stratum_1_li_3, 0 },
	{ "mac", "replies of 68 bytes, with a MAC", "the time", mac, 0 },
	{ "nothing-to-guess", "12 questions, four power-ons",
	    "each from another port, with another nonce, and nothing else in it", nothing_to_guess, SCEN_PC },
	{ "street", "eight power-ons, no answer",
	    "asked at other moments each time, and again after other pauses", street, SCEN_PC },
	{ 0 },
};
