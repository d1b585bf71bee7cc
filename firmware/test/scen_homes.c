/* Scenarios of real homes: routers, providers and servers as they are, settings at their ends, nights in which two things go wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scen_console.h"
#include "scen_ntp.h"

#define TWO "server=\"ntp.example ntp2.example\""
#define NEW_YORK "EST5EDT,M3.2.0,M11.1.0"

enum {
	SPRING = 1805007600,	/* 2027-03-14 07:00:00 UTC: New York to summer time */
	AUTUMN = 1825567200,	/* 2027-11-07 06:00:00 UTC: and back */
	LEAP = 1814400000,	/* 2027-07-01 00:00:00 UTC */
	MINUTE_TENS = 2,
};

static void until(struct rig *rig, uint32_t utc, unsigned ms)
{
	uint32_t frac, now = rig_utc(rig, rig->cycle, &frac);

	CHECK(rig, now < utc || (now == utc && frac < ms * 4294967.296));
	rig_run(rig, (double)(utc - now) + ms / 1e3 - frac / 4294967296.0);
}

/* In sync before utc, by so many seconds at least. */
static void start_before(struct rig *rig, uint32_t utc, uint32_t seconds, const char *settings)
{
	rig_set_utc(rig, utc - seconds - 30);
	ntp_start(rig, settings);
	until(rig, utc - seconds, 0);
}

static uint64_t lit(struct rig *rig)
{
	uint64_t sum = 0;

	tubes_pass(&rig->tubes, rig->cycle);
	for (unsigned digit = 0; digit < 6; digit++)
		sum += tubes_lit(&rig->tubes, MINUTE_TENS, digit);
	return sum;
}

/* Percent of the next seconds in which a place glows. */
static double share(struct rig *rig, double seconds)
{
	uint64_t before = lit(rig), from = rig->cycle;

	rig_run(rig, seconds);
	return 100.0 * (double)(lit(rig) - before) / (double)(rig->cycle - from);
}

static double stat_number(struct rig *rig, const char *label)
{
	const char *at = strstr(rig_command(rig, "stat"), label);

	CHECK(rig, at != NULL);
	return atof(at + strlen(label));
}

/* No second since the cycle was shorter or longer than 500 ppm of slew make it. */
static void no_jump(struct rig *rig, uint64_t since)
{
	const struct tubes *tubes = &rig->tubes;

	for (uint32_t i = tubes->changes - 1; i > 1 && tubes->change[i - 1].cycle >= since; i--) {
		double length = (double)(tubes->change[i].cycle - tubes->change[i - 1].cycle) / SIM_HZ;

		CHECK(rig, fabs(length - 1) < 0.00075);
	}
}

/* ---- routers and providers ------------------------------------------------------- */

/* At four in the morning the router starts anew: another address, gateway and DNS server, the name elsewhere for a while. */
static void router_reboots(struct rig *rig)
{
	struct wsim_script *script = wifi_script(rig);

	ntp_start(rig, "");
	rig_run(rig, 1300);
	uint64_t since = rig->cycle;
	for (unsigned night = 1; night <= 4; night++) {
		script->ssid[0] = '\0';
		wsim_drop(rig->wifi);
		rig_run(rig, 95);
		strcpy(script->ssid, "net");
		script->our_ip += 0x01010000;
		script->dns_fails = true;
		rig_run(rig, 40);
		script->dns_fails = false;
		rig_run(rig, 4000);
		CHECK(rig, wsim_joined(rig->wifi));
		wifi_steady(rig, since);
	}
	CHECK(rig, wifi_asked(rig) >= 6 && wifi_asked(rig) <= 30);
	CHECK(rig, stat_number(rig, "code: ") == 0);
}

/* Until somebody clicks, every name leads to the portal, which has no time. */
static void portal(struct rig *rig)
{
	struct wsim_script *script = wifi_script(rig);
	uint32_t right[2] = { script->host[0].ip, script->host[1].ip };

	script->host[0].ip = script->host[1].ip = 1U | 2U << 8 | 3U << 16 | 4U << 24;
	rig_config(rig, TWO);
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_ANSWER, 40));
	rig_run(rig, 300);
	CHECK_TUBES(rig, NO_ANSWER);
	script->host[0].ip = right[0];
	script->host[1].ip = right[1];
	CHECK(rig, rig_wait_time(rig, 1200));
}

