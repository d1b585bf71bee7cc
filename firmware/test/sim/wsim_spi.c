/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The WiFi module's model: SPI commands byte by byte; the parser's state lives across CS. */
#include "wsim_in.h"

enum { LONGEST_READ = 2048 };

static void push(struct wsim_spi *spi, uint8_t byte)
{
	if (spi->tail < WSIM_ANSWER)
		spi->answer[spi->tail++] = byte;
}

static void push_filler(struct wsim *wifi, uint8_t byte)
{
	const struct wsim_script *script = &wifi->script;
	unsigned n = script->filler_max ? wsim_random(wifi) % (script->filler_max + 1u) : script->filler_fixed;

	if (n > 10)
		wifi->spi.muddled = true;
	while (n--)
		push(&wifi->spi, byte);
}

static uint8_t crc7(const uint8_t *bytes, unsigned count)
{
	uint8_t crc = 0x7f;

	for (unsigned i = 0; i < 8 * count; i++) {
		unsigned bit = bytes[i / 8] >> (7 - i % 8) & 1;
		unsigned feedback = (crc >> 6 & 1) ^ bit;

		crc = (uint8_t)(crc << 1 & 0x7f);
		if (feedback)
			crc ^= 0x09;
	}
	return crc;
}

static bool crc_on(const struct wsim_spi *spi)
{
	return spi->control & 0x0c;
}

static uint32_t block_size(const struct wsim_spi *spi)
{
	return 256u << (spi->control >> 4 & 7);
}

void wsim_spi_reset(struct wsim *wifi)
{
	struct wsim_spi *spi = &wifi->spi;

	spi->state = SPI_IDLE;
	spi->head = spi->tail = 0;
	spi->idle = spi->resets = 0;
	spi->spoil = spi->muddled = false;
	spi->control = 0x2c;
}

static void blame(struct wsim *wifi, const char *text)
{
	if (!wifi->spi.muddled)
		wsim_error(wifi, text);
}

/* Bytes of a command with its code and without CRC; 0: there is no such command. */
static uint8_t command_bytes(uint8_t code)
{
	switch (code) {
	case 0xc1: case 0xc2: return 6;
	case 0xc3: return 7;
	case 0xc4: case 0xc5: case 0xc6: case 0xca: case 0xcf: return 4;
	case 0xc7: case 0xc8: return 7;
	case 0xc9: return 8;
	default: return 0;
	}
}

static uint32_t big24(const uint8_t *p)
{
	return (uint32_t)p[0] << 16 | (uint32_t)p[1] << 8 | p[2];
}

static uint32_t big32(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | big24(p + 1);
}

/* Data to the host in blocks: filler, token, bytes, CRC. */
static void push_data(struct wsim *wifi, const uint8_t *bytes, uint32_t size, bool crc)
{
	struct wsim_spi *spi = &wifi->spi;

	for (uint32_t at = 0; at < size;) {
		uint32_t left = size - at, n = left < block_size(spi) ? left : block_size(spi);

		push_filler(wifi, 0);
		push(spi, n == left ? 0xf3 : at ? 0xf2 : 0xf1);
		for (uint32_t end = at + n; at < end; at++)
			push(spi, bytes[at]);
		for (unsigned i = 0; crc && i < 2; i++)
			push(spi, 0);
	}
}

static void push_word(struct wsim *wifi, uint32_t value, bool crc)
{
	uint8_t bytes[4];

	wsim_put32(bytes, value);
	push_data(wifi, bytes, 4, crc);
}

static void push_memory(struct wsim *wifi, uint32_t address, uint32_t size)
{
	uint8_t bytes[LONGEST_READ];

	for (uint32_t i = 0; i < size; i++)
		bytes[i] = wifi->memory[(address + i) % WSIM_MEMORY];
	push_data(wifi, bytes, size, crc_on(&wifi->spi));
}

static bool check_size(struct wsim *wifi, uint32_t size)
{
	if (size == 1)
		wsim_error(wifi, "a block of length 1");
	if (size == 0)
		wsim_error(wifi, "a block of length 0");
	if (size > LONGEST_READ)
		wsim_error(wifi, "a block longer than any message");
	return size && size <= LONGEST_READ;
}

static void start_write(struct wsim *wifi, uint32_t address, uint32_t size)
{
	struct wsim_spi *spi = &wifi->spi;

	wsim_check_write(wifi, address, size);
	spi->state = SPI_TOKEN;
	spi->address = address;
	spi->left = size;
	spi->first = true;
}

