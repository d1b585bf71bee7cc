/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of the configuration: set on the console, kept in EEPROM, whatever happens to the power. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scen_console.h"

#define NO_CONFIG "----01"

uint8_t *eeprom(struct rig *rig)
{
	return rig->cpu->eeprom(rig);
}

bool says(struct rig *rig, const char *line, const char *text)
{
	return strstr(rig_command(rig, line), text) != NULL;
}

void start_empty(struct rig *rig)
{
	memset(eeprom(rig), 0xff, EEPROM);
	rig_power(rig, true);
	rig_run(rig, 1);
}

/* Returns whether show prints these settings.  The power cuts use it for old and new configurations. */
static bool shows(struct rig *rig, const char *ssid, const char *pass, const char *server)
{
	char text[200];
	const char *said = rig_command(rig, "show");

	snprintf(text, sizeof text, "\r\nssid: %s\r\npass: %s\r\ntz: UTC0\r\nserver: %s\r\n", ssid, pass, server);
	return strstr(said, text) != NULL;
}

/* ---- settings -------------------------------------------------------------------- */

static void no_configuration(struct rig *rig)
{
	start_empty(rig);
	CHECK(rig, rig_heard(rig, "Nixie clock"));
	CHECK(rig, rig_wait(rig, NO_CONFIG, 30));
	CHECK(rig, says(rig, "show", "pass: not set"));
	CHECK(rig, says(rig, "stat", "utc: unknown"));
	CHECK(rig, says(rig, "sync", "expected: sync"));
	rig_run(rig, 60);
	CHECK_TUBES(rig, NO_CONFIG);
	CHECK(rig, wifi_requests(rig, WIFI, CONNECT, 0) == 0);
	CHECK(rig, rig->gates.eeprom_writes == 0);
}

static void both_slots_bad(struct rig *rig)
{
	rig_config(rig, "");
	memcpy(eeprom(rig) + SLOT, eeprom(rig), SLOT);
	eeprom(rig)[60] ^= 1;
	eeprom(rig)[SLOT + 200] ^= 0x80;
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_CONFIG, 30));
	CHECK(rig, says(rig, "show", "server: pool.ntp.org"));
}

static void set_all_and_save(struct rig *rig)
{
	uint32_t bytes;

	start_empty(rig);
	CHECK(rig, says(rig, "set ssid net", "ok"));
	CHECK(rig, says(rig, "pass pass phrase", "\r\nok"));
	CHECK(rig, !rig_heard(rig, "phrase"));
	CHECK(rig, says(rig, "set tz EST5EDT,M3.2.0,M11.1.0", "ok"));
	CHECK(rig, says(rig, "server ntp.example", "ok"));
	CHECK(rig, says(rig, "sec wpa", "ok"));
	CHECK(rig, rig->gates.eeprom_writes == 0);
	CHECK(rig, says(rig, "save", "\r\nsaved\r\n> "));
	bytes = rig->gates.eeprom_writes;
	CHECK(rig, bytes > 100 && bytes <= 260);
	CHECK(rig, memcmp(eeprom(rig) + 4, "net\0", 4) == 0 && memcmp(eeprom(rig) + 37, "pass phrase\0", 12) == 0);
	CHECK(rig, rig_wait_time(rig, 60));
	CHECK(rig, says(rig, "stat", "state: synchronised"));
	CHECK(rig, rig_heard(rig, "server: 192.0.2.123\r\n"));
	rig_power(rig, false);
	rig_run(rig, 3);
	rig_power(rig, true);
	CHECK(rig, rig_wait_time(rig, 60));
	CHECK(rig, says(rig, "show", "pass: set (11)"));
}

static void zone_at_once(struct rig *rig)
{
	wifi_start(rig, "");
	CHECK(rig, says(rig, "tz <+0545>-5:45", "ok"));
	rig_run(rig, 1.1);
	uint64_t since = rig->cycle;
	rig_run(rig, 5);
	wifi_steady(rig, since);
	CHECK(rig, says(rig, "tz EST5EDT,M3.2.0,M11.1", "expected: tz"));
	rig_zone(rig, "<+0545>-5:45");
	rig_run(rig, 5);
	wifi_steady(rig, since);
	/* it was never saved */
	rig_power(rig, false);
	rig_run(rig, 1);
	rig_power(rig, true);
	rig_zone(rig, "UTC0");
	CHECK(rig, rig_wait_time(rig, 60));
}

