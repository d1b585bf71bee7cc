/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of the mailbox between clock and WiFi module: the interrupt pin, messages, buffers. */
#include "scen_wifi.h"

/* Checks that the messages that waited for us have been fetched and released. */
static void all_done(struct rig *rig)
{
	uint32_t count, events = 0, done = 0;
	const struct wsim_entry *entry = wsim_journal(rig->wifi, &count);

	for (uint32_t i = 0; i < count; i++) {
		events += entry[i].what == WSIM_EVENT;
		done += entry[i].what == WSIM_DONE;
	}
	CHECK(rig, events == done);
}

/* ---- the interrupt pin ------------------------------------------------------------------ */

static void edges_lost(struct rig *rig)
{
	rig->lose_edges = true;
	wifi_works(rig, 700);
}

/* Low for ever, whether there is a message or not. */
static void stuck_low(struct rig *rig)
{
	wifi_works(rig, 10);
	uint64_t since = rig->cycle;
	uint32_t before = wifi_asked(rig);

	for (unsigned i = 0; i < 7000; i++) {
		rig->cpu->irq(rig, true);
		rig_run(rig, 0.1);
	}
	CHECK(rig, wifi_asked(rig) > before);
	wifi_steady(rig, since);
}

/* ---- messages ----------------------------------------------------------------------------- */

static void odd_events(struct rig *rig)
{
	uint8_t bytes[1500] = { 0 };

	wifi_works(rig, 5);
	uint64_t since = rig->cycle;
	for (unsigned i = 0; i < 600; i++) {
		uint8_t group = (uint8_t)(i % 11), opcode = (uint8_t)(i * 7);

		if (group == WIFI && (opcode == CONNECTION || opcode == DHCP || opcode == DHCP_FAILED))
			continue;
		wsim_event(rig->wifi, group, opcode, bytes, (uint16_t)(i * 37 % sizeof bytes));
		if (i % 10 == 0)
			wifi_script(rig)->lying_header = true;
		if (i % 16 == 0)
			wifi_script(rig)->wrong_session = true;
		rig_run(rig, 0.25);
	}
	wifi_script(rig)->lying_header = wifi_script(rig)->wrong_session = false;
	rig_run(rig, 1200);
	CHECK(rig, wsim_joined(rig->wifi));
	all_done(rig);
	wifi_steady(rig, since);
}

/* As many messages as the module can hold, again and again, also while it is asked for the time. */
static void flood(struct rig *rig)
{
	static const uint8_t bytes[200];

	wifi_works(rig, 5);
	uint64_t since = rig->cycle;
	uint32_t before = wifi_asked(rig);
	for (unsigned i = 0; i < 14000; i++) {
		for (unsigned k = 0; k < 3; k++)
			wsim_event(rig->wifi, WIFI, 0x0e, bytes, sizeof bytes);
		rig_run(rig, 0.01);
	}
	CHECK(rig, wifi_asked(rig) > before);
	rig_run(rig, 5);
	all_done(rig);
	wifi_steady(rig, since);
}

static void no_grant(struct rig *rig)
{
	wifi_works(rig, 5);
	uint64_t since = rig->cycle;
	wifi_script(rig)->grant_polls = WSIM_NEVER;
	rig_run(rig, 600);
	CHECK(rig, wifi_pulses(rig, EN, since) >= 1);
	wifi_steady(rig, since);
	uint32_t before = wifi_asked(rig);
	wifi_script(rig)->grant_polls = 3;
	rig_run(rig, 1000);
	CHECK(rig, wifi_asked(rig) > before);
	wifi_steady(rig, since);
}

static void grant_zero(struct rig *rig)
{
	wifi_works(rig, 5);
	uint64_t since = rig->cycle;
	wifi_script(rig)->grant_zero = true;
	rig_run(rig, 200);
	wifi_script(rig)->grant_zero = false;
	rig_run(rig, 700);
	CHECK(rig, wsim_joined(rig->wifi));
	wifi_steady(rig, since);
}

/* The link drops between the wish for a buffer and the end of the request, five times. */
static void drop_in_send(struct rig *rig)
{
	wifi_works(rig, 5);
	uint64_t since = rig->cycle;
	for (unsigned i = 0; i < 5; i++) {
		rig_run(rig, 20);
		wifi_script(rig)->drop_in_send = true;
		rig_command(rig, "sync");
		rig_run(rig, 5);
		CHECK(rig, !wifi_script(rig)->drop_in_send);
		rig_run(rig, 60);
		CHECK(rig, wsim_joined(rig->wifi));
	}
	wifi_steady(rig, since);
	CHECK(rig, wifi_pulses(rig, RESET_N, since) == 0);
}

static void new_addresses(struct rig *rig)
{
	wifi_script(rig)->lease = 100;
	wifi_works(rig, 5);
	uint64_t since = rig->cycle;
	for (unsigned i = 1; i <= 2; i++) {
		wifi_script(rig)->our_ip += 0x01000000;
		rig_run(rig, 120);
	}
	CHECK(rig, wifi_wait_asked(rig, 700));
	CHECK(rig, wifi_pulses(rig, RESET_N, since) == 0);
	wifi_steady(rig, since);
}

/* An answer that claims more bytes than its message has is none, however right its beginning. */
static void big_status(struct rig *rig)
{
	wsim_script(rig->wifi)->big_status = true;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait_time(rig, 30));
	CHECK(rig, rig->server[0].requests == 2);
}

const struct scenario scen_mailbox[] = {
	{ "irq-edges-lost", "IRQN has a level but no edge", "the time, within 50 ms", edges_lost, 0 },
	{ "irq-stuck", "IRQN stays low", "the time continues, the server is asked", stuck_low, 0 },
	{ "mailbox-odd-events", "unknown messages, lying headers, stale sessions",
	    "released; the time continues", odd_events, SCEN_ERRORS },
	{ "mailbox-flood", "300 messages a second for minutes", "the server is asked anyway", flood, 0 },
	{ "mailbox-no-grant", "no buffer for 10 minutes",
	    "the module is started again; then the server is asked", no_grant, SCEN_ERRORS },
	{ "mailbox-address-0", "the buffer granted is at 0",
	    "the time continues, then the network is there again", grant_zero, SCEN_ERRORS },
	{ "mailbox-drop-in-send", "link lost between TX_REQ and TX_DONE, five times",
	    "joined again, no restart of the module", drop_in_send, 0 },
	{ "dhcp-new-addresses", "two renewals, each with a new address",
	    "the time continues, the server is asked", new_addresses, 0 },
	{ "big-status", "the first answer claims 3000 bytes", "dropped; the second is used", big_status, 0 },
	{ 0 },
};
