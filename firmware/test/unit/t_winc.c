/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The WiFi driver on the network: join, address, name, socket, and what a bad network or a lying module does. */
#include "wincrig.h"

static void day(void **state)
{
	struct winc_event *event;

	(void)state;
	boot();
	assert_int_equal(winc_version(), 19 << 8 | 5 << 4 | 2);
	assert_int_equal(wsim_count(t.wifi, WSIM_REQUEST, 1, 0x2d, 0), 1);
	assert_int_equal(wsim_count(t.wifi, WSIM_REQUEST, 1, 0x0d, 0), 1);
	join();
	assert_true(winc_random());
	event = wait(WINC_RANDOM, 1000);
	assert_non_null(event);
	assert_int_equal(event->code, 0);
	assert_int_equal(event->length, 8);
	assert_true(winc_resolve(name));
	event = wait(WINC_NAME, 1000);
	assert_non_null(event);
	assert_int_equal(event->ip, IP(192, 0, 2, 123));
	open_socket();
	ask();
	assert_int_equal(t.sent_from, OUR_PORT);
	assert_int_equal(count(WINC_SENT, 0), 1);
	ask();
	open_socket();			/* again: the old one is closed */
	ask();
	assert_int_equal(wsim_count(t.wifi, WSIM_REQUEST, 2, 0x49, 0), 1);
	assert_true(winc_leave());
	event = wait(WINC_LEFT, 1000);
	assert_non_null(event);
	assert_int_equal(event->code, 0);
	join();
	open_socket();
	ask();
	assert_int_equal(winc_errors(), 0);
	assert_true(t.longest <= 2 * MS);
	no_errors();
}

/* Filler of every length, 0 to 9 before each part of an answer (200 seeds); 10 is too much. */

static void data_offsets(void **state)
{
	static const uint16_t offsets[] = { 16, 20, 60 };
	unsigned i;

	(void)state;
	all_the_way();
	for (i = 0; i < 3; i++) {
		t.script->data_offset = offsets[i];
		ask();
	}
	no_errors();
}

static void sizes(void **state)
{
	static const uint16_t size[] = { 0, 1, 2, 3, 47, 48, 49, 1400, 1472 };
	uint8_t data[1500];
	struct winc_event *event;
	unsigned i, k;

	(void)state;
	for (k = 0; k < sizeof data; k++)
		data[k] = k * 7;
	all_the_way();
	for (i = 0; i < sizeof size / sizeof *size; i++) {
		assert_true(wsim_datagram(t.wifi, IP(10, 0, 0, 9), 9999, OUR_PORT, data, size[i], t.cycle));
		event = wait(WINC_DATA, 500);
		assert_non_null(event);
		assert_int_equal(event->length, size[i]);
		assert_int_equal(event->ip, IP(10, 0, 0, 9));
		assert_int_equal(event->port, 9999);
		if (size[i] > 0)
			assert_memory_equal(event->data, data, size[i] < 48 ? size[i] : 48);
	}
	no_errors();
}

/* Messages that lie or that nobody knows are released, and what comes next is read. */

static void odd_messages(void **state)
{
	uint8_t bytes[300] = { 1, 2, 3 };
	unsigned i;

	(void)state;
	all_the_way();
	t.script->lying_header = true;
	wsim_event(t.wifi, 1, 0x2c, bytes, 4);
	assert_null(wait(WINC_LEFT, 300));
	ask();
	for (i = 0; i < 256; i++) {
		wsim_event(t.wifi, i & 1 ? 2 : i, i, bytes, i);
		if (i % 5 == 0)
			ask();
		wait(WINC_NONE, 4);
	}
	bytes[0] = 0;
	wsim_event(t.wifi, 1, 0x2c, bytes, 3);		/* too short for what it says to be */
	wsim_event(t.wifi, 1, 0x32, bytes, 15);
	wsim_event(t.wifi, 2, 0x48, bytes, 15);
	wsim_event(t.wifi, 2, 0x4a, bytes, 67);
	ask();
	assert_int_equal(count(WINC_LEFT, 0), 0);
	assert_int_equal(count(WINC_DEAD, 0), 0);
}