static void another_network(struct rig *rig)
{
	struct wsim_script *script = wifi_script(rig);

	wifi_start(rig, "");
	strcpy(script->ssid, "Caf\xc3\xa9 2");
	strcpy(script->pass, " a  new one ");
	wsim_drop(rig->wifi);
	rig_run(rig, 30);
	CHECK(rig, !wsim_joined(rig->wifi));
	uint64_t since = rig->cycle;
	CHECK(rig, says(rig, "ssid Caf\xc3\xa9 2", "ok"));
	CHECK(rig, says(rig, "pass  a  new one ", "ok"));
	CHECK(rig, says(rig, "save", "\nsaved"));
	for (int i = 0; i < 60 && !wsim_joined(rig->wifi); i++)
		rig_run(rig, 1);
	CHECK(rig, wsim_joined(rig->wifi));
	wifi_steady(rig, since);
}

static void erase(struct rig *rig)
{
	wifi_start(rig, "");
	CHECK(rig, says(rig, "save", "\nsaved"));
	CHECK(rig, says(rig, "erase", "expected: erase yes"));
	CHECK(rig, says(rig, "show", "ssid: net"));
	CHECK(rig, says(rig, "erase yes", "erased"));
	for (unsigned i = 0; i < 2 * SLOT; i++)
		CHECK(rig, eeprom(rig)[i] == 0xff);
	CHECK(rig, says(rig, "show", "pass: not set"));
	rig_run(rig, 20);
	CHECK(rig, !wsim_joined(rig->wifi));
	rig_power(rig, false);
	rig_run(rig, 1);
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_CONFIG, 30));
}

/* ---- power and reset ----------------------------------------------------------------- */

static void type_new_settings(struct rig *rig)
{
	rig_config(rig, "");
	rig_secret(rig, "phrase");	/* of both */
	rig_power(rig, true);
	rig_run(rig, 0.05);
	rig_type(rig, "ssid another\rpass other phrase\rserver b.example\r");
	rig_run(rig, 0.05);
}

static bool old_or_new(struct rig *rig, bool *is_new)
{
	*is_new = shows(rig, "another", "set (12)", "b.example");
	return *is_new || shows(rig, "net", "set (11)", "ntp.example");
}

/* Cuts the power after each byte of a save, one save for each byte; after some bytes where that takes long. */
static void power_cut_in_save(struct rig *rig)
{
	const uint32_t step = rig->cpu == &rig_pc ? 1 : 7;
	bool is_new = false;
	uint32_t cuts = 0;

	for (uint32_t bytes = 0; !is_new; bytes += step) {
		uint32_t before;

		CHECK(rig, bytes < 300);
		type_new_settings(rig);
		before = rig->gates.eeprom_writes;
		rig_type(rig, "save\r");
		for (int i = 0; i < 100000 && rig->gates.eeprom_writes < before + bytes && !rig_heard(rig, "\nsaved"); i++)
			rig_run(rig, 0.0001);
		rig_power(rig, false);
		rig_run(rig, 0.01);
		rig_power(rig, true);
		rig_run(rig, 0.05);
		CHECK(rig, old_or_new(rig, &is_new));
		rig_power(rig, false);
		rig_run(rig, 0.01);
		rig_forget(rig);
		cuts++;
	}
	CHECK(rig, cuts > 200 / step);
}

/* Opening the serial port resets the clock, in the middle of anything. */
static void reset_in_save(struct rig *rig)
{
	bool is_new;

	for (int i = 0; i < 20; i++) {
		type_new_settings(rig);
		rig_type(rig, "save\r");
		rig_run(rig, i * 0.04);
		rig_button(rig);
		rig_run(rig, 0.1);
		CHECK(rig, old_or_new(rig, &is_new));
		rig_power(rig, false);
		rig_run(rig, 0.01);
	}
}

/* Saves that power cuts short at random moments: always the last whole one or the one under way. */
static void power_fails_often(struct rig *rig)
{
	uint32_t random = rig->seed, saved = 0;
	char line[40], shown[40];

	rig_config(rig, "ssid=n0");
	for (uint32_t i = 1; i <= 40; i++) {
		rig_power(rig, true);
		rig_run(rig, 0.05);
		snprintf(line, sizeof line, "ssid n%u\rsave\r", i);
		rig_type(rig, line);
		random = random * 1664525 + 1013904223;
		rig_run(rig, (random >> 16) % 1000 / 1000.0);
		rig_power(rig, false);
		rig_run(rig, 0.1);
		rig_power(rig, true);
		rig_run(rig, 0.1);
		snprintf(shown, sizeof shown, "\r\nssid: n%u\r\n", i);
		if (says(rig, "show", shown))
			saved = i;
		snprintf(shown, sizeof shown, "\r\nssid: n%u\r\n", saved);
		CHECK(rig, rig_heard(rig, shown));
		CHECK(rig, rig_heard(rig, "server: ntp.example\r\n") && rig_heard(rig, "pass: set (11)\r\n"));
		rig_power(rig, false);
		rig_run(rig, 0.1);
	}
	CHECK(rig, saved > 0);
}

