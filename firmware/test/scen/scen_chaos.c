/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of one fault after the other, by seed: none of them may show while the time is known. */
#include <string.h>

#include "scen_wifi.h"

static uint32_t chance(struct rig *rig, uint64_t *state, uint32_t limit)
{
	*state = (*state + rig->seed + 1) * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(*state >> 33) % limit;
}

/* All as it should be; the time of the module's own steps stays as it was made. */
static void heal(struct rig *rig)
{
	struct wsim_script *script = wifi_script(rig), good;

	wsim_defaults(&good);
	good.seed = script->seed;
	good.hung = script->hung;	/* that is the clock's to heal */
	*script = good;
	rig->server[0].silent = false;
	rig->server[0].loss = 0;
	rig->server[0].leap = 0;
	rig->server[0].stratum = 2;
}

static void break_module(struct rig *rig, uint32_t which)
{
	struct wsim_script *script = wifi_script(rig);

	switch (which) {
	case 0: script->filler_max = 9; break;
	case 1: script->bad_every = 30; break;
	case 2: script->early_c3 = true; break;
	case 3: script->grant_polls = 200; break;
	case 4: script->grant_polls = WSIM_NEVER; break;
	case 5: script->grant_zero = true; break;
	case 6: script->data_offset = 60; break;
	case 7: script->lying_header = true; break;
	case 8: script->wrong_session = true; break;
	case 9: script->big_status = true; break;
	case 10: script->drop_in_send = true; break;
	case 11: script->bind_status = -2; break;
	case 12: script->dead = true; break;
	case 13: script->dead = true; script->dead_byte = 0xff; break;
	case 14: script->hung = true; break;
	case 15: wsim_brown_out(rig->wifi); break;
	}
}

static void break_network(struct rig *rig, uint32_t which)
{
	static const uint8_t ours[20] = { 10, 0, 0, 9, 10, 0, 0, 1, 10, 0, 0, 53, 255, 255, 255 };
	struct wsim_script *script = wifi_script(rig);

	switch (which) {
	case 0: script->ssid[0] = '\0'; wsim_drop(rig->wifi); break;
	case 1: strcpy(script->pass, "another phrase"); wsim_drop(rig->wifi); break;
	case 2: script->join_error = 4; wsim_drop(rig->wifi); break;
	case 3: script->dhcp_ms = WSIM_NEVER; wsim_drop(rig->wifi); break;
	case 4: script->dhcp_fails = true; wsim_drop(rig->wifi); break;
	case 5: script->join_ms = WSIM_NEVER; wsim_drop(rig->wifi); break;
	case 6: script->dns_fails = true; break;
	case 7: script->dns_ms = WSIM_NEVER; break;
	case 8: script->dns_ms = 6000; break;
	case 9: script->host[0].ip ^= 0x0f000000; break;
	case 10: wsim_event(rig->wifi, WIFI, DHCP, ours, sizeof ours); break;
	case 11: wsim_event(rig->wifi, WIFI, DHCP_FAILED, NULL, 0); break;
	case 12: wsim_event(rig->wifi, WIFI, CONNECTION, ours + 3, 4); break;
	case 13: wsim_drop(rig->wifi); break;
	}
}

static void break_server(struct rig *rig, uint32_t which)
{
	struct ntpsrv *server = &rig->server[0];

	switch (which) {
	case 0: server->silent = true; break;
	case 1: server->loss = 50; break;
	case 2: server->leap = 3; break;
	case 3: server->stratum = 16; break;
	}
}

static void break_one(struct rig *rig, uint64_t *random)
{
	uint32_t kind = chance(rig, random, 34);

	if (kind < 16)
		break_module(rig, kind);
	else if (kind < 30)
		break_network(rig, kind - 16);
	else
		break_server(rig, kind - 30);
}

/* Healed, the server must be asked and believed again; how long that takes is bounded by the longest pauses. */
static void recovers(struct rig *rig)
{
	heal(rig);
	uint32_t before = wifi_asked(rig);
	for (unsigned n = 0; n < 90 && wifi_asked(rig) == before; n++) {
		rig_run(rig, 16);
		rig_command(rig, "sync");
		rig_run(rig, 1);
	}
	CHECK(rig, wifi_asked(rig) != before);
	rig_run(rig, 5);
}

/* Asked by the console, sometimes in the middle of a fault. */
static void ask(struct rig *rig, uint64_t *random)
{
	if (chance(rig, random, 3))
		rig_command(rig, "sync");
	rig_run(rig, 0.001 * chance(rig, random, 20000));
}

static void chaos(struct rig *rig)
{
	uint64_t random = 1;

	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	for (unsigned round = 0; round < 60; round++) {
		for (uint32_t faults = 1 + chance(rig, &random, 3); faults > 0; faults--) {
			break_one(rig, &random);
			ask(rig, &random);
		}
		rig_run(rig, chance(rig, &random, 1200));
		recovers(rig);
		wifi_steady(rig, since);
		since = rig->cycle;
	}
}

/* The same from power-on: the time must come whatever was wrong before. */
static void chaos_at_boot(struct rig *rig)
{
	uint64_t random = 7;

	rig_config(rig, "");
	for (unsigned round = 0; round < 40; round++) {
		heal(rig);
		for (unsigned fault = 0; fault < 3; fault++) {
			break_one(rig, &random);
		}
		rig_power(rig, true);
		rig_run(rig, 0.01 * chance(rig, &random, 30000));
		heal(rig);
		CHECK(rig, rig_wait_time(rig, 2200));
		rig_power(rig, false);
		rig_run(rig, 1);
	}
}

const struct scenario scen_chaos[] = {
	{ "chaos", "60 times up to three faults of module, network, server; then none",
	  "time at an even beat, asked again each time", chaos, SCEN_PC | SCEN_ERRORS },
	{ "chaos-boot", "40 power-ons with three faults that go away",
	  "the time each time", chaos_at_boot, SCEN_PC | SCEN_ERRORS },
	{ 0 },
};
