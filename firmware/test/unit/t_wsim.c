/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The WiFi module's model against the reference's byte trace, and each fault that it can simulate. */
#include "wsim_tests.h"

/* ---- the trace ------------------------------------------------------------- */

static void trace_boot(void)
{
	host_power(&host);
	host_says(&host, "CA 00 E8 24 BC", "CA 00 F3 2C 00 00 00 00 00");
	host_says(&host, "C9 00 E8 24 00 00 00 50 78", "C9 00");
	host_says(&host, "CA 00 10 00", "CA 00 F3 B0 02 10 00");
	host_says(&host, "CA 00 10 14", "CA 00 F3 00 00 00 80");
	host_says(&host, "CA 02 07 BC", "CA 00 F3 00 00 00 00");
	host_wait(&host, 10);
	host_says(&host, "CA 0C 00 0C", "CA 00 F3 9E D0 AD 10");
	host_says(&host, "C9 00 10 8C 13 52 13 52", "C9 00");
	host_says(&host, "CA 00 13 F4", "CA 00 F3 04 00 00 00");
	host_says(&host, "C9 00 14 A0 00 00 01 00", "C9 00");
	host_says(&host, "CA 00 14 A0", "CA 00 F3 00 01 00 00");
	host_says(&host, "C9 0C 00 0C EF 52 2F 61", "C9 00");
	host_wait(&host, 201);
	host_says(&host, "CA 00 10 8C", "CA 00 F3 36 26 53 02");
	host_says(&host, "C9 00 10 8C 00 00 00 00", "C9 00");
	host_says(&host, "CA 00 14 08", "CA 00 F3 00 00 00 00");
	host_says(&host, "C9 00 14 08 00 00 01 00", "C9 00");
	host_says(&host, "CA 00 1A 00", "CA 00 F3 00 00 00 00");
	host_says(&host, "C9 00 1A 00 00 01 00 00", "C9 00");
	host_says(&host, "CA 0C 00 08", "CA 00 F3 00 10 00 00");
	host_says(&host, "C8 03 10 00 00 00 08", "C8 00 F3 00 20 00 00 00 30 00 00");
	host_says(&host, "C8 03 30 00 00 00 28", "C8 00 F3 B1 02 15 00 13 05 02 13 03 00 .. .. .. .. .. .. .. .. .. .. .. .."
	    " .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. ..");
}

/* Procedure A around the parts of the message: "command" and "token and bytes" in turn. */
static void trace_send(const char *head, const char *const part[], unsigned parts)
{
	char command[64] = "C9 00 10 8C ";

	host_says(&host, strcat(command, head), "C9 00");
	host_says(&host, "C9 00 10 78 00 00 00 02", "C9 00");
	host_says(&host, "CA 00 10 78", "CA 00 F3 00 00 00 00");
	host_says(&host, "CA 15 04 00", "CA 00 F3 00 60 03 00");
	for (unsigned i = 0; i < parts; i += 2) {
		host_says(&host, part[i], "C7 00");
		host_says(&host, part[i + 1], "00 C3 00");
	}
	host_says(&host, "C9 00 10 6C 00 0D 80 02", "C9 00");
}
#define SEND(head, ...) \
	trace_send(head, (const char *const[]){ __VA_ARGS__ }, sizeof((const char *const[]){ __VA_ARGS__ }) / sizeof(char *))

/* Procedure B: control is the register's byte, part the commands and answers of the blocks in turn. */
static void trace_event(const char *low, const char *part[], unsigned parts)
{
	char answer[64] = "CA 00 F3 ", cleared[64] = "C9 00 10 70 00 00 ";
	char done[64] = "CA 00 F3 ", last[64] = "C9 00 10 70 00 00 ";
	char even[6] = { low[0], low[1], 0 }, two[6] = { low[0], '2', 0 };
	const char *high = low + 3;

	even[1] = '0';
	for (unsigned ms = 0; ms < 5000 && !host.irq_low; ms++)
		host_wait(&host, 1);
	assert_true(host.irq_low);
	host_says(&host, "CA 00 10 70", strcat(strcat(answer, low), " 00 00"));
	strcat(strcat(strcat(cleared, high), " "), even);
	host_says(&host, cleared, "C9 00");
	assert_false(host.irq_low);
	host_says(&host, "CA 00 10 84", "CA 00 F3 00 70 03 00");
	for (unsigned i = 0; i < parts; i += 2)
		host_says(&host, part[i], part[i + 1]);
	strcat(strcat(strcat(strcat(done, even), " "), high), " 00 00");
	host_says(&host, "CA 00 10 70", done);
	strcat(strcat(strcat(last, high), " "), two);
	host_says(&host, last, "C9 00");
}
#define EVENT(low, ...) \
	trace_event(low, (const char *[]){ __VA_ARGS__ }, sizeof((const char *[]){ __VA_ARGS__ }) / sizeof(char *))

