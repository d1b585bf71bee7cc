/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests each rule that the WiFi module's model imposes on its host, and that no bytes break the model. */
#include "wsim_tests.h"

/* So far all was right; what comes now must be blamed with text, once. */
static unsigned before;

static void right_so_far(void)
{
	before = wsim_errors(host.wifi);
	assert_string_equal(host_blame(&host), "");
}

static void blamed(const char *text)
{
	assert_string_equal(host_blame(&host), text);
	assert_int_equal(wsim_errors(host.wifi), before + 1);
	host_close(&host);
	host_open(&host);
}

static void booted(void)
{
	assert_true(host_boot(&host));
	right_so_far();
}

static void joined(void)
{
	assert_true(host_boot(&host));
	host_join(&host);
	right_so_far();
}

static void bound(void)
{
	assert_true(host_boot(&host));
	host_join(&host);
	host_bind(&host, 7, 5, 50000);
	assert_true(host_event(&host, 10));
	right_so_far();
}

/* ---- power ----------------------------------------------------------------- */

static void power_times(void **state)
{
	(void)state;
	before = 0;
	wsim_enable(host.wifi, true, host.cycle);
	host_wait(&host, 4);
	wsim_reset(host.wifi, true, host.cycle);
	blamed("RESET_N rises less than 5 ms after EN");

	wsim_reset(host.wifi, true, host.cycle);
	wsim_enable(host.wifi, true, host.cycle);
	blamed("EN rises while RESET_N is high");

	wsim_enable(host.wifi, true, host.cycle);
	host_wait(&host, 5);
	wsim_reset(host.wifi, true, host.cycle);
	host_wait(&host, 9);
	host_says(&host, "CA 00 10 00 CA", "CA 00");
	blamed("SPI less than 10 ms after RESET_N");

	host_says(&host, "CA 00 10 00 CA", "00 00 00");
	blamed("SPI while EN or RESET_N is low");
}

/* ---- SPI ------------------------------------------------------------------- */

static void spi_rules(void **state)
{
	static const struct { const char *bytes, *answer, *text; } rule[] = {
		{ "CB", "00", "no such SPI command" },
		{ "CF FF FF 00", ".. CF 00", "C5, C6 or CF with wrong bytes" },
		{ "C5 00 00 01", ".. C5 00", "C5, C6 or CF with wrong bytes" },
		{ "CA 00 10 01", "CA 00 F3", "register address is not a multiple of 4" },
		{ "CA 00 00 10", "CA 00 F3", "C9 or CA to a clockless register" },
		{ "C4 00 10 00", "C4 00 F3", "C3 or C4 without bit 7 of the address" },
		{ "C4 90 00 00", "C4 00 F3", "C3 or C4 to a register that is not clockless" },
		{ "C8 03 30 00 00 00 00", "C8 00 00", "a block of length 0" },
		{ "C8 03 30 00 00 00 01", "C8 00 F3", "a block of length 1" },
		{ "C8 03 30 00 00 08 01", "C8 00 00", "a block longer than any message" },
		{ "C8 03 70 00 00 00 04", "C8 00 F3", "block read while no event is taken" },
		{ "C7 03 60 00 00 00 08", "C7 00", "block written outside of a granted buffer" },
		{ "C9 00 10 78 00 00 00 02", "C9 00", "buffer asked for without a header in 0x108c" },
		{ "C9 00 10 6C 00 0D 80 02", "C9 00", "0x106c written without a granted buffer" },
		{ "C9 00 10 70 00 00 00 00", "C9 00", "0x1070 written while no event waits" },
		{ "C9 00 10 70 00 00 00 02", "C9 00", "done without an event" },
		{ "C9 00 10 00 00 00 00 00", "C9 00", "write to a register that is none or not to be written" },
		{ "CA 00 12 34", "CA 00 F3", "read of a register that is none" },
		{ "CA 15 04 00", "CA 00 F3", "buffer address read without a grant" },
		{ "C9 00 E8 24 00 00 00 70", "C9 00", "0xe824: no such block size" },
		{ "CA 00 10 00", "CA 00 F3 B0", "" },
	};
	(void)state;
	for (unsigned i = 0; i < sizeof rule / sizeof *rule; i++) {
		booted();
		host_says(&host, rule[i].bytes, rule[i].answer);
		before -= !*rule[i].text;
		blamed(rule[i].text);
	}
	booted();
	host_says(&host, "CA 00 10 00", "CA 00");
	host_byte(&host, 0);		/* CS is high: this does not count */
	host_says(&host, "CA", "B0");
	blamed("a byte other than 0 while the answer is not read");
}

