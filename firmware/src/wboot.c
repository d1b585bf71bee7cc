/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The start of the WINC1500: power and reset pins, CRC off, boot ROM,
 * firmware, interrupt, version.  Each stage is one step that can be repeated.
 */
#include "wboot.h"

#include "hal.h"
#include "wspi.h"

#define SPI_CONFIG 0xe824UL
#define SPI_CONFIG_MASK (3UL << 2 | 7UL << 4)	/* CRC checked on commands and data; largest block: 256 bytes << this */
#define SPI_CONFIG_8K (5UL << 4)		/* and no CRC */
#define CHIP_ID 0x1000UL
#define CHIP_FAMILY 0xff0		/* of the revision in the low 12 bits: */
#define CHIP_ELSEWHERE 0x0f0		/* then it is to be read at: */
#define CHIP_ID_2 0x3b0000UL
#define CHIP_REV_B0 0x2b0
#define CHIP_REV_PB 0x3a0
#define EFUSE 0x1014UL
#define EFUSE_LOADED (1UL << 31)
#define HOST_WAIT 0x207bcUL
#define HOST_WAIT_ON 1UL		/* the boot ROM waits for us, not we for it */
#define BOOT_ROM 0xc000cUL
#define BOOT_ROM_FINISHED 0x10add09eUL
#define BOOT_ROM_START 0xef522f61UL
#define STATE 0x108cUL			/* until the firmware runs; then whif.c's TX_HEAD */
#define STATE_DRIVER 0x13521352UL	/* 19.5.2 and 19.5.2: our interface, least firmware */
#define STATE_FIRMWARE_UP 0x02532636UL
#define CONFIG 0x14a0UL
#define CONFIG_ALWAYS (1UL << 8)
#define CONFIG_PMU (1UL << 1)		/* of revision 3A0 on */
#define PIN_MUX 0x1408UL
#define PIN_MUX_IRQ (1UL << 8)
#define IRQ_ENABLE 0x1a00UL
#define IRQ_ENABLE_HOST (1UL << 16)
#define FIRMWARE_VERSION 0x207acUL	/* low half: major << 8, minor << 4, patch */

enum {
	POWER_OFF_MS = 1000,
	EN_TO_RESET_MS = 100,		/* 5 at least */
	RESET_TO_SPI_MS = 100,		/* 10 at least */
	EFUSE_MS = 1000,
	ROM_MS = 2000,
	CONFIG_MS = 5,
	FIRMWARE_MS = 4000,
	POLL_MS = 1,			/* the module does not like to be asked faster */
	TRIES = 4,			/* of a command; to find CRC half of them are without it */
};

enum act {
	PINS,			/* EN, RESET_N: bits of value; then a pause of ms */
	FIND_CRC, CRC_OFF,	/* functions below */
	WRITE,
	WRITE_IF_PB,		/* revision 3A0 only */
	/* the register is read first */
	CHIP,			/* function below */
	VERSION,
	SET,			/* bits of value */
	SKIP_IF,		/* the next row, if it has a bit of value */
	WAIT_BIT, WAIT_VALUE,	/* until the register has it, for ms */
};

enum { EN = 1, RESET_N = 2 };

/* The start, a row a step. */
enum {
	AT_POWER_OFF, AT_POWER_ON, AT_LET_GO, AT_FIND_CRC, AT_CRC_OFF, AT_CHIP, AT_EFUSE, AT_WHO_WAITS, AT_ROM,
	AT_DRIVER, AT_CONFIG, AT_CONFIG_PB, AT_CONFIG_DONE, AT_START, AT_FIRMWARE, AT_CLEAR, AT_IRQ_PIN, AT_IRQ,
	AT_VERSION,
};
static FLASH struct row {
	uint8_t act;
	uint16_t ms;
	uint32_t address, value;
} rows[] = {
	[AT_POWER_OFF] = { PINS, POWER_OFF_MS, 0, 0 },
	[AT_POWER_ON] = { PINS, EN_TO_RESET_MS, 0, EN },
	[AT_LET_GO] = { PINS, RESET_TO_SPI_MS, 0, EN | RESET_N },
	[AT_FIND_CRC] = { FIND_CRC, 0, 0, 0 },
	[AT_CRC_OFF] = { CRC_OFF, 0, 0, 0 },
	[AT_CHIP] = { CHIP, 0, CHIP_ID, 0 },
	[AT_EFUSE] = { WAIT_BIT, EFUSE_MS, EFUSE, EFUSE_LOADED },
	[AT_WHO_WAITS] = { SKIP_IF, 0, HOST_WAIT, HOST_WAIT_ON },
	[AT_ROM] = { WAIT_VALUE, ROM_MS, BOOT_ROM, BOOT_ROM_FINISHED },
	[AT_DRIVER] = { WRITE, 0, STATE, STATE_DRIVER },
	[AT_CONFIG] = { WRITE, 0, CONFIG, CONFIG_ALWAYS },
	[AT_CONFIG_PB] = { WRITE_IF_PB, 0, CONFIG, CONFIG_ALWAYS | CONFIG_PMU },
	/* Some modules read back more bits than were written. */
	[AT_CONFIG_DONE] = { WAIT_BIT, CONFIG_MS, CONFIG, CONFIG_ALWAYS },
	[AT_START] = { WRITE, 0, BOOT_ROM, BOOT_ROM_START },
	[AT_FIRMWARE] = { WAIT_VALUE, FIRMWARE_MS, STATE, STATE_FIRMWARE_UP },
	[AT_CLEAR] = { WRITE, 0, STATE, 0 },
	[AT_IRQ_PIN] = { SET, 0, PIN_MUX, PIN_MUX_IRQ },
	[AT_IRQ] = { SET, 0, IRQ_ENABLE, IRQ_ENABLE_HOST },
	[AT_VERSION] = { VERSION, 0, FIRMWARE_VERSION, 0 },
};

