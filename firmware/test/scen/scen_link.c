/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of DNS, of servers that move or die, and of a link that comes and goes. */
#include <string.h>

#include "scen_wifi.h"

/* ---- names ------------------------------------------------------------------- */

static void dns_fails_at_boot(struct rig *rig)
{
	wifi_script(rig)->dns_fails = true;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_NAME, 40));
	rig_run(rig, 120);
	CHECK_TUBES(rig, NO_NAME);
	CHECK(rig, wifi_asked(rig) == 0);
	wifi_script(rig)->dns_fails = false;
	CHECK(rig, rig_wait_time(rig, 300));
}

static void dns_silent_at_boot(struct rig *rig)
{
	wifi_script(rig)->dns_ms = WSIM_NEVER;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_NAME, 60));
	wifi_script(rig)->dns_ms = 40;
	CHECK(rig, rig_wait_time(rig, 200));
}

static void dns_fails_later(struct rig *rig)
{
	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	uint32_t before = wifi_asked(rig);
	wifi_script(rig)->dns_fails = true;
	rig_run(rig, 100);
	CHECK(rig, wifi_asked(rig) > before);
	wifi_script(rig)->dns_fails = false;
	wifi_script(rig)->dns_ms = WSIM_NEVER;
	before = wifi_asked(rig);
	CHECK(rig, wifi_wait_asked(rig, 700));
	rig_run(rig, 5);
	CHECK(rig, wifi_asked(rig) == before + 1);
	wifi_steady(rig, since);
}

/* Each answer comes when the question was given up. */
static void dns_late(struct rig *rig)
{
	wifi_script(rig)->dns_ms = 8000;
	rig_config(rig, "");
	rig_power(rig, true);
	rig_run(rig, 60);
	wifi_script(rig)->dns_ms = 40;
	CHECK(rig, rig_wait_time(rig, 120));
	uint64_t since = rig->cycle;
	rig_run(rig, 70);
	wifi_steady(rig, since);
}

/* The name resolves to a machine without a time server, then to the right one. */
static void dns_wrong(struct rig *rig)
{
	uint32_t right = wifi_script(rig)->host[0].ip;

	wifi_script(rig)->host[0].ip = right ^ 0x55000000;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_ANSWER, 30));
	CHECK(rig, wifi_asked(rig) == 0);
	wifi_script(rig)->host[0].ip = right;
	CHECK(rig, rig_wait_time(rig, 300));
}

/* Answers for a name that was not asked for, and for ours when nothing was asked, have no effect. */
static void dns_stray(struct rig *rig)
{
	uint8_t answer[68] = "evil.example";

	memcpy(answer + 64, "\300\0\2\174", 4);		/* the second server's address */
	wifi_script(rig)->dns_ms = 2000;
	rig_config(rig, "");
	rig_power(rig, true);
	for (unsigned i = 0; i < 60; i++) {
		rig_run(rig, 0.1);
		wsim_event(rig->wifi, IP, RESOLVE, answer, sizeof answer);
	}
	CHECK(rig, rig_wait_time(rig, 20));
	strcpy((char *)answer, "ntp.example");
	for (unsigned i = 0; i < 50; i++) {
		rig_run(rig, 1);
		wsim_event(rig->wifi, IP, RESOLVE, answer, sizeof answer);
	}
	wifi_script(rig)->dns_fails = true;
	CHECK(rig, wifi_wait_asked(rig, 100));
	CHECK(rig, rig->server[1].requests == 0);
}

