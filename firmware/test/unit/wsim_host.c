/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* A small host of the WINC1500, for tests of its model. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "wsim_host.h"

enum { BYTE_CYCLES = 20, TRIES = 10, MS = 16000 };

static void out(void *arg, uint32_t ip, uint16_t port, uint16_t from, const uint8_t *data, uint16_t size)
{
	struct wsim_host *host = arg;

	host->ip = ip;
	host->port = port;
	host->from = from;
	host->size = size;
	memcpy(host->data, data, size < sizeof host->data ? size : sizeof host->data);
	host->sent++;
}

static void irq(void *arg, bool low)
{
	struct wsim_host *host = arg;

	assert_true(low != host->irq_low);
	host->irq_low = low;
	host->irqs += low;
}

void host_open(struct wsim_host *host)
{
	memset(host, 0, sizeof *host);
	host->wifi = wsim_new(out, irq, host);
	assert_non_null(host->wifi);
	host->cycle = 1000;
}

void host_close(struct wsim_host *host)
{
	wsim_free(host->wifi);
}

void host_wait(struct wsim_host *host, double ms)
{
	uint64_t until = host->cycle + (uint64_t)(ms * MS);

	for (unsigned n = 0; n < 100000; n++) {
		uint64_t due = wsim_tick(host->wifi, host->cycle);

		if (due > until)
			break;
		host->cycle = due > host->cycle ? due : host->cycle + 1;
	}
	host->cycle = until;
	wsim_tick(host->wifi, until);
}

uint8_t host_byte(struct wsim_host *host, uint8_t byte)
{
	host->cycle += BYTE_CYCLES;
	return wsim_byte(host->wifi, byte, host->cycle);
}

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The next byte of hex text; -1 for "..", -2 at its end. */
static int next(const char **text)
{
	while (**text == ' ')
		++*text;
	if (!**text)
		return -2;
	const char *p = *text;
	*text += 2;
	if (p[0] == '.')
		return -1;
	assert_true(digit(p[0]) >= 0 && digit(p[1]) >= 0);
	return digit(p[0]) << 4 | digit(p[1]);
}

void host_says(struct wsim_host *host, const char *bytes, const char *answer)
{
	int byte;
	const char *text = answer;

	wsim_select(host->wifi, true, host->cycle);
	while ((byte = next(&bytes)) != -2)
		host_byte(host, byte < 0 ? 0 : (uint8_t)byte);
	while ((byte = next(&answer)) != -2) {
		wsim_select(host->wifi, false, host->cycle);
		wsim_select(host->wifi, true, host->cycle);
		uint8_t got = host_byte(host, 0);
		if (byte >= 0 && got != byte)
			fail_msg("0x%02x instead of 0x%02x, byte %d of %s", got, byte, (int)(answer - text) / 3, text);
	}
	wsim_select(host->wifi, false, host->cycle);
}

static uint8_t crc7(const uint8_t *bytes, unsigned count)
{
	unsigned crc = 0x7f;

	while (count--) {
		for (unsigned bit = 0x80; bit; bit >>= 1) {
			bool top = crc & 0x40;

			crc = crc << 1 & 0x7f;
			if (top != !!(*bytes & bit))
				crc ^= 9;
		}
		bytes++;
	}
	return (uint8_t)(crc << 1);
}

static bool poll(struct wsim_host *host, uint8_t mask, uint8_t wanted)
{
	for (unsigned n = 0; n <= TRIES; n++)
		if ((host_byte(host, 0) & mask) == wanted)
			return true;
	return false;
}

static bool command_ok(struct wsim_host *host, const uint8_t *command, unsigned size)
{
	wsim_select(host->wifi, true, host->cycle);
	for (unsigned i = 0; i < size; i++)
		host_byte(host, command[i]);
	if (host->crc)
		host_byte(host, crc7(command, size));
	return poll(host, 0xff, command[0]) && poll(host, 0xff, 0);
}

