/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The scripts of the demo. */
#include "script.h"

#include <string.h>

#include "demo.h"

enum { AHEAD = 40, PPM = 60 };

/* ---- what happens ---------------------------------------------------------- */

/* The pool's name leads to the first machine, which wants no more questions of us. */
static void pool_refuses(struct demo *demo)
{
	struct ntpsrv *server = &demo->rig->server[0];

	strcpy(wsim_script(demo->rig->wifi)->host[0].name, "pool.ntp.org");
	server->stratum = 0;
	memcpy(server->refid, "DENY", 4);
}

static void pool_moves(struct demo *demo)
{
	wsim_script(demo->rig->wifi)->host[0].ip = demo->rig->server[1].ip;
}

static void second_server_lies(struct demo *demo)
{
	demo->rig->server[1].jump += AHEAD;
}

static void first_server_lies(struct demo *demo)
{
	demo->rig->server[0].jump -= AHEAD;
}

static void crystal_is_fast(struct demo *demo)
{
	for (unsigned i = 0; i < 2; i++)
		demo->rig->server[i].ppm = PPM;
}

static void stat(struct demo *demo)
{
	demo_type(demo, "stat");
}

/* ---- the scripts ----------------------------------------------------------- */

const struct script scripts[] = {
	{
		"roll", "the hour comes: all tubes roll, digits fade", "roll=8 flags=16", 3600, 35, 1, false, {
			{ 0, NULL, "in 35 s it is a full hour: then the tubes roll for 8 s and stop from the left; digits fade" },
		},
	}, {
		"date", "the date for 8 s of each minute", "date=8,2 flags=16", 60, 45, 1, false, {
			{ 0, NULL, "at second 30 of each minute month, day and year for 8 s; digits fade" },
		},
	}, {
		"deny", "a machine of the pool refuses", "server=pool.ntp.org", 0, 0, 5, true, {
			{ 0, pool_refuses, "the machine that pool.ntp.org leads to refuses (DENY)" },
			{ 30, pool_moves, "from now on the name leads to another machine, which answers" },
			{ 600, stat, "typed: stat" },
		},
	}, {
		"disagree", "two servers, one of which begins to lie", "server=\"ntp.example ntp2.example\"", 0, 0, 20, true, {
			{ 0, NULL, "two servers that agree" },
			{ 120, second_server_lies, "the second server is 40 s ahead from now on: the clock's own time agrees with the first" },
			{ 8000, first_server_lies, "now the first one is 40 s behind, too: three different times, code 25" },
			{ 16000, stat, "typed: stat" },
		},
	}, {
		"drift", "a crystal 60 ppm off, then no server for 20 hours", "", 0, 0, 300, true, {
			{ 0, crystal_is_fast, "the crystal is 60 ppm fast; its error is learned from the answers" },
			{ 7200, stat, "typed: stat (rate ppm)" },
			{ 7260, demo_server, "two hours later the server falls silent: the time continues with the learned rate" },
			{ 79200, stat, "typed: stat (20 hours later: error ms is the bound the clock puts on itself)" },
			{ 79260, demo_server, "the server answers again" },
		},
	},
	{ 0 },
};

const struct script *script_find(const char *name)
{
	for (const struct script *script = scripts; script->name != NULL; script++)
		if (strcmp(script->name, name) == 0)
			return script;
	return NULL;
}

uint32_t script_begin(const struct script *script, uint32_t utc)
{
	uint32_t late;

	if (script->period == 0)
		return utc;
	late = (utc + script->before) % script->period;
	return late == 0 ? utc : utc + script->period - late;
}

void script_run(const struct script *script, struct demo *demo, double seconds, unsigned *next)
{
	const struct script_step *step = &script->step[*next];

	for (; step->notice != NULL && step->at <= seconds; step++, (*next)++) {
		if (step->act != NULL)
			step->act(demo);
		demo_notice(demo, step->notice);
	}
}