static void trace_join(void)
{
	SEND("00 0C 2D 01", "C7 03 60 00 00 00 08", "F3 01 2D 0C 00 00 00 .. ..",
	    "C7 03 60 08 00 00 04", "F3 00 01 .. ..");
	SEND("00 74 28 01", "C7 03 60 00 00 00 08", "F3 01 28 74 00 .. .. .. ..",
	    "C7 03 60 08 00 00 6C", "F3 70 61 73 73 20 70 68 72 61 73 65 00 "
	    ".. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. "
	    ".. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. "
	    "02 .. .. FF 00 6E 65 74 00 "
	    ".. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. "
	    "01 .. .. .. ..");
	EVENT("31 00", "C8 03 70 00 00 00 04", "C8 00 F3 01 2C 0C 00", "C8 03 70 08 00 00 04", "C8 00 F3 01 00 00 00");
	EVENT("71 00", "C8 03 70 00 00 00 04", "C8 00 F3 01 32 1C 00",
	    "C8 03 70 08 00 00 14", "C8 00 F3 C0 00 02 07 C0 00 02 01 C0 00 02 35 FF FF FF 00 10 0E 00 00");
}

static void trace_name_and_bind(void)
{
	SEND("00 14 4A 02", "C7 03 60 00 00 00 08", "F3 02 4A 14 00 .. .. .. ..",
	    "C7 03 60 08 00 00 0C", "F3 6E 74 70 2E 65 78 61 6D 70 6C 65 00");
	EVENT("31 01", "C8 03 70 00 00 00 04", "C8 00 F3 02 4A 4C 00", "C8 03 70 48 00 00 04", "C8 00 F3 C0 00 02 7B");
	SEND("00 14 41 02", "C7 03 60 00 00 00 08", "F3 02 41 14 00 .. .. .. ..",
	    "C7 03 60 08 00 00 0C", "F3 02 00 09 56 00 00 00 00 07 .. 01 00");
	EVENT("31 00", "C8 03 70 00 00 00 04", "C8 00 F3 02 41 0C 00", "C8 03 70 08 00 00 04", "C8 00 F3 07 00 01 00");
	SEND("00 10 48 02", "C7 03 60 00 00 00 08", "F3 02 48 10 00 .. .. .. ..",
	    "C7 03 60 08 00 00 08", "F3 FF FF FF FF 07 .. 01 00");
}

#define ZERO8 "00 00 00 00 00 00 00 00 "
#define ZERO40 ZERO8 ZERO8 ZERO8 ZERO8 ZERO8

