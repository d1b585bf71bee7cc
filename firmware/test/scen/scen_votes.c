/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios of several servers of which some are wrong: majorities, and quarrels that nobody can settle. */
#include <math.h>
#include <string.h>

#include "scen_ntp.h"

#define TWO "server=\"ntp.example ntp2.example\""
#define THREE "server=\"ntp.example ntp2.example ntp3.example\""
#define FOUR "server=\"ntp.example ntp2.example ntp3.example ntp4.example\""
#define DISAGREE "----25"

static bool stat_says(struct rig *rig, const char *text)
{
	return strstr(rig_command(rig, "stat"), text) != NULL;
}

/* A code for 2 s at the minute, the time beside it. */
static void shows_quarrel(struct rig *rig)
{
	uint64_t since = rig->cycle;

	rig_run(rig, 61);
	CHECK(rig, tubes_find(&rig->tubes, since, DISAGREE) != NULL);
	CHECK(rig, stat_says(rig, "code: 25\r"));
}

/* One of two is wrong by 2000 s: the clock's own time agrees with the other.  Both are wrong: the clock keeps its time and shows code 25. */
static void far_quarrel(struct rig *rig)
{
	wifi_start(rig, TWO);
	CHECK(rig, ntp_wait_asked(rig, 80));
	rig->server[1].jump = -2000;
	CHECK(rig, ntp_wait_asked(rig, 600));
	rig_run(rig, 600);
	CHECK(rig, stat_says(rig, "code: 0\r"));
	rig->server[0].jump = 2000;
	CHECK(rig, ntp_wait_asked(rig, 4000));
	rig_run(rig, 5);
	shows_quarrel(rig);
	rig_run(rig, 3 * 3600);
	CHECK(rig, fabs(ntp_error(rig) + 2000) < 0.05);
	CHECK(rig, wifi_asked(rig) < 24);
	rig->server[0].jump = rig->server[1].jump = 0;
	rig_run(rig, 2 * 3600);
	CHECK(rig, !stat_says(rig, "code: 25\r"));
	ntp_steady(rig, 1800);
}

static void apart(struct rig *rig)
{
	rig->server[1].jump = 0.4;
	wifi_start(rig, TWO);
	shows_quarrel(rig);
	CHECK(rig, stat_says(rig, "error ms: unknown\r"));
	rig_run(rig, 6 * 3600);
	CHECK(rig, fabs(ntp_error(rig)) < 0.05);
	/* the first dies: then the other is followed, by one step */
	rig->server[0].silent = true;
	rig_run(rig, 3 * 3600);
	CHECK(rig, fabs(ntp_error(rig) - 0.4) < 0.05);
}

/* One of three lies, at any place in the list: the other two are believed, from the first round on. */
static void one_of_three(struct rig *rig)
{
	static const char *const orders[] = {
		"server=\"ntp2.example ntp.example ntp3.example\"", THREE, "server=\"ntp.example ntp3.example ntp2.example\"",
	};
	static const double lies[] = { 60, -0.4, 86400 * 100.0 };

	for (unsigned i = 0; i < 3; i++) {
		rig->server[1].jump = lies[i];
		rig_config(rig, orders[i]);
		rig_power(rig, true);
		CHECK(rig, rig_wait_time(rig, 30));
		rig_run(rig, 2000);
		ntp_steady(rig, 1990);
		CHECK(rig, stat_says(rig, "code: 0\r"));
		rig_power(rig, false);
		rig_run(rig, 1);
	}
}

/* One name, four machines: nothing changes by its being one name. */
static void liar_in_pool(struct rig *rig)
{
	for (unsigned i = 1; i < RIG_SERVERS; i++)
		strcpy(wifi_script(rig)->host[i].name, wifi_script(rig)->host[0].name);
	rig->server[2].jump = 2000;
	wifi_start(rig, "");
	rig_run(rig, 5 * 3600);
	ntp_steady(rig, 5 * 3600 - 10);
	CHECK(rig, stat_says(rig, "code: 0\r"));
	CHECK(rig, rig->server[2].requests >= 6 && rig->server[2].requests <= 9);
}

