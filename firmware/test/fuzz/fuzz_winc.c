/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A hostile module at the WiFi driver's SPI pins.  The input says when it lies
 * and what: mostly it answers as a module would, so that the driver gets
 * through boot, join, names and sockets, with any bytes in its messages.
 */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "hal.h"
#include "winc.h"

enum {
	POLLS = 400,
	POLL_BYTES = 2500,		/* of SPI in one poll: 2 ms */
	PAYLOAD = 80,
};

static struct {
	const uint8_t *input;
	size_t left;
	uint32_t ms;
	unsigned poll_bytes;
	uint8_t storm;			/* so many commands more get no answer */
	bool low;
	/* SPI */
	uint8_t command[16], have, want;
	uint8_t answer[300];
	unsigned at, size;
	unsigned data_left;
	/* mailbox */
	uint8_t written[24];		/* begin of the request: header and control part */
	uint32_t written_at;
	uint8_t socket, session[2];
	uint8_t message[8 + PAYLOAD];
	uint16_t message_size;
	bool started;
} m;

static uint8_t next(void)
{
	if (m.left == 0)
		return 0;
	m.left--;
	return *m.input++;
}

/* The board */

uint32_t hal_ms(void)
{
	return m.ms;
}

uint32_t hal_ticks(void)
{
	return m.ms * TICKS_PER_MS;
}

/* Each command is framed by it. */
void hal_wifi_select(bool on)
{
	if (on)
		m.have = m.at = m.size = m.data_left = 0;
}

void hal_wifi_enable(bool on)
{
	(void)on;
}

void hal_wifi_reset(bool on)
{
	(void)on;
	m.started = false;
}

bool hal_wifi_asks(void)
{
	return m.low;
}

uint32_t hal_wifi_asked(void)
{
	return m.ms & 7;
}

/* The module: messages */

static void put32(uint8_t *bytes, uint32_t value)
{
	for (unsigned i = 0; i < 4; i++)
		bytes[i] = value >> 8 * i;
}

/* The next message: of a kind that the driver knows, with the socket it has, or anything. */
static void new_message(void)
{
	static const struct { uint8_t group, opcode, size, socket_at; } kinds[] = {
		{ 1, 0x2c, 4, 0 }, { 1, 0x2c, 4, 0 }, { 1, 0x32, 20, 0 }, { 1, 0x32, 16, 0 }, { 1, 0x3d, 0, 0 },
		{ 1, 0x20, 16, 0 }, { 2, 0x41, 4, 0 }, { 2, 0x47, 8, 0 }, { 2, 0x48, 16, 12 },
		{ 2, 0x48, 16 + 60, 12 }, { 2, 0x4a, 68, 0 }, { 0, 0, 0, 0 },
	};
	enum { KINDS = sizeof kinds / sizeof *kinds };
	uint8_t which = next(), how = next(), wanted = m.written[1];
	unsigned i, kind = which % KINDS;
	uint8_t *payload = m.message + 8;

	if (wanted == 0x28 || wanted == 0x1f)		/* join, random */
		wanted = wanted == 0x1f ? 0x20 : which & 32 ? 0x2c : 0x32;
	if (wanted == 0x48 && which & 32)
		wanted = 0x47;
	for (i = 0; i < KINDS && which < 192; i++)	/* mostly the last one that fits the request */
		if (kinds[i].opcode == wanted)
			kind = i;
	memset(m.message, 0, sizeof m.message);
	m.message[0] = kinds[kind].group;
	m.message[1] = kinds[kind].opcode;
	m.message_size = 8 + kinds[kind].size;
	if (how & 1)
		m.message_size += (int8_t)next();
	m.message[2] = m.message_size;
	m.message[3] = m.message_size >> 8;
	if (how & 2)
		for (i = 0; i < 4; i++)
			m.message[i] ^= next();
	for (i = 0; i < PAYLOAD; i++)
		payload[i] = i < 24 || how & 4 ? next() : 0;
	if (kinds[kind].group == 1 && !(how & 8))
		payload[0] = payload[1] = 1;		/* connected; some address */
	if (kinds[kind].opcode == 0x4a && !(how & 8))
		memcpy(payload, "ntp.example", 12);
	if (kinds[kind].group != 2 || kinds[kind].opcode == 0x4a || how & 8)
		return;
	payload[kinds[kind].socket_at] = m.socket;
	i = kinds[kind].opcode == 0x41 ? 2 : kinds[kind].opcode == 0x47 ? 4 : 14;
	memcpy(payload + i, m.session, 2);
	if (kinds[kind].opcode == 0x41)
		payload[1] = how & 16 ? next() : 0;
	if (kinds[kind].opcode == 0x48 && how & 32) {
		payload[8] = how & 16 ? next() % 64 : 48;
		payload[9] = 0;
		payload[10] = 16;
		payload[11] = 0;
	}
}