/* A bit of the newer slot falls over: the older one counts. */
static void a_bit_rots(struct rig *rig)
{
	uint32_t random = rig->seed;

	rig_config(rig, "");
	rig_power(rig, true);
	rig_run(rig, 0.1);
	CHECK(rig, says(rig, "ssid newer", "ok") && says(rig, "save", "\nsaved"));
	for (int i = 0; i < 40; i++) {
		random = random * 1664525 + 1013904223;
		uint8_t *byte = eeprom(rig) + SLOT + (random >> 24), bit = (uint8_t)(1 << (random >> 21 & 7));
		rig_power(rig, false);
		rig_run(rig, 0.1);
		*byte ^= bit;
		rig_power(rig, true);
		rig_run(rig, 0.1);
		CHECK(rig, says(rig, "show", "\r\nssid: net\r\n"));
		*byte ^= bit;
	}
	rig_power(rig, false);
	rig_run(rig, 0.1);
	rig_power(rig, true);
	rig_run(rig, 0.1);
	CHECK(rig, says(rig, "show", "\r\nssid: newer\r\n"));
}

/* The clock writes the crystal's error by itself, and no setting that was not saved. */
static void rate_is_kept(struct rig *rig)
{
	const uint8_t *slot;
	int16_t rate;

	rig->server[0].ppm = 40;
	wifi_start(rig, "");
	CHECK(rig, says(rig, "ssid never saved", "ok"));
	rig->beat_ms = RIG_QUIET_MS;
	rig_run(rig, 20 * 3600);
	CHECK(rig, rig->gates.eeprom_writes == 0);
	rig_run(rig, 32 * 3600);
	rig->beat_ms = 0;
	CHECK(rig, rig->gates.eeprom_writes > 0 && rig->gates.eeprom_writes <= 2 * 260);
	slot = eeprom(rig) + (eeprom(rig)[SLOT + 3] == 2 && eeprom(rig)[3] != 3 ? SLOT : 0);
	rate = (int16_t)(slot[221] | slot[222] << 8);
	CHECK(rig, labs(labs(rate) - 400L) <= 15);
	rig_power(rig, false);
	rig_run(rig, 10);
	rig_power(rig, true);
	CHECK(rig, rig_wait_time(rig, 60));
	CHECK(rig, says(rig, "show", "ssid: net\r\n"));
	CHECK(rig, says(rig, "stat", slot[222] < 128 ? "rate ppm: +" : "rate ppm: -"));
	CHECK(rig, rig_heard(rig, "39.") || rig_heard(rig, "40."));
}

const struct scenario scen_conf[] = {
	{ "no-configuration", "EEPROM empty",
	    "code 01, the console answers, no access point is asked", no_configuration, 0 },
	{ "both-slots-bad", "one bit wrong in each slot", "code 01, defaults", both_slots_bad, 0 },
	{ "set-and-save", "the console sets everything, save, power off and on",
	    "connects; the slot is right; no secret said", set_all_and_save, 0 },
	{ "zone-at-once", "tz on the console",
	    "the next second is in the new zone; a bad string changes nothing", zone_at_once, 0 },
	{ "another-network", "the access point changes name and pass phrase, so does the console",
	    "joins it, the time continues", another_network, 0 },
	{ "erase", "erase, erase yes", "nothing is left in EEPROM, code 01 after power-on", erase, 0 },
	{ "power-cut-in-save", "power fails after each byte of a save",
	    "old or new settings, whole", power_cut_in_save, 0 },
	{ "reset-in-save", "DTR at 20 moments of a save", "old or new settings, whole", reset_in_save, 0 },
	{ "power-fails-often", "40 saves, each cut short at a random moment",
	    "the last whole one or the one under way", power_fails_often, 0 },
	{ "a-bit-rots", "any bit of the newer slot", "the older slot counts", a_bit_rots, 0 },
	{ "rate-is-kept", "52 hours with a crystal 40 ppm off",
	    "written at most once a day, alone, and used after power-on", rate_is_kept, SCEN_PC },
	{ 0 },
};
