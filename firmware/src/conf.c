/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The configuration in EEPROM.  A slot is written in this order: its magic
 * made invalid, the body, the magic, the CRC; until the last byte is there the
 * other slot counts.  No second copy in RAM: a save of the settings reads
 * them from conf, a save of the rate copies the valid slot, so that settings
 * nobody has saved stay unsaved.
 */
#include "conf.h"

#include <stddef.h>
#include <string.h>

#include "clk.h"
#include "crc16.h"
#include "hal.h"
#include "winc.h"

enum { SLOTS = 2, SLOT = 256, NO_SLOT = 0xff, ERASED = 0xff };
enum { AT_VERSION = 2, AT_SEQUENCE = 3, AT_CONF = 4, AT_REST = AT_CONF + sizeof(struct conf), AT_CRC = 254 };
enum { AT_RATE = AT_CONF + offsetof(struct conf, rate) };

/* The steps of a save: 1 to AT_CRC - 1 are these bytes. */
enum { STEP_INVALID = 0, STEP_MAGIC = AT_CRC, STEP_CRC, STEP_VERIFY = STEP_CRC + 2, STEP_END = STEP_VERIFY + SLOT };

enum { RATE_MOVED = 10, DAY_SHIFTED = 86400000UL / 65536 + 1, STEPS_A_PASS = 16 };

_Static_assert(offsetof(struct conf, security) == 214 - AT_CONF && AT_REST == 226, "the layout in EEPROM");

struct conf conf;

static FLASH uint8_t head[] = { 0x58, 0x4e, 1 };	/* magic, version */
static FLASH char default_tz[] = "UTC0", default_server[] = "pool.ntp.org";

static struct {
	uint16_t step, crc;
	uint16_t kept;		/* hal_ms() / 65536 of the last save of the rate, or of the start */
	enum { NOTHING, SAVE, RATE, ERASE } job : 8;
	uint8_t slot;		/* the valid one */
	uint8_t sequence;	/* its */
} store;

static uint8_t slot_byte(uint8_t slot, uint8_t i)
{
	return hal_ee_read((uint16_t)slot << 8 | i);
}

static bool slot_good(uint8_t slot)
{
	uint16_t crc = CRC16_START;

	for (uint8_t i = 0; i < AT_CRC; i++)
		crc = crc16_byte(crc, slot_byte(slot, i));
	for (uint8_t i = 0; i < sizeof head; i++)
		if (slot_byte(slot, i) != head[i])
			return false;
	return slot_byte(slot, AT_CRC) == (crc & 0xff) && slot_byte(slot, AT_CRC + 1) == crc >> 8;
}

static void set_text(char *text, FLASH char *from)
{
	while ((*text++ = *from++) != '\0')
		;
}

static void set_defaults(void)
{
	memset(&conf, 0, sizeof conf);
	set_text(conf.tz, default_tz);
	set_text(conf.server, default_server);
	conf.security = WINC_WPA;
	conf.flags = CONF_EXERCISE;
}

/* A valid CRC proves nothing: whoever wrote the slot may have been wrong. */
static bool conf_good(void)
{
	char ends = conf.ssid[CONF_SSID - 1] | conf.pass[CONF_PASS - 1] | conf.tz[CONF_TZ - 1] |
	    conf.server[CONF_SERVER - 1];

	return ends == '\0' && (conf.security == WINC_OPEN || conf.security == WINC_WPA) &&
	    conf.flags < 2 * CONF_FADE &&
	    conf.dim_from < DAY_MINUTES && conf.dim_to < DAY_MINUTES && conf.dim_level < DIM_FULL &&
	    conf.roll <= ROLL_MOST && conf.date <= DATE_MOST && conf.date_form < DATE_FORMS &&
	    conf.rate <= RATE_MAX && conf.rate >= -RATE_MAX;
}

static bool read_slot(uint8_t slot)
{
	uint8_t *byte = (uint8_t *)&conf;

	if (!slot_good(slot))
		return false;
	for (uint8_t i = AT_CONF; i < AT_REST; i++)
		*byte++ = slot_byte(slot, i);
	store.slot = slot;
	store.sequence = slot_byte(slot, AT_SEQUENCE);
	return conf_good();
}

