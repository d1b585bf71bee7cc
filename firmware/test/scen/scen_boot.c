/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of the WiFi module itself: its start, its SPI bus. */
#include "scen_wifi.h"

#define NO_MODULE "----02"
#define NO_START "----03"
#define REVISION "----04"

enum { SNTP_OFF = 0x0d };

static void works_at_once(struct rig *rig, double seconds)
{
	wifi_works(rig, seconds);
	CHECK(rig, wifi_pulses(rig, RESET_N, rig->power_on) == 1);
}

/* ---- a module that is not there, or does not start ------------------------------- */

static void dead(struct rig *rig, uint8_t byte)
{
	wifi_script(rig)->dead = true;
	wifi_script(rig)->dead_byte = byte;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_MODULE, 5));
	rig_run(rig, 200);
	CHECK_TUBES(rig, NO_MODULE);
	CHECK(rig, wifi_pulses(rig, RESET_N, rig->power_on) >= 3);
	CHECK(rig, wifi_pulses(rig, EN, rig->power_on) >= 2);
	CHECK(rig, wifi_pulses(rig, RESET_N, rig->power_on) <= 8);
	wifi_script(rig)->dead = false;
	CHECK(rig, rig_wait_time(rig, 1000));
}

static void dead_high(struct rig *rig)
{
	dead(rig, 0xff);
}

static void dead_low(struct rig *rig)
{
	dead(rig, 0);
}

/* An hour without it: the time continues. */
static void dies_later(struct rig *rig)
{
	wifi_works(rig, 100);
	uint64_t since = rig->cycle;
	wifi_script(rig)->dead = true;
	rig_run(rig, 3600);
	wifi_steady(rig, since);
	CHECK(rig, wifi_pulses(rig, EN, since) >= 2);
	CHECK(rig, wifi_pulses(rig, RESET_N, since) <= 20);
	uint32_t before = wifi_asked(rig);
	wifi_script(rig)->dead = false;
	rig_run(rig, 1000);
	CHECK(rig, wifi_asked(rig) > before);
	wifi_steady(rig, since);
}

static void late(struct rig *rig)
{
	wifi_script(rig)->efuse_ms = 900;
	wifi_script(rig)->rom_ms = 1900;
	wifi_script(rig)->firmware_ms = 1900;
	works_at_once(rig, 10);
}

static void never(struct rig *rig, uint32_t *ms)
{
	uint32_t before = *ms;

	*ms = WSIM_NEVER;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_START, 10));
	rig_run(rig, 120);
	CHECK_TUBES(rig, NO_START);
	CHECK(rig, wifi_pulses(rig, EN, rig->power_on) >= 2);
	*ms = before;
	CHECK(rig, rig_wait_time(rig, 400));
}

static void no_efuse(struct rig *rig)
{
	never(rig, &wifi_script(rig)->efuse_ms);
}

static void no_rom(struct rig *rig)
{
	never(rig, &wifi_script(rig)->rom_ms);
}

static void no_firmware(struct rig *rig)
{
	never(rig, &wifi_script(rig)->firmware_ms);
}

static void other_chip(struct rig *rig)
{
	wifi_script(rig)->chip = 0x100110;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, REVISION, 10));
	rig_run(rig, 60);
	CHECK_TUBES(rig, REVISION);
}

/* ---- modules that are a little different ------------------------------------------- */

static void warm(struct rig *rig)
{
	wifi_script(rig)->warm = true;
	wifi_works(rig, 70);
	CHECK(rig, wifi_pulses(rig, RESET_N, rig->power_on) <= 1);
}

static void bit7(struct rig *rig)
{
	wifi_script(rig)->bit7 = true;
	wifi_works(rig, 5);
}

static void host_wait(struct rig *rig)
{
	wifi_script(rig)->host_wait = true;
	wifi_works(rig, 5);
}

static void pb_module(struct rig *rig)
{
	wifi_script(rig)->chip = 0x1503a0;
	wifi_works(rig, 5);
}

static void elsewhere(struct rig *rig)
{
	wifi_script(rig)->chip = 0x1000f0;
	wifi_works(rig, 5);
}