/* Both names lead to one machine, which says something else from now on: that is one opinion, not two. */
static void one_behind_two(struct rig *rig)
{
	struct wsim_script *script = wifi_script(rig);

	script->host[1].ip = script->host[0].ip;
	ntp_start(rig, TWO);
	CHECK(rig, ntp_wait_asked(rig, 80));
	rig->server[0].jump = -2000;
	CHECK(rig, ntp_wait_asked(rig, 600));
	uint64_t began = rig->cycle;
	for (int i = 0; i < 280; i++) {
		rig_run(rig, 1);
		CHECK(rig, fabs(ntp_error(rig) - 2000) < 0.1);
	}
	CHECK(rig, rig_wait_time(rig, 2 * 3600));
	CHECK(rig, rig->cycle - began >= (uint64_t)(300 * SIM_HZ));
}

/* By satellite: 300 ms there and back, more than a correction may take.  Once a day is what is left. */
static void satellite(struct rig *rig)
{
	rig->server[0].ppm = 15;
	rig->server[0].out_ms = 160;
	rig->server[0].back_ms = 140;
	ntp_start(rig, "");
	for (int day = 0; day < 4; day++) {
		uint32_t before = wifi_asked(rig);

		for (int hour = 0; hour < 25; hour++) {
			rig_run(rig, 3600);
			CHECK(rig, fabs(ntp_error(rig)) < (day == 0 ? 1.5 : 0.3));
		}
		CHECK(rig, wifi_asked(rig) - before <= 115);
	}
}

/* Every other request gets lost on the way out. */
static void every_other(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	(void)server;
	(void)reply;
	if (n % 2 == 0)
		*size = 0;
}

static void half_is_lost(struct rig *rig)
{
	rig->server[0].edit = every_other;
	ntp_start(rig, "");
	uint64_t since = rig->cycle;
	rig_run(rig, 24 * 3600);
	wifi_steady(rig, since);
	CHECK(rig, wifi_asked(rig) <= 60);
}

/* The DNS server is as slow as it may be. */
static void dns_slow(struct rig *rig)
{
	wifi_script(rig)->dns_ms = 4000;
	ntp_start(rig, "");
	uint64_t since = rig->cycle;
	rig_run(rig, 700);
	CHECK(rig, wifi_asked(rig) == 3);
	wifi_steady(rig, since);
}

/* ---- servers that are wrong, a little or a lot ------------------------------------- */

/* 0.4 s wrong for a day, then right: followed there and back, nothing of it is taken for the crystal's. */
static void wrong_for_a_day(struct rig *rig)
{
	ntp_start(rig, "");
	rig_run(rig, 3 * 3600);
	rig->server[0].jump = 0.4;
	rig_run(rig, 24 * 3600);
	ntp_steady(rig, 22 * 3600);
	rig->server[0].jump = 0;
	rig_run(rig, 2 * 3600);
	ntp_steady(rig, 1800);
	CHECK(rig, fabs(stat_number(rig, "rate ppm: ")) < 2);
}

/* Of two servers now one is far and lopsided, now the other. */
static void quality_swaps(struct rig *rig)
{
	ntp_start(rig, TWO);
	rig_run(rig, 700);
	for (unsigned turn = 0; turn < 8; turn++) {
		rig->server[turn % 2].out_ms = 120;
		rig->server[1 - turn % 2].out_ms = 5;
		for (unsigned i = 0; i < 30; i++) {
			rig_run(rig, 360);
			CHECK(rig, fabs(ntp_error(rig)) < 0.1);
		}
	}
	CHECK(rig, fabs(stat_number(rig, "rate ppm: ")) < 10);
}

