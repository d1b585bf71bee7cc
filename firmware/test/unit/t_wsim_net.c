/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The WiFi module's model: access point, DHCP, DNS and sockets, and each fault that they can simulate. */
#include "wsim_tests.h"

/* ---- access point, DHCP, DNS ------------------------------------------------ */

static void join_with(const char *ssid, const char *pass, int error)
{
	uint8_t bytes[108];

	host_connect_bytes(bytes, ssid, pass);
	assert_true(host_request(&host, 1, 0x28, bytes, sizeof bytes));
	assert_true(host_event(&host, 10000));
	assert_int_equal(host.opcode, 0x2c);
	assert_int_equal(host.payload[0], error == 0);
	assert_int_equal(host.payload[1], error);
	if (error)
		return;
	assert_true(host_event(&host, 10000));
	assert_true(host_request(&host, 1, 0x2b, NULL, 0));
	assert_true(host_event(&host, 10));
	assert_int_equal(host.payload[0], 0);
}

static void joins(void **state)
{
	(void)state;
	static const char key[] = "0123456789abcdef0123456789ABCDEF0123456789abcdef0123456789abcdef";

	assert_true(host_boot(&host));
	join_with("net", "pass phrase", 0);
	join_with("net", "wrong phrase", 3);
	join_with("elsewhere", "pass phrase", 1);
	join_with("net", "", 2);
	script()->pass[0] = 0;
	join_with("net", "", 0);
	join_with("net", "pass phrase", 2);
	strcpy(script()->ssid, "caf\303\251 with spaces and 32 bytes .");
	strcpy(script()->pass, key);
	join_with(script()->ssid, key, 0);
	script()->join_error = 4;
	join_with(script()->ssid, key, 4);
	no_blame();
}

static void join_twice(void **state)
{
	(void)state;
	uint8_t bytes[108];

	assert_true(host_boot(&host));
	host_connect_bytes(bytes, "net", "pass phrase");
	assert_true(host_request(&host, 1, 0x28, bytes, sizeof bytes));
	assert_true(host_request(&host, 1, 0x28, bytes, sizeof bytes));
	assert_true(host_event(&host, 100));
	assert_int_equal(host.payload[1], 5);
	assert_true(host_event(&host, 5000));
	assert_int_equal(host.payload[0], 1);
}

static void dhcp(void **state)
{
	(void)state;
	script()->lease = 120;
	script()->version[1] = 4;
	assert_true(host_boot(&host));
	host_join(&host);
	assert_int_equal(host.payload_size, 16);
	script()->our_ip = 0x0901a8c0;
	assert_false(host_event(&host, 58000));
	assert_true(host_event(&host, 3000));
	assert_int_equal(host.opcode, 0x32);
	assert_memory_equal(host.payload, "\xc0\xa8\x01\x09\xc0\xa8\x01\x01\xc0\xa8\x01\x35\xff\xff\xff\x00", 16);
	wsim_renew(host.wifi);
	assert_true(host_event(&host, 10));
	assert_int_equal(host.opcode, 0x32);
	no_blame();
}

static void dhcp_fails(void **state)
{
	(void)state;
	uint8_t bytes[108];

	script()->dhcp_fails = true;
	assert_true(host_boot(&host));
	host_connect_bytes(bytes, "net", "pass phrase");
	assert_true(host_request(&host, 1, 0x28, bytes, sizeof bytes));
	assert_true(host_event(&host, 5000));
	assert_true(host_event(&host, 5000));
	assert_int_equal(host.opcode, 0x3d);
	assert_int_equal(host.payload_size, 0);
	assert_true(host_event(&host, 10));
	assert_int_equal(host.opcode, 0x2c);
	assert_int_equal(host.payload[0], 0);
	no_blame();
}

static void ask_name(const char *name)
{
	assert_true(host_request(&host, 2, 0x4a, name, (unsigned)strlen(name) + 1));
}

static void names(void **state)
{
	(void)state;
	assert_true(host_boot(&host));
	host_join(&host);
	ask_name("NTP2.example");
	assert_true(host_event(&host, 100));
	assert_int_equal(host.payload_size, 68);
	assert_string_equal((char *)host.payload, "NTP2.example");
	assert_memory_equal(host.payload + 64, "\xc0\x00\x02\x7c", 4);
	ask_name("nowhere.example");
	assert_true(host_event(&host, 100));
	assert_memory_equal(host.payload + 64, "\0\0\0\0", 4);
	script()->dns_ms = 9000;
	ask_name("ntp.example");
	script()->dns_ms = WSIM_NEVER;
	ask_name("ntp.example");
	assert_false(host_event(&host, 8900));
	assert_true(host_event(&host, 200));
	assert_memory_equal(host.payload + 64, "\xc0\x00\x02\x7b", 4);
	assert_false(host_event(&host, 30000));
	script()->dns_ms = 1;
	script()->dns_fails = true;
	ask_name("ntp.example");
	assert_true(host_event(&host, 100));
	assert_memory_equal(host.payload + 64, "\0\0\0\0", 4);
	no_blame();
}