static void trace_ask(void)
{
	static const uint8_t reply[48] = {
		0x24, 2, 0, 0xe9, [24] = 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6, 0xa7, [40] = 0xee, 0xaa, 0x5f, 4,
	};

	SEND("00 7C C7 02", "C7 03 60 00 00 00 08", "F3 02 47 7C 00 .. .. .. ..",
	    "C7 03 60 08 00 00 10", "F3 07 00 30 00 02 00 00 7B C0 00 02 7B 01 00 00 00",
	    "C7 03 60 4C 00 00 30", "F3 23 00 00 00 00 00 00 00 " ZERO8 ZERO8 ZERO8 ZERO8 "A0 A1 A2 A3 A4 A5 A6 A7");
	assert_int_equal(host.sent, 1);
	assert_int_equal(host.ip, 0x7b0200c0);
	assert_int_equal(host.port, 123);
	assert_int_equal(host.from, 2390);
	assert_int_equal(host.size, 48);
	assert_int_equal(host.data[0], 0x23);
	assert_memory_equal(host.data + 40, "\xa0\xa1\xa2\xa3\xa4\xa5\xa6\xa7", 8);
	EVENT("41 00", "C8 03 70 00 00 00 04", "C8 00 F3 02 47 10 00",
	    "C8 03 70 08 00 00 08", "C8 00 F3 07 00 30 00 01 00 00 00");
	assert_true(wsim_datagram(host.wifi, host.ip, 123, 2390, reply, sizeof reply, host.cycle));
	EVENT("21 01", "C8 03 70 00 00 00 04", "C8 00 F3 02 48 48 00",
	    "C8 03 70 08 00 00 10", "C8 00 F3 02 00 00 7B C0 00 02 7B 30 00 10 00 07 00 01 00",
	    "C8 03 70 18 00 00 30", "C8 00 F3 24 02 00 E9 .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. .. "
	    "A0 A1 A2 A3 A4 A5 A6 A7 .. .. .. .. .. .. .. .. EE AA 5F 04 .. .. .. ..");
}

static void trace(void **state)
{
	(void)state;
	trace_boot();
	trace_join();
	assert_true(wsim_joined(host.wifi));
	trace_name_and_bind();
	trace_ask();
	SEND("00 0C 49 02", "C7 03 60 00 00 00 08", "F3 02 49 0C 00 .. .. .. ..", "C7 03 60 08 00 00 04", "F3 07 .. 01 00");
	assert_false(wsim_datagram(host.wifi, host.ip, 123, 2390, host.data, 48, host.cycle));
	SEND("00 08 2B 01", "C7 03 60 00 00 00 08", "F3 01 2B 08 00 .. .. .. ..");
	assert_false(wsim_joined(host.wifi));
	no_blame();
	assert_int_equal(wsim_count(host.wifi, WSIM_REQUEST, 1, 0x28, 0), 1);
	assert_int_equal(wsim_count(host.wifi, WSIM_REQUEST, 2, 0x47, 0), 1);
	assert_int_equal(wsim_count(host.wifi, WSIM_DONE, 2, 0x48, 0), 1);
	assert_int_equal(wsim_count(host.wifi, WSIM_EVENT, 1, 0x2c, 0), 2);
}

/* ---- SPI ------------------------------------------------------------------- */

static void crc_values(void **state)
{
	(void)state;
	host_power(&host);
	host_says(&host, "CA 00 10 00 CA", "CA 00 F3 B0 02 10 00 00 00");
	host_says(&host, "CF FF FF FF AA", ".. CF 00");
	host_says(&host, "C5 00 00 00 9A", ".. C5 00");
	no_blame();
	host_says(&host, "CA 00 10 00 CC", "00 00 00 00 00 00 00 00 00 00");
	assert_string_equal(host_blame(&host), "CRC7 of a command is wrong");
	assert_int_equal(wsim_errors(host.wifi), 1);
}

static void fillers(void **state)
{
	(void)state;
	uint32_t value;

	script()->filler_fixed = 3;
	host_power(&host);
	host_says(&host, "CA 00 10 00 CA", "00 00 00 CA FF FF FF 00 00 00 00 F3 B0 02 10 00 00 00");
	script()->filler_fixed = 0;
	script()->filler_max = 9;
	for (unsigned n = 0; n < 300; n++) {
		assert_true(host_read(&host, 0x1000, &value));
		assert_int_equal(value, 0x1002b0);
	}
	script()->filler_max = 0;
	script()->filler_fixed = 14;
	assert_false(host_read(&host, 0x1000, &value));
	script()->filler_fixed = 0;
	host_says(&host, "CF FF FF FF AA", ".. CF 00");
	assert_true(host_read(&host, 0x1000, &value));
	no_blame();
}

static void dead(void **state)
{
	(void)state;
	script()->dead = true;
	script()->dead_byte = 0xff;
	host_power(&host);
	host_says(&host, "CA 00 10 00 CA", "FF FF FF FF FF FF FF FF FF FF FF FF");
	script()->dead = false;
	host_says(&host, "", "00 00 00");
	no_blame();
}