/* Answers to sockets and sessions that are not ours, one with a time of its own. */
static void socket_stray(struct rig *rig)
{
	uint8_t bound[4] = { 7, 0, 0x77, 0x77 }, sent[8] = { 7, 0, 48, 0, 0x77, 0x77 };
	uint8_t data[64] = { 2, 0, 0, 123, 192, 0, 2, 123, 48, 0, 16, 0, 7, 0, 0x77, 0x77, 0x24, 1 };

	memset(data + 48, 0xee, 16);
	rig_config(rig, "");
	rig_power(rig, true);
	for (unsigned i = 0; i < 600; i++) {
		bound[0] = sent[0] = data[12] = (uint8_t)(i % 11);
		bound[1] = (uint8_t)(i % 3 ? 0 : -1);
		wsim_event(rig->wifi, IP, BIND, bound, sizeof bound);
		wsim_event(rig->wifi, IP, SEND, sent, sizeof sent);
		wsim_event(rig->wifi, IP, RECEIVE, data, sizeof data);
		rig_run(rig, 0.05);
	}
	CHECK(rig, rig_wait_time(rig, 30));
	CHECK(rig, wifi_asked(rig) == 1);
}

static void server_moves(struct rig *rig)
{
	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	for (uint8_t i = 1; i <= 3; i++) {
		rig->server[0].ip = wifi_script(rig)->host[0].ip = (192u | 2u << 16) + ((uint32_t)(200 + i) << 24);
		CHECK(rig, wifi_wait_asked(rig, 4000));
		rig_run(rig, 2);
	}
	wifi_steady(rig, since);
}

static void one_server_dead(struct rig *rig)
{
	rig->server[0].silent = true;
	rig_config(rig, "server=\"ntp.example ntp2.example\"");
	rig_power(rig, true);
	CHECK(rig, rig_wait_time(rig, 60));
	CHECK(rig, rig->server[1].requests > 0);
	uint64_t since = rig->cycle;
	rig_run(rig, 700);
	CHECK(rig, rig->server[1].requests >= 2);
	CHECK(rig, wifi_asked(rig) <= 20);
	wifi_steady(rig, since);
}

static void one_name_unknown(struct rig *rig)
{
	wifi_start(rig, "server=\"nowhere.example ntp2.example\"");
	CHECK(rig, rig->server[0].requests == 0);
	uint64_t since = rig->cycle;
	rig_run(rig, 700);
	CHECK(rig, rig->server[1].requests >= 2);
	wifi_steady(rig, since);
}

/* ---- the link ----------------------------------------------------------------- */

/* The access point is away for so long; the seconds continue. */
static void away(struct rig *rig, double seconds)
{
	wifi_script(rig)->ssid[0] = '\0';
	wsim_drop(rig->wifi);
	rig_run(rig, seconds);
	strcpy(wifi_script(rig)->ssid, "net");
}

static void link_lost_6h(struct rig *rig)
{
	rig->server[0].ppm = 40;
	wifi_start(rig, "");
	rig_run(rig, 4 * 3600);
	uint64_t since = rig->cycle;
	away(rig, 6 * 3600);
	CHECK(rig, rig_error_ms(rig, since, rig->cycle) <= AWAY_MS);
	uint64_t back = rig->cycle;
	CHECK(rig, wifi_wait_asked(rig, 400));
	rig_run(rig, 600);
	CHECK(rig, rig_error_ms(rig, back, rig->cycle) <= AWAY_MS);
	CHECK(rig, rig_error_ms(rig, rig->cycle - 10 * SECOND, rig->cycle) <= STEADY_MS);
}

/* After 24 h without a reply the code is shown for 2 s at each full minute, the time in between. */
static void pass_changes(struct rig *rig)
{
	wifi_start(rig, "");
	rig_run(rig, 6 * 3600);
	strcpy(wifi_script(rig)->pass, "another phrase");
	wsim_drop(rig->wifi);
	uint64_t since = rig->cycle;
	rig_run(rig, 22 * 3600);
	CHECK(rig, rig_error_ms(rig, since, rig->cycle) <= AWAY_MS);
	rig_run(rig, 2 * 3600);
	CHECK(rig, rig_wait(rig, NO_AUTH, 61));
	rig_run(rig, 3);
	CHECK(rig, rig_wait(rig, NO_AUTH, 61));
	strcpy(wifi_script(rig)->pass, "pass phrase");
	CHECK(rig, wifi_wait_asked(rig, 400));
	rig_run(rig, 600);	/* what it is off is slewed */
	wifi_steady(rig, rig->cycle - 90 * SECOND);
}