/* Just what is slewed, just what is stepped: both are right in the end, the first without a jump. */
static void edge_of_slew(struct rig *rig)
{
	static const double jumps[] = { 0.124, -0.124, 0.125, -0.125, 0.126, -0.126 };

	for (unsigned i = 0; i < sizeof jumps / sizeof jumps[0]; i++) {
		ntp_start(rig, "");
		rig_run(rig, 10);
		uint64_t since = rig->cycle;
		rig->server[0].jump = jumps[i];
		CHECK(rig, ntp_wait_asked(rig, 80));
		rig_run(rig, 300);
		if (fabs(jumps[i]) < 0.125)
			no_jump(rig, since);
		uint64_t now = rig->cycle;
		rig_run(rig, 10);
		CHECK(rig, rig_error_ms(rig, now, rig->cycle) < 10);
		rig->server[0].jump = 0;
		rig_power(rig, false);
		rig_run(rig, 1);
	}
}

/* 999 s are believed after 16 s, 1001 s only after five minutes. */
static void edge_of_far(struct rig *rig)
{
	ntp_start(rig, "");
	rig->server[0].jump = 999;
	CHECK(rig, ntp_wait_asked(rig, 80));
	CHECK(rig, rig_wait_time(rig, 25));
	CHECK(rig, ntp_wait_asked(rig, 80));
	rig->server[0].jump = 999 - 1001;
	CHECK(rig, ntp_wait_asked(rig, 600));
	for (int i = 0; i < 295; i++) {
		rig_run(rig, 1);
		CHECK(rig, fabs(ntp_error(rig) - 1001) < 0.1);
	}
	CHECK(rig, rig_wait_time(rig, 60));
}

/* 2105 is further away than any clock lives: not believed at power-on, nor later. */
static void year_2105(struct rig *rig)
{
	uint32_t now = rig->server[0].utc;

	rig_set_utc(rig, 4270000000U);
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, REJECTED, 30));
	rig->server[0].utc = now;
	CHECK(rig, rig_wait_time(rig, 60));
	uint64_t since = rig->cycle;
	rig->server[0].jump = 4270000000.0 - now;
	rig_run(rig, 700);
	rig->server[0].jump = 0;
	wifi_steady(rig, since);
	CHECK(rig, stat_number(rig, "code: ") == 24);
}

/* 1.05 s on the way is too much even for the first time, 0.95 s is not. */
static void edge_of_delay(struct rig *rig)
{
	rig->server[0].out_ms = rig->server[0].back_ms = 525;
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, REJECTED, 30));
	rig_run(rig, 20);
	CHECK_TUBES(rig, REJECTED);
	rig->server[0].out_ms = rig->server[0].back_ms = 475;
	CHECK(rig, rig_wait_time(rig, 80));
}

static void kiss(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	(void)n;
	(void)size;
	reply[0] |= 0xc0;
	reply[1] = 0;
	memcpy(reply + 12, server->arg, 4);
}

/* "deny" is no kiss: no time now, and it is asked again. */
static void lower_case_kiss(struct rig *rig)
{
	rig->server[0].edit = kiss;
	rig->server[0].arg = "deny";
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NOT_SYNCHRONISED, 30));
	rig->server[0].edit = NULL;
	CHECK(rig, rig_wait_time(rig, 60));
}

/* The first wants to be asked less, the second is dead: the first is not asked more often for that. */
static void rate_and_dead(struct rig *rig)
{
	ntp_start(rig, TWO);
	CHECK(rig, ntp_wait_asked(rig, 80));
	rig_run(rig, 1200);
	rig->server[0].edit = kiss;
	rig->server[0].arg = "RATE";
	rig->server[1].silent = true;
	uint32_t before = rig->server[0].requests;
	rig_run(rig, 4 * 3600);
	CHECK(rig, rig->server[0].requests - before <= 6);
}

static void stratum_1_li_3(struct rig *rig)
{
	rig->server[0].leap = 3;
	rig->server[0].stratum = 1;
	memcpy(rig->server[0].refid, "GPS", 4);
	rig_config(rig, "");
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NOT_SYNCHRONISED, 30));
	rig->server[0].leap = 0;
	CHECK(rig, rig_wait_time(rig, 60));
}

static void with_mac(struct ntpsrv *server, uint32_t n, uint8_t *reply, uint16_t *size)
{
	(void)server;
	(void)n;
	memset(reply + 48, 0xa5, 20);
	*size = 68;
}

