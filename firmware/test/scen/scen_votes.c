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

/* Only one of two is wrong by 2000 s: the clock keeps its own time, and says at each minute that there is quarrel. */
static void far_quarrel(struct rig *rig)
{
	wifi_start(rig, TWO);
	CHECK(rig, ntp_wait_asked(rig, 80));
	rig->server[1].jump = -2000;
	CHECK(rig, ntp_wait_asked(rig, 600));
	rig_run(rig, 5);
	shows_quarrel(rig);
	rig_run(rig, 6 * 3600);
	CHECK(rig, fabs(ntp_error(rig)) < 0.05);
	CHECK(rig, wifi_asked(rig) < 24);
	rig->server[1].jump = 0;
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

/* Two against two: nobody knows. */
static void two_and_two(struct rig *rig)
{
	wifi_start(rig, FOUR);
	rig_run(rig, 700);
	rig->server[2].jump = rig->server[3].jump = 5;
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

const struct scenario scen_votes[] = {
	{ "far-quarrel", "one of two servers jumps by -2000 s", "time stays, code 25 at the minute", far_quarrel, SCEN_PC },
	{ "apart", "two servers 400 ms apart; then one alone", "code 25; then it is followed", apart, SCEN_PC | SCEN_LIES },
	{ "one-of-three", "one of three servers lies: the first, the second, the third", "the other two are believed", one_of_three, 0 },
	{ "liar-in-pool", "a name of four machines, one 2000 s off", "the time", liar_in_pool, SCEN_PC },
	{ "two-and-two", "two servers against two; then three against one",
	    "time stays, code 25 at the minute; then all is well", two_and_two, SCEN_PC },
	{ "falseticker", "the first of two servers lies by 60 s",
	    "code 25 at the minute; right when it is silent", falseticker, SCEN_PC },
	{ NULL, NULL, NULL, NULL, 0 },
};