static void bad_commands(void **state)
{
	(void)state;
	unsigned good = 0;

	assert_true(host_boot(&host));
	script()->bad_every = 10;
	for (uint32_t n = 0; n < 200; n++) {
		uint32_t value, before;

		script()->bad_every = 0;
		host_says(&host, "CF FF FF FF", ".. CF 00");
		assert_true(host_read(&host, 0x20100, &before));
		script()->bad_every = 10;
		bool done = host_write(&host, 0x20100, n + 1);
		good += done;
		script()->bad_every = 0;
		host_says(&host, "CF FF FF FF", ".. CF 00");
		assert_true(host_read(&host, 0x20100, &value));
		assert_int_equal(value, done ? n + 1 : before);
	}
	assert_int_equal(good, 180);
	no_blame();
}

static void bad_c3(void **state)
{
	(void)state;
	uint32_t value, bad = 0;
	const uint8_t header[8] = { 1, 0x0d, 8 };

	assert_true(host_boot(&host));
	assert_true(host_write(&host, 0x108c, 0x00080d01) && host_write(&host, 0x1078, 2));
	assert_true(host_read(&host, 0x1078, &value) && host_read(&host, 0x150400, &value));
	script()->bad_every = 1;
	for (unsigned n = 0; n < 30; n++) {
		assert_false(host_write_block(&host, value, header, 8));
		bad++;
		script()->bad_every = 0;
		host_wait(&host, 1);
		host_says(&host, "CF FF FF FF", ".. CF 00");
		script()->bad_every = 1;
	}
	script()->bad_every = 0;
	assert_int_equal(bad, 30);
	assert_true(host_write_block(&host, value, header, 8));
	assert_true(host_write(&host, 0x106c, value << 2 | 2));
	assert_int_equal(wsim_count(host.wifi, WSIM_REQUEST, 1, 0x0d, 0), 1);
	no_blame();
}

static void early_c3(void **state)
{
	(void)state;
	assert_true(host_boot(&host));
	script()->early_c3 = true;
	assert_true(host_request(&host, 1, 0x0d, NULL, 0));
	assert_int_equal(wsim_count(host.wifi, WSIM_REQUEST, 1, 0x0d, 0), 1);
	no_blame();
}

static void warm(void **state)
{
	(void)state;
	uint32_t value;

	script()->warm = true;
	host_power(&host);
	assert_false(host_read(&host, 0xe824, &value));
	host.crc = false;
	assert_true(host_read(&host, 0xe824, &value));
	assert_int_equal(value & 0x0c, 0);
	assert_true(host_read(&host, 0xc000c, &value));
	assert_int_not_equal(value, 0x10add09e);
	assert_true(host_read(&host, 0x207ac, &value));
	assert_int_equal(value & 0xffff, 0x1352);
	wsim_reset(host.wifi, false, host.cycle);
	host_wait(&host, 1);
	wsim_reset(host.wifi, true, host.cycle);
	host_wait(&host, 11);
	host.crc = true;
	assert_true(host_read(&host, 0xe824, &value));
	assert_int_equal(value, 0x2c);
	no_blame();
}

static void brown_out(void **state)
{
	(void)state;
	uint32_t value;

	assert_true(host_boot(&host));
	host_join(&host);
	wsim_brown_out(host.wifi);
	assert_false(wsim_joined(host.wifi));
	assert_false(host_read(&host, 0x1000, &value));
	host.crc = true;
	assert_true(host_read(&host, 0xe824, &value));
	assert_int_equal(value, 0x2c);
	assert_true(host_read(&host, 0x207ac, &value));
	assert_int_equal(value, 0);
	no_blame();
}

/* ---- boot ------------------------------------------------------------------ */

static void late_boot(void **state)
{
	(void)state;
	script()->efuse_ms = 900;
	script()->rom_ms = 1900;
	script()->firmware_ms = 3000;
	uint64_t begin = host.cycle;
	assert_true(host_boot(&host));
	assert_in_range((host.cycle - begin) / 16000, 4900, 4960);
	no_blame();
}

static void no_boot(void **state)
{
	(void)state;
	script()->firmware_ms = WSIM_NEVER;
	assert_false(host_boot(&host));
	wsim_power_off(host.wifi);
	script()->rom_ms = WSIM_NEVER;
	assert_false(host_boot(&host));
	wsim_power_off(host.wifi);
	script()->efuse_ms = WSIM_NEVER;
	assert_false(host_boot(&host));
	no_blame();
}