static void mac(struct rig *rig)
{
	rig->server[0].edit = with_mac;
	ntp_start(rig, "");
	rig_run(rig, 80);
	ntp_steady(rig, 75);
	CHECK(rig, rig->server[0].requests == 2);
}

/* What a forger far away would have to know: the port and 64 bits, other ones for each question and at each power-on. */
static void nothing_to_guess(struct rig *rig)
{
	enum { QUESTIONS = 12, PER_POWER_ON = 3 };
	uint8_t nonce[QUESTIONS][8];
	uint16_t port[QUESTIONS];
	unsigned ports = 1;

	rig_config(rig, "");
	for (unsigned i = 0; i < QUESTIONS; i++) {
		static const uint8_t plain[40] = { 0x23 };

		if (i % PER_POWER_ON == 0) {
			rig_power(rig, false);
			rig_run(rig, 1);
			rig_power(rig, true);
		}
		CHECK(rig, ntp_wait_asked(rig, 600));
		CHECK(rig, memcmp(rig->server[0].last, plain, sizeof plain) == 0);
		memcpy(nonce[i], rig->server[0].last + 40, 8);
		port[i] = ntp_port(rig);
		CHECK(rig, port[i] >= 49152);
		for (unsigned k = 0; k < i; k++)
			CHECK(rig, memcmp(nonce[i], nonce[k], 8) != 0);
		ports += i > 0 && port[i] != port[i - 1];
	}
	CHECK(rig, ports >= QUESTIONS - 1);
}

/* ---- settings ---------------------------------------------------------------------- */

static void longest_name(struct rig *rig)
{
	static const char name[] = "a123456789012345678901234567890123456789012345678901234.example";
	char settings[100];

	CHECK(rig, strlen(name) == 63);
	strcpy(wifi_script(rig)->host[0].name, name);
	snprintf(settings, sizeof settings, "server=%s", name);
	ntp_start(rig, settings);
	CHECK(rig, says(rig, "show", name));
	CHECK(rig, ntp_wait_asked(rig, 80));
}

static void plain_address(struct rig *rig)
{
	ntp_start(rig, "server=\"192.0.2.99 192.0.2.123\"");
	CHECK(rig, says(rig, "server 192.0.2.123", "ok"));
	CHECK(rig, says(rig, "server 192.0.2.256", "expected: server"));
	CHECK(rig, says(rig, "server 1.2.3", "expected: server"));
	CHECK(rig, ntp_wait_asked(rig, 80));
	CHECK(rig, wifi_requests(rig, IP, RESOLVE, 0) == 0);
}

static void twice_the_same(struct rig *rig)
{
	ntp_start(rig, "server=\"ntp.example ntp.example\"");
	uint64_t since = rig->cycle;
	rig_run(rig, 1300);
	wifi_steady(rig, since);
	CHECK(rig, rig->server[0].requests == 3);
}

/* A zone that is none, typed or in the EEPROM, and a good one again. */
static void zone_bad_and_back(struct rig *rig)
{
	ntp_start(rig, "tz=CET-1CEST,M3.5.0,M10.5.0/3");
	uint64_t since = rig->cycle;
	rig_type(rig, "tz CET-1CEST,M3.5.0,M10.5\r");
	rig_run(rig, 0.5);
	CHECK(rig, rig_heard(rig, "expected: tz"));
	rig_run(rig, 3);
	wifi_steady(rig, since);
	CHECK(rig, says(rig, "tz JST-9", "ok"));
	rig_run(rig, 0.1);
	since = rig->cycle;
	rig_run(rig, 5);
	wifi_steady(rig, since);
}

static uint16_t crc16(const uint8_t *bytes, unsigned size)
{
	uint16_t crc = 0xffff;

	for (unsigned i = 0; i < size; i++) {
		crc ^= (uint16_t)(bytes[i] << 8);
		for (unsigned bit = 0; bit < 8; bit++)
			crc = (uint16_t)(crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1);
	}
	return crc;
}