static void bad_datagrams(void **state)
{
	static const uint16_t behind[] = { 81, 0x7fff, 0xffff };

	(void)state;
	all_the_way();
	t.script->wrong_session = true;
	wsim_datagram(t.wifi, 1, 2, OUR_PORT, question, 48, t.cycle);
	assert_null(wait(WINC_DATA, 500));
	ask();
	t.script->big_status = true;
	wsim_datagram(t.wifi, 1, 2, OUR_PORT, question, 48, t.cycle);
	assert_null(wait(WINC_DATA, 500));
	ask();
	/* where it says that its bytes are there are none of the message */
	for (unsigned i = 0; i < sizeof behind / sizeof *behind; i++) {
		t.script->data_offset = behind[i];
		wsim_datagram(t.wifi, 1, 2, OUR_PORT, question, 48, t.cycle);
		assert_null(wait(WINC_DATA, 500));
	}
	t.script->data_offset = 16;
	ask();
	no_errors();
	t.script->lying_header = true;			/* the datagram's own: we ask for the next all the same */
	wsim_datagram(t.wifi, 1, 2, OUR_PORT, question, 48, t.cycle);
	assert_null(wait(WINC_DATA, 500));
	ask();
}

static void join_errors(void **state)
{
	unsigned error;

	(void)state;
	boot();
	assert_false(winc_send(1, 2, question, 48));	/* no socket */
	strcpy(pass_text, "wrong phrase");
	assert_true(winc_join(ssid, pass, WINC_WPA));
	wait_left(3, 8000);
	strcpy(pass_text, "pass phrase");
	strcpy(ssid_text, "none");
	assert_true(winc_join(ssid, pass, WINC_WPA));
	wait_left(1, 8000);
	strcpy(ssid_text, "net");
	for (error = 1; error <= 5; error++) {
		t.script->join_error = error;
		assert_true(winc_join(ssid, pass, WINC_WPA));
		wait_left(error, 8000);
	}
	t.script->join_error = 0;
	t.script->join_ms = WSIM_NEVER;			/* no word at all */
	assert_true(winc_join(ssid, pass, WINC_WPA));
	assert_false(winc_leave());
	wait_left(2, 19500);
	t.script->join_ms = 500;
	join();
	wsim_drop(t.wifi);
	wait_left(0, 500);
	join();
	no_errors();
}

static void addresses(void **state)
{
	struct winc_event *event;
	uint8_t result[20] = { 0 };

	(void)state;
	boot();
	t.script->dhcp_fails = true;
	assert_true(winc_join(ssid, pass, WINC_WPA));
	assert_non_null(wait(WINC_NO_ADDRESS, 8000));
	wait_left(0, 8000);
	t.script->dhcp_fails = false;
	t.script->lease = 20;
	all_the_way();
	event = wait(WINC_ADDRESS, 11000);
	assert_non_null(event);
	assert_int_equal(event->ip, IP(192, 0, 2, 7));
	t.script->our_ip = IP(192, 0, 2, 99);
	event = wait(WINC_ADDRESS, 11000);
	assert_non_null(event);
	assert_int_equal(event->ip, IP(192, 0, 2, 99));
	wsim_event(t.wifi, 1, 0x32, result, 20);	/* 0.0.0.0 is none */
	assert_non_null(wait(WINC_NO_ADDRESS, 500));
}