/* ---- sockets --------------------------------------------------------------- */

static void open_socket(void)
{
	assert_true(host_boot(&host));
	host_join(&host);
	host_bind(&host, 8, 0x1234, 50000);
	assert_true(host_event(&host, 10));
	assert_memory_equal(host.payload, "\x08\x00\x34\x12", 4);
}

static bool arrive(const char *text)
{
	return wsim_datagram(host.wifi, 0x7b0200c0, 123, 50000, (const uint8_t *)text, (uint16_t)strlen(text), host.cycle);
}

static void receives(void **state)
{
	(void)state;
	open_socket();
	assert_true(arrive("one") && arrive("two") && arrive("three") && arrive("four"));
	assert_false(arrive("five"));
	assert_false(wsim_datagram(host.wifi, 1, 123, 50001, (const uint8_t *)"x", 1, host.cycle));
	assert_false(host_event(&host, 100));
	script()->data_offset = 60;
	host_receive(&host, 8, 0x1234);
	assert_true(host_event(&host, 10));
	assert_memory_equal(host.payload, "\x02\x00\x00\x7b\xc0\x00\x02\x7b\x03\x00\x3c\x00\x08\x00\x34\x12", 16);
	assert_memory_equal(host.payload + 60, "one", 3);
	assert_int_equal(host.payload_size, 63);
	assert_false(host_event(&host, 100));
	script()->data_offset = 20;
	host_receive(&host, 8, 0x1234);
	assert_true(host_event(&host, 10));
	assert_memory_equal(host.payload + 20, "two", 3);
	no_blame();
}

static void lying_receives(void **state)
{
	(void)state;
	open_socket();
	script()->wrong_session = true;
	host_receive(&host, 8, 0x1234);
	assert_true(arrive("stale"));
	assert_true(host_event(&host, 10));
	assert_memory_equal(host.payload + 14, "\x61\x47", 2);
	script()->big_status = true;
	assert_true(arrive("big"));
	assert_true(host_event(&host, 10));
	assert_memory_equal(host.payload + 8, "\xb8\x0b", 2);
	assert_int_equal(host.payload_size, 19);
	host_receive(&host, 8, 0x1234);
	assert_true(arrive("right"));
	assert_true(host_event(&host, 10));
	assert_memory_equal(host.payload + 8, "\x05\x00\x10\x00\x08\x00\x34\x12right", 13);
	no_blame();
}

static void receive_times_out(void **state)
{
	(void)state;
	const uint8_t control[8] = { 0xd0, 7, 0, 0, 8, 0, 0x34, 0x12 };

	open_socket();
	assert_true(host_request(&host, 2, 0x48, control, sizeof control));
	assert_false(host_event(&host, 1990));
	assert_true(host_event(&host, 20));
	assert_int_equal((int8_t)host.payload[8], -13);
	no_blame();
}

static void biggest_datagram(void **state)
{
	(void)state;
	static uint8_t data[1501];

	open_socket();
	for (unsigned i = 0; i < 1500; i++)
		data[i] = (uint8_t)(i * 7);
	host_receive(&host, 8, 0x1234);
	assert_false(wsim_datagram(host.wifi, 1, 2, 50000, data, 1501, host.cycle));
	assert_true(wsim_datagram(host.wifi, 1, 2, 50000, data, 1500, host.cycle));
	assert_true(host_event(&host, 10));
	assert_int_equal(host.payload_size, 1516);
	assert_memory_equal(host.payload + 16, data, 1500);
	no_blame();
}

static void bind_refused(void **state)
{
	(void)state;
	const uint8_t close[4] = { 8, 0, 1, 0 };

	assert_true(host_boot(&host));
	host_join(&host);
	script()->bind_status = -2;
	host_bind(&host, 8, 1, 50000);
	assert_true(host_event(&host, 10));
	assert_memory_equal(host.payload, "\x08\xfe\x01\x00", 4);
	assert_true(host_request(&host, 2, 0x49, close, 4));
	assert_false(arrive("nobody listens"));
	no_blame();
}

static void random_bytes(void **state)
{
	(void)state;
	const uint8_t control[8] = { 1, 2, 3, 4, 8 };
	uint8_t first[8];

	assert_true(host_boot(&host));
	assert_true(host_request(&host, 1, 0x9f, control, 8));
	assert_true(host_event(&host, 10));
	assert_int_equal(host.opcode, 0x20);
	assert_int_equal(host.payload_size, 16);
	assert_memory_equal(host.payload, control, 8);
	memcpy(first, host.payload + 8, 8);
	assert_true(host_request(&host, 1, 0x9f, control, 8));
	assert_true(host_event(&host, 10));
	assert_memory_not_equal(host.payload + 8, first, 8);
	no_blame();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		ROW(joins), ROW(join_twice), ROW(dhcp), ROW(dhcp_fails), ROW(names), ROW(receives),
		ROW(lying_receives), ROW(receive_times_out), ROW(biggest_datagram), ROW(bind_refused),
		ROW(random_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
