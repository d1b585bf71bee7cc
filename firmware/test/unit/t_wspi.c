/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The WiFi driver byte for byte: CRC7, single commands, and a whole day at the
 * module's SPI pins as a host that is known to work did it, from power-on to
 * an NTP reply.  No model is between: what is not expected fails.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hal.h"
#include "winc.h"
#include "wspi.h"

enum { ROOM = 8192, ANY = 0x100 };

/* The next bytes on the pins: each is a byte to the module (answer comes in meanwhile) or from it. */
static struct {
	struct { uint16_t byte; uint8_t answer; bool from_module, low; } at[ROOM];
	unsigned size, done;
	bool low;			/* IRQN of bytes to come */
	bool enabled, released, selected;
	uint32_t ms;
} wire;

uint32_t hal_ms(void)
{
	return wire.ms;
}

uint32_t hal_ticks(void)
{
	return wire.ms * TICKS_PER_MS;
}

void hal_wifi_select(bool on)
{
	wire.selected = on;
}

void hal_wifi_enable(bool on)
{
	wire.enabled = on;
}

void hal_wifi_reset(bool on)
{
	wire.released = !on;
}

bool hal_wifi_asks(void)
{
	return wire.done < wire.size && wire.at[wire.done].low;
}

uint32_t hal_wifi_asked(void)
{
	return 4711;
}

uint8_t hal_spi(uint8_t out)
{
	unsigned i = wire.done++;

	assert_true(wire.selected);
	if (i >= wire.size)
		fail_msg("%02x: nothing is expected", out);
	if (wire.at[i].from_module) {
		if (out != 0)
			fail_msg("%02x at %u: the module's answer is not read", out, i);
		return wire.at[i].byte;
	}
	if (wire.at[i].byte != ANY && out != wire.at[i].byte)
		fail_msg("%02x at %u, expected %02x", out, i, wire.at[i].byte);
	return wire.at[i].answer;
}

/* Hexadecimal bytes, ".." for any. */
static void put(const char *bytes, bool from_module)
{
	for (; *bytes != 0; bytes += bytes[2] != 0 ? 3 : 2) {
		assert_true(wire.size < ROOM);
		wire.at[wire.size].byte = *bytes == '.' ? ANY : strtoul(bytes, NULL, 16);
		wire.at[wire.size].from_module = from_module;
		wire.at[wire.size++].low = wire.low;
	}
}

static void host(const char *bytes)
{
	put(bytes, false);
}

static void module(const char *bytes)
{
	put(bytes, true);
}

static void both(const char *ours, const char *theirs)
{
	host(ours);
	module(theirs);
}

/* Procedure A up to the parts of the message, and its end. */
static void request(const char *tx_head, const char *header)
{
	char bytes[64];

	snprintf(bytes, sizeof bytes, "C9 00 10 8C %s", tx_head);
	both(bytes, "C9 00");
	both("C9 00 10 78 00 00 00 02", "C9 00");
	both("CA 00 10 78", "CA 00 F3 00 00 00 00");
	both("CA 15 04 00", "CA 00 F3 00 60 03 00");
	both("C7 03 60 00 00 00 08", "C7 00");
	host("F3");
	host(header);
	module("00 C3 00");
}

static void part(const char *command, const char *bytes)
{
	both(command, "C7 00");
	host("F3");
	host(bytes);
	module("00 C3 00");
}

static void request_done(void)
{
	both("C9 00 10 6C 00 0D 80 02", "C9 00");
}

/* Procedure B: size and its low byte with bits 0 (waits), none, 1 (done) as they go over the wire. */
static void message(const char *waits, const char *taken_out, const char *header)
{
	char bytes[64];

	wire.low = true;
	both("CA 00 10 70", "CA 00 F3");
	module(waits);
	snprintf(bytes, sizeof bytes, "C9 00 10 70 %s", taken_out);
	both(bytes, "C9 00");
	wire.low = false;
	both("CA 00 10 84", "CA 00 F3 00 70 03 00");
	both("C8 03 70 00 00 00 04", "C8 00 F3");
	module(header);
}

static void payload(const char *command, const char *bytes)
{
	both(command, "C8 00 F3");
	module(bytes);
}

static void message_done(const char *taken_in, const char *done_out)
{
	char bytes[64];

	both("CA 00 10 70", "CA 00 F3");
	module(taken_in);
	snprintf(bytes, sizeof bytes, "C9 00 10 70 %s", done_out);
	both(bytes, "C9 00");
}

