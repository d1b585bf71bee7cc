/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A board for tests of the console alone: serial port at its real speed with
 * its rings, EEPROM, and stand-ins for the modules that the console asks.
 * Holds code: one file of a program includes it.
 */
#ifndef CLI_BOARD_H
#define CLI_BOARD_H

#include <setjmp.h>
#include <string.h>

#include "cli.h"
#include "clk.h"
#include "conf.h"
#include "disp.h"
#include "hal.h"
#include "net.h"
#include "sync.h"
#include "winc.h"

enum { BOARD_RING = 64, BOARD_HEARD = 1 << 17 };

static struct {
	uint64_t us;
	uint8_t in[BOARD_RING];
	unsigned first, count, going;	/* going: bytes in the ring out */
	bool lost;
	uint64_t out_us;		/* when the line out was last free */
	char heard[BOARD_HEARD];	/* with a NUL */
	unsigned size;
	uint8_t eeprom[1024];
	uint64_t busy_us;		/* the write under way ends */
	unsigned writes;
	uint32_t pass_us, since_pass;
	jmp_buf reset;
	/* calls that the modules received, and values that they return */
	unsigned restarts, tests, zones, asks;
	uint32_t by_hand;
	bool can_ask, known;
	uint32_t utc;
	int16_t rate;
	struct sync_info sync;
	struct net_info net;
	enum sync_state state;
	uint8_t code, cause;
} board;

enum { BYTE_US = 87 };		/* 10 bits at 115200 */

static void board_say(uint8_t byte)
{
	if (board.size < BOARD_HEARD - 1)
		board.heard[board.size++] = (char)byte;
	board.heard[board.size] = '\0';
}

static void board_pass_time(uint32_t us)
{
	board.us += us;
	while (board.going > 0 && board.us - board.out_us >= BYTE_US) {
		board.going--;
		board.out_us += BYTE_US;
	}
	if (board.going == 0)
		board.out_us = board.us;
}

uint32_t hal_ms(void)
{
	return (uint32_t)(board.us / 1000);
}

bool hal_uart_get(uint8_t *byte)
{
	if (board.count == 0)
		return false;
	*byte = board.in[board.first];
	board.first = (board.first + 1) % BOARD_RING;
	board.count--;
	return true;
}

bool hal_uart_put(uint8_t byte)
{
	if (board.going == BOARD_RING)
		return false;
	board.going++;
	board_say(byte);
	return true;
}

bool hal_uart_lost(void)
{
	bool lost = board.lost;

	board.lost = false;
	return lost;
}

uint8_t hal_ee_read(uint16_t at)
{
	return board.eeprom[at % sizeof board.eeprom];
}

void hal_ee_write(uint16_t at, uint8_t byte)
{
	board.eeprom[at % sizeof board.eeprom] = byte;
	board.busy_us = board.us + 3400;
	board.writes++;
}

bool hal_ee_busy(void)
{
	return board.busy_us > board.us;
}

uint8_t hal_reset_cause(void)
{
	return board.cause;
}

void hal_reset(void)
{
	longjmp(board.reset, 1);
}

bool clk_known(void) { return board.known; }
uint32_t clk_unix(void) { return board.utc; }
int16_t clk_get_rate(void) { return board.rate; }
void disp_zone(void) { board.zones++; }
void disp_test(void) { board.tests++; }
void net_restart(void) { board.restarts++; }
uint8_t net_code(void) { return board.code; }
void net_get(struct net_info *info) { *info = board.net; }
enum sync_state sync_state(void) { return board.state; }
void sync_by_hand(uint32_t utc) { board.by_hand = utc; }
void sync_get(struct sync_info *info) { *info = board.sync; }
uint16_t winc_version(void) { return 0x1352; }
uint16_t winc_errors(void) { return 3; }

bool net_ask_now(void)
{
	board.asks++;
	return board.can_ask;
}

void disp_local(uint32_t utc, struct hms *time)
{
	time->hour = (uint8_t)(utc / 3600 % 24);
	time->minute = (uint8_t)(utc / 60 % 60);
	time->second = (uint8_t)(utc % 60);
}

/* A byte comes in; one that finds the ring full is lost. */
static void board_byte(uint8_t byte)
{
	if (board.count == BOARD_RING) {
		board.lost = true;
		return;
	}
	board.in[(board.first + board.count++) % BOARD_RING] = byte;
}

static void board_run(uint32_t passes)
{
	while (passes-- > 0) {
		board_pass_time(board.pass_us);
		cli_pass();
	}
}

/* Bytes at the speed of the line, a pass each pass_us. */
static void board_type(const void *bytes, unsigned size)
{
	const uint8_t *p = bytes;

	for (unsigned i = 0; i < size; i++) {
		board_byte(p[i]);
		board_pass_time(BYTE_US);
		board.since_pass += BYTE_US;
		if (board.since_pass >= board.pass_us) {
			board.since_pass = 0;
			cli_pass();
		}
	}
}

static void board_init(void)
{
	memset(&board, 0, sizeof board);
	memset(board.eeprom, 0xff, sizeof board.eeprom);
	board.pass_us = 1000;
	board.can_ask = true;
	conf_load();
	cli_init();
}

static void board_forget(void)
{
	board.size = 0;
	board.heard[0] = '\0';
}

#endif