static void names(void **state)
{
	struct winc_event *event;

	(void)state;
	boot();
	join();
	t.script->dns_fails = true;
	assert_true(winc_resolve(name));
	event = wait(WINC_NAME, 5000);
	assert_non_null(event);
	assert_int_equal(event->ip, 0);
	t.script->dns_fails = false;
	t.script->dns_ms = 6000;			/* the answer comes when another name is asked for */
	assert_true(winc_resolve(name));
	assert_false(winc_resolve(name));
	event = wait(WINC_NAME, 5000);
	assert_non_null(event);
	assert_int_equal(event->ip, 0);
	assert_int_equal(event->code, -13);
	strcpy(name_text, "ntp2.example");
	t.script->dns_ms = 3000;
	assert_true(winc_resolve(name));
	event = wait(WINC_NAME, 5000);
	assert_non_null(event);
	assert_int_equal(event->ip, IP(192, 0, 2, 124));
	memset(name_text, 'a', 63);			/* the longest */
	name_text[63] = 0;
	strcpy(t.script->host[2].name, name_text);
	t.script->host[2].ip = IP(1, 2, 3, 4);
	assert_true(winc_resolve(name));
	event = wait(WINC_NAME, 5000);
	assert_non_null(event);
	assert_int_equal(event->ip, IP(1, 2, 3, 4));
	strcpy(name_text, "ntp.example");
	no_errors();
}

/* Answers that get lost: the driver ends the request itself. */

static void lost_answers(void **state)
{
	struct winc_event *event;

	(void)state;
	boot();
	join();
	t.script->lying_header = true;
	assert_true(winc_random());
	event = wait(WINC_RANDOM, 1200);
	assert_non_null(event);
	assert_int_equal(event->code, -13);
	assert_non_null(event->data);
	t.script->lying_header = true;
	assert_true(winc_open(OUR_PORT));
	event = wait(WINC_BOUND, 1700);
	assert_non_null(event);
	assert_int_equal(event->code, -13);
	t.script->bind_status = -2;
	assert_true(winc_open(OUR_PORT));
	event = wait(WINC_BOUND, 1700);
	assert_non_null(event);
	assert_int_equal(event->code, -2);
	t.script->bind_status = 0;
	open_socket();
	t.script->lying_header = true;
	assert_true(winc_send(IP(192, 0, 2, 123), SERVER_PORT, question, 48));
	event = wait(WINC_SENT, 1700);
	assert_non_null(event);
	assert_int_equal(event->code, -13);
	ask();
}

/* The link drops between the mailbox request and its end, for each kind of request. */

static void drop_in_send(void **state)
{
	unsigned kind, from;

	for (kind = 0; kind < 5; kind++) {
		teardown(state);
		setup(state);
		boot();
		join();
		open_socket();
		from = t.events;
		t.script->drop_in_send = true;
		switch (kind) {
		case 0:
			assert_true(winc_resolve(name));
			break;
		case 1:
			assert_true(winc_open(OUR_PORT + 1));
			break;
		case 2:
			assert_true(winc_send(IP(192, 0, 2, 123), SERVER_PORT, question, 48));
			break;
		case 3:
			assert_true(winc_random());
			break;
		default:
			assert_true(winc_leave());
		}
		wait_left(0, 3000);
		assert_int_equal(count(WINC_DEAD, 0), 0);
		assert_false(winc_send(IP(192, 0, 2, 123), SERVER_PORT, question, 48));
		assert_null(wait(WINC_SENT, 2500));
		assert_int_equal(count(WINC_LEFT, from), 1);
		assert_int_equal(count(WINC_NAME, from) + count(WINC_BOUND, from), 0);
		join();
		open_socket();
		ask();
		no_errors();
	}
}

static void ticks(void **state)
{
	struct winc_event *event;

	(void)state;
	all_the_way();
	t.echo = false;
	assert_true(winc_send(IP(192, 0, 2, 123), SERVER_PORT, question, 48));
	event = wait(WINC_SENT, 500);
	assert_non_null(event);
	assert_true(t.sent_tick - event->tick <= 20);		/* 80 us before the module had it */
	wait(WINC_DATA, 2000);
	wsim_datagram(t.wifi, 1, 2, OUR_PORT, question, 48, t.cycle);
	t.cycle += 20 * MS;		/* the main loop was away */
	event = wait(WINC_DATA, 500);
	assert_non_null(event);
	assert_int_equal(event->tick, t.asked);
	assert_true(hal_ticks() - event->tick >= 20 * TICKS_PER_MS);
}

