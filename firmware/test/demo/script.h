/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The scripts that the demo can run by itself.  Each script is a row of settings and
 * of steps.  A step happens the given number of seconds after power-on.
 */
#ifndef SCRIPT_H
#define SCRIPT_H

#include <stdbool.h>
#include <stdint.h>

struct demo;

struct script_step {
	unsigned at;			/* simulated seconds since the demo began */
	void (*act)(struct demo *demo);	/* NULL: only the notice */
	const char *notice;		/* NULL: there is no more */
};

struct script {
	const char *name, *text;
	const char *settings;		/* as for rig_config */
	unsigned period, before;	/* begins that many seconds before a multiple of period; 0: when it was asked for */
	unsigned speed;			/* times real time */
	bool scripted;			/* its servers are not chronyd */
	struct script_step step[6];
};

extern const struct script scripts[];	/* ends with a row without name */

const struct script *script_find(const char *name);	/* NULL: there is none */
/* UTC at which it begins, at or after utc. */
uint32_t script_begin(const struct script *script, uint32_t utc);
/* Does the steps that are due, from *next on. */
void script_run(const struct script *script, struct demo *demo, double seconds, unsigned *next);

#endif
