/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * SPI commands of the WINC1500 (mode 0, half duplex: zeros are sent while we
 * read).  Fields of a command are big-endian, values in answers little-endian.
 */
#include "wspi.h"

#include "hal.h"

enum command {
	WRITE_BLOCK = 0xc7,		/* "DMA extended": 24 bits of size */
	READ_BLOCK = 0xc8,
	WRITE_WORD = 0xc9,
	READ_WORD = 0xca,
	RESET_SPI = 0xcf,
};

enum {
	STATE_GOOD = 0x00,
	FILLER = 0xff,			/* before a state */
	TOKEN = 0xf0,			/* high nibble of a data token in answers */
	TOKEN_ONLY = 0xf3,		/* of ours: the only block, all are far below 8 KiB */
	DATA_TAKEN = 0xc3,		/* answer to written data, then STATE_GOOD */
	POLLS = 10,			/* bytes we wait for each part of an answer */
	CRC7_POLYNOMIAL = 0x09,
	CRC7_START = 0x7f,
};

uint32_t wspi_value;
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "wspi_value takes an answer's bytes as they come");
bool wspi_crc;
uint16_t wspi_errors;
static uint8_t command_code, command_crc;	/* of the one that is being sent */

void wspi_init(void)
{
	wspi_crc = true;
	wspi_errors = 0;
}

uint8_t wspi_crc7(uint8_t crc, uint8_t byte)
{
	uint8_t bits;

	for (bits = 0; bits < 8; bits++) {
		crc <<= 1;
		if ((crc ^ byte) & 0x80)
			crc ^= CRC7_POLYNOMIAL;
		byte <<= 1;
	}
	return crc & 0x7f;
}

static uint8_t read_byte(void)
{
	return hal_spi(0);
}

/* Skips filler, mostly zeros, until a byte has value in the bits of mask. */
static bool await(uint8_t value, uint8_t mask)
{
	uint8_t polls;

	for (polls = POLLS; polls > 0; polls--)
		if ((read_byte() & mask) == value)
			return true;
	return false;
}

/* Filler before the state is not zero, and any other value is an error. */
static bool state_good(void)
{
	uint8_t polls, state = FILLER;

	for (polls = POLLS; polls > 0 && state == FILLER; polls--)
		state = read_byte();
	return state == STATE_GOOD;
}

/* A byte of a command. */
static void put(uint8_t byte)
{
	if (wspi_crc)
		command_crc = wspi_crc7(command_crc, byte);
	hal_spi(byte);
}

static void put24(uint32_t value)
{
	put(value >> 16);
	put(value >> 8);
	put(value);
}

/* Selects the module and sends a command's code and address. */
static void begin(uint8_t code, uint32_t address)
{
	hal_wifi_select(true);
	command_code = code;
	command_crc = CRC7_START;
	put(code);
	put24(address);
}

/* The command is sent; true: it comes back and its state is good. */
static bool answered(void)
{
	if (wspi_crc)
		hal_spi(command_crc << 1);
	if (command_code == RESET_SPI)
		read_byte();		/* one byte more than the others before the echo */
	return await(command_code, 0xff) && state_good();
}

static bool finish(bool good)
{
	hal_wifi_select(false);
	if (!good)
		wspi_errors++;
	return good;
}

bool wspi_clear(void)
{
	begin(RESET_SPI, 0xffffff);
	return finish(answered());
}

/* The data of an answer: token, bytes, CRC. */
static bool take_data(uint8_t *to, uint8_t size)
{
	if (!await(TOKEN, 0xf0))
		return false;
	for (; size > 0; size--)
		*to++ = read_byte();
	if (wspi_crc) {
		read_byte();
		read_byte();
	}
	return true;
}

bool wspi_read(uint32_t address)
{
	begin(READ_WORD, address);
	return finish(answered() && take_data((uint8_t *)&wspi_value, 4));
}

bool wspi_write(uint32_t address, uint32_t value)
{
	begin(WRITE_WORD, address);
	put(value >> 24);
	put24(value);
	return finish(answered());
}

static bool block_command(uint8_t code, uint32_t address, uint8_t size)
{
	begin(code, address);
	put24(size);
	return answered();
}

bool wspi_read_block(uint32_t address, uint8_t *to, uint8_t size)
{
	return finish(block_command(READ_BLOCK, address, size) && take_data(to, size));
}

/*
 * Some firmware answers a byte early, so last, which came in while our last
 * byte went out, counts too.
 */
static bool data_taken(uint8_t last)
{
	uint8_t polls;

	for (polls = POLLS; last != DATA_TAKEN; last = read_byte())
		if (polls-- == 0)
			return false;
	return state_good();
}

bool wspi_write_block(uint32_t address, wspi_bytes *bytes, uint8_t size)
{
	uint8_t last = 0;
	uint8_t i;

	if (!block_command(WRITE_BLOCK, address, size))
		return finish(false);
	hal_spi(TOKEN_ONLY);
	for (i = 0; i < size; i++)
		last = hal_spi(bytes(i));
	return finish(data_taken(last));
}