/* The module starts again by itself while something is sent. */

static const uint8_t *request(uint8_t group, uint8_t opcode, unsigned n)
{
	uint32_t entries, i;
	const struct wsim_entry *entry = wsim_journal(t.wifi, &entries);

	for (i = 0; i < entries; i++)
		if (entry[i].what == WSIM_REQUEST && entry[i].group == group && entry[i].opcode == opcode && n-- == 0)
			return entry[i].bytes;
	fail_msg("no such request");
	return NULL;
}

static void credentials(void **state)
{
	static const uint8_t none[65];
	const uint8_t *bytes;

	(void)state;
	boot();
	memset(ssid_text, 's', 32);
	ssid_text[32] = 0;
	memset(pass_text, '7', 64);			/* a raw key */
	pass_text[64] = 0;
	strcpy(t.script->ssid, ssid_text);
	strcpy(t.script->pass, pass_text);
	join();
	bytes = request(1, 0x28, 0);
	assert_string_equal((const char *)bytes, pass_text);
	assert_int_equal(bytes[65], WINC_WPA);
	assert_int_equal(bytes[68] | bytes[69] << 8, 255);
	assert_string_equal((const char *)bytes + 70, ssid_text);
	assert_int_equal(bytes[103], 1);		/* not stored */
	assert_true(winc_leave());
	wait_left(0, 500);
	memset(ssid_text, 'x', 39);			/* no end in sight: cut */
	memset(pass_text, 'y', 79);
	assert_true(winc_join(ssid, pass, WINC_WPA));
	wait_left(1, 8000);
	bytes = request(1, 0x28, 1);
	assert_int_equal(bytes[64], 0);
	assert_int_equal(bytes[70 + 31], 'x');
	assert_int_equal(bytes[70 + 32], 0);
	assert_true(winc_join(ssid, pass, WINC_OPEN));
	wait_left(1, 8000);
	bytes = request(1, 0x28, 2);
	assert_memory_equal(bytes, none, sizeof none);
	assert_int_equal(bytes[65], WINC_OPEN);
	strcpy(ssid_text, "net");
	strcpy(pass_text, "pass phrase");
}

static void one_request_at_a_time(void **state)
{
	(void)state;
	assert_false(winc_join(ssid, pass, WINC_WPA));	/* not even started */
	winc_start(WINC_RESET);
	assert_false(winc_random());
	assert_non_null(wait(WINC_UP, 8000));
	assert_true(winc_random());
	assert_false(winc_random());
	assert_false(winc_leave());
	assert_false(winc_join(ssid, pass, WINC_WPA));
	assert_non_null(wait(WINC_RANDOM, 500));
	assert_true(winc_leave());			/* of nothing */
	wait_left(0, 2500);
	winc_stop();
	assert_false(winc_random());
	assert_null(poll());
	all_the_way();
	no_errors();
}

/* Messages without end do not keep requests from going out. */

static void flood(void **state)
{
	static const uint8_t bytes[32];
	struct winc_event *event;
	unsigned i, answers = 0;

	(void)state;
	all_the_way();
	for (i = 0; i < 2000; i++) {
		if (i % 3 != 0)
			wsim_event(t.wifi, 1, 0x0e, bytes, sizeof bytes);
		winc_random();
		event = poll();
		answers += event != NULL && event->kind == WINC_RANDOM && event->code == 0;
		assert_true(event == NULL || event->kind == WINC_RANDOM);
	}
	assert_true(answers >= 20);
	wait(WINC_RANDOM, 1500);
	ask();
	no_errors();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(day), TEST(data_offsets), TEST(sizes), TEST(odd_messages), TEST(bad_datagrams),
		TEST(join_errors), TEST(addresses), TEST(names), TEST(lost_answers), TEST(drop_in_send),
		TEST(ticks), TEST(credentials), TEST(one_request_at_a_time), TEST(flood),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