static void boot_rules(void **state)
{
	uint32_t value;

	(void)state;
	for (unsigned omit = 0; omit < 4; omit++) {
		static const char *const text[] = {
			"firmware started without bit 8 of 0x14a0", "firmware started without the driver's version in 0x108c",
			"0xc000c: not the start word", "firmware started before the boot ROM has finished",
		};

		host_power(&host);
		before = 0;
		host_wait(&host, omit == 3 ? 1 : 30);
		if (omit != 0)
			host_write(&host, 0x14a0, 0x100);
		if (omit != 1)
			host_write(&host, 0x108c, 0x13521352);
		host_write(&host, 0xc000c, omit == 2 ? 1 : 0xef522f61);
		blamed(text[omit]);
	}
	host_power(&host);
	wsim_script(host.wifi)->efuse_ms = 100;
	host_read(&host, 0x1014, &value);
	host_read(&host, 0x1014, &value);
	blamed("a boot register polled more often than each millisecond");
	host_power(&host);
	host_write(&host, 0x1078, 2);
	blamed("mailbox used before the firmware is up");
}

/* ---- mailbox --------------------------------------------------------------- */

/* A request step by step; bend says at which step what is wrong. */
enum bend {
	STRAIGHT, TWO_HEADS, BAD_WANT, HIGH_BIT, OTHER_LENGTH, RESERVED, LATE_HEADER, TWICE, TOO_LONG, UNWRITTEN,
	BAD_DONE, DATA_BIT,
};

static void bent_request(enum bend bend)
{
	uint8_t header[8] = { 1, 0x2d, 12 }, mode[8] = { 0, 1 };
	uint32_t at = 0x36000;

	booted();
	host_write(&host, 0x108c, 0x000c2d01 | (bend == DATA_BIT ? 0x8000 : 0));
	if (bend == TWO_HEADS)
		host_write(&host, 0x108c, 0x000c2d01);
	host_write(&host, 0x1078, bend == BAD_WANT ? 3 : 2);
	uint32_t value;
	assert_true(host_read(&host, 0x1078, &value) && host_read(&host, 0x150400, &value));
	assert_int_equal(value, at);
	header[1] |= bend == HIGH_BIT ? 0x80 : 0;
	header[2] += bend == OTHER_LENGTH ? 1 : 0;
	header[5] = bend == RESERVED;
	if (bend == LATE_HEADER)
		host_write_block(&host, at + 8, mode, 4);
	host_write_block(&host, at, header, 8);
	if (bend == TWICE)
		host_write_block(&host, at, header, 8);
	if (bend != UNWRITTEN && bend != LATE_HEADER)
		host_write_block(&host, at + 8, mode, bend == TOO_LONG ? 8 : 4);
	host_write(&host, 0x106c, bend == BAD_DONE ? at << 2 : at << 2 | 2);
}

static void request_rules(void **state)
{
	static const struct { enum bend bend; const char *text; } rule[] = {
		{ TWO_HEADS, "a request begun while another is open" },
		{ BAD_WANT, "0x1078 written with something else than 2" },
		{ HIGH_BIT, "opcode bit 7 in the header" },
		{ OTHER_LENGTH, "header differs from 0x108c" },
		{ RESERVED, "reserved bytes of the header are not 0" },
		{ TWICE, "parts of a message written twice or not in order" },
		{ TOO_LONG, "bytes written behind the end of the message" },
		{ UNWRITTEN, "done before the whole message is written" },
		{ BAD_DONE, "0x106c: wrong address" },
		{ DATA_BIT, "opcode bit 7 without data" },
	};
	(void)state;
	bent_request(STRAIGHT);
	right_so_far();
	for (unsigned i = 0; i < sizeof rule / sizeof *rule; i++) {
		host_close(&host);
		host_open(&host);
		bent_request(rule[i].bend);
		assert_string_equal(host_blame(&host), rule[i].text);
		assert_int_equal(wsim_errors(host.wifi), 1);
	}
	host_close(&host);
	host_open(&host);
	bent_request(LATE_HEADER);
	assert_int_equal(wsim_errors(host.wifi), 2);	/* not first, and not in order */
}