/* Two against two from the start: no majority.  Later the clock's own time decides, until there are three different times. */
static void two_and_two(struct rig *rig)
{
	rig->server[2].jump = rig->server[3].jump = 5;
	wifi_start(rig, FOUR);
	shows_quarrel(rig);
	rig->server[3].jump = 0;
	rig_run(rig, 4000);
	CHECK(rig, stat_says(rig, "code: 0\r"));
	rig->server[3].jump = 5;
	rig_run(rig, 8000);
	CHECK(rig, stat_says(rig, "code: 0\r"));
	ntp_steady(rig, 8000);
	rig->server[1].jump = -5;
	rig_run(rig, 3800);
	shows_quarrel(rig);
	CHECK(rig, fabs(ntp_error(rig)) < 0.05);
	rig->server[3].jump = 0;
	rig_run(rig, 4000);
	CHECK(rig, stat_says(rig, "code: 0\r"));
	ntp_steady(rig, 100);
}

/* The first in the list lies by a minute: it is shown, but the second opinion finds the quarrel. */
static void falseticker(struct rig *rig)
{
	rig->server[0].jump = 60;
	rig_config(rig, TWO);
	rig_power(rig, true);
	CHECK(rig, rig_wait(rig, "12****", 20));
	rig_run(rig, 10);
	shows_quarrel(rig);
	/* it falls silent: the right one is believed */
	rig->server[0].silent = true;
	CHECK(rig, rig_wait_time(rig, 3 * 3600));
}

/* Two servers are silent for hours.  Then one returns alone and is wrong: the clock's own time disagrees with it. */
static void lone_liar(struct rig *rig)
{
	for (unsigned i = 0; i < 2; i++)
		rig->server[i].root_dispersion = rig->server[i].root_delay = 65;
	wifi_start(rig, TWO);
	rig_run(rig, 5 * 3600);
	rig->server[0].silent = rig->server[1].silent = true;
	rig_run(rig, 20 * 3600);
	rig->server[1].silent = false;
	rig->server[1].jump = 300;
	rig_run(rig, 3600);
	shows_quarrel(rig);
	CHECK(rig, fabs(ntp_error(rig)) < 0.2);
	rig->server[0].silent = false;
	rig_run(rig, 2 * 3600);
	ntp_steady(rig, 3600);
	CHECK(rig, stat_says(rig, "code: 0\r"));
	/* after more than a day alone it is believed */
	rig->server[0].silent = true;
	rig_run(rig, 20 * 3600);
	CHECK(rig, fabs(ntp_error(rig)) < 0.5);
	rig->judge_from = UINT64_MAX;
	rig_run(rig, 8 * 3600);
	CHECK(rig, fabs(ntp_error(rig) - 300) < 0.05);
}

/* One server set the clock and falls silent.  Another server is 300 s off: one against one. */
static void other_alone(struct rig *rig)
{
	rig->server[1].silent = true;
	wifi_start(rig, TWO);
	rig_run(rig, 2 * 3600);
	rig->server[0].silent = true;
	rig->server[1].silent = false;
	rig->server[1].jump = 300;
	rig_run(rig, 2 * 3600);
	shows_quarrel(rig);
	CHECK(rig, fabs(ntp_error(rig)) < 0.2);
	/* both answer: still one against one, as the clock's time came from one of them */
	rig->server[0].silent = false;
	rig_run(rig, 4000);
	shows_quarrel(rig);
	rig->server[1].jump = 0;
	rig_run(rig, 4000);
	CHECK(rig, stat_says(rig, "code: 0\r"));
	ntp_steady(rig, 600);
}

/* ---- the bound ------------------------------------------------------------------ */

/* Sets the delays and the errors that the servers report: the liar's are the smallest. */
static void claims(struct rig *rig, unsigned liar, double late_ms, double claims_ms)
{
	for (unsigned i = 0; i < RIG_SERVERS; i++) {
		rig->server[i].out_ms = rig->server[i].back_ms = 20 + i;
		rig->server[i].root_dispersion = 65536 / 50;
	}
	rig->server[liar].out_ms = rig->server[liar].back_ms = 8;
	rig->server[liar].root_dispersion = (uint32_t)(claims_ms * 65.536);
	rig->server[liar].jump = -late_ms / 1e3;
}

/* One of four is a little late and reports the smallest error: the clock follows it, and the reported bound holds. */
static void sly(struct rig *rig)
{
	static const double late[] = { 30, -30, 41, 10, -38 };

	for (unsigned i = 0; i < sizeof late / sizeof late[0]; i++) {
		claims(rig, i % RIG_SERVERS, late[i], 1);
		rig_config(rig, FOUR);
		rig_power(rig, true);
		CHECK(rig, rig_wait_time(rig, 60));
		rig_run(rig, 5 * 3600);
		rig_power(rig, false);
		rig->server[i % RIG_SERVERS].jump = 0;
		rig_run(rig, 1);
	}
}