bool wboot_warm;
uint16_t wboot_version, wboot_ms;
static bool boot_powered;
static bool boot_pb;		/* the chip is of revision 3A0 on */
static uint8_t boot_row;
static uint16_t boot_since;	/* ms at which the row began */

void wboot_start(enum winc_depth depth)
{
	static FLASH uint8_t first[] = { AT_FIND_CRC, AT_POWER_ON, AT_POWER_OFF };

	boot_row = boot_powered ? first[depth] : AT_POWER_ON;
	boot_powered = true;
	wboot_version = 0;
	wspi_init();
}

void wboot_stop(void)
{
	hal_wifi_reset(true);
	hal_wifi_enable(false);
	boot_powered = false;
}

static uint8_t go(uint8_t row)
{
	boot_row = row;
	boot_since = hal_ms();
	return WBOOT_MORE;
}

static uint8_t next_if(bool good)
{
	return good ? go(boot_row + 1) : WBOOT_BUS_ERROR;
}

/*
 * CRC is on after the module's reset; a module that continues from before our
 * own reset has it off: it does not answer the first two tries.
 */
static uint8_t find_crc(uint8_t tries)
{
	wspi_crc = tries < TRIES / 2;
	wboot_warm = !wspi_crc;
	return next_if(wspi_read(SPI_CONFIG));
}

/* The last command with CRC.  When its answer got lost CRC may be off already. */
static uint8_t crc_off(uint8_t tries)
{
	wspi_crc = !wboot_warm && tries < TRIES / 2;
	if (!wspi_write(SPI_CONFIG, (wspi_value & ~SPI_CONFIG_MASK) | SPI_CONFIG_8K))
		return WBOOT_BUS_ERROR;
	wspi_crc = false;
	return go(AT_CHIP);
}

static uint16_t family(void)
{
	return (uint16_t)wspi_value & CHIP_FAMILY;
}

static uint8_t chip(void)
{
	if (family() == CHIP_ELSEWHERE && !wspi_read(CHIP_ID_2))
		return WBOOT_BUS_ERROR;
	boot_pb = family() == CHIP_REV_PB;
	if (!boot_pb && family() != CHIP_REV_B0)
		return WBOOT_FAULT + WINC_UNKNOWN;
	return go(wboot_warm ? AT_IRQ_PIN : AT_EFUSE);
}

static uint8_t wait_for(const struct row *row)
{
	uint32_t value = wspi_value;

	if (row->act == WAIT_BIT)
		value &= row->value;
	if (value == row->value)
		return go(boot_row + 1);
	if ((uint16_t)((uint16_t)hal_ms() - boot_since) > row->ms)
		return WBOOT_FAULT + WINC_NO_BOOT;
	return WBOOT_MORE;
}

static uint8_t do_row(const struct row *row, uint8_t tries)
{
	if (row->act >= CHIP && !wspi_read(row->address))
		return WBOOT_BUS_ERROR;
	switch (row->act) {
	case PINS:
		hal_wifi_reset(!((uint8_t)row->value & RESET_N));
		hal_wifi_enable((uint8_t)row->value & EN);
		break;
	case FIND_CRC:
		return find_crc(tries);
	case CRC_OFF:
		return crc_off(tries);
	case CHIP:
		return chip();
	case VERSION:
		wboot_version = wspi_value;
		return WBOOT_UP;
	case SET:
		return next_if(wspi_write(row->address, wspi_value | row->value));
	case WRITE_IF_PB:
		if (!boot_pb)
			break;
		/* fall through */
	case WRITE:
		return next_if(wspi_write(row->address, row->value));
	case SKIP_IF:
		if ((uint8_t)wspi_value & (uint8_t)row->value)
			boot_row++;
		break;
	default:
		return wait_for(row);
	}
	return go(boot_row + 1);
}

uint8_t wboot_step(uint8_t tries)
{
	uint8_t at = boot_row;
	const struct row row = rows[at];
	uint8_t step = do_row(&row, tries);

	if (step == WBOOT_BUS_ERROR && tries + 1 >= TRIES)
		return WBOOT_FAULT + (at > AT_CRC_OFF ? WINC_BUS : WINC_NO_ANSWER);
	wboot_ms = row.act == PINS ? row.ms : POLL_MS;
	return step;
}
