/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A slot of the configuration, written from the description of its layout
 * and not by the firmware's code; then what the tubes must show.
 */
#include "rig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rig_world.h"

/* ---- the slot -------------------------------------------------------------- */

enum { SLOT = 256, MAGIC = 0x4e58 };

static const struct text_field {
	const char *key;
	unsigned at, room;
} texts[] = {
	{ "ssid", 4, 33 }, { "pass", 37, 65 }, { "tz", 102, 48 }, { "server", 150, 64 },
};

static void put16(uint8_t *at, unsigned value)
{
	at[0] = (uint8_t)value;
	at[1] = (uint8_t)(value >> 8);
}

static unsigned crc(const uint8_t *bytes, unsigned size)
{
	unsigned sum = 0xffff;

	for (unsigned i = 0; i < size * 8; i++) {
		unsigned bit = bytes[i / 8] >> (7 - i % 8) & 1;

		sum = sum << 1 ^ (((sum >> 15 ^ bit) & 1) ? 0x1021 : 0);
		sum &= 0xffff;
	}
	return sum;
}

static void bad_setting(const char *key)
{
	fprintf(stderr, "rig_config: no setting \"%s\"\n", key);
	abort();
}

static void set_text(uint8_t *slot, const struct text_field *field, const char *value)
{
	if (strlen(value) >= field->room)
		bad_setting(value);
	memset(slot + field->at, 0, field->room);
	memcpy(slot + field->at, value, strlen(value));
}

static void set_value(uint8_t *slot, const char *key, const char *value)
{
	for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
		if (strcmp(key, texts[i].key) == 0) {
			set_text(slot, &texts[i], value);
			return;
		}
	unsigned from, to, level;
	if (strcmp(key, "sec") == 0) {
		slot[214] = strcmp(value, "open") == 0 ? 1 : 2;
	} else if (strcmp(key, "flags") == 0) {
		slot[215] = (uint8_t)atoi(value);
	} else if (strcmp(key, "rate") == 0) {
		put16(slot + 221, (unsigned)atoi(value));
	} else if (strcmp(key, "dim") == 0 && sscanf(value, "%u,%u,%u", &from, &to, &level) == 3) {
		put16(slot + 216, from);
		put16(slot + 218, to);
		slot[220] = (uint8_t)level;
	} else if (strcmp(key, "roll") == 0) {
		slot[223] = (uint8_t)atoi(value);
	} else if (strcmp(key, "date") == 0 && sscanf(value, "%u,%u", &from, &to) == 2) {
		slot[224] = (uint8_t)from;
		slot[225] = (uint8_t)to;
	} else {
		bad_setting(key);
	}
}

/* The next key=value of *at; a value with spaces is in double quotes. */
static bool next_setting(const char **at, char key[16], char value[128])
{
	int used = 0;

	*at += strspn(*at, " ");
	if (sscanf(*at, "%15[a-z]=\"%127[^\"]\"%n", key, value, &used) == 2 && used) {
		*at += used;
		return true;
	}
	value[0] = 0;
	if (sscanf(*at, "%15[a-z]=\"\"%n", key, &used) == 1 && used) {
		*at += used;
		return true;
	}
	if (sscanf(*at, "%15[a-z]=%n", key, &used) != 1 || !used) {
		if (**at)
			bad_setting(*at);
		return false;
	}
	*at += used;
	size_t size = strcspn(*at, " ");
	snprintf(value, 128, "%.*s", (int)size, *at);
	*at += size;
	return true;
}

void rig_config(struct rig *rig, const char *settings)
{
	uint8_t *eeprom = rig->cpu->eeprom(rig), *slot = eeprom;

	memset(eeprom, 0xff, 2 * SLOT);
	memset(slot, 0, SLOT);
	put16(slot, MAGIC);
	slot[2] = slot[3] = 1;			/* version, sequence */
	const char *defaults = "ssid=net pass=\"pass phrase\" tz=UTC0 server=ntp.example sec=wpa";
	char key[16], value[128];
	while (next_setting(&defaults, key, value))
		set_value(slot, key, value);
	while (next_setting(&settings, key, value))
		set_value(slot, key, value);
	put16(slot + 254, crc(slot, 254));
	rig_secret(rig, (const char *)slot + 37);
	rig_zone(rig, (const char *)slot + 102);
	rig->world->flags = slot[215];
}