static void event_waits(void)
{
	booted();
	wsim_event(host.wifi, 1, 0x34, (const uint8_t *)"abcd", 4);
	assert_true(host.irq_low);
}

static void event_rules(void **state)
{
	(void)state;
	event_waits();
	host_says(&host, "C9 00 10 70 00 00 00 32", "C9 00");
	blamed("done with an event that was not taken");
	event_waits();
	host_says(&host, "C9 00 10 70 00 00 00 20", "C9 00");
	blamed("size in 0x1070 changed by the host");
	event_waits();
	host_says(&host, "C9 00 10 70 00 00 00 31", "C9 00");
	blamed("bit 0 of 0x1070 set by the host");
	event_waits();
	host_says(&host, "C8 03 70 00 00 00 04", "C8 00 F3");
	blamed("block read while no event is taken");
	event_waits();
	host_says(&host, "C9 00 10 70 00 00 00 30", "C9 00");
	host_says(&host, "C8 03 70 08 00 00 08", "C8 00 F3");
	blamed("block read outside of the event");
	event_waits();
	host_says(&host, "C9 00 10 70 00 00 00 30", "C9 00");
	assert_true(host_request(&host, 1, 0x0d, NULL, 0));
	blamed("a request begun before done with the event");
}

/* ---- requests --------------------------------------------------------------- */

static void connect_rules(void **state)
{
	static const struct { uint8_t at, value; const char *text; } rule[] = {
		{ 103, 0, "connect: credentials would be stored in the module's flash" },
		{ 66, 1, "connect: reserved bytes are not 0" },
		{ 107, 9, "connect: reserved bytes are not 0" },
		{ 65, 0, "connect: no such security" },
		{ 65, 1, "connect: pass phrase for an open network" },
		{ 68, 15, "connect: no such channel" },
		{ 70, 0, "connect: SSID empty, without NUL or with bytes behind it" },
		{ 90, 'x', "connect: SSID empty, without NUL or with bytes behind it" },
		{ 40, 'x', "connect: pass phrase without NUL or with bytes behind it" },
		{ 7, 0, "connect: pass phrase without NUL or with bytes behind it" },
	};
	uint8_t bytes[108];
	(void)state;
	for (unsigned i = 0; i < sizeof rule / sizeof *rule; i++) {
		booted();
		host_connect_bytes(bytes, "net", "pass phrase");
		bytes[rule[i].at] = rule[i].value;
		assert_true(host_request(&host, 1, 0x28, bytes, sizeof bytes));
		blamed(rule[i].text);
	}
	booted();
	host_connect_bytes(bytes, "net", "seven 7");
	assert_true(host_request(&host, 1, 0x28, bytes, sizeof bytes));
	blamed("connect: pass phrase of the wrong length or no hex key");
	booted();
	host_connect_bytes(bytes, "net", "pass phrase");
	assert_true(host_request(&host, 1, 0x28, bytes, 104));
	blamed("request of the wrong length");
}

static void small_rules(void **state)
{
	(void)state;
	booted();
	assert_true(host_request(&host, 1, 0x2d, "\1\1\0\0", 4));
	blamed("sleep mode other than none: the host does not wake the module");
	booted();
	assert_true(host_request(&host, 2, 0x44, "", 0));
	blamed("a request the clock has no need of, or none at all");
	joined();
	assert_true(host_request(&host, 2, 0x4a, "ntp.example", 11));
	blamed("DNS: no name with one NUL at its end, 64 bytes at most");
	joined();
	assert_true(host_request(&host, 2, 0x4a, "ntp.example\0", 13));
	blamed("DNS: no name with one NUL at its end, 64 bytes at most");
	booted();
	assert_true(host_request(&host, 2, 0x4a, "ntp.example", 12));
	blamed("DNS question without an address of our own");
	booted();
	assert_true(host_request(&host, 1, 0x1f, "\0\0\0\0\10\0\0\0", 8));
	blamed("data without opcode bit 7");
}

