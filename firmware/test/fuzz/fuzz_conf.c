/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Any 512 bytes in EEPROM: settings that are in range come out of it, and a save from there on works. */
#include <assert.h>
#include <string.h>

#include "conf.h"
#include "crc16.h"
#include "fuzz.h"
#include "hal.h"
#include "winc.h"

enum { SLOT = 256 };

static uint8_t eeprom[1024];
static uint32_t ms;

uint32_t hal_ms(void) { return ms; }
bool hal_ee_busy(void) { return false; }

uint8_t hal_ee_read(uint16_t at)
{
	assert(at < sizeof eeprom);
	return eeprom[at];
}

void hal_ee_write(uint16_t at, uint8_t byte)
{
	assert(at < 2 * SLOT);
	eeprom[at] = byte;
}

/* Limits of the fields, and one more. */
const char *const fuzz_words[] = {
	"\x9f\x05", "\xa0\x05", "\x0f", "\x10", "\x03", "\xd0\x07", "\xd1\x07", "\x30\xf8", "\x2f\xf8", NULL,
};

size_t fuzz_seed(unsigned i, uint8_t *data)
{
	if (i >= 3)
		return 0;
	memset(data, 0, 2 * SLOT + 1);
	data[0] = (uint8_t)i;
	for (unsigned slot = 0; slot < 2; slot++) {
		uint8_t *p = data + 1 + slot * SLOT;

		memcpy(p, "\x58\x4e\x01", 3);
		p[3] = (uint8_t)(slot + 255 * i);
		strcpy((char *)p + 4, "net");
		strcpy((char *)p + 37, "pass phrase");
		strcpy((char *)p + 102, "UTC0");
		strcpy((char *)p + 150, "ntp.example");
		p[214] = WINC_WPA;
	}
	return 2 * SLOT + 1;
}

/* Else hardly one input in 65536 would come further than the CRC. */
static void seal(uint8_t *slot)
{
	uint16_t crc = CRC16_START;

	for (unsigned i = 0; i < 254; i++)
		crc = crc16_byte(crc, slot[i]);
	slot[254] = crc & 0xff;
	slot[255] = (uint8_t)(crc >> 8);
}

static void check(void)
{
	assert(memchr(conf.ssid, '\0', sizeof conf.ssid) && memchr(conf.pass, '\0', sizeof conf.pass));
	assert(memchr(conf.tz, '\0', sizeof conf.tz) && memchr(conf.server, '\0', sizeof conf.server));
	assert(conf.security == WINC_OPEN || conf.security == WINC_WPA);
	assert(conf.dim_from < 1440 && conf.dim_to < 1440 && conf.dim_level < 16 && conf.flags < 32);
	assert(conf.roll <= ROLL_MOST && conf.date <= DATE_MOST && conf.date_form < DATE_FORMS);
	assert(conf.rate >= -2000 && conf.rate <= 2000);
}

static enum conf_progress finish(void)
{
	enum conf_progress progress = CONF_BUSY;

	for (unsigned i = 0; i < 2000 && progress == CONF_BUSY; i++)
		progress = conf_pass();
	return progress;
}

/* Byte 0: bits 0 and 1 seal the slots, bit 2 asks for a save of the rate first. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct conf before;
	bool loaded;

	if (size == 0)
		return 0;
	memset(eeprom, 0xff, sizeof eeprom);
	memcpy(eeprom, data + 1, size - 1 < 2 * SLOT ? size - 1 : 2 * SLOT);
	for (unsigned slot = 0; slot < 2; slot++)
		if (data[0] >> slot & 1)
			seal(eeprom + slot * SLOT);
	ms = 0;
	loaded = conf_load();
	check();
	ms = 100000000;
	if (data[0] & 4) {
		conf_keep_rate(conf.rate > 0 ? -50 : 50);
		finish();
		assert(conf_load() == loaded);
		check();
		return 0;
	}
	before = conf;
	conf_save();
	assert(finish() == CONF_DONE);
	assert(conf_load());
	assert(memcmp(&before, &conf, sizeof conf) == 0);
	conf_erase();
	assert(finish() == CONF_DONE);
	assert(!conf_load());
	return 0;
}