/* Every day some hours without network, at any time of the day. */
static void week(struct rig *rig)
{
	rig->server[0].ppm = -35;
	wifi_start(rig, "");
	rig_run(rig, 4 * 3600);
	rig->beat_ms = RIG_QUIET_MS;
	uint64_t since = rig->cycle;
	for (unsigned day = 0; day < 7; day++) {
		double hours = 1 + day * 5 % 9;

		away(rig, hours * 3600);
		rig_run(rig, (24 - hours) * 3600 + 1234.5 * day);
	}
	CHECK(rig, rig_error_ms(rig, since, rig->cycle) <= AWAY_MS);
	CHECK(rig, wifi_requests(rig, WIFI, CONNECT, since) <= 7 * 120);
	wifi_steady(rig, rig->cycle - 3600 * SECOND);
}

static void link_flaps(struct rig *rig)
{
	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	uint32_t before = wifi_asked(rig);
	for (unsigned i = 0; i < 180; i++) {
		rig_run(rig, 20);
		wsim_drop(rig->wifi);
	}
	CHECK(rig, wifi_asked(rig) - before <= 20);
	rig_run(rig, 60);
	CHECK(rig, wsim_joined(rig->wifi));
	CHECK(rig, wifi_wait_asked(rig, 3800));
	rig_run(rig, 3);
	wifi_steady(rig, since);
}

/* It drops as soon as it is there, before it has an address. */
static void link_flaps_early(struct rig *rig)
{
	wifi_script(rig)->dhcp_ms = 3000;
	rig_config(rig, "");
	rig_power(rig, true);
	for (unsigned i = 0; i < 4; i++) {
		for (unsigned n = 0; n < 2000 && !wsim_joined(rig->wifi); n++)
			rig_run(rig, 0.1);
		CHECK(rig, wsim_joined(rig->wifi));
		rig_run(rig, 0.5);
		wsim_drop(rig->wifi);
	}
	CHECK(rig, rig_wait_time(rig, 330));
}

static void long_away(struct rig *rig)
{
	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	away(rig, 3 * 3600);
	CHECK(rig, wifi_requests(rig, WIFI, CONNECT, since) <= 100);
	CHECK(rig, wifi_wait_asked(rig, 400));
	rig_run(rig, 3);
	wifi_steady(rig, since);
}

/* "Off" twice, "on" twice, "on" that nobody asked for, states that are none. */
static void odd_connections(struct rig *rig)
{
	static const uint8_t odd[][4] = { { 0 }, { 0 }, { 1 }, { 1 }, { 255 }, { 7, 7 }, { 0, 5 }, { 0, 99 } };

	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	for (unsigned i = 0; i < sizeof odd / sizeof *odd; i++) {
		wsim_drop(rig->wifi);
		for (unsigned n = 0; n <= i; n++)
			wsim_event(rig->wifi, WIFI, CONNECTION, odd[n], 4);
		rig_run(rig, 7.3);
	}
	CHECK(rig, wifi_wait_asked(rig, 700));
	rig_run(rig, 3);
	wifi_steady(rig, since);
}

/* Runs until the host has made the request; the steps are short, so that what comes next is not out yet. */
static void run_to_request(struct rig *rig, uint8_t opcode, uint64_t since)
{
	for (unsigned n = 0; n < 30000 && !wifi_requests(rig, IP, opcode, since); n++)
		rig_run(rig, 0.0001);
	CHECK(rig, wifi_requests(rig, IP, opcode, since));
}