static void bind_rules(void **state)
{
	static const struct { uint8_t at, value; const char *text; } rule[] = {
		{ 0, 3, "bind: family is not 2" },
		{ 4, 1, "bind: address or reserved byte is not 0" },
		{ 9, 1, "bind: address or reserved byte is not 0" },
		{ 8, 6, "no UDP socket has this number" },
		{ 8, 11, "no UDP socket has this number" },
		{ 10, 0, "session 0" },
	};
	(void)state;
	for (unsigned i = 0; i < sizeof rule / sizeof *rule; i++) {
		uint8_t control[12] = { 2, 0, 0xc3, 0x50, 0, 0, 0, 0, 7, 0, 1, 0 };

		joined();
		control[rule[i].at] = rule[i].value;
		assert_true(host_request(&host, 2, 0x41, control, sizeof control));
		blamed(rule[i].text);
	}
	bound();
	host_bind(&host, 8, 5, 50001);
	blamed("bind: session was not increased");
	bound();
	host_bind(&host, 7, 6, 50001);
	blamed("bind: the socket is bound already");
}

static void socket_rules(void **state)
{
	(void)state;
	bound();
	host_receive(&host, 7, 5);
	host_receive(&host, 7, 5);
	blamed("receive asked for while one is open");
	bound();
	host_receive(&host, 7, 4);
	blamed("session is not the socket's");
	bound();
	host_receive(&host, 8, 5);
	blamed("socket used that is not bound");
	bound();
	wsim_drop(host.wifi);
	host_receive(&host, 7, 5);	/* it can not know yet */
	assert_int_equal(wsim_errors(host.wifi), 0);
	assert_true(host_event(&host, 10) && host_event(&host, 10));
	host_receive(&host, 7, 5);
	blamed("socket used without an address of our own");
}

static void send_rules(void **state)
{
	static const struct { uint8_t at, value; const char *text; } rule[] = {
		{ 2, 47, "send: data size does not fit the length" },
		{ 4, 0, "send: family is not 2" },
		{ 7, 0, "send: no port or no address" },
		{ 1, 1, "send: reserved bytes are not 0" },
		{ 15, 1, "send: reserved bytes are not 0" },
		{ 12, 6, "session is not the socket's" },
	};
	uint8_t data[48] = { 0x23 };
	(void)state;
	for (unsigned i = 0; i <= sizeof rule / sizeof *rule; i++) {
		uint8_t control[16] = { 7, 0, 48, 0, 2, 0, 0, 123, 192, 0, 2, 123, 5 };

		bound();
		if (i < sizeof rule / sizeof *rule)
			control[rule[i].at] = rule[i].value;
		assert_true(host_request_data(&host, 2, 0xc7, control, sizeof control, 68, data, sizeof data));
		if (i < sizeof rule / sizeof *rule)
			blamed(rule[i].text);
	}
	assert_int_equal(host.sent, 1);
	right_so_far();
}

/* ---- anything --------------------------------------------------------------- */

static uint32_t noise(uint32_t limit)
{
	static uint64_t x;

	x = x * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(x >> 33) % limit;
}

static void random_script(void)
{
	struct wsim_script *script = wsim_script(host.wifi);

	wsim_defaults(script);
	script->filler_max = (uint8_t)(noise(2) ? 0 : noise(256));
	script->bad_every = noise(2) * noise(5);
	script->early_c3 = noise(2);
	script->warm = noise(2);
	script->data_offset = (uint16_t)noise(65536);
	script->lying_header = noise(2);
	script->wrong_session = noise(2);
	script->big_status = noise(2);
	script->hung = !noise(4);
	script->lease = noise(3) * 1000000000u;
	script->grant_polls = noise(3) ? 0 : noise(3);
	memset(script->ssid, 'x', noise(34));
	memset(script->host[0].name, 'y', noise(65));
}