static void boot_variants(void **state)
{
	(void)state;
	uint32_t value;

	script()->bit7 = true;
	script()->host_wait = true;
	script()->chip = 0x1503a0;
	script()->version[1] = 6;
	assert_true(host_boot(&host));
	assert_true(host_read(&host, 0x14a0, &value));
	assert_int_equal(value, 0x182);
	assert_true(host_read(&host, 0x207ac, &value));
	assert_int_equal(value & 0xffff, 0x1362);
	no_blame();
}

/* Its firmware stands still: mailbox buffers are granted, no event comes; RESET_N helps. */
static void hung(void **state)
{
	(void)state;
	uint8_t bytes[108];

	assert_true(host_boot(&host));
	host_connect_bytes(bytes, "net", "pass phrase");
	script()->hung = true;
	assert_true(host_request(&host, 1, 0x28, bytes, sizeof bytes));
	wsim_event(host.wifi, 1, 0x34, bytes, 4);
	assert_false(host_event(&host, 20000));
	wsim_reset(host.wifi, false, host.cycle);
	host_wait(&host, 1);
	assert_true(host_boot(&host));
	host_join(&host);
	no_blame();
}

/* ---- mailbox --------------------------------------------------------------- */

static void grants(void **state)
{
	(void)state;
	assert_true(host_boot(&host));
	script()->grant_polls = 400;
	assert_true(host_request(&host, 1, 0x0d, NULL, 0));
	script()->grant_polls = WSIM_NEVER;
	assert_false(host_request(&host, 1, 0x0d, NULL, 0));
	script()->grant_polls = 0;
	script()->grant_zero = true;
	assert_false(host_request(&host, 1, 0x0d, NULL, 0));
	script()->grant_zero = false;
	assert_true(host_request(&host, 1, 0x0d, NULL, 0));
	assert_int_equal(wsim_count(host.wifi, WSIM_REQUEST, 1, 0x0d, 0), 2);
	no_blame();
}

static void lying_header(void **state)
{
	(void)state;
	assert_true(host_boot(&host));
	script()->lying_header = true;
	wsim_event(host.wifi, 1, 0x34, (const uint8_t *)"abcd", 4);
	assert_true(host_event(&host, 10));
	assert_int_equal(host.payload_size, 4);
	assert_true(host.length > 12);
	wsim_event(host.wifi, 7, 0x7f, NULL, 0);
	assert_true(host_event(&host, 10));
	assert_int_equal(host.group, 7);
	assert_int_equal(host.length, 8);
	no_blame();
}

static void events_in_a_row(void **state)
{
	(void)state;
	assert_true(host_boot(&host));
	for (uint8_t i = 0; i < 12; i++)
		wsim_event(host.wifi, 3, i, (const uint8_t[2]){ i }, 2);
	for (uint8_t i = 0; i < 8; i++) {
		assert_true(host_event(&host, 10));
		assert_int_equal(host.opcode, i);
	}
	assert_false(host_event(&host, 100));
	assert_int_equal(host.irqs, 8);
	no_blame();
}

static void drop_in_send(void **state)
{
	(void)state;
	assert_true(host_boot(&host));
	host_join(&host);
	host_bind(&host, 7, 1, 5000);
	assert_true(host_event(&host, 10));
	script()->drop_in_send = true;
	host_receive(&host, 7, 1);
	assert_false(wsim_joined(host.wifi));
	assert_true(host_event(&host, 10));
	assert_int_equal(host.opcode, 0x2c);
	assert_int_equal(host.payload[0], 0);
	assert_true(host_event(&host, 10));
	assert_int_equal(host.opcode, 0x48);
	assert_int_equal((int8_t)host.payload[8], -9);
	no_blame();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW(trace), ROW(crc_values), ROW(fillers), ROW(dead), ROW(bad_commands), ROW(bad_c3),
		ROW(early_c3), ROW(warm), ROW(brown_out), ROW(late_boot), ROW(no_boot), ROW(hung),
		ROW(boot_variants), ROW(grants), ROW(lying_header), ROW(events_in_a_row), ROW(drop_in_send),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