static void reseal(uint8_t *slot)
{
	uint16_t crc = crc16(slot, 254);

	slot[254] = (uint8_t)crc;
	slot[255] = (uint8_t)(crc >> 8);
}

/* A slot of another version, with a right CRC, is not for us, be it newer or the only one. */
static void other_version(struct rig *rig)
{
	rig_config(rig, "");
	uint8_t *slot = eeprom(rig);

	memcpy(slot + SLOT, slot, SLOT);
	slot[SLOT + 2] = 2;
	slot[SLOT + 3] = 9;
	memcpy(slot + SLOT + 4, "later", 6);
	reseal(slot + SLOT);
	rig_power(rig, true);
	CHECK(rig, rig_wait_time(rig, 30));
	CHECK(rig, says(rig, "show", "ssid: net\r\n"));
	rig_power(rig, false);
	rig_run(rig, 1);
	slot[2] = 0;
	reseal(slot);
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, "----01", 30));
	CHECK(rig, says(rig, "ssid net", "ok") && says(rig, "pass pass phrase", "ok"));
	CHECK(rig, says(rig, "server ntp.example", "ok") && says(rig, "save", "saved"));
	CHECK(rig, rig_wait_time(rig, 30));
}

/* Values that no console lets in, with a right CRC. */
static void impossible_settings(struct rig *rig)
{
	static const struct { unsigned at; uint8_t value; } bad[] = {
		{ 36, 'x' }, { 101, 'x' }, { 149, 'x' }, { 213, 'x' }, { 214, 3 }, { 214, 0 }, { 215, 0x55 },
		{ 217, 0xff }, { 219, 6 }, { 220, 16 }, { 222, 0x7f },
	};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		rig_config(rig, "");
		eeprom(rig)[bad[i].at] = bad[i].value;
		reseal(eeprom(rig));
		rig_power(rig, true);
		rig_run(rig, 0.5);
		CHECK(rig, says(rig, "show", "pass: not set"));
		rig_power(rig, false);
		rig_run(rig, 0.1);
	}
}

/* From 08:00 to 08:00 is never, not always. */
static void dim_equal(struct rig *rig)
{
	start_before(rig, 1795132800 + 8 * 3600, 5, "dim=480,480,4");
	CHECK(rig, share(rig, 15) > 99.9);
}

/* 02:15 to 02:45 is not in the night that has no such hour; 01:15 to 01:45 comes twice in the one that has two. */
static void dim_in_the_gap(struct rig *rig)
{
	start_before(rig, SPRING, 5, "dim=135,165,4 tz=" NEW_YORK);
	CHECK(rig, share(rig, 15) > 99.9);
	rig_power(rig, false);
	start_before(rig, AUTUMN - 45 * 60, 5, "dim=75,105,4 tz=" NEW_YORK);
	CHECK(rig, share(rig, 4) > 99.9);
	until(rig, AUTUMN - 45 * 60, 100);
	CHECK(rig, fabs(share(rig, 4) - 25) < 2);
	until(rig, AUTUMN - 15 * 60, 100);
	CHECK(rig, share(rig, 4) > 99.9);
	until(rig, AUTUMN + 15 * 60, 100);
	CHECK(rig, fabs(share(rig, 4) - 25) < 2);
}

/* ---- nights ------------------------------------------------------------------------- */

/* Summer time begins while the module stands still, ends while there is no network. */
static void change_alone(struct rig *rig)
{
	start_before(rig, SPRING, 40, "tz=" NEW_YORK);
	uint64_t since = rig->cycle;
	wifi_script(rig)->hung = true;
	until(rig, SPRING + 30, 0);
	wifi_steady(rig, since);
	rig_power(rig, false);
	wifi_script(rig)->hung = false;
	start_before(rig, AUTUMN, 40, "tz=" NEW_YORK);
	since = rig->cycle;
	wifi_script(rig)->ssid[0] = '\0';
	wsim_drop(rig->wifi);
	until(rig, AUTUMN + 30, 0);
	wifi_steady(rig, since);
}