static uint32_t honest(uint32_t address)
{
	switch (address) {
	case 0xe824:
		return 0x2c;
	case 0x1000:
		return 0x1002b0;
	case 0x1014:
		return 1u << 31;
	case 0xc000c:
		return 0x10add09e;
	case 0x108c:
		return 0x02532636;
	case 0x14a0:
		return 0x100;
	case 0xc0008:
		return 0x1000;
	case 0x150400:
		return 0x36000;
	case 0x1084:
		return 0x37000;
	case 0x1070:
		if (!m.low)
			return 0;
		new_message();
		m.low = false;
		return (uint32_t)m.message_size << 2 | 1;
	default:
		return 0;
	}
}

/* The module: SPI */

static void push(uint8_t byte)
{
	assert(m.size < sizeof m.answer);
	m.answer[m.size++] = byte;
}

static void push_data(const uint8_t *bytes, unsigned size, uint8_t mood)
{
	unsigned i;

	push(mood == 252 ? next() : 0xf3);
	for (i = 0; i < size; i++)
		push(bytes != NULL ? bytes[i] : next());
	push(0);
	push(0);
}

static uint32_t big24(const uint8_t *bytes)
{
	return (uint32_t)bytes[0] << 16 | bytes[1] << 8 | bytes[2];
}

static void execute(void)
{
	uint8_t code = m.command[0], mood = next(), value[4], filler;
	uint32_t address = big24(m.command + 1), size;

	m.at = m.size = m.have = 0;
	if (mood == 249)
		m.storm = 6;
	if (m.storm > 0 && m.storm-- > 0)
		return;
	for (filler = mood >= 200 && mood < 212 ? mood - 200 : 0; filler > 0; filler--)
		push(0);
	push(mood == 250 ? next() : code);
	push(mood == 251 ? next() : 0);
	if (code == 0xca) {
		put32(value, honest(address));
		if (mood >= 253)
			put32(value, next() | next() << 8 | (uint32_t)next() << 16);
		push_data(value, 4, mood);
	}
	if (code != 0xc7 && code != 0xc8)
		return;
	size = big24(m.command + 4);
	assert(size >= 2 && size <= 255);		/* never more than the driver has room for, never 1 */
	if (code == 0xc7) {
		m.data_left = size + 1;			/* with the token */
		m.written_at = address;
	} else if (address >= 0x37000 && address + size <= 0x37000 + sizeof m.message && mood < 220) {
		push_data(m.message + (address - 0x37000), size, mood);
	} else {
		push_data(NULL, size, mood);
	}
}

/* Data of a C7, its token first: sockets and sessions are remembered. */
static void data(uint8_t byte)
{
	uint32_t at = m.written_at++ - 0x36000 - 1;

	if (at < sizeof m.written)
		m.written[at] = byte;
	if (--m.data_left > 0)
		return;
	m.size = m.at = 0;
	push(0);
	push(next() == 255 ? next() : 0xc3);
	push(0);
	if (at == 8 + 11 && m.written[1] == 0x41) {	/* a bind, of 12 bytes */
		m.socket = m.written[8 + 8];
		memcpy(m.session, m.written + 8 + 10, 2);
	}
}