/* The link drops while a request is on its way into the mailbox: that after each kind of request once. */
static void drop_in_send(struct rig *rig)
{
	static const uint8_t before[] = { RESOLVE, BIND, RECEIVE, SEND };

	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	wifi_script(rig)->dns_ms = 500;
	for (unsigned i = 0; i < sizeof before; i++) {
		rig_run(rig, 20);
		uint64_t round = rig->cycle;
		rig_command(rig, "sync");
		run_to_request(rig, before[i], round);
		wifi_script(rig)->drop_in_send = true;
		for (unsigned n = 0; n < 400 && wifi_script(rig)->drop_in_send; n++)
			rig_run(rig, 0.25);
		CHECK(rig, !wifi_script(rig)->drop_in_send);
		rig_run(rig, 10);
		CHECK(rig, wsim_joined(rig->wifi));
		CHECK(rig, wifi_requests(rig, WIFI, CONNECT, round) == 1);
		rig_run(rig, 15);
		uint32_t asked = wifi_asked(rig);
		rig_command(rig, "sync");
		rig_run(rig, 3);
		CHECK(rig, wifi_asked(rig) == asked + 1);
	}
	rig_run(rig, 3);
	wifi_steady(rig, since);
}

/* The link drops during the connect request itself and while the module still gets its modes. */
static void drop_in_connect(struct rig *rig)
{
	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	for (unsigned i = 0; i < 3; i++) {
		wsim_drop(rig->wifi);
		rig_run(rig, 0.3 * i);
		wifi_script(rig)->drop_in_send = true;
		rig_run(rig, 15);
	}
	wifi_script(rig)->drop_in_send = false;
	CHECK(rig, wifi_wait_asked(rig, 700));
	rig_run(rig, 3);
	wifi_steady(rig, since);
}

/* RESET while it joins, gets its address, asks for the name, for the time. */
static void reset_anywhere(struct rig *rig)
{
	rig_config(rig, "");
	rig_power(rig, true);
	for (unsigned i = 1; i <= 25; i++) {
		rig_run(rig, 0.137 * i);
		rig_button(rig);
	}
	CHECK(rig, rig_wait_time(rig, 30));
}

/* A storm of messages that mean nothing to us. */
static void event_storm(struct rig *rig)
{
	uint8_t bytes[1500];

	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	uint32_t before = wifi_asked(rig);
	for (unsigned i = 0; i < 1200; i++) {
		memset(bytes, (int)i, sizeof bytes);
		wsim_event(rig->wifi, (uint8_t)(i % 8), (uint8_t)(0x60 + i % 97), bytes, (uint16_t)(i * 37 % 1500));
		wsim_event(rig->wifi, 3, (uint8_t)i, bytes, (uint16_t)(i % 5));
		rig_run(rig, 0.1);
	}
	CHECK(rig, wifi_asked(rig) > before);
	wifi_steady(rig, since);
}

/* ---- the module itself ----------------------------------------------------------- */

/* The current of its transmitter pulls the supply down each time it joins. */
static void brown_out_at_join(struct rig *rig)
{
	rig_config(rig, "");
	rig_power(rig, true);
	for (unsigned i = 0; i < 3; i++) {
		wifi_wait_join(rig);
		rig_run(rig, 0.2);
		wsim_brown_out(rig->wifi);
	}
	CHECK(rig, rig_wait_time(rig, 150));
}

static void brown_out_later(struct rig *rig)
{
	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	for (unsigned i = 0; i < 12; i++) {
		uint32_t before = wifi_asked(rig);

		rig_command(rig, "sync");
		rig_run(rig, 0.013 * i);
		wsim_brown_out(rig->wifi);
		for (unsigned n = 0; n < 20 && wifi_asked(rig) == before; n++) {
			rig_run(rig, 16);
			rig_command(rig, "sync");
			rig_run(rig, 1);
		}
		CHECK(rig, wifi_asked(rig) != before);
	}
	rig_run(rig, 3);
	wifi_steady(rig, since);
}

/* Its firmware stands still; only the clock's own RESET_N or EN can help. */
static void module_hangs(struct rig *rig)
{
	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	for (unsigned i = 0; i < 3; i++) {
		wifi_script(rig)->hung = true;
		rig_run(rig, 1800);
		CHECK(rig, wifi_wait_asked(rig, 4000));
		CHECK(rig, !wifi_script(rig)->hung);
		rig_run(rig, 3);
	}
	wifi_steady(rig, since);
}