/* It is late or early in turn: the clock must not take this for an error of its crystal. */
static void sly_swings(struct rig *rig)
{
	wifi_start(rig, FOUR);
	for (unsigned i = 0; i < 24; i++) {
		claims(rig, 1, i % 2 ? 38 : -38, 1);
		CHECK(rig, ntp_wait_asked(rig, 4000));
		rig_run(rig, 30);
	}
	/* no server answers any more: the bound grows fast enough */
	for (unsigned i = 0; i < RIG_SERVERS; i++)
		rig->server[i].silent = true;
	rig_run(rig, 20 * 3600);
}

/* Two servers were right; then one becomes 30 ms late.  The clock's own time is the third voter. */
static void sly_of_two(struct rig *rig)
{
	claims(rig, 1, 0, 1);
	wifi_start(rig, TWO);
	rig_run(rig, 2 * 3600);
	rig->server[1].jump = -0.03;
	rig_run(rig, 6 * 3600);
	rig->server[1].jump = 0.03;
	rig_run(rig, 6 * 3600);
}

/* ---- leap seconds ---------------------------------------------------------------- */

enum { JULY = 1814400000, LIAR = 3 };	/* 2027-07-01 */

/*
 * Starts the clock some seconds before midnight; it asks at least twice.  Server 0 reports the smallest error.
 * leap: what each server announces; LIAR: an inserted second, and its time is a minute off.
 */
static void evening(struct rig *rig, const char *servers, uint32_t midnight, uint32_t before, const uint8_t leap[RIG_SERVERS])
{
	rig_power(rig, false);
	for (unsigned i = 0; i < RIG_SERVERS; i++) {
		rig->server[i].leap = leap[i] == LIAR ? 1 : leap[i];
		rig->server[i].out_ms = rig->server[i].back_ms = i ? 20 : 2;
	}
	rig_set_utc(rig, midnight - before);
	for (unsigned i = 0; i < RIG_SERVERS; i++)
		rig->server[i].jump = leap[i] == LIAR ? 60 : 0;
	rig_config(rig, servers);
	rig_power(rig, true);
	CHECK(rig, rig_wait_time(rig, 40));
	CHECK(rig, ntp_wait_asked(rig, 80));
}

/* Runs until that many seconds after midnight. */
static void run_past(struct rig *rig, uint32_t midnight, double seconds)
{
	uint32_t frac, now = rig_utc(rig, rig->cycle, &frac);

	rig_run(rig, (double)(int32_t)(midnight - now) + seconds - frac / 4294967296.0);
}

/* UTC and all servers count a second twice. */
static void utc_repeats(struct rig *rig)
{
	for (unsigned i = 0; i < RIG_SERVERS; i++)
		rig->server[i].utc--;
}

#define LEAPS(...) (const uint8_t[RIG_SERVERS]){ __VA_ARGS__ }

static void no_leap(struct rig *rig, const char *servers, uint32_t midnight, const uint8_t leap[RIG_SERVERS])
{
	evening(rig, servers, midnight, 130, leap);
	run_past(rig, midnight, -0.5);
	CHECK_TUBES(rig, "235959");
	rig_run(rig, 1);
	CHECK_TUBES(rig, "000000");
	rig_run(rig, 20);
	ntp_steady(rig, 60);
}

static void a_leap(struct rig *rig, const char *servers, const uint8_t leap[RIG_SERVERS])
{
	evening(rig, servers, JULY, 130, leap);
	run_past(rig, JULY, -0.5);
	CHECK_TUBES(rig, "235959");
	utc_repeats(rig);
	rig_run(rig, 1);
	CHECK_TUBES(rig, "235959");
	rig_run(rig, 1);
	CHECK_TUBES(rig, "000000");
	rig_run(rig, 20);
	ntp_steady(rig, 15);
}

/* A minority announces: the surest of three, one of two, two of four. */
static void leap_false(struct rig *rig)
{
	no_leap(rig, THREE, JULY, LEAPS(1, 0, 0));
	no_leap(rig, THREE, JULY, LEAPS(2, 0, 0));
	no_leap(rig, TWO, JULY, LEAPS(1, 0));
	no_leap(rig, FOUR, JULY, LEAPS(1, 1, 0, 0));
}

/* The surest server does not announce what all others do. */
static void leap_missed(struct rig *rig)
{
	a_leap(rig, THREE, LEAPS(0, 1, 1));
	a_leap(rig, FOUR, LEAPS(0, 1, 1, 1));
	a_leap(rig, TWO, LEAPS(1, 1));
}