static void boot_bytes(void)
{
	both("CA 00 E8 24 BC", "CA 00 F3 2C 00 00 00 00 00");
	both("C9 00 E8 24 00 00 00 50 78", "C9 00");
	both("CA 00 10 00", "CA 00 F3 B0 02 10 00");
	both("CA 00 10 14", "CA 00 F3 00 00 00 80");
	both("CA 02 07 BC", "CA 00 F3 00 00 00 00");
	both("CA 0C 00 0C", "CA 00 F3 9E D0 AD 10");
	both("C9 00 10 8C 13 52 13 52", "C9 00");
	/* Here the other host reads 0x13F4, the RF revision, for its log. */
	both("C9 00 14 A0 00 00 01 00", "C9 00");
	both("CA 00 14 A0", "CA 00 F3 00 01 00 00");
	both("C9 0C 00 0C EF 52 2F 61", "C9 00");
	both("CA 00 10 8C", "CA 00 F3 36 26 53 02");
	both("C9 00 10 8C 00 00 00 00", "C9 00");
	both("CA 00 14 08", "CA 00 F3 00 00 00 00");
	both("C9 00 14 08 00 00 01 00", "C9 00");
	both("CA 00 1A 00", "CA 00 F3 00 00 00 00");
	both("C9 00 1A 00 00 01 00 00", "C9 00");
	/* The other host follows a pointer to the block of 40 bytes with MAC and version; the word of the version does. */
	both("CA 02 07 AC", "CA 00 F3 52 13 30 13");
	request("00 0C 2D 01", "01 2D 0C 00 00 00 00 00");
	part("C7 03 60 08 00 00 04", "00 01 .. ..");
	request_done();
	request("00 08 0D 01", "01 0D 08 00 .. .. .. ..");
	request_done();
	both("CA 00 10 70", "CA 00 F3 00 00 00 00");
}

static void join_bytes(void)
{
	request("00 74 28 01", "01 28 74 00 .. .. .. ..");
	part("C7 03 60 08 00 00 6C",
	    "70 61 73 73 20 70 68 72 61 73 65 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
	    "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
	    "00 02 .. .. FF 00 6E 65 74 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
	    "00 00 00 00 00 00 00 01 .. .. .. ..");
	request_done();
	message("31 00 00 00", "00 00 00 30", "01 2C 0C 00");
	payload("C8 03 70 08 00 00 04", "01 00 00 00");
	message_done("30 00 00 00", "00 00 00 32");
	message("71 00 00 00", "00 00 00 70", "01 32 1C 00");
	payload("C8 03 70 08 00 00 10", "C0 00 02 07 C0 00 02 01 C0 00 02 35 FF FF FF 00");
	message_done("70 00 00 00", "00 00 00 72");
}

static void name_bytes(void)
{
	request("00 14 4A 02", "02 4A 14 00 .. .. .. ..");
	part("C7 03 60 08 00 00 0C", "6E 74 70 2E 65 78 61 6D 70 6C 65 00");
	request_done();
	message("31 01 00 00", "00 00 01 30", "02 4A 4C 00");
	payload("C8 03 70 08 00 00 30",
	    "6E 74 70 2E 65 78 61 6D 70 6C 65 00 00 00 00 00 00 00 00 00 00 00 00 00 "
	    "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00");
	payload("C8 03 70 48 00 00 04", "C0 00 02 7B");
	message_done("30 01 00 00", "00 00 01 32");
}

static void open_bytes(void)
{
	request("00 14 41 02", "02 41 14 00 .. .. .. ..");
	part("C7 03 60 08 00 00 0C", "02 00 09 56 00 00 00 00 07 .. 01 00");
	request_done();
	message("31 00 00 00", "00 00 00 30", "02 41 0C 00");
	payload("C8 03 70 08 00 00 04", "07 00 01 00");
	message_done("30 00 00 00", "00 00 00 32");
	request("00 10 48 02", "02 48 10 00 .. .. .. ..");
	part("C7 03 60 08 00 00 08", "FF FF FF FF 07 .. 01 00");
	request_done();
}

