/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SPI commands of the WINC1500.  Each call is one whole command, from chip
 * select to chip select; false: the module did not answer as it must.  Who
 * called then waits 1 ms, calls wspi_clear, waits 1 ms and tries again.
 *
 * Registers up to 0xff are out of reach: they have commands of their own, and
 * are for putting the module to sleep, which a clock on the mains never does.
 */
#ifndef WSPI_H
#define WSPI_H

#include <stdbool.h>
#include <stdint.h>

/* Byte i of what is to be written; a repeated command asks again from 0. */
typedef uint8_t wspi_bytes(uint8_t i);

void wspi_init(void);		/* forgets the errors; CRC on, as after the module's reset */
extern bool wspi_crc;		/* whether the module wants CRC now */

bool wspi_read(uint32_t address);	/* into wspi_value, which is spoiled when it fails */
extern uint32_t wspi_value;
bool wspi_write(uint32_t address, uint32_t value);

/* Blocks are of 2 bytes or more (a single one is a hardware defect) and are written without CRC only. */
bool wspi_read_block(uint32_t address, uint8_t *to, uint8_t size);
bool wspi_write_block(uint32_t address, wspi_bytes *bytes, uint8_t size);
bool wspi_clear(void);		/* CF: the module's SPI parser starts again */

extern uint16_t wspi_errors;	/* commands that failed since wspi_init */

/* One byte more into the CRC7 (x^7 + x^3 + 1) of a command; it starts with 0x7f. */
uint8_t wspi_crc7(uint8_t crc, uint8_t byte);

#endif