static void module_hangs_at_boot(struct rig *rig)
{
	static const double at[] = { 0.5, 1, 2, 2.7 };

	rig_config(rig, "");
	for (unsigned i = 0; i < sizeof at / sizeof *at; i++) {
		rig_power(rig, true);
		rig_run(rig, at[i]);
		wifi_script(rig)->hung = true;
		CHECK(rig, rig_wait_time(rig, 2400));	/* five failed joins or eight unanswered questions restart it */
		rig_power(rig, false);
		rig_run(rig, 1);
	}
}

const struct scenario scen_link[] = {
	{ "dns-fails-boot", "name does not resolve at boot", "code 20, then the time", dns_fails_at_boot, 0 },
	{ "dns-silent-boot", "no answer to DNS questions at boot", "code 20, then the time", dns_silent_at_boot, 0 },
	{ "dns-fails-later", "name does not resolve after the first sync",
	  "last address is asked, no code", dns_fails_later, 0 },
	{ "dns-late", "DNS answers after its time-out", "the time", dns_late, 0 },
	{ "dns-wrong", "name leads to a machine without time", "code 21, then the time", dns_wrong, 0 },
	{ "dns-stray", "DNS answers that were not asked for", "the address asked for is used", dns_stray, 0 },
	{ "socket-stray", "answers for other sockets and sessions, 60 a second", "the time", socket_stray, 0 },
	{ "server-moves", "the name's address changes three times", "each new one is asked", server_moves, SCEN_PC },
	{ "one-server-dead", "two servers, the first is silent", "the time from the second", one_server_dead, 0 },
	{ "one-name-unknown", "two servers, the first name is unknown", "the time from the second", one_name_unknown, 0 },
	{ "link-lost-6h", "no network for 6 h, crystal +40 ppm",
	  "the time continues, error <= 0.3 s, no code", link_lost_6h, SCEN_PC },
	{ "week", "each day of a week 1 to 9 hours without network, crystal -35 ppm",
	    "error <= 0.3 s", week, SCEN_PC | SCEN_LONG },
	{ "pass-changes", "the access point's pass phrase changes for a day",
	  "time; after 24 h code 12 for 2 s a minute", pass_changes, SCEN_PC },
	{ "link-flaps", "link drops every 20 s for an hour", "the time continues at an even beat", link_flaps, SCEN_PC },
	{ "link-flaps-early", "link drops before DHCP, four times", "the time", link_flaps_early, 0 },
	{ "long-away", "network away for 3 h", "asked again within 400 s of its return", long_away, SCEN_PC },
	{ "odd-connections", "opcode 44 twice, unasked, with odd states", "the time continues", odd_connections, 0 },
	{ "drop-in-send", "link drops between 0x1078 and 0x106c, after each kind of request",
	  "joins again; the time continues", drop_in_send, 0 },
	{ "drop-in-connect", "link drops while the connect request is handed over",
	  "joins again; the time continues", drop_in_connect, 0 },
	{ "reset-anywhere", "RESET at 25 moments between power-on and time", "the time", reset_anywhere, 0 },
	{ "event-storm", "20 unknown messages a second for 2 min", "the time continues, requests too", event_storm, 0 },
	{ "brown-out-join", "the module's supply dips at each of three joins", "the time", brown_out_at_join, 0 },
	{ "brown-out-later", "the module's supply dips at 12 moments of a sync",
	  "started again; the time continues", brown_out_later, 0 },
	{ "module-hangs", "the module's firmware stands still until it is reset",
	  "reset by the clock; the time continues", module_hangs, SCEN_PC },
	{ "module-hangs-boot", "the same at four moments before the first time", "the time", module_hangs_at_boot, SCEN_PC },
	{ 0 },
};