/* All announce on the day before, in May, in July.  Then two of three announce on the right day, one of which has a wrong time. */
static void leap_days(struct rig *rig)
{
	no_leap(rig, THREE, JULY - 86400, LEAPS(1, 1, 1));
	no_leap(rig, THREE, JULY - 30 * 86400, LEAPS(1, 1, 1));
	no_leap(rig, THREE, JULY + 31 * 86400, LEAPS(2, 2, 2));
	no_leap(rig, THREE, JULY, LEAPS(1, LIAR, 0));
}

/* In the last hours before midnight only one server answers: the earlier majority counts. */
static void leap_alone(struct rig *rig)
{
	evening(rig, THREE, JULY, 10000, LEAPS(0, 1, 1));
	rig_run(rig, 700);
	rig->server[1].silent = rig->server[2].silent = true;
	run_past(rig, JULY, -0.5);
	utc_repeats(rig);
	rig_run(rig, 1);
	CHECK_TUBES(rig, "235959");
	rig_run(rig, 5);
	ntp_steady(rig, 4);
	rig->server[1].silent = rig->server[2].silent = false;
	evening(rig, THREE, JULY, 10000, LEAPS(1, 0, 0));
	rig_run(rig, 700);
	rig->server[1].silent = rig->server[2].silent = true;
	run_past(rig, JULY, 5);
	ntp_steady(rig, 60);
}

/* One of three spreads the second over a day: at midnight it is half a second late, then half a second ahead. */
static void leap_smeared(struct rig *rig)
{
	evening(rig, THREE, JULY, 14 * 3600, LEAPS(0, 1, 1));
	run_past(rig, JULY, -72 * 600.0 - 2);
	for (int i = 0; i < 72; i++) {
		rig->server[0].jump = i / -144.0;
		rig_run(rig, 600);
	}
	run_past(rig, JULY, -0.5);
	utc_repeats(rig);
	for (unsigned i = 1; i < RIG_SERVERS; i++)
		rig->server[i].leap = 0;
	for (int i = 72; i > 0; i--) {
		rig->server[0].jump = i / 144.0;
		rig_run(rig, 600);
		CHECK(rig, fabs(ntp_error(rig) + rig->server[0].jump) < 0.05);
	}
	CHECK(rig, stat_says(rig, "code: 0\r"));
}

const struct scenario scen_votes[] = {
	{ "far-quarrel", "one of two servers jumps by -2000 s, later the other by 2000 s",
	    "time stays; code 25 at the minute when both are wrong", far_quarrel, SCEN_PC },
	{ "apart", "two servers 400 ms apart; then one alone", "code 25; then it is followed", apart, SCEN_PC | SCEN_LIES },
	{ "one-of-three", "one of three servers lies: the first, the second, the third", "the other two are believed", one_of_three, 0 },
	{ "liar-in-pool", "a name of four machines, one 2000 s off", "the time", liar_in_pool, SCEN_PC },
	{ "two-and-two", "two servers against two from the start; later; then of three minds",
	    "code 25; later the clock's own time decides", two_and_two, SCEN_PC },
	{ "falseticker", "the first of two servers lies by 60 s",
	    "code 25 at the minute; right when it is silent", falseticker, SCEN_PC },
	{ "lone-liar", "two servers silent for 20 h; one returns 300 s wrong", "time stays, code 25; followed after a day", lone_liar, SCEN_PC },
	{ "other-alone", "the only server falls silent; another one is 300 s wrong", "time stays, code 25", other_alone, SCEN_PC },
	{ "sly", "the surest of four is 30 ms late and claims 1 ms", "the reported error holds", sly, SCEN_PC },
	{ "sly-swings", "it is late or early each time; then silence", "the reported error holds", sly_swings, SCEN_PC },
	{ "sly-of-two", "the surer of two becomes 30 ms late", "the reported error holds", sly_of_two, SCEN_PC },
	{ "leap-false", "one of three, one of two, two of four announce a leap second", "none", leap_false, 0 },
	{ "leap-missed", "the surest server does not announce what the others do", "59 for two seconds", leap_missed, 0 },
	{ "leap-days", "announced by all on wrong days, by a server that is wrong", "none", leap_days, 0 },
	{ "leap-alone", "one of three answers alone before midnight and disagrees", "as the majority announced", leap_alone, SCEN_PC },
	{ "leap-smeared", "one of three smears the leap second", "59 for two seconds, right to 50 ms", leap_smeared, SCEN_PC },
	{ NULL, NULL, NULL, NULL, 0 },
};