/* ---- what the tubes must show ---------------------------------------------- */

void rig_zone(struct rig *rig, const char *tz)
{
	snprintf(rig->world->tz, sizeof rig->world->tz, "%s", tz);
}

void rig_flags(struct rig *rig, uint8_t flags)
{
	rig->world->flags = flags;
}

uint32_t rig_utc(const struct rig *rig, uint64_t cycle, uint32_t *frac)
{
	return ntpsrv_utc(&rig->server[0], cycle, frac);
}

void rig_set_utc(struct rig *rig, uint32_t utc)
{
	for (unsigned i = 0; i < RIG_SERVERS; i++) {
		struct ntpsrv *server = &rig->server[i];
		double elapsed = (double)rig->cycle / (SIM_HZ * (1 + server->ppm / 1e6));

		server->utc = utc - (uint32_t)elapsed;
		server->phase = floor(elapsed) - elapsed;
		server->jump = 0;
	}
}

/* The host's C library in the clock's zone. */
static void local_text(const struct rig *rig, uint32_t utc, char text[7])
{
	const char *zone = getenv("TZ");

	if (zone == NULL || strcmp(zone, rig->world->tz) != 0) {
		setenv("TZ", rig->world->tz, 1);
		tzset();
	}
	time_t at = utc;
	struct tm tm;
	localtime_r(&at, &tm);
	int hour = tm.tm_hour;
	if (rig->world->flags & 1)
		hour = (hour + 11) % 12 + 1;
	snprintf(text, 7, "%02u%02u%02u", (unsigned)hour % 100, (unsigned)tm.tm_min % 100, (unsigned)tm.tm_sec % 100);
	if (rig->world->flags & 2 && text[0] == '0')
		text[0] = '-';
}

void rig_expected(const struct rig *rig, uint64_t cycle, char text[7])
{
	local_text(rig, rig_utc(rig, cycle, NULL), text);
}

/* The second that begins nearest to cycle, and how much later than that cycle is, in ms. */
static uint32_t nearest_second(const struct rig *rig, uint64_t cycle, double *late)
{
	uint32_t frac, utc = rig_utc(rig, cycle, &frac);

	*late = frac / 4294967.296;
	if (frac < 0x80000000U)
		return utc;
	*late -= 1000;
	return utc + 1;
}

double rig_error_ms(const struct rig *rig, uint64_t a, uint64_t b)
{
	double worst = 0;
	uint32_t last = 0;
	uint64_t last_cycle = a;
	const struct tubes_change *change = tubes_find(&rig->tubes, a, "******");
	const struct tubes_change *end = rig->tubes.change + rig->tubes.changes;

	if (!change)
		return 1e9;
	for (; change < end && change->cycle <= b; last_cycle = (change++)->cycle) {
		char text[7];
		double late;
		uint32_t second = nearest_second(rig, change->cycle, &late);

		local_text(rig, second, text);
		if (strcmp(text, change->text) != 0 || (last && second != last + 1))
			return 1e9;
		last = second;
		worst = fmax(worst, fabs(late));
	}
	/* A second without a change at either end is as wrong as one in between. */
	if (!last || b - last_cycle > 1.5 * SIM_HZ)
		return 1e9;
	return worst;
}

double rig_gate_error(struct rig *rig, double seconds)
{
	double error = rig_error_ms(rig, rig->cycle - (uint64_t)(seconds * SIM_HZ), rig->cycle);
	uint32_t us = error < 4e6 ? (uint32_t)(error * 1000) : UINT32_MAX;

	if (us > rig->gates.error_us)
		rig->gates.error_us = us;
	return error;
}
