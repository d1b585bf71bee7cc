/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of joining a network and of DHCP, and how they fail. */
#include <stdio.h>
#include <string.h>

#include "scen_wifi.h"

struct wsim_script *wifi_script(struct rig *rig)
{
	return wsim_script(rig->wifi);
}

uint32_t wifi_requests(struct rig *rig, uint8_t group, uint8_t opcode, uint64_t since)
{
	return wsim_count(rig->wifi, WSIM_REQUEST, group, opcode, since);
}

uint32_t wifi_asked(struct rig *rig)
{
	return rig->server[0].requests + rig->server[1].requests;
}

void wifi_start(struct rig *rig, const char *settings)
{
	rig_config(rig, settings);
	rig_power(rig, true);
	CHECK(rig, rig_wait_time(rig, 40));
}

void wifi_steady(struct rig *rig, uint64_t since)
{
	CHECK(rig, rig_error_ms(rig, since, rig->cycle) <= STEADY_MS);
}

bool wifi_wait_asked(struct rig *rig, double seconds)
{
	uint32_t before = wifi_asked(rig);

	for (double t = 0; t < seconds && wifi_asked(rig) == before; t += 0.1)
		rig_run(rig, 0.1);
	return wifi_asked(rig) != before;
}

uint32_t wifi_pulses(struct rig *rig, uint8_t pin, uint64_t since)
{
	uint32_t count, n = 0;
	const struct wsim_entry *entry = wsim_journal(rig->wifi, &count);

	for (uint32_t i = 0; i < count; i++)
		n += entry[i].what == WSIM_PIN && entry[i].opcode == pin && entry[i].length == 1 && entry[i].cycle > since;
	return n;
}

void wifi_works(struct rig *rig, double seconds)
{
	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	rig_run(rig, seconds);
	wifi_steady(rig, since);
}

void wifi_wait_join(struct rig *rig)
{
	uint32_t before = wifi_requests(rig, WIFI, CONNECT, 0);

	for (unsigned i = 0; i < 24000 && wifi_requests(rig, WIFI, CONNECT, 0) == before; i++)
		rig_run(rig, 0.05);
	CHECK(rig, wifi_requests(rig, WIFI, CONNECT, 0) != before);
}

/* No two connect requests less than 10 s apart. */
static bool joins_spaced(struct rig *rig)
{
	uint32_t count;
	uint64_t last = 0;
	const struct wsim_entry *entry = wsim_journal(rig->wifi, &count);

	for (uint32_t i = 0; i < count; i++) {
		if (entry[i].what != WSIM_REQUEST || entry[i].group != WIFI || entry[i].opcode != CONNECT)
			continue;
		if (last && entry[i].cycle - last < 10 * SECOND)
			return false;
		last = entry[i].cycle;
	}
	return true;
}

/* ---- joining ---------------------------------------------------------------- */

static void wrong_pass(struct rig *rig)
{
	rig_config(rig, "pass=\"wrong phrase\"");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_AUTH, 20));
	uint64_t shown = rig->cycle;
	rig_run(rig, 600);
	CHECK_TUBES(rig, NO_AUTH);
	CHECK(rig, joins_spaced(rig));
	CHECK(rig, wifi_requests(rig, WIFI, CONNECT, shown) >= 3);
	CHECK(rig, wifi_requests(rig, WIFI, CONNECT, 0) <= 8);
	strcpy(wifi_script(rig)->pass, "wrong phrase");
	CHECK(rig, rig_wait_time(rig, 330));
}

static void ssid_absent(struct rig *rig)
{
	wifi_script(rig)->ssid[0] = '\0';
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_NETWORK, 20));
	rig_run(rig, 600);
	CHECK_TUBES(rig, NO_NETWORK);
	CHECK(rig, joins_spaced(rig));
	strcpy(wifi_script(rig)->ssid, "net");
	CHECK(rig, rig_wait_time(rig, 330));
}

static void join_refused(struct rig *rig)
{
	static const uint8_t error[] = { 4, 2, 5, 77 };

	rig_config(rig, "");
	rig_power(rig, true);
	for (unsigned i = 0; i < sizeof error; i++) {
		wifi_script(rig)->join_error = error[i];
		CHECK(rig, rig_wait(rig, NO_JOIN, 20));
		rig_run(rig, 30);
		CHECK_TUBES(rig, NO_JOIN);
	}
	CHECK(rig, joins_spaced(rig));
	wifi_script(rig)->join_error = 0;
	CHECK(rig, rig_wait_time(rig, 330));
}