/* RESET 2 s before the hour changes: the new hour all the same. */
static void reset_at_change(struct rig *rig)
{
	start_before(rig, AUTUMN, 2, "tz=" NEW_YORK);
	wifi_script(rig)->ssid[0] = '\0';
	rig_button(rig);
	until(rig, AUTUMN + 3, 0);
	CHECK_TUBES(rig, "01000*");
	CHECK(rig, fabs(remainder(ntp_error(rig), 3600)) < 1);
}

/* The supply dips for 30 ms, again and again: that is power-on each time, and RAM is not believed. */
static void dips(struct rig *rig)
{
	ntp_start(rig, "");
	for (unsigned i = 0; i < 10; i++) {
		rig_power(rig, false);
		rig_run(rig, 0.03);
		rig_power(rig, true);
		rig_run(rig, 0.4 + i * 0.731);
	}
	wifi_script(rig)->ssid[0] = '\0';
	rig_power(rig, false);
	rig_run(rig, 0.03);
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, NO_NETWORK, 30));
	strcpy(wifi_script(rig)->ssid, "net");
	CHECK(rig, rig_wait_time(rig, 60));
	CHECK(rig, says(rig, "stat", "reset: power"));
	CHECK(rig, rig->gates.eeprom_writes == 0);
}

/* A leap second where the local hour of the exercise begins: 02:59:59 for two seconds, then the digits run. */
static void leap_before_exercise(struct rig *rig)
{
	rig->server[0].leap = 1;
	start_before(rig, LEAP, 20, "tz=MSK-3 flags=4");
	until(rig, LEAP - 1, 500);
	CHECK_TUBES(rig, "025959");
	rig->server[0].jump = -1;	/* it has counted the leap second, as a server does */
	rig->server[0].leap = 0;
	rig_run(rig, 1);
	CHECK_TUBES(rig, "025959");
	rig_run(rig, 0.75);
	CHECK_TUBES(rig, "000000");
	until(rig, LEAP + 600, 500);
	CHECK_TUBES(rig, "031000");
	uint64_t since = rig->cycle;
	rig_run(rig, 20);
	wifi_steady(rig, since);
}

/* ---- the console ----------------------------------------------------------------------- */

/* Somebody's cat, half an hour: no setting changes, no byte is written. */
static void cat(struct rig *rig)
{
	static const char paw[] = "erase ye\b\x1b[A\x7fqwertsave save\t ssid\x15time\r\nset pass\rtz\rdim 1:1\r\x03\x1a";
	uint32_t random = rig->seed;

	ntp_start(rig, "");
	uint64_t since = rig->cycle;
	for (unsigned i = 0; i < 3600; i++) {
		random = random * 1664525 + 1013904223;
		char key[2] = { paw[(random >> 16) % (sizeof paw - 1)], 0 };

		rig_type(rig, key);
		rig_run(rig, (random >> 8) % 1000 / 1000.0);
	}
	wifi_steady(rig, since);
	CHECK(rig, rig->gates.eeprom_writes == 0);
	rig_type(rig, "\x15\r");
	rig_run(rig, 0.2);
	CHECK(rig, says(rig, "show", "ssid: net\r\n"));
	CHECK(rig, rig_heard(rig, "pass: set (11)"));
}

/* Set by hand to the last seconds of 32 bits: 1970 follows, nothing hangs, and the network puts it right. */
static void last_second(struct rig *rig)
{
	wifi_script(rig)->ssid[0] = '\0';
	rig_config(rig, "tz=" NEW_YORK);
	rig_power(rig, true);
	rig_run(rig, 20);
	CHECK(rig, says(rig, "time 4294967289", "ok"));
	rig_run(rig, 3);
	CHECK(rig, says(rig, "stat", "utc: 2106-02-07 06:28:1"));
	CHECK(rig, rig_heard(rig, "local: 01:28:1"));
	rig_run(rig, 6);
	CHECK(rig, says(rig, "stat", "utc: 1970-01-01 00:00:0"));
	CHECK(rig, rig_heard(rig, "local: 19:00:0"));
	strcpy(wifi_script(rig)->ssid, "net");
	CHECK(rig, rig_wait_time(rig, 200));
}

