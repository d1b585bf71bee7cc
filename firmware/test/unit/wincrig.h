/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The WiFi driver on the module's model, straight through hal.h, for the tests
 * of it: no other part of the clock.  A test file includes it once; hal_* are
 * defined here.
 */
#ifndef WINCRIG_H
#define WINCRIG_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hal.h"
#include "winc.h"
#include "wsim.h"

#define MS 16000ull			/* cycles */
#define IP(a, b, c, d) ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

enum { LOG = 4096, SERVER_PORT = 123, OUR_PORT = 50123 };

static struct {
	struct wsim *wifi;
	struct wsim_script *script;
	uint64_t cycle;
	bool irq_low, irq_stuck, irq_dead, lose_edges;
	uint32_t asked, spi_bytes;
	uint64_t longest;		/* poll, cycles */
	/* what came out of the driver */
	struct winc_event event[LOG];
	uint8_t data[LOG][48];
	unsigned events;
	/* the far end of the network */
	uint8_t sent[256];
	uint16_t sent_size, sent_from;
	uint32_t sent_to, sent_tick;
	bool echo;
} t;

/* The board */

uint32_t hal_ticks(void)
{
	return t.cycle / 64;
}

uint32_t hal_ms(void)
{
	return t.cycle / MS;
}

uint8_t hal_spi(uint8_t out)
{
	t.cycle += 40;
	t.spi_bytes++;
	return wsim_byte(t.wifi, out, t.cycle);
}

void hal_wifi_select(bool on)
{
	wsim_select(t.wifi, on, t.cycle);
}

void hal_wifi_enable(bool on)
{
	wsim_enable(t.wifi, on, t.cycle);
}

void hal_wifi_reset(bool on)
{
	wsim_reset(t.wifi, !on, t.cycle);
}

bool hal_wifi_asks(void)
{
	return (t.irq_low && !t.irq_dead) || t.irq_stuck;
}

uint32_t hal_wifi_asked(void)
{
	return t.asked;
}

static inline void irq(void *arg, bool low)
{
	(void)arg;
	if (low && !t.irq_low && !t.lose_edges)
		t.asked = hal_ticks();
	t.irq_low = low;
}

/* The network: what is sent is kept, and with t.echo comes back. */
static inline void out(void *arg, uint32_t ip, uint16_t port, uint16_t from, const uint8_t *data, uint16_t size)
{
	(void)arg;
	assert_int_equal(port, SERVER_PORT);
	assert_true(size <= sizeof t.sent);
	memcpy(t.sent, data, size);
	t.sent_size = size;
	t.sent_from = from;
	t.sent_to = ip;
	t.sent_tick = hal_ticks();
	if (t.echo)
		wsim_datagram(t.wifi, ip, port, from, data, size, t.cycle);
}

static inline int setup(void **state)
{
	(void)state;
	memset(&t, 0, sizeof t);
	t.cycle = 5 * MS;
	t.wifi = wsim_new(out, irq, NULL);
	t.script = wsim_script(t.wifi);
	winc_stop();
	return 0;
}

static inline int teardown(void **state)
{
	(void)state;
	wsim_free(t.wifi);
	return 0;
}

/* Texts as the clock gives them */

static char ssid_text[40] = "net", pass_text[80] = "pass phrase", name_text[80] = "ntp.example";

static inline char text(const char *from, uint8_t i)
{
	return i < strlen(from) ? from[i] : 0;
}

static inline char ssid(uint8_t i)
{
	return text(ssid_text, i);
}

static inline char pass(uint8_t i)
{
	return text(pass_text, i);
}

static inline char name(uint8_t i)
{
	return text(name_text, i);
}

/* One poll, half a millisecond of other work. */
static inline struct winc_event *poll(void)
{
	struct winc_event *event = &t.event[t.events % LOG];
	uint64_t before = t.cycle;

	winc_poll(event);
	if (t.cycle - before > t.longest)
		t.longest = t.cycle - before;
	t.cycle += MS / 2;
	wsim_tick(t.wifi, t.cycle);
	if (event->kind == WINC_NONE)
		return NULL;
	if (event->data != NULL && event->length > 0) {
		memcpy(t.data[t.events % LOG], event->data, event->length < 48 ? event->length : 48);
		event->data = t.data[t.events % LOG];
	}
	t.events++;
	return event;
}

/* Polls until kind comes; others on the way are kept in t.event.  NULL: not within ms. */
static inline struct winc_event *wait(uint8_t kind, uint32_t ms)
{
	uint64_t until = t.cycle + ms * MS;

	while (t.cycle < until) {
		struct winc_event *event = poll();

		if (event != NULL && event->kind == kind)
			return event;
		if (event != NULL && event->kind == WINC_DEAD)
			return NULL;
	}
	return NULL;
}

static inline unsigned count(uint8_t kind, unsigned from)
{
	unsigned i, n = 0;

	for (i = from; i < t.events; i++)
		n += t.event[i].kind == kind;
	return n;
}

static inline void no_errors(void)
{
	uint32_t n, i;
	const struct wsim_entry *entry = wsim_journal(t.wifi, &n);

	for (i = 0; i < n; i++)
		if (entry[i].what == WSIM_ERROR)
			fail_msg("module: %s", entry[i].text);
}

static inline void boot(void)
{
	winc_start(WINC_RESET);
	assert_non_null(wait(WINC_UP, 8000));
}

static inline void join(void)
{
	assert_true(winc_join(ssid, pass, WINC_WPA));
	assert_non_null(wait(WINC_JOINED, 8000));
	assert_non_null(wait(WINC_ADDRESS, 8000));
}

static inline void open_socket(void)
{
	struct winc_event *event;

	assert_true(winc_open(OUR_PORT));
	event = wait(WINC_BOUND, 2000);
	assert_non_null(event);
	assert_int_equal(event->code, 0);
}

static const uint8_t question[48] = { 0x23, [40] = 0xa0, 1, 2, 3, 4, 5, 6, 7 };

static inline void ask(void)
{
	struct winc_event *event;
	unsigned from = t.events;

	t.echo = true;
	assert_true(winc_send(IP(192, 0, 2, 123), SERVER_PORT, question, sizeof question));
	event = wait(WINC_DATA, 2000);
	assert_non_null(event);
	assert_int_equal(t.sent_to, IP(192, 0, 2, 123));
	assert_int_equal(t.sent_size, sizeof question);
	assert_memory_equal(t.sent, question, sizeof question);
	assert_int_equal(event->length, sizeof question);
	assert_memory_equal(event->data, question, sizeof question);
	assert_int_equal(event->ip, IP(192, 0, 2, 123));
	assert_int_equal(event->port, SERVER_PORT);
	/* The echo is faster than the module's word that the question is out: that is reported before it, and once. */
	assert_int_equal(count(WINC_SENT, from), 1);
	assert_null(wait(WINC_SENT, 5));
}

static inline void all_the_way(void)
{
	boot();
	join();
	open_socket();
	ask();
}

static inline struct winc_event *start(enum winc_depth depth)
{
	winc_start(depth);
	return wait(WINC_UP, 9000);
}

/* The driver gave up, and why. */
static inline void assert_dead(enum winc_fault fault)
{
	assert_true(t.events > 0);
	assert_int_equal(t.event[t.events - 1].kind, WINC_DEAD);
	assert_int_equal(t.event[t.events - 1].code, fault);
}

static inline void wait_left(int8_t code, uint32_t ms)
{
	struct winc_event *event = wait(WINC_LEFT, ms);

	assert_non_null(event);
	assert_int_equal(event->code, code);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

#endif