static void ask_bytes(void)
{
	request("00 7C C7 02", "02 47 7C 00 .. .. .. ..");
	part("C7 03 60 08 00 00 10", "07 00 30 00 02 00 00 7B C0 00 02 7B 01 00 00 00");
	part("C7 03 60 4C 00 00 30",
	    "23 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
	    "00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 A0 A1 A2 A3 A4 A5 A6 A7");
	request_done();
	message("41 00 00 00", "00 00 00 40", "02 47 10 00");
	payload("C8 03 70 08 00 00 08", "07 00 30 00 01 00 00 00");
	message_done("40 00 00 00", "00 00 00 42");
	message("21 01 00 00", "00 00 01 20", "02 48 48 00");
	payload("C8 03 70 08 00 00 10", "02 00 00 7B C0 00 02 7B 30 00 10 00 07 00 01 00");
	payload("C8 03 70 18 00 00 30",
	    "24 02 00 E9 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00 "
	    "A0 A1 A2 A3 A4 A5 A6 A7 EE AA 5F 04 00 00 00 00 EE AA 5F 04 00 00 00 00");
	message_done("20 01 00 00", "00 00 01 22");
	request("00 10 48 02", "02 48 10 00 .. .. .. ..");
	part("C7 03 60 08 00 00 08", "FF FF FF FF 07 .. 01 00");
	request_done();
}

/* To open again closes first; then the link is left. */
static void close_bytes(void)
{
	request("00 0C 49 02", "02 49 0C 00 .. .. .. ..");
	part("C7 03 60 08 00 00 04", "07 .. 01 00");
	request_done();
	request("00 14 41 02", "02 41 14 00 .. .. .. ..");
	part("C7 03 60 08 00 00 0C", "02 00 09 57 00 00 00 00 07 .. 02 00");
	request_done();
	message("31 00 00 00", "00 00 00 30", "02 41 0C 00");
	payload("C8 03 70 08 00 00 04", "07 FE 02 00");
	message_done("30 00 00 00", "00 00 00 32");
	request("00 08 2B 01", "01 2B 08 00 .. .. .. ..");
	request_done();
}

static char ssid(uint8_t i)
{
	return i < 3 ? "net"[i] : 0;
}

static char pass(uint8_t i)
{
	return i < 11 ? "pass phrase"[i] : 0;
}

static char name(uint8_t i)
{
	return i < 11 ? "ntp.example"[i] : 0;
}

static void wait(uint8_t kind, struct winc_event *event)
{
	unsigned polls;

	for (polls = 0; polls < 1000; polls++) {
		wire.ms++;
		winc_poll(event);
		if (event->kind == kind)
			return;
		assert_int_equal(event->kind, WINC_NONE);
	}
	fail_msg("event %u does not come", kind);
}

static void finish(void)
{
	struct winc_event event;
	unsigned polls;

	for (polls = 0; polls < 100 && wire.done < wire.size; polls++) {
		wire.ms++;
		winc_poll(&event);
		assert_int_equal(event.kind, WINC_NONE);
	}
	assert_int_equal(wire.done, wire.size);
}

static void boot_and_join(void)
{
	struct winc_event event;

	boot_bytes();
	winc_start(WINC_RESET);
	wait(WINC_UP, &event);
	assert_true(wire.enabled && wire.released);
	assert_int_equal(winc_version(), 0x1352);
	finish();
	join_bytes();
	assert_true(winc_join(ssid, pass, WINC_WPA));
	assert_false(winc_join(ssid, pass, WINC_WPA));
	wait(WINC_JOINED, &event);
	wait(WINC_ADDRESS, &event);
	assert_int_equal(event.ip, 0x070200c0);
}

static void ask(void)
{
	static const uint8_t packet[48] = { 0x23, [40] = 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7 };
	struct winc_event event;

	ask_bytes();
	assert_true(winc_send(0x7b0200c0, 123, packet, sizeof packet));
	wait(WINC_SENT, &event);
	assert_int_equal(event.code, 0);
	wait(WINC_DATA, &event);
	assert_int_equal(event.length, 48);
	assert_int_equal(event.ip, 0x7b0200c0);
	assert_int_equal(event.port, 123);
	assert_int_equal(event.data[0], 0x24);
	assert_memory_equal(event.data + 24, packet + 40, 8);
	finish();
}

static void whole_day(void **state)
{
	struct winc_event event;

	(void)state;
	memset(&wire, 0, sizeof wire);
	boot_and_join();
	name_bytes();
	assert_true(winc_resolve(name));
	wait(WINC_NAME, &event);
	assert_int_equal(event.ip, 0x7b0200c0);
	open_bytes();
	assert_true(winc_open(2390));
	wait(WINC_BOUND, &event);
	assert_int_equal(event.code, 0);
	finish();
	ask();
	close_bytes();
	assert_true(winc_open(2391));
	wait(WINC_BOUND, &event);
	assert_int_equal(event.code, -2);
	assert_true(winc_leave());
	finish();
	assert_int_equal(winc_errors(), 0);
}