static uint8_t length_of(uint8_t code)
{
	switch (code) {
	case 0xca:
	case 0xcf:
		return 4;
	case 0xc7:
	case 0xc8:
		return 7;
	case 0xc9:
		return 8;
	default:
		return 0;
	}
}

uint8_t hal_spi(uint8_t out)
{
	assert(++m.poll_bytes < POLL_BYTES);
	if (m.at < m.size)
		return m.answer[m.at++];
	if (m.data_left > 0) {
		data(out);
		return 0;
	}
	if (m.have == 0) {
		m.want = length_of(out) + (m.started ? 0 : 1);
		if (length_of(out) == 0)
			return 0;
	}
	m.command[m.have++] = out;
	if (m.have < m.want)
		return 0;
	if (m.command[0] == 0xc9 && big24(m.command + 1) == 0xe824)
		m.started = true;			/* no CRC from here */
	execute();
	return 0;
}

/* The clock */

static char text(uint8_t i)
{
	return i < 11 ? "ntp.example"[i] : 0;
}

static void act(uint8_t what)
{
	static uint8_t packet[48];

	switch (what) {
	case 0:
		winc_start(next() % 3);
		break;
	case 1:
		winc_leave();
		break;
	case 2:
	case 3:
		winc_resolve(text);
		break;
	case 4:
	case 5:
		winc_open(123 + next());
		break;
	case 6:
	case 7:
		winc_send(1, 123, packet, sizeof packet);
		break;
	case 8:
		winc_random();
		break;
	default:
		winc_join(text, text, WINC_WPA);
	}
}

/* As the clock would. */
static void go_on(uint8_t kind)
{
	switch (kind) {
	case WINC_UP:
	case WINC_LEFT:
		act(9);
		break;
	case WINC_JOINED:
	case WINC_RANDOM:
		act(2);
		break;
	case WINC_ADDRESS:
	case WINC_NAME:
		act(4);
		break;
	case WINC_BOUND:
	case WINC_DATA:
		act(6);
		break;
	case WINC_DEAD:
		act(0);
		break;
	}
}

static void look_at(const struct winc_event *event)
{
	static uint8_t copy[48];

	assert(event->kind <= WINC_RANDOM);
	if (event->kind != WINC_DATA && event->kind != WINC_RANDOM)
		return;
	assert(event->data != NULL);
	assert(event->kind == WINC_DATA || event->length == 8 || event->code == -13);
	memcpy(copy, event->data, event->length < sizeof copy ? event->length : sizeof copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size)
{
	struct winc_event event;
	unsigned polls;
	uint8_t what;

	memset(&m, 0, sizeof m);
	m.input = input;
	m.left = size;
	winc_stop();
	winc_start(WINC_RESET);
	for (polls = 0; polls < POLLS && m.left > 0; polls++) {
		m.poll_bytes = 0;
		winc_poll(&event);
		look_at(&event);
		what = next();
		m.ms += (what & 31) == 31 ? 5000 : what & 16 ? 111 : 3;
		m.low |= what & 32;
		if (what & 64)
			act(what & 15);
		else
			go_on(event.kind);
	}
	return 0;
}

/* An honest module and a clock that mostly advances. */
size_t fuzz_seed(unsigned i, uint8_t *data)
{
	uint32_t noise = i + 1;
	unsigned k;

	if (i >= 32)
		return 0;
	for (k = 0; k < FUZZ_ROOM; k++) {
		noise = noise * 1103515245 + 12345;
		data[k] = noise >> 16 & (i & 1 ? 0x3f : 0xbf);
		if ((noise >> 26) % 16 == 0)
			data[k] = 0x48;
	}
	return FUZZ_ROOM;
}