static void version(struct rig *rig, uint8_t minor, uint8_t patch)
{
	wifi_script(rig)->version[1] = minor;
	wifi_script(rig)->version[2] = patch;
	wifi_script(rig)->lease = 60;
	wifi_works(rig, 100);
	CHECK(rig, wsim_count(rig->wifi, WSIM_EVENT, WIFI, DHCP, 0) >= 3);
}

static void version_19_4_4(struct rig *rig)
{
	version(rig, 4, 4);
}

static void version_19_6_1(struct rig *rig)
{
	wifi_script(rig)->early_c3 = true;
	version(rig, 6, 1);
}

static void version_19_7_7(struct rig *rig)
{
	version(rig, 7, 7);
}

/* ---- the bus -------------------------------------------------------------------------- */

static void filler(struct rig *rig)
{
	wifi_script(rig)->filler_max = 9;
	works_at_once(rig, 700);
}

static void too_much_filler(struct rig *rig)
{
	wifi_script(rig)->filler_fixed = 10;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_MODULE, 10));
	wifi_script(rig)->filler_fixed = 9;
	CHECK(rig, rig_wait_time(rig, 200));
	uint64_t since = rig->cycle;
	wifi_script(rig)->filler_fixed = 12;
	rig_run(rig, 60);
	wifi_script(rig)->filler_fixed = 0;
	rig_run(rig, 400);
	CHECK(rig, wsim_joined(rig->wifi));
	wifi_steady(rig, since);
}

static void spoiled(struct rig *rig)
{
	wifi_script(rig)->bad_every = 100;
	works_at_once(rig, 700);
}

static void spoiled_often(struct rig *rig)
{
	wifi_script(rig)->bad_every = 7;
	wifi_script(rig)->filler_max = 5;
	wifi_script(rig)->early_c3 = true;
	works_at_once(rig, 700);
}

/* So bad that nothing works; then it is good again. */
static void storm(struct rig *rig)
{
	wifi_works(rig, 20);
	uint64_t since = rig->cycle;
	wifi_script(rig)->bad_every = 1;
	rig_run(rig, 300);
	wifi_script(rig)->bad_every = 0;
	rig_run(rig, 900);
	CHECK(rig, wsim_joined(rig->wifi));
	CHECK(rig, wifi_wait_asked(rig, 3700));
	wifi_steady(rig, since);
}

/* ---- the module starts again by itself -------------------------------------------------- */

static void brown_out(struct rig *rig, double seconds)
{
	wsim_reset(rig->wifi, false, rig->cycle);
	rig_run(rig, seconds);
	wsim_reset(rig->wifi, true, rig->cycle);
}

static void module_resets(struct rig *rig)
{
	wifi_works(rig, 20);
	uint64_t since = rig->cycle;
	brown_out(rig, 0.05);
	rig_run(rig, 60);
	CHECK(rig, wsim_joined(rig->wifi));
	CHECK(rig, wifi_requests(rig, WIFI, SNTP_OFF, since) == 1);
	CHECK(rig, wifi_pulses(rig, EN, since) == 0);
	wifi_steady(rig, since);
}

/* Each time a little later after the join: in the middle of whatever is under way. */
static void resets_while_busy(struct rig *rig)
{
	wifi_works(rig, 5);
	uint64_t since = rig->cycle;

	for (unsigned i = 0; i < 12; i++) {
		brown_out(rig, 0.02);
		wifi_wait_join(rig);
		rig_run(rig, i * 0.29);
	}
	rig_run(rig, 400);
	CHECK(rig, wsim_joined(rig->wifi));
	wifi_steady(rig, since);
}

/* The supply gives way when the transmitter starts, five times; the module has been off for a while then. */
static void brown_out_at_join(struct rig *rig)
{
	rig_config(rig, "");
	rig_power(rig, true);
	for (unsigned i = 0; i < 5; i++) {
		wifi_wait_join(rig);
		brown_out(rig, 0.5);
	}
	CHECK(rig, rig_wait_time(rig, 1000));
}

/* Only the clock is reset, while it talks to the module. */
static void host_resets(struct rig *rig)
{
	rig_config(rig, "");
	rig_power(rig, true);
	for (unsigned i = 0; i < 10; i++) {
		rig_run(rig, 0.35 + i * 0.173);
		rig_button(rig);
	}
	CHECK(rig, rig_wait_time(rig, 30));
}