/* The module never reports the result of the connect request. */
static void join_silent(struct rig *rig)
{
	wifi_script(rig)->join_ms = WSIM_NEVER;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_JOIN, 40));
	wifi_script(rig)->join_ms = 1500;
	CHECK(rig, rig_wait_time(rig, 120));
}

/* An open network of our name must not get a clock that is set to a pass phrase. */
static void open_twin(struct rig *rig)
{
	wifi_script(rig)->pass[0] = '\0';
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_JOIN, 20));
	rig_run(rig, 60);
	CHECK(rig, !wsim_joined(rig->wifi));
	strcpy(wifi_script(rig)->pass, "pass phrase");
	CHECK(rig, rig_wait_time(rig, 330));
}

static void join_as(struct rig *rig, const char *ssid, const char *pass, const char *more)
{
	char settings[256];

	snprintf(settings, sizeof settings, "ssid=\"%s\" pass=\"%s\" %s", ssid, pass, more);
	strcpy(wifi_script(rig)->ssid, ssid);
	strcpy(wifi_script(rig)->pass, pass);
	wifi_start(rig, settings);
	CHECK(rig, wifi_requests(rig, WIFI, CONNECT, 0) == 1);
}

static void ssid_longest(struct rig *rig)
{
	join_as(rig, "0123456789abcdef 123456789ABCDEF", "pass phrase", "");
}

static void ssid_spaces(struct rig *rig)
{
	join_as(rig, " the  net ", " eight 8 and more signs !#$%&'()*+,-./:;<=>?@[]^_`{|}~ 63 end", "");
}

static void ssid_utf8(struct rig *rig)
{
	join_as(rig, "caf\303\251 \342\230\225 \360\237\225\260", "pass phrase", "");
}

static void hex_key(struct rig *rig)
{
	join_as(rig, "net", "00112233445566778899aabbccddeeffFFEEDDCCBBAA99887766554433221100", "");
}

static void open_network(struct rig *rig)
{
	join_as(rig, "net", "", "sec=open");
}

/* ---- DHCP ------------------------------------------------------------------- */

static void dhcp_never(struct rig *rig)
{
	wifi_script(rig)->dhcp_ms = WSIM_NEVER;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_ADDRESS, 30));
	rig_run(rig, 120);
	CHECK_TUBES(rig, NO_ADDRESS);
	wifi_script(rig)->dhcp_ms = 500;
	CHECK(rig, rig_wait_time(rig, 200));
}

static void dhcp_slow(struct rig *rig)
{
	wifi_script(rig)->dhcp_ms = 30000;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_ADDRESS, 30));
	CHECK(rig, rig_wait_time(rig, 120));
}

static void dhcp_refused(struct rig *rig)
{
	wifi_script(rig)->version[1] = 6;
	wifi_script(rig)->dhcp_fails = true;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_ADDRESS, 30));
	rig_run(rig, 100);
	CHECK_TUBES(rig, NO_ADDRESS);
	CHECK(rig, joins_spaced(rig));
	wifi_script(rig)->dhcp_fails = false;
	CHECK(rig, rig_wait_time(rig, 200));
}

/* Opcode 61, and then an address anyway. */
static void dhcp_after_failure(struct rig *rig)
{
	wifi_script(rig)->version[1] = 6;
	wifi_script(rig)->dhcp_ms = WSIM_NEVER;
	rig_config(rig, "");
	rig_power(rig, true);
	for (unsigned n = 0; n < 100 && !wsim_joined(rig->wifi); n++)
		rig_run(rig, 0.1);
	wsim_event(rig->wifi, WIFI, DHCP_FAILED, NULL, 0);
	wsim_renew(rig->wifi);
	rig_run(rig, 1);
	wifi_script(rig)->dhcp_ms = 500;
	CHECK(rig, rig_wait_time(rig, 60));
}

static void dhcp_old_firmware(struct rig *rig)
{
	wifi_script(rig)->version[1] = 4;
	wifi_script(rig)->version[2] = 4;
	wifi_start(rig, "");
}

