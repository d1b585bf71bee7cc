/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The bridge to loopback sockets, with a real server on the other side and the module's model on this one. */
#include <arpa/inet.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "udp.h"
#include "wsim_host.h"

#define IP 0x7b0200c0u

static int server;		/* a socket on a port of its own */
static uint16_t server_port;
static struct wsim_host host;
static struct udp *udp;

static int setup(void **state)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t size = sizeof at;

	(void)state;
	server = socket(AF_INET, SOCK_DGRAM, 0);
	if (server < 0 || bind(server, (struct sockaddr *)&at, sizeof at) ||
	    getsockname(server, (struct sockaddr *)&at, &size))
		return -1;
	server_port = ntohs(at.sin_port);
	udp = udp_new();
	host_open(&host);
	if (!udp || !host_boot(&host))
		return -1;
	host_join(&host);
	host_bind(&host, 7, 1, 50000);
	return host_event(&host, 10) ? 0 : -1;
}

static int teardown(void **state)
{
	(void)state;
	host_close(&host);
	udp_free(udp);
	close(server);
	return 0;
}

/* Waits for one datagram and sends its bytes back, each plus 1, so often; false: none in a second. */
static bool serve(unsigned times)
{
	uint8_t data[1500];
	struct sockaddr_in from;
	socklen_t size = sizeof from;
	struct pollfd wait = { .fd = server, .events = POLLIN };

	if (poll(&wait, 1, 1000) != 1)
		return false;
	ssize_t count = recvfrom(server, data, sizeof data, 0, (struct sockaddr *)&from, &size);
	assert_int_equal(ntohl(from.sin_addr.s_addr), INADDR_LOOPBACK);
	for (ssize_t i = 0; i < count; i++)
		data[i]++;
	while (times--)
		sendto(server, data, (size_t)count, 0, (struct sockaddr *)&from, size);
	return true;
}

static unsigned poll_bridge(void)
{
	unsigned count = 0;

	for (unsigned ms = 0; ms < 1000 && !count; ms++) {
		count = udp_poll(udp, host.wifi, host.cycle);
		if (!count)
			usleep(1000);
	}
	return count;
}

static void there_and_back(void **state)
{
	(void)state;
	assert_true(udp_map(udp, IP, 123, server_port));
	assert_int_equal(udp_open(udp), 0);
	assert_true(udp_send(udp, IP, 123, 50000, (const uint8_t *)"abc", 3));
	assert_int_equal(udp_open(udp), 1);
	assert_true(serve(1));
	assert_int_equal(poll_bridge(), 1);
	assert_int_equal(udp_open(udp), 0);
	host_receive(&host, 7, 1);
	assert_true(host_event(&host, 10));
	assert_memory_equal(host.payload, "\x02\x00\x00\x7b\xc0\x00\x02\x7b\x03\x00\x10\x00\x07\x00\x01\x00" "bcd", 19);
}

static void unknown_places(void **state)
{
	(void)state;
	assert_true(udp_map(udp, IP, 123, server_port));
	assert_false(udp_send(udp, IP, 124, 50000, (const uint8_t *)"abc", 3));
	assert_false(udp_send(udp, IP + 1, 123, 50000, (const uint8_t *)"abc", 3));
	assert_int_equal(udp_poll(udp, host.wifi, host.cycle), 0);
	for (unsigned i = 1; i < 8; i++)
		assert_true(udp_map(udp, IP + i, 123, server_port));
	assert_false(udp_map(udp, IP + 8, 123, server_port));
}

/* Nobody listens there: the kernel's refusal is not a datagram and does not stop later ones. */
static void nobody(void **state)
{
	(void)state;
	int other = socket(AF_INET, SOCK_DGRAM, 0);
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t size = sizeof at;

	assert_false(bind(other, (struct sockaddr *)&at, sizeof at) || getsockname(other, (struct sockaddr *)&at, &size));
	assert_true(udp_map(udp, IP, 123, ntohs(at.sin_port)));
	close(other);
	udp_send(udp, IP, 123, 50000, (const uint8_t *)"abc", 3);
	usleep(2000);
	assert_int_equal(udp_poll(udp, host.wifi, host.cycle), 0);
	assert_true(udp_send(udp, IP, 123, 50000, (const uint8_t *)"abc", 3));
}

static void many(void **state)
{
	(void)state;
	assert_true(udp_map(udp, IP, 123, server_port));
	assert_true(udp_send(udp, IP, 123, 50000, (const uint8_t *)"abc", 3));
	assert_true(serve(40));
	unsigned first = poll_bridge();
	assert_in_range(first, 1, 16);	/* bounded, the rest later */
	assert_true(poll_bridge() > 0);
}

/* The server's clock moved by 1.5 s, and back over a wrap of the seconds; stamps of zero stay. */
static void shifted(void **state)
{
	static const double by[] = { 1.5, -2 };
	static const uint8_t want[][8] = { { 0, 0, 0, 1, 0x40, 0, 0, 0 }, { 0xff, 0xff, 0xff, 0xfd, 0xc0, 0, 0, 0 } };
	uint8_t packet[48];

	(void)state;
	assert_true(udp_map(udp, IP, 123, server_port));
	for (unsigned i = 0; i < 2; i++) {
		memset(packet, 0xff, sizeof packet);	/* the server adds 1: zeros */
		memcpy(packet + 40, (const uint8_t[8]){ 0xfe, 0xfe, 0xfe, 0xfe, 0xbf, 0xff, 0xff, 0xff }, 8);
		udp_shift(udp, by[i]);
		assert_true(udp_send(udp, IP, 123, 50000, packet, sizeof packet));
		assert_true(serve(1));
		assert_int_equal(poll_bridge(), 1);
		host_receive(&host, 7, 1);
		assert_true(host_event(&host, 10));
		assert_memory_equal(host.payload + 16 + 32, "\0\0\0\0\0\0\0\0", 8);
		assert_memory_equal(host.payload + 16 + 40, want[i], 8);
	}
}

#define ROW(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = { ROW(there_and_back), ROW(unknown_places), ROW(nobody), ROW(many), ROW(shifted) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