/* The module's own time client is off and no pass phrase goes into its flash, at each of its starts. */
static void quiet_module(struct rig *rig)
{
	wifi_works(rig, 5);
	for (unsigned i = 0; i < 3; i++) {
		brown_out(rig, 0.05);
		rig_run(rig, 200);
	}
	uint32_t count, starts = 0, off = 0;
	const struct wsim_entry *entry = wsim_journal(rig->wifi, &count);

	for (uint32_t i = 0; i < count; i++) {
		if (entry[i].what == WSIM_PIN && entry[i].opcode == RESET_N && entry[i].length == 1) {
			starts++;
			off = 0;
		}
		if (entry[i].what != WSIM_REQUEST || entry[i].group != WIFI)
			continue;
		off += entry[i].opcode == SNTP_OFF;
		CHECK(rig, off <= 1);
		CHECK(rig, entry[i].opcode != CONNECT || (off == 1 && entry[i].bytes[103] == 1));
	}
	CHECK(rig, starts >= 4);
	CHECK(rig, off == 1);
}

const struct scenario scen_boot[] = {
	{ "module-dead-ff", "MISO stays high, then the module is there",
	    "code 02, RESET_N and EN tried with pauses; then the time", dead_high, SCEN_ERRORS },
	{ "module-dead-00", "MISO stays low, then the module is there",
	    "code 02, then the time", dead_low, SCEN_ERRORS },
	{ "module-dies", "the module dies in mid-day for an hour",
	    "the seconds continue; it is started again", dies_later, SCEN_PC | SCEN_ERRORS },
	{ "module-late", "efuse 0.9 s, boot ROM 1.9 s, firmware 1.9 s", "the time, at the first start", late, 0 },
	{ "module-no-efuse", "efuses never loaded", "code 03, EN off and on; then the time", no_efuse, 0 },
	{ "module-no-rom", "boot ROM never ready", "code 03, EN off and on; then the time", no_rom, 0 },
	{ "module-no-firmware", "firmware never starts", "code 03, EN off and on; then the time", no_firmware, 0 },
	{ "module-unknown", "a chip of another kind", "code 04", other_chip, 0 },
	{ "module-warm", "the module runs already, CRC off", "the time, with one RESET_N pulse at most", warm, 0 },
	{ "module-bit7", "0x14A0 reads back with bit 7", "the time", bit7, 0 },
	{ "module-host-wait", "0x207BC bit 0 is set", "the time", host_wait, 0 },
	{ "module-pb", "chip 1503A0", "the time", pb_module, 0 },
	{ "module-id-elsewhere", "chip id at 0x3B0000", "the time", elsewhere, 0 },
	{ "module-19.4.4", "old firmware: DHCP results of 16 bytes", "the time, renewals", version_19_4_4, 0 },
	{ "module-19.6.1", "C3 comes a byte early", "the time, renewals", version_19_6_1, 0 },
	{ "module-19.7.7", "new firmware", "the time, renewals", version_19_7_7, 0 },
	{ "spi-filler", "0 to 9 bytes of filler everywhere", "the time, nothing is started again", filler, 0 },
	{ "spi-filler-10", "10 bytes of filler, 12 later for a minute",
	    "code 02, the time as soon as it is better, and it stays", too_much_filler, SCEN_ERRORS },
	{ "spi-spoiled", "each 100th command answered wrong", "the time, nothing is started again", spoiled, SCEN_ERRORS },
	{ "spi-spoiled-often", "each 7th, filler, C3 early",
	    "the time, nothing is started again", spoiled_often, SCEN_ERRORS },
	{ "spi-storm", "five minutes in which no command works",
	    "the time continues, then the network is there again", storm, SCEN_LONG | SCEN_ERRORS },
	{ "module-resets", "the module starts again by itself",
	    "it is booted and joined again; the time continues", module_resets, SCEN_ERRORS },
	{ "module-resets-busy", "twelve times, in the middle of join, DHCP, DNS, request",
	    "the same", resets_while_busy, SCEN_ERRORS },
	{ "module-brown-out", "its supply gives way at five joins", "the time in the end", brown_out_at_join, SCEN_ERRORS },
	{ "host-resets", "RESET pressed ten times while the module starts", "the time", host_resets, SCEN_ERRORS },
	{ "module-quiet", "the module starts four times",
	    "SNTP off once in each, no connect is stored", quiet_module, SCEN_ERRORS },
	{ 0 },
};