/* At each renewal another address, gateway and DNS server. */
static void address_changes(struct rig *rig)
{
	wifi_script(rig)->lease = 60;
	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	uint32_t before = wifi_asked(rig);
	for (uint8_t i = 1; i <= 30; i++) {
		wifi_script(rig)->our_ip = 10u | (uint32_t)i << 8 | (uint32_t)(i + 1) << 24;
		rig_run(rig, 30);
	}
	CHECK(rig, wsim_count(rig->wifi, WSIM_EVENT, WIFI, DHCP, since) >= 29);
	CHECK(rig, wifi_asked(rig) >= before + 2);
	CHECK(rig, wifi_requests(rig, WIFI, CONNECT, 0) == 1);
	wifi_steady(rig, since);
}

/* A lease of one second: twice a second the address comes again, each time another. */
static void lease_of_a_second(struct rig *rig)
{
	wifi_script(rig)->lease = 1;
	rig_config(rig, "");
	rig_power(rig, true);
	for (unsigned i = 0; i < 20; i++) {
		rig_run(rig, 0.5);
		wifi_script(rig)->our_ip += 0x01000000;
	}
	CHECK(rig, rig_wait_time(rig, 20));
	uint64_t since = rig->cycle;
	for (unsigned i = 0; i < 200; i++) {
		rig_run(rig, 0.5);
		wifi_script(rig)->our_ip += 0x01000000;
	}
	CHECK(rig, wifi_asked(rig) >= 2);
	wifi_steady(rig, since);
}

/* An address that is taken back: all zeros. */
static void address_lost(struct rig *rig)
{
	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	const uint8_t none[20] = { 0 };
	wsim_event(rig->wifi, WIFI, DHCP, none, sizeof none);
	CHECK(rig, wifi_wait_asked(rig, 120));
	rig_run(rig, 3);
	wifi_steady(rig, since);
}

static void address_conflict(struct rig *rig)
{
	wifi_start(rig, "");
	uint64_t since = rig->cycle;
	const uint8_t ours[4] = { 192, 0, 2, 7 };
	for (unsigned i = 0; i < 20; i++) {
		wsim_event(rig->wifi, WIFI, CONFLICT, ours, sizeof ours);
		rig_run(rig, 5);
	}
	CHECK(rig, wsim_count(rig->wifi, WSIM_DONE, WIFI, CONFLICT, 0) == 20);
	CHECK(rig, wifi_asked(rig) >= 2);
	wifi_steady(rig, since);
}

const struct scenario scen_wifi[] = {
	{ "wrong-pass", "access point refuses the pass phrase; later it takes it",
	    "code 12, a join in 10 s at most; then the time", wrong_pass, 0 },
	{ "ssid-absent", "SSID absent, appears after 10 min", "code 10, then the time", ssid_absent, 0 },
	{ "join-refused", "association, join fail, in progress, unknown error; then none",
	    "code 11, then the time", join_refused, 0 },
	{ "join-silent", "no answer to a connect request", "code 11, then the time", join_silent, 0 },
	{ "open-twin", "open network under our SSID", "not joined, code 11", open_twin, 0 },
	{ "ssid-longest", "SSID of 32 characters", "the time", ssid_longest, 0 },
	{ "ssid-spaces", "SSID with spaces at both ends, pass phrase of signs", "the time", ssid_spaces, 0 },
	{ "ssid-utf8", "SSID in UTF-8", "the time", ssid_utf8, 0 },
	{ "hex-key", "raw key of 64 hex digits", "the time", hex_key, 0 },
	{ "open-network", "no pass phrase", "the time", open_network, 0 },
	{ "dhcp-never", "no address for minutes", "code 13, then the time", dhcp_never, 0 },
	{ "dhcp-slow", "address after 30 s", "code 13, then the time", dhcp_slow, 0 },
	{ "dhcp-refused", "opcode 61 and the link drops", "code 13, then the time", dhcp_refused, 0 },
	{ "dhcp-after-failure", "opcode 61, then an address after all", "the time", dhcp_after_failure, 0 },
	{ "dhcp-old-firmware", "DHCP result of 16 bytes", "the time", dhcp_old_firmware, 0 },
	{ "address-changes", "another address at each renewal", "the time continues, no new join", address_changes, 0 },
	{ "lease-of-a-second", "DHCP result twice a second, always another address",
	    "the time continues, asks again", lease_of_a_second, 0 },
	{ "address-lost", "DHCP result 0.0.0.0", "the time continues, asks again", address_lost, 0 },
	{ "address-conflict", "IP conflict events", "the time continues", address_conflict, 0 },
	{ 0 },
};