/* Registers of a block at C1, C2, C7 and C8. */
static void block_command(struct wsim *wifi)
{
	const uint8_t *c = wifi->spi.command;
	uint32_t address = big24(c + 1), size = c[0] < 0xc7 ? (uint32_t)c[4] << 8 | c[5] : big24(c + 4);

	if (!check_size(wifi, size))
		return;
	if (c[0] & 1) {
		start_write(wifi, address, size);
		return;
	}
	wsim_check_read(wifi, address, size);
	push_memory(wifi, address, size);
}

static void set_control(struct wsim *wifi, uint32_t value)
{
	if ((value >> 4 & 7) > 5)
		wsim_error(wifi, "0xe824: no such block size");
	wifi->spi.control = value;
	wifi->spi.muddled = false;
}

static void check_clockless(struct wsim *wifi, uint32_t address, uint32_t last)
{
	if (!(address & 0x8000))
		wsim_error(wifi, "C3 or C4 without bit 7 of the address");
	if ((address & 0x7fff) > last)
		wsim_error(wifi, "C3 or C4 to a register that is not clockless");
}

static void word_command(struct wsim *wifi)
{
	const uint8_t *c = wifi->spi.command;
	uint32_t address = c[0] < 0xc9 ? (uint32_t)c[1] << 8 | c[2] : big24(c + 1);

	if (c[0] == 0xc3 || c[0] == 0xc4)
		check_clockless(wifi, address, c[0] == 0xc3 ? 0x30 : 0xff);
	else if (address <= (c[0] == 0xc9 ? 0x30u : 0xffu))
		wsim_error(wifi, "C9 or CA to a clockless register");
	if (c[0] == 0xc3)
		wsim_register_write(wifi, address & 0x7fff, big32(c + 3));
	else if (c[0] == 0xc4)
		push_word(wifi, wsim_register(wifi, address & 0x7fff), false);
	else if (c[0] == 0xc9 && address == 0xe824)
		set_control(wifi, big32(c + 4));
	else if (c[0] == 0xc9)
		wsim_register_write(wifi, address, big32(c + 4));
	else
		push_word(wifi, address == 0xe824 ? wifi->spi.control : wsim_register(wifi, address), crc_on(&wifi->spi));
}

/* C5, C6, CF: one byte for nothing comes before the echo. */
static void reset_command(struct wsim *wifi)
{
	const uint8_t *c = wifi->spi.command;
	uint32_t argument = c[0] == 0xcf ? 0xffffff : 0;

	if (big24(c + 1) != argument)
		wsim_error(wifi, "C5, C6 or CF with wrong bytes");
	wifi->spi.muddled = false;
	push(&wifi->spi, 0xff);
	push(&wifi->spi, c[0]);
	push(&wifi->spi, 0);
}

/* bad_every: what is not answered right is not done either. */
static bool spoiled(struct wsim *wifi)
{
	struct wsim_spi *spi = &wifi->spi;
	uint8_t code = spi->command[0];

	if (!wifi->script.bad_every || ++spi->commands % wifi->script.bad_every)
		return false;
	spi->muddled = true;
	bool writes = code == 0xc7 || code == 0xc1;
	switch (wsim_random(wifi) % (writes ? 3 : 2)) {
	case 0:
		push(spi, code ^ 0x10);
		push(spi, 0);
		return true;
	case 1:
		push(spi, code);
		push(spi, 1);
		spi->idle = 1;
		return true;
	default:
		spi->spoil = true;
		return false;
	}
}

static void execute(struct wsim *wifi)
{
	struct wsim_spi *spi = &wifi->spi;
	uint8_t code = spi->command[0];

	spi->state = SPI_IDLE;
	spi->head = spi->tail = 0;
	spi->spoil = false;
	if (code == 0xc5 || code == 0xc6 || code == 0xcf) {
		reset_command(wifi);
		return;
	}
	if (spoiled(wifi))
		return;
	push_filler(wifi, 0);
	push(spi, code);
	push_filler(wifi, 0xff);
	push(spi, 0);
	if (code == 0xc1 || code == 0xc2 || code == 0xc7 || code == 0xc8)
		block_command(wifi);
	else
		word_command(wifi);
}

static void argument(struct wsim *wifi, uint8_t byte)
{
	struct wsim_spi *spi = &wifi->spi;

	spi->command[spi->have++] = byte;
	if (spi->have < spi->want)
		return;
	if (!crc_on(spi) || byte == (uint8_t)(crc7(spi->command, spi->want - 1u) << 1)) {
		execute(wifi);
		return;
	}
	blame(wifi, "CRC7 of a command is wrong");
	spi->state = SPI_IDLE;
	spi->muddled = true;
}