static void random_act(void)
{
	uint8_t data[1600];

	memset(data, (int)noise(256), sizeof data);
	switch (noise(9)) {
	case 0: wsim_enable(host.wifi, noise(4), host.cycle); break;
	case 1: wsim_reset(host.wifi, noise(4), host.cycle); break;
	case 2: wsim_event(host.wifi, (uint8_t)noise(8), (uint8_t)noise(256), data, (uint16_t)noise(1600)); break;
	case 3:
		wsim_datagram(host.wifi, noise(65536), 123, (uint16_t)noise(65536), data, (uint16_t)noise(1600), host.cycle);
		break;
	case 4: wsim_drop(host.wifi); break;
	case 5: wsim_renew(host.wifi); break;
	case 6: random_script(); break;
	case 7: wsim_brown_out(host.wifi); break;
	default: host.cycle += 16000ull * noise(100000); break;
	}
}

static uint8_t random_byte(void)
{
	static const uint8_t known[] = {
		0xc1, 0xc2, 0xc3, 0xc4, 0xc5, 0xc7, 0xc8, 0xc9, 0xca, 0xcf, 0xff, 0xf1, 0xf2, 0xf3,
		0x00, 0x00, 0x00, 0x10, 0x70, 0x84, 0x8c, 0x78, 0x6c, 0x15, 0x04, 0x03, 0x60, 0x02, 0x01, 0xe8, 0x24, 0x0c,
	};

	return noise(4) ? known[noise(sizeof known)] : (uint8_t)noise(256);
}

/* A good module, joined, and a bound socket, whatever was before. */
static void start_again(void)
{
	wsim_power_off(host.wifi);
	wsim_defaults(wsim_script(host.wifi));
	assert_true(host_boot(&host));
	host_join(&host);
	host_bind(&host, 9, 1, 50000);
	assert_true(host_event(&host, 10));
}

/* A request of the right form with random contents. */
static void random_request(void)
{
	static const uint8_t opcode[] = { 0x03, 0x0c, 0x1f, 0x28, 0x2b, 0x2d, 0x41, 0x47, 0x48, 0x49, 0x4a };
	static const uint8_t size[] = { 0, 4, 8, 12, 16, 20, 108 };
	uint8_t control[128], data[64] = { 0 };

	for (unsigned i = 0; i < sizeof control; i++)
		control[i] = noise(3) ? 0 : (uint8_t)noise(12);
	uint8_t code = noise(8) ? opcode[noise(sizeof opcode)] : (uint8_t)noise(256), group = code < 0x41 ? 1 : 2;
	if (noise(4))
		host_request(&host, group, code, control, size[noise(sizeof size)]);
	else
		host_request_data(&host, group, code | 0x80, control, 16, 68, data, noise(64));
}

/* Bytes out of the blue, acts of the world, and between them requests and events. */
static void anything(void **state)
{
	(void)state;
	for (unsigned n = 0; n < 1000000; n++) {
		if (n % 20000 == 0)
			start_again();
		if (n % 20000 < 5000 && n % 20 == 0)
			random_request();
		if (n % 20000 < 5000 && n % 100 == 0)
			wsim_datagram(host.wifi, 1, 123, 50000, (const uint8_t *)"datagram", (uint16_t)noise(9), host.cycle);
		if (n % 20000 < 5000) {
			host_wait(&host, 1);
			continue;
		}
		host.cycle += noise(40);
		if (noise(5000) == 0)
			random_act();
		wsim_select(host.wifi, noise(100), host.cycle);
		host_byte(&host, random_byte());
	}
	assert_true(wsim_errors(host.wifi) > 1000);
	assert_true(wsim_count(host.wifi, WSIM_REQUEST, 2, 0x47, 0) > 100);
	start_again();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW(power_times), ROW(spi_rules), ROW(boot_rules), ROW(request_rules), ROW(event_rules),
		ROW(connect_rules), ROW(small_rules), ROW(bind_rules), ROW(socket_rules), ROW(send_rules),
		ROW(anything),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
