/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Controls the simulated clock for the demo: which time server the clock follows,
 * what is broken on purpose, how fast time passes.  Nothing is drawn here.
 *
 * At speed 1 the clock follows a real chronyd on the loopback interface, moved
 * in time when another one was asked for.  At any other speed, while the
 * server lies and where chronyd is not installed it is the scripted server.
 */
#ifndef DEMO_H
#define DEMO_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "chrony.h"
#include "conf.h"
#include "rig.h"
#include "script.h"

enum demo_lie {
	DEMO_HONEST, DEMO_UNSYNCHRONISED, DEMO_ORIGIN, DEMO_HOUR, DEMO_DENY,
	DEMO_LIES,
};

struct demo {
	struct rig *rig;
	struct chrony chrony;
	bool chrony_here;		/* it runs */
	bool real;			/* the clock follows it now */
	bool power, wifi_lost, server_lost, night;
	enum demo_lie lie;
	unsigned speed, reached;	/* times real time: wanted, got in the last second */
	char notice[112];		/* of the last key */
	unsigned noticed;		/* how many there were */
	double measured_at;
	uint64_t measured_cycle;
	double behind;			/* s behind real time at speed 1 */
	double host;			/* its clock's time minus its time since boot */
	uint64_t reply;			/* cycle of the last one; 0: none since power-on */
	unsigned replies;
	const struct script *script;	/* NULL: only the keys */
	unsigned steps;			/* its steps done so far */
	double off;			/* ms before it; 1e9: the tubes did not show the time */
};

struct demo_options {
	const struct rig_cpu *cpu;
	const char *elf, *tz;
	uint32_t utc;			/* 0: now */
	unsigned speed;
	uint32_t seed;
	bool no_chrony;
	const struct script *script;	/* NULL: none */
};

bool demo_open(struct demo *demo, const struct demo_options *options);
void demo_close(struct demo *demo);
/* Lets one frame of real time pass. */
void demo_run(struct demo *demo, double seconds);

void demo_speed(struct demo *demo, unsigned speed);
void demo_faster(struct demo *demo, bool faster);
void demo_wifi(struct demo *demo);
void demo_server(struct demo *demo);
void demo_next_lie(struct demo *demo);
void demo_power(struct demo *demo);
void demo_button(struct demo *demo);
/* Off, on again a minute before the zone's next change of offset, and quickly to five seconds before it. */
void demo_jump(struct demo *demo);
void demo_night(struct demo *demo);
void demo_test(struct demo *demo);
/* Types a line on the serial port; says what happened. */
void demo_type(struct demo *demo, const char *line);
void demo_notice(struct demo *demo, const char *text);

/* The server's time now, in seconds since 1970. */
double demo_utc(const struct demo *demo);
/* The firmware's configuration now; false: it has none yet. */
bool demo_settings(struct demo *demo, struct conf *now);
/* The TZ string in the firmware's configuration; and utc in it by the host's C library. */
void demo_zone(struct demo *demo, char zone[48]);
struct tm demo_local(struct demo *demo, time_t utc);
/* Describe the current activity of the clock, the display of its tubes, and the error code on them (NULL: none is shown). */
void demo_doing(struct demo *demo, char *text, unsigned size);
void demo_tubes(struct demo *demo, char *text, unsigned size);
const char *demo_code(struct demo *demo);
/* The largest error of the last 3 s in ms; 1e9: the tubes did not show the server's time. */
double demo_error(struct demo *demo);
/* The last reply that reached the clock, and how far off the tubes were before it. */
void demo_sync(struct demo *demo, char *text, unsigned size);
const char *demo_lie_name(enum demo_lie lie);

#endif