static bool data_in(struct wsim_host *host, uint8_t *bytes, unsigned size)
{
	if (!poll(host, 0xf0, 0xf0))
		return false;
	for (unsigned i = 0; i < size; i++)
		bytes[i] = host_byte(host, 0);
	for (unsigned i = 0; host->crc && i < 2; i++)
		host_byte(host, 0);
	wsim_select(host->wifi, false, host->cycle);
	return true;
}

bool host_read(struct wsim_host *host, uint32_t address, uint32_t *value)
{
	const uint8_t command[4] = { 0xca, (uint8_t)(address >> 16), (uint8_t)(address >> 8), (uint8_t)address };
	uint8_t b[4];

	if (!command_ok(host, command, sizeof command) || !data_in(host, b, 4))
		return false;
	*value = b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
	return true;
}

bool host_write(struct wsim_host *host, uint32_t address, uint32_t value)
{
	const uint8_t command[8] = {
		0xc9, (uint8_t)(address >> 16), (uint8_t)(address >> 8), (uint8_t)address,
		(uint8_t)(value >> 24), (uint8_t)(value >> 16), (uint8_t)(value >> 8), (uint8_t)value,
	};

	return command_ok(host, command, sizeof command);
}

static bool block_command(struct wsim_host *host, uint8_t code, uint32_t address, unsigned size)
{
	const uint8_t command[7] = {
		code, (uint8_t)(address >> 16), (uint8_t)(address >> 8), (uint8_t)address,
		(uint8_t)(size >> 16), (uint8_t)(size >> 8), (uint8_t)size,
	};

	return command_ok(host, command, sizeof command);
}

static bool read_block(struct wsim_host *host, uint32_t address, uint8_t *bytes, unsigned size)
{
	return block_command(host, 0xc8, address, size) && data_in(host, bytes, size);
}

bool host_write_block(struct wsim_host *host, uint32_t address, const uint8_t *bytes, unsigned size)
{
	bool accepted = false;

	if (!block_command(host, 0xc7, address, size))
		return false;
	host_byte(host, 0xf3);
	for (unsigned i = 0; i < size; i++)
		accepted = host_byte(host, bytes[i]) == 0xc3;
	for (unsigned i = 0; host->crc && i < 2; i++)
		accepted = host_byte(host, 0) == 0xc3;
	return (accepted || poll(host, 0xff, 0xc3)) && poll(host, 0xff, 0);
}

void host_power(struct wsim_host *host)
{
	wsim_enable(host->wifi, true, host->cycle);
	host_wait(host, 6);
	wsim_reset(host->wifi, true, host->cycle);
	host_wait(host, 11);
	host->crc = true;
}

static bool wait_for(struct wsim_host *host, uint32_t address, uint32_t mask, uint32_t wanted)
{
	uint32_t value;

	for (unsigned ms = 0; ms < 5000; ms++) {
		if (!host_read(host, address, &value))
			return false;
		if ((value & mask) == wanted)
			return true;
		host_wait(host, 1);
	}
	return false;
}

bool host_boot(struct wsim_host *host)
{
	uint32_t value, configuration = 0x100;

	host_power(host);
	if (!host_read(host, 0xe824, &value) || !host_write(host, 0xe824, (value & ~0x7cu) | 0x50))
		return false;
	host->crc = false;
	if (!host_read(host, 0x1000, &value) || !wait_for(host, 0x1014, 1u << 31, 1u << 31))
		return false;
	if ((value & 0xfff) >= 0x3a0)
		configuration |= 2;
	if (!host_read(host, 0x207bc, &value) || !(value & 1 || wait_for(host, 0xc000c, ~0u, 0x10add09e)))
		return false;
	host_write(host, 0x108c, 0x13521352);
	host_write(host, 0x14a0, configuration);
	host_write(host, 0xc000c, 0xef522f61);
	if (!wait_for(host, 0x108c, ~0u, 0x02532636))
		return false;
	host_write(host, 0x108c, 0);
	host_write(host, 0x1408, 0x100);
	return host_write(host, 0x1a00, 0x10000);
}