/* Single commands */

static void start(bool crc)
{
	memset(&wire, 0, sizeof wire);
	wspi_init();
	wspi_crc = crc;
}

static void crc7(void **state)
{
	static const struct { uint8_t bytes[8], size, crc; } vectors[] = {
		{ { 0xca, 0x00, 0xe8, 0x24 }, 4, 0xbc },
		{ { 0xc9, 0x00, 0xe8, 0x24, 0x00, 0x00, 0x00, 0x50 }, 8, 0x78 },
		{ { 0xca, 0x00, 0x10, 0x00 }, 4, 0xca },
		{ { 0xcf, 0xff, 0xff, 0xff }, 4, 0xaa },
		{ { 0xc5, 0x00, 0x00, 0x00 }, 4, 0x9a },
	};
	unsigned i, k;

	(void)state;
	for (i = 0; i < sizeof vectors / sizeof *vectors; i++) {
		uint8_t crc = 0x7f;

		for (k = 0; k < vectors[i].size; k++)
			crc = wspi_crc7(crc, vectors[i].bytes[k]);
		assert_int_equal(crc << 1, vectors[i].crc);
	}
}

static uint8_t counted(uint8_t i)
{
	return 0x10 + i;
}

static void blocks(void **state)
{
	uint8_t data[4] = { 0, 0, 0, 99 };

	(void)state;
	start(true);
	host("C8 03 70 00 00 00 03 ..");
	module("C8 00 00 F1 20 21 22 77 77");
	assert_true(wspi_read_block(0x37000, data, 3));
	assert_int_equal(data[2], 0x22);
	assert_int_equal(data[3], 99);
	wspi_crc = false;
	both("C7 03 60 00 00 00 03", "00 00 C7 FF FF 00");
	both("F3 10 11 12", "00 C3 00");
	assert_true(wspi_write_block(0x36000, counted, 3));
	both("C8 03 70 00 00 00 02", "C8 00 F3 30 31");
	assert_true(wspi_read_block(0x37000, data, 2));
	assert_int_equal(data[0], 0x30);
	assert_int_equal(data[1], 0x31);
	assert_int_equal(data[2], 0x22);
	both("CF FF FF FF", "FF CF 00");
	assert_true(wspi_clear());
	assert_int_equal(wspi_errors, 0);
	assert_int_equal(wire.done, wire.size);
}

/* C3 comes while the last byte of ours goes out. */
static void early_answer(void **state)
{
	(void)state;
	start(false);
	both("C7 03 60 00 00 00 02", "C7 00");
	host("F3 10 11");
	wire.at[wire.size - 1].answer = 0xc3;
	module("00");
	assert_true(wspi_write_block(0x36000, counted, 2));
	assert_int_equal(wire.done, wire.size);
}

/* Each of these answers counts as an error. */
static void wrong_answers(void **state)
{
	static const char *const answers[] = {
		"00 00 00 00 00 00 00 00 00 00",			/* no echo in ten bytes: a dead bus */
		"FF FF FF FF FF FF FF FF FF FF",
		"CA 01",						/* a bad state */
		"CA FF FF FF FF FF FF FF FF FF FF",			/* none */
		"CA 00 00 00 00 00 00 00 00 00 00 00",			/* no token */
	};
	unsigned i;

	(void)state;
	start(false);
	for (i = 0; i < sizeof answers / sizeof *answers; i++) {
		both("CA 00 10 00", answers[i]);
		assert_false(wspi_read(0x1000));
		assert_int_equal(wire.done, wire.size);
		assert_false(wire.selected);
	}
	both("C7 03 60 00 00 00 02", "C7 00");
	both("F3 10 11", "00 5A 00 00 00 00 00 00 00 00");		/* not C3 */
	assert_false(wspi_write_block(0x36000, counted, 2));
	both("C7 03 60 00 00 00 02", "C7 00");
	both("F3 10 11", "00 C3 01");					/* C3, but no 00 */
	assert_false(wspi_write_block(0x36000, counted, 2));
	assert_int_equal(wire.done, wire.size);
	assert_int_equal(wspi_errors, 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(crc7),
		cmocka_unit_test(blocks),
		cmocka_unit_test(early_answer),
		cmocka_unit_test(wrong_answers),
		cmocka_unit_test(whole_day),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