bool conf_load(void)
{
	bool first;
	uint8_t sequence;

	memset(&store, 0, sizeof store);
	store.kept = (uint16_t)(hal_ms() >> 16);
	first = read_slot(0);
	sequence = store.sequence;
	if (read_slot(1) && (!first || (int8_t)(uint8_t)(store.sequence - sequence) > 0))
		return true;
	if (first)
		return read_slot(0);
	store.slot = NO_SLOT;
	set_defaults();
	return false;
}

static uint8_t other_slot(void)
{
	return store.slot == 0;
}

/* Byte i of the slot that is written. */
static uint8_t wanted(uint8_t i)
{
	if (i < sizeof head)
		return head[i];
	if (i == AT_SEQUENCE)
		return store.sequence + 1;
	if (i == AT_CRC)
		return store.crc & 0xff;
	if (i > AT_CRC)
		return (uint8_t)(store.crc >> 8);
	if (i >= AT_REST)
		return 0;
	if (store.job == RATE && i != AT_RATE && i != AT_RATE + 1)
		return slot_byte(store.slot, i);
	return ((const uint8_t *)&conf)[i - AT_CONF];
}

/* A byte that is right already is not worn by a write.  True: a write was started. */
static bool make(uint8_t slot, uint8_t i, uint8_t byte)
{
	if (slot_byte(slot, i) == byte)
		return false;
	hal_ee_write((uint16_t)slot << 8 | i, byte);
	return true;
}

static bool write_step(uint16_t step)
{
	uint8_t i = (uint8_t)step, byte;

	if (step == STEP_MAGIC)
		i = 0;
	else if (step > STEP_MAGIC)
		i = (uint8_t)(step - 1);
	byte = wanted(i);
	if (step == STEP_INVALID)
		store.crc = CRC16_START;
	if (step < AT_CRC)
		store.crc = crc16_byte(store.crc, byte);
	return make(other_slot(), i, step == STEP_INVALID ? ERASED : byte);
}

static enum conf_progress end(enum conf_progress progress)
{
	store.job = NOTHING;
	return progress;
}

static enum conf_progress save_step(uint16_t step, bool *wrote)
{
	uint8_t i = (uint8_t)(step - STEP_VERIFY);

	if (step < STEP_VERIFY)
		*wrote = write_step(step);
	else if (slot_byte(other_slot(), i) != wanted(i))
		return end(CONF_FAILED);
	if (step < STEP_END - 1)
		return CONF_BUSY;
	store.slot = other_slot();
	store.sequence++;
	return end(CONF_DONE);
}

/* The valid slot last: power that fails half way leaves the settings as they were, not older ones. */
static enum conf_progress erase_step(uint16_t step, bool *wrote)
{
	uint8_t slot = other_slot() ^ (uint8_t)(step >> 8);

	if (step < SLOTS * SLOT) {
		*wrote = make(slot, (uint8_t)step, ERASED);
		return CONF_BUSY;
	}
	store.slot = NO_SLOT;
	return end(CONF_DONE);
}

enum conf_progress conf_pass(void)
{
	enum conf_progress progress = CONF_BUSY;
	bool wrote = false;

	if (store.job == NOTHING)
		return CONF_IDLE;
	for (uint8_t i = 0; i < STEPS_A_PASS && progress == CONF_BUSY && !wrote && !hal_ee_busy(); i++) {
		uint16_t step = store.step++;

		progress = store.job == ERASE ? erase_step(step, &wrote) : save_step(step, &wrote);
	}
	return progress;
}

static void start(uint8_t job)
{
	store.job = job;
	store.step = 0;
}

void conf_save(void)
{
	start(SAVE);
}

void conf_erase(void)
{
	set_defaults();
	start(ERASE);
}

void conf_keep_rate(int16_t rate)
{
	uint16_t now = (uint16_t)(hal_ms() >> 16);
	int16_t moved = rate - conf.rate;

	if ((moved < RATE_MOVED && moved > -RATE_MOVED) || (uint16_t)(now - store.kept) < DAY_SHIFTED)
		return;
	if (store.job != NOTHING || store.slot == NO_SLOT || !slot_good(store.slot))
		return;
	conf.rate = rate;
	store.kept = now;
	start(RATE);
}