static void begin(struct wsim *wifi, uint8_t byte)
{
	struct wsim_spi *spi = &wifi->spi;

	spi->state = SPI_IDLE;
	if (!byte)
		return;
	spi->idle = 0;
	if (!command_bytes(byte)) {
		blame(wifi, "no such SPI command");
		return;
	}
	spi->state = SPI_ARGUMENTS;
	spi->command[0] = byte;
	spi->have = 1;
	spi->want = (uint8_t)(command_bytes(byte) + (crc_on(spi) ? 1 : 0));
}

static void token(struct wsim *wifi, uint8_t byte)
{
	struct wsim_spi *spi = &wifi->spi;

	if (!byte)
		return;
	uint32_t size = block_size(spi);
	uint8_t right = spi->left <= size ? 0xf3 : spi->first ? 0xf1 : 0xf2;
	if (byte < 0xf1 || byte > 0xf3) {
		blame(wifi, "something else than a data token");
		begin(wifi, byte == 0xcf ? byte : 0);
		return;
	}
	if (byte != right)
		wsim_error(wifi, "wrong data token");
	spi->first = false;
	spi->block = spi->left < size ? spi->left : size;
	spi->state = SPI_DATA;
}

static void data_end(struct wsim *wifi)
{
	struct wsim_spi *spi = &wifi->spi;

	if (spi->left) {
		spi->state = SPI_TOKEN;
		return;
	}
	spi->state = SPI_IDLE;
	spi->head = spi->tail = 0;
	bool early = wifi->script.early_c3;
	if (!crc_on(spi) && !early)
		push(spi, 0);
	if (!early)
		push(spi, spi->spoil ? 0x5a : 0xc3);
	push(spi, 0);
	spi->spoil = false;
}

static void data(struct wsim *wifi, uint8_t byte)
{
	struct wsim_spi *spi = &wifi->spi;

	if (!spi->spoil)
		wsim_store(wifi, spi->address, byte);
	spi->address++;
	spi->left--;
	if (--spi->block)
		return;
	spi->crc_left = 2;
	spi->state = SPI_CRC;
	if (!crc_on(spi))
		data_end(wifi);
}

/* The byte that goes out while the last one of the data comes in. */
static bool last_byte(const struct wsim_spi *spi)
{
	if (crc_on(spi))
		return spi->state == SPI_CRC && spi->crc_left == 1 && !spi->left;
	return spi->state == SPI_DATA && spi->left == 1;
}

static uint8_t shifted_out(struct wsim *wifi)
{
	struct wsim_spi *spi = &wifi->spi;

	if (spi->head < spi->tail)
		return spi->answer[spi->head++];
	if (wifi->script.early_c3 && last_byte(spi))
		return spi->spoil ? 0x5a : 0xc3;
	return spi->idle;
}

/* A byte comes in while an answer is not read to its end: only a whole CF FF FF FF (CRC) is understood. */
static void interrupted(struct wsim *wifi, uint8_t byte)
{
	struct wsim_spi *spi = &wifi->spi;
	bool crc = spi->head == 1 && byte == (uint8_t)(crc7(spi->command, command_bytes(spi->command[0])) << 1);

	if (byte && !crc)	/* a host that was reset does not know that CRC is off */
		blame(wifi, "a byte other than 0 while the answer is not read");
	bool fits = spi->resets == 0 ? byte == 0xcf : spi->resets < 4 ? byte == 0xff : true;
	spi->resets = fits ? (uint8_t)(spi->resets + 1) : 0;
	if (!fits)
		return;
	spi->command[spi->resets - 1] = byte;
	if (spi->resets < (crc_on(spi) ? 5 : 4))
		return;
	spi->resets = 0;
	execute(wifi);
}

uint8_t wsim_spi_byte(struct wsim *wifi, uint8_t mosi)
{
	struct wsim_spi *spi = &wifi->spi;
	bool answering = spi->head < spi->tail;
	uint8_t miso = shifted_out(wifi);

	if (answering || spi->resets) {
		interrupted(wifi, mosi);
		return miso;
	}
	switch (spi->state) {
	case SPI_IDLE:
		begin(wifi, mosi);
		break;
	case SPI_ARGUMENTS:
		argument(wifi, mosi);
		break;
	case SPI_TOKEN:
		token(wifi, mosi);
		break;
	case SPI_DATA:
		data(wifi, mosi);
		break;
	case SPI_CRC:
		if (!--spi->crc_left)
			data_end(wifi);
		break;
	}
	return miso;
}