bool host_request_data(struct wsim_host *host, uint8_t group, uint8_t opcode, const void *control, unsigned size,
    unsigned offset, const void *data, unsigned data_size)
{
	uint32_t value, length = 8 + (data_size ? offset + data_size : size);
	uint8_t header[8] = { group, opcode & 0x7f, (uint8_t)length, (uint8_t)(length >> 8) };

	host_write(host, 0x108c, group | (uint32_t)opcode << 8 | length << 16);
	host_write(host, 0x1078, 2);
	for (unsigned n = 0; n < 1000; n++) {
		if (!host_read(host, 0x1078, &value))
			return false;
		if (!(value & 2))
			break;
	}
	if (value & 2 || !host_read(host, 0x150400, &value) || !value)
		return false;
	host_write_block(host, value, header, 8);
	if (size)
		host_write_block(host, value + 8, control, size);
	if (data_size)
		host_write_block(host, value + 8 + offset, data, data_size);
	return host_write(host, 0x106c, value << 2 | 2);
}

bool host_request(struct wsim_host *host, uint8_t group, uint8_t opcode, const void *control, unsigned size)
{
	return host_request_data(host, group, opcode, control, size, 0, NULL, 0);
}

bool host_event(struct wsim_host *host, double ms)
{
	uint32_t value, address;
	uint8_t header[4];

	for (double t = 0; t < ms && !host->irq_low; t += 1)
		host_wait(host, 1);
	if (!host->irq_low || !host_read(host, 0x1070, &value) || !(value & 1))
		return false;
	host_write(host, 0x1070, value & ~1u);
	assert_false(host->irq_low);
	assert_true(host_read(host, 0x1084, &address));
	assert_true(read_block(host, address, header, 4));
	host->group = header[0];
	host->opcode = header[1];
	host->length = (uint16_t)(header[2] | header[3] << 8);
	host->payload_size = (uint16_t)((value >> 2 & 0xfff) - 8);
	if (host->payload_size)
		assert_true(read_block(host, address + 8, host->payload, host->payload_size));
	assert_true(host_read(host, 0x1070, &value));
	return host_write(host, 0x1070, value | 2);
}

void host_connect_bytes(uint8_t bytes[108], const char *ssid, const char *pass)
{
	memset(bytes, 0, 108);
	memcpy(bytes, pass, strlen(pass));
	bytes[65] = pass[0] ? 2 : 1;
	bytes[68] = 255;
	memcpy(bytes + 70, ssid, strlen(ssid));
	bytes[103] = 1;
}

void host_join(struct wsim_host *host)
{
	uint8_t bytes[108];

	host_connect_bytes(bytes, "net", "pass phrase");
	assert_true(host_request(host, 1, 0x28, bytes, sizeof bytes));
	assert_true(host_event(host, 10000));
	assert_int_equal(host->opcode, 0x2c);
	assert_int_equal(host->payload[0], 1);
	assert_true(host_event(host, 10000));
	assert_int_equal(host->opcode, 0x32);
}

void host_bind(struct wsim_host *host, uint8_t socket, uint16_t session, uint16_t port)
{
	const uint8_t control[12] = {
		2, 0, (uint8_t)(port >> 8), (uint8_t)port, 0, 0, 0, 0, socket, 0, (uint8_t)session, (uint8_t)(session >> 8),
	};

	assert_true(host_request(host, 2, 0x41, control, sizeof control));
}

void host_receive(struct wsim_host *host, uint8_t socket, uint16_t session)
{
	const uint8_t control[8] = { 255, 255, 255, 255, socket, 0, (uint8_t)session, (uint8_t)(session >> 8) };

	assert_true(host_request(host, 2, 0x48, control, sizeof control));
}

const char *host_blame(const struct wsim_host *host)
{
	uint32_t count;
	const struct wsim_entry *entry = wsim_journal(host->wifi, &count);

	while (count--)
		if (entry[count].what == WSIM_ERROR)
			return entry[count].text;
	return "";
}
