/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The simulated clock as the demo plays with it. */
#include "demo.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const unsigned speeds[] = { 1, 2, 5, 10, 20, 60, 120, 300, 600 };
enum { SPEEDS = sizeof speeds / sizeof speeds[0], BEFORE_JUMP = 60, AFTER_JUMP = 5 };
enum { KEPT_CHANGES = 40000, KEPT_BYTES = 100000 };

static double now(clockid_t which)
{
	struct timespec time;

	clock_gettime(which, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

void demo_notice(struct demo *demo, const char *text)
{
	snprintf(demo->notice, sizeof demo->notice, "%s", text);
	demo->noticed++;
}

/* ---- the time server ------------------------------------------------------- */

double demo_utc(const struct demo *demo)
{
	uint32_t frac, utc = rig_utc(demo->rig, demo->rig->cycle, &frac);

	return utc + frac / 4294967296.0;
}

static void set_utc(struct demo *demo, double utc)
{
	rig_set_utc(demo->rig, (uint32_t)utc);
	for (unsigned i = 0; i < RIG_SERVERS; i++)
		demo->rig->server[i].phase += utc - (uint32_t)utc;
}

/* How far the simulated server's time is from the host's; a moment sets the pace off first. */
static double shift(struct demo *demo)
{
	struct rig *rig = demo->rig;

	rig_run(rig, 0.001);
	return demo_utc(demo) - rig_epoch(rig) - (double)rig->cycle / SIM_HZ;
}

static double host_clock(void)
{
	return now(CLOCK_REALTIME) - now(CLOCK_MONOTONIC);
}

/* The host's clock was set, or it slept: chronyd sends the new time from now on. */
static void follow_host(struct demo *demo)
{
	double moved = host_clock() - demo->host;

	if (!demo->real || (moved < 1 && moved > -1))
		return;
	demo->host += moved;
	for (unsigned i = 0; i < 2; i++)
		demo->rig->server[i].jump += moved;
	snprintf(demo->notice, sizeof demo->notice, "the host's clock jumped by %.0f s, and the server's with it", moved);
	demo->noticed++;
}

/* chronyd sends the host's time: its replies are moved. */
static void choose_server(struct demo *demo)
{
	struct rig *rig = demo->rig;

	demo->real = demo->chrony_here && demo->speed == 1 && demo->lie == DEMO_HONEST;
	demo->host = host_clock();
	rig_pace(rig, demo->speed == 1 ? 1 : 0);
	rig_real(rig, 0, demo->real ? demo->chrony.port : 0, demo->real ? shift(demo) : 0);
	rig->server[0].silent = demo->server_lost;
	if (demo->chrony_here)
		kill(demo->chrony.pid, demo->server_lost ? SIGSTOP : SIGCONT);
}

static void lie_origin(struct ntpsrv *server, uint32_t n, uint8_t reply[1500], uint16_t *size)
{
	(void)server, (void)n, (void)size;
	reply[31] ^= 1;
}

const char *demo_lie_name(enum demo_lie lie)
{
	static const char *const name[DEMO_LIES] = {
		"honest", "not synchronised (leap 3)", "wrong originate stamp", "an hour off", "kiss-o'-death DENY",
	};

	return name[lie];
}

void demo_next_lie(struct demo *demo)
{
	struct ntpsrv *server = &demo->rig->server[0];

	if (demo->lie == DEMO_HOUR)
		server->jump -= 3600;
	demo->lie = (demo->lie + 1) % DEMO_LIES;
	if (demo->lie == DEMO_HOUR)
		server->jump += 3600;
	server->leap = demo->lie == DEMO_UNSYNCHRONISED ? 3 : 0;
	server->edit = demo->lie == DEMO_ORIGIN ? lie_origin : NULL;
	server->stratum = demo->lie == DEMO_DENY ? 0 : 2;
	memcpy(server->refid, demo->lie == DEMO_DENY ? "DENY" : "SIMU", 4);
	choose_server(demo);
	snprintf(demo->notice, sizeof demo->notice, "from the next request on the server is: %s", demo_lie_name(demo->lie));
	demo->noticed++;
}

void demo_server(struct demo *demo)
{
	demo->server_lost = !demo->server_lost;
	choose_server(demo);
	demo_notice(demo, demo->server_lost ? "the server is silent" : "the server answers again");
}

/* ---- time ------------------------------------------------------------------ */

void demo_speed(struct demo *demo, unsigned speed)
{
	demo->speed = speed;
	demo->measured_at = now(CLOCK_MONOTONIC);
	demo->measured_cycle = demo->rig->cycle;
	choose_server(demo);
}

void demo_faster(struct demo *demo, bool faster)
{
	unsigned i = 0;

	while (i + 1 < SPEEDS && speeds[i] < demo->speed)
		i++;
	if (faster && i + 1 < SPEEDS)
		i++;
	else if (!faster && i > 0)
		i--;
	demo_speed(demo, speeds[i]);
	demo_notice(demo, demo->speed == 1 ? "real time" : "the scripted server's time goes as fast as the clock's");
}

bool demo_settings(struct demo *demo, struct conf *now)
{
	return demo->rig->cpu->peek(demo->rig, "conf", now, sizeof *now);
}

void demo_zone(struct demo *demo, char zone[48])
{
	struct conf now;

	strcpy(zone, "UTC0");
	if (demo_settings(demo, &now) && now.tz[0] != '\0')
		snprintf(zone, 48, "%.47s", now.tz);
}

/* Applies the settings that were typed to the display that the tubes are compared with. */
static void follow_settings(struct demo *demo)
{
	struct conf now;
	char zone[48];

	if (!demo->power || !demo_settings(demo, &now))
		return;
	demo_zone(demo, zone);
	rig_zone(demo->rig, zone);
	rig_flags(demo->rig, now.flags);
}

static void measure(struct demo *demo)
{
	double time = now(CLOCK_MONOTONIC), span = time - demo->measured_at;

	if (span < 1)
		return;
	follow_host(demo);
	follow_settings(demo);
	demo->behind = demo->speed != 1 ? 0 :
	    time + demo->host - rig_epoch(demo->rig) - (double)demo->rig->cycle / SIM_HZ;
	demo->reached = (unsigned)((double)(demo->rig->cycle - demo->measured_cycle) / SIM_HZ / span + 0.5);
	demo->measured_at = time;
	demo->measured_cycle = demo->rig->cycle;
}

/* It may be left running for days: what nobody looks at any more goes. */
static void forget(struct rig *rig)
{
	struct tubes *tubes = &rig->tubes;

	if (tubes->changes > 2 * KEPT_CHANGES) {
		memmove(tubes->change, tubes->change + tubes->changes - KEPT_CHANGES, KEPT_CHANGES * sizeof tubes->change[0]);
		tubes->changes = KEPT_CHANGES;
	}
	if (rig->heard_size > KEPT_BYTES)
		rig_forget(rig);
}

/* In small pieces, as many as the simulator manages in the time of a frame. */
void demo_run(struct demo *demo, double seconds)
{
	double start = now(CLOCK_MONOTONIC), end = start + seconds, rest;
	uint64_t until = demo->rig->cycle + (uint64_t)(seconds * demo->speed * SIM_HZ);

	measure(demo);
	forget(demo->rig);
	if (demo->script != NULL)
		script_run(demo->script, demo, (double)demo->rig->cycle / SIM_HZ, &demo->steps);
	if (demo->speed == 1) {
		rig_run_to(demo->rig, until);
		return;
	}
	while (demo->rig->cycle < until && now(CLOCK_MONOTONIC) < end)
		rig_run_to(demo->rig, demo->rig->cycle + (until - demo->rig->cycle < 160000 ? until - demo->rig->cycle : 160000));
	rest = end - now(CLOCK_MONOTONIC);
	if (rest > 0)
		nanosleep(&(struct timespec){ 0, (long)(rest * 1e9) }, NULL);
}

/* ---- faults and buttons ---------------------------------------------------- */

void demo_wifi(struct demo *demo)
{
	struct wsim_script *script = wsim_script(demo->rig->wifi);

	demo->wifi_lost = !demo->wifi_lost;
	strcpy(script->ssid, demo->wifi_lost ? "" : "net");
	if (demo->wifi_lost)
		wsim_drop(demo->rig->wifi);
	demo_notice(demo, demo->wifi_lost ? "the access point is gone" : "the access point is back");
}

void demo_power(struct demo *demo)
{
	demo->power = !demo->power;
	rig_power(demo->rig, demo->power);
	demo_notice(demo, demo->power ? "power is back" : "power is cut");
}

void demo_button(struct demo *demo)
{
	if (demo->power)
		rig_button(demo->rig);
	demo_notice(demo, "RESET was pressed");
}

void demo_type(struct demo *demo, const char *line)
{
	if (!demo->power) {
		demo_notice(demo, "the clock has no power");
		return;
	}
	rig_type(demo->rig, line);
	rig_type(demo->rig, "\r");
}

void demo_night(struct demo *demo)
{
	demo->night = !demo->night;
	demo_notice(demo, demo->night ? "typed: dim 00:00 23:59 4" : "typed: dim 00:00 00:00 0");
	demo_type(demo, demo->night ? "dim 00:00 23:59 4" : "dim 00:00 00:00 0");
}

void demo_test(struct demo *demo)
{
	demo_notice(demo, "typed: test");
	demo_type(demo, "test");
}

/* ---- the zone -------------------------------------------------------------- */

struct tm demo_local(struct demo *demo, time_t utc)
{
	const char *last = getenv("TZ");
	char zone[48];
	struct tm local;

	demo_zone(demo, zone);
	if (last == NULL || strcmp(zone, last) != 0) {
		setenv("TZ", zone, 1);
		tzset();
	}
	localtime_r(&utc, &local);
	return local;
}

/* 0: none in the next two years. */
static time_t next_change(struct demo *demo, time_t from)
{
	long offset = demo_local(demo, from).tm_gmtoff;
	time_t low = from, high;

	for (high = from; high < from + 800 * 86400 && demo_local(demo, high).tm_gmtoff == offset; high += 86400)
		low = high;
	if (demo_local(demo, high).tm_gmtoff == offset)
		return 0;
	while (high - low > 1) {
		time_t middle = low + (high - low) / 2;

		if (demo_local(demo, middle).tm_gmtoff == offset)
			low = middle;
		else
			high = middle;
	}
	return high;
}

void demo_jump(struct demo *demo)
{
	time_t change = next_change(demo, (time_t)demo_utc(demo) + AFTER_JUMP);

	if (change == 0 || change > UINT32_MAX) {
		demo_notice(demo, "no daylight saving time here; press c and type  tz EST5EDT,M3.2.0,M11.1.0");
		return;
	}
	rig_real(demo->rig, 0, 0, 0);
	rig_pace(demo->rig, 0);
	demo->speed = 1;
	rig_power(demo->rig, false);
	rig_run(demo->rig, 0.1);
	set_utc(demo, (double)change - BEFORE_JUMP);
	rig_power(demo->rig, true);
	demo->power = true;
	rig_run(demo->rig, (double)change - AFTER_JUMP - demo_utc(demo));
	choose_server(demo);
	demo_notice(demo, "power cut, started a minute before the change, quickly to 5 s before it");
}

/* ---- begin and end --------------------------------------------------------- */

static void start_server(struct demo *demo, const struct demo_options *options)
{
	bool scripted = options->no_chrony || (options->script != NULL && options->script->scripted);

	demo->chrony_here = !scripted && chrony_start(&demo->chrony, true);
	if (demo->chrony_here)
		demo_notice(demo, "a real chronyd is the time server");
	else
		demo_notice(demo, chrony_path() == NULL ? "chronyd is not installed: the scripted server answers" :
		    "without chronyd: the scripted server answers");
}

bool demo_open(struct demo *demo, const struct demo_options *options)
{
	const struct script *script = options->script;
	uint32_t utc = options->utc != 0 ? options->utc : (uint32_t)now(CLOCK_REALTIME);
	char settings[160];

	memset(demo, 0, sizeof *demo);
	demo->rig = rig_new(options->cpu, options->elf, options->seed);
	if (demo->rig == NULL)
		return false;
	snprintf(settings, sizeof settings, "tz=%s %s", options->tz, script != NULL ? script->settings : "");
	rig_config(demo->rig, settings);
	start_server(demo, options);
	set_utc(demo, script != NULL ? script_begin(script, utc) : options->utc != 0 ? utc : now(CLOCK_REALTIME));
	demo->script = script;
	demo_speed(demo, options->speed != 0 ? options->speed : script != NULL ? script->speed : 1);
	demo->power = true;
	rig_power(demo->rig, true);
	if (script != NULL)
		script_run(script, demo, 0, &demo->steps);	/* before it asks anybody */
	rig_run(demo->rig, 0.05);	/* it reads its configuration */
	return true;
}

void demo_close(struct demo *demo)
{
	if (demo->chrony_here)
		chrony_stop(&demo->chrony);
	demo->chrony_here = false;
	rig_free(demo->rig);
	demo->rig = NULL;
}