const struct scenario scen_homes[] = {
	{ "router-reboots", "the router away for 95 s, other addresses, then no DNS for 40 s; four times",
	    "the time goes on, no code", router_reboots, SCEN_PC },
	{ "portal", "every name leads to one machine without time, then no more", "code 21, then the time", portal, SCEN_PC },
	{ "one-behind-two", "both names are one machine, which jumps by -2000 s", "not believed as two: five minutes", one_behind_two, SCEN_PC },
	{ "satellite", "300 ms to the server and back, crystal +15 ppm, four days",
	    "a reply a day is taken; error < 1.5 s on the first day, < 0.3 s later", satellite, SCEN_PC },
	{ "half-is-lost", "every other request without an answer, a day", "the time, 60 requests at most", half_is_lost, SCEN_PC },
	{ "dns-slow", "DNS answers after 4 s", "the time, as often as ever", dns_slow, SCEN_PC },
	{ "wrong-for-a-day", "the server 0.4 s wrong for a day, then right", "followed there and back, the rate stays", wrong_for_a_day, SCEN_PC },
	{ "quality-swaps", "of two servers each is lopsided in turn", "error < 100 ms", quality_swaps, SCEN_PC },
	{ "edge-of-slew", "the server jumps by 124, 125, 126 ms either way", "right after 5 min; 124 ms without a jump", edge_of_slew, SCEN_PC },
	{ "edge-of-far", "the server jumps by 999 s, then by -1001 s", "stepped after 16 s; after 5 min", edge_of_far, SCEN_PC },
	{ "year-2105", "the server says 2105, at power-on and later", "code 24; the time goes on", year_2105, SCEN_PC },
	{ "edge-of-delay", "1.05 s to the server and back, then 0.95 s", "code 24, then the time", edge_of_delay, 0 },
	{ "lower-case-kiss", "kiss code \"deny\"", "code 22, asked again", lower_case_kiss, 0 },
	{ "rate-and-dead", "one server says RATE, the other nothing", "the first is not asked more often", rate_and_dead, SCEN_PC },
	{ "stratum-1-li-3", "a GPS receiver without satellites: stratum 1, LI 3", "code 22, then the time", stratum_1_li_3, 0 },
	{ "mac", "replies of 68 bytes, with a MAC", "the time", mac, 0 },
	{ "nothing-to-guess", "12 questions, four power-ons", "each from another port, with another nonce, and nothing else in it",
	    nothing_to_guess, SCEN_PC },
	{ "longest-name", "a server's name of 63 characters", "the time", longest_name, 0 },
	{ "plain-address", "servers as addresses, the first one dead", "the time, without any DNS", plain_address, 0 },
	{ "twice-the-same", "the same name twice", "the time, not asked more often", twice_the_same, SCEN_PC },
	{ "zone-bad-and-back", "a bad zone, then another good one", "the old one stays; the new one at once", zone_bad_and_back, 0 },
	{ "other-version", "a newer slot of another version; then the only one", "the older slot; then code 01, and save works", other_version, 0 },
	{ "impossible-settings", "slots with a right CRC and wrong values", "none is taken", impossible_settings, 0 },
	{ "dim-equal", "dimming from 08:00 to 08:00", "never", dim_equal, 0 },
	{ "dim-in-the-gap", "dimming within the hour that is left out, that comes twice", "never; twice", dim_in_the_gap, SCEN_PC },
	{ "change-alone", "summer time begins with a hung module, ends without network", "at its second", change_alone, 0 },
	{ "reset-at-change", "RESET 2 s before the end of summer time, no network", "the new hour", reset_at_change, 0 },
	{ "dips", "power dips of 30 ms, ten of them", "no time out of RAM; the time from the network", dips, SCEN_ERRORS },
	{ "leap-before-exercise", "a leap second at 03:00 local time", "02:59:59 for 2 s, then the exercise", leap_before_exercise, SCEN_PC },
	{ "cat", "half an hour of keys", "nothing is changed or written, the seconds go on", cat, SCEN_PC },
	{ "last-second", "`time` six seconds before the end of 32 bits", "1970, then the network's time", last_second, 0 },
	{ 0 },
};
