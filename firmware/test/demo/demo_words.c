/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Describes the clock for the demo: its current activity, the display of its tubes, the effect of its last reply. */
#include <stdio.h>
#include <string.h>

#include "demo.h"

struct events {
	bool off;			/* the module's EN is low */
	bool asked_join, address, asked_name, name, asked_time, time;
	bool quiet;			/* nothing for a second: a pause */
	bool asked, answered;		/* of the newest question and its answer, however long ago */
};

/* Newest first: the last of each, as far as they follow each other. */
static void look_back(const struct rig *rig, struct events *events)
{
	uint32_t count;
	const struct wsim_entry *entry = wsim_journal(rig->wifi, &count);

	memset(events, 0, sizeof *events);
	events->off = true;
	events->quiet = count > 0 && rig->cycle - entry[count - 1].cycle > SIM_HZ;
	while (count-- > 0) {
		const struct wsim_entry *one = &entry[count];
		unsigned message = one->group * 256U + one->opcode;

		if (one->what == WSIM_PIN && one->opcode == 0) {
			events->off = one->length == 0;
			return;
		}
		if (one->what == WSIM_EVENT && message == 0x132)
			events->address = true;
		if (one->what == WSIM_REQUEST && message == 0x128) {
			events->asked_join = true;
			events->off = false;
			return;
		}
		if (!events->asked)
			events->answered |= one->what == WSIM_EVENT && message == 0x248;
		events->asked |= one->what == WSIM_REQUEST && message == 0x247;
		if (events->asked_name)
			continue;
		events->name |= one->what == WSIM_EVENT && message == 0x24a;
		events->time |= one->what == WSIM_EVENT && message == 0x248;
		events->asked_time |= one->what == WSIM_REQUEST && message == 0x247;
		events->asked_name |= one->what == WSIM_REQUEST && message == 0x24a;
	}
}

static const char *joined_doing(const struct events *events)
{
	if (!events->address)
		return "waits for an address";
	if (events->asked_name && !events->name)
		return "asks for the server's address";
	if (events->asked_time && !events->time)
		return "asks the time server, no answer yet";
	if (events->asked && !events->answered && events->quiet)
		return "got no answer, pauses until it asks again";
	if (events->time || (events->answered && events->quiet))
		return "has an answer, pauses until the next request";
	return "is about to ask";
}

void demo_doing(struct demo *demo, char *text, unsigned size)
{
	struct events events;

	look_back(demo->rig, &events);
	if (demo->rig->crashed != NULL)
		snprintf(text, size, "has crashed: it %s", demo->rig->crashed);
	else if (!demo->power)
		snprintf(text, size, "has no power");
	else if (events.off)
		snprintf(text, size, "keeps the WiFi module off");
	else if (!events.asked_join)
		snprintf(text, size, "starts the WiFi module");
	else if (!wsim_joined(demo->rig->wifi))
		snprintf(text, size, "joins the network \"net\"");
	else
		snprintf(text, size, "%s", joined_doing(&events));
}

static void find_reply(struct demo *demo)
{
	struct rig *rig = demo->rig;
	uint32_t count;
	const struct wsim_entry *entry = wsim_journal(rig->wifi, &count);
	uint64_t last = 0, span = (uint64_t)(3 * SIM_HZ);

	demo->replies = 0;
	while (count-- > 0 && entry[count].cycle >= rig->power_on) {
		if (entry[count].what != WSIM_EVENT || entry[count].group != 2 || entry[count].opcode != 0x48)
			continue;
		if (last == 0)
			last = entry[count].cycle;
		demo->replies++;
	}
	if (last != 0 && last != demo->reply)
		demo->off = last > span ? rig_error_ms(rig, last - span, last) : 1e9;
	demo->reply = last;
}

void demo_sync(struct demo *demo, char *text, unsigned size)
{
	unsigned age;

	find_reply(demo);
	age = (unsigned)((double)(demo->rig->cycle - demo->reply) / SIM_HZ);
	if (demo->reply == 0)
		snprintf(text, size, "no reply has come yet");
	else if (demo->off > 1e8)
		snprintf(text, size, "reply %u came %u s ago; the tubes did not show the time before", demo->replies, age);
	else
		snprintf(text, size, "reply %u came %u s ago; the tubes were %.1f ms off before", demo->replies, age, demo->off);
}

/* The exercise changes every half second, on the second tubes alone too: what stays longer is a code. */
static bool steady(const struct tubes *tubes, uint64_t cycle)
{
	return tubes->changes > 0 && cycle - tubes->change[tubes->changes - 1].cycle > (uint64_t)(0.6 * SIM_HZ);
}

const char *demo_code(struct demo *demo)
{
	static const struct { uint8_t code; const char *meaning; } list[] = {
		{ 1, "no configuration" }, { 2, "WiFi module does not answer" },
		{ 3, "WiFi module does not start" }, { 4, "unknown WiFi module" },
		{ 10, "network not found" }, { 11, "could not join" }, { 12, "pass phrase refused" },
		{ 13, "no address (DHCP)" }, { 14, "link lost" }, { 20, "name not resolved" },
		{ 21, "server does not answer" }, { 22, "server is not synchronised" },
		{ 23, "server refuses" }, { 24, "replies rejected" }, { 25, "servers disagree" },
		{ 30, "bad time zone, UTC is shown" }, { 40, "watchdog reset" }, { 50, "self-test failed" },
	};
	const struct tubes *tubes = &demo->rig->tubes;
	const char *text = tubes_at(tubes, demo->rig->cycle);

	if (strncmp(text, "----", 4) != 0 || text[4] == '-' || text[5] == '-' || !steady(tubes, demo->rig->cycle))
		return NULL;
	for (unsigned i = 0; i < sizeof list / sizeof list[0]; i++) {
		if (list[i].code == (text[4] - '0') * 10 + text[5] - '0')
			return list[i].meaning;
	}
	return NULL;
}

double demo_error(struct demo *demo)
{
	struct rig *rig = demo->rig;
	uint64_t span = (uint64_t)(3 * SIM_HZ);

	if (!demo->power || rig->cycle <= rig->power_on + span)
		return 1e9;
	return rig_error_ms(rig, rig->cycle - span, rig->cycle);
}

/* All places at the same step, which happens only in the exercise. */
static bool in_turn(const char *digits)
{
	static const char count[] = { 3, 10, 6, 10, 6, 10 };

	for (int step = 0; step < 30; step++) {
		int place = 0;

		while (place < 6 && digits[place] == '0' + step % count[place])
			place++;
		if (place == 6)
			return true;
	}
	return false;
}

static unsigned dark(const char *digits)
{
	unsigned n = 0;

	for (; *digits != '\0'; digits++)
		n += *digits == '-';
	return n;
}

static bool right_now(struct demo *demo, const char *digits)
{
	char expected[7];

	rig_expected(demo->rig, demo->rig->cycle, expected);
	return strcmp(digits, expected) == 0;
}

/* Return what the settings show instead of the time; NULL: the time is shown. */
static const char *show_now(struct demo *demo)
{
	struct tm local = demo_local(demo, (time_t)demo_utc(demo));
	struct conf now;

	if (demo->reply == 0 || !demo_settings(demo, &now))
		return NULL;
	if (local.tm_min == 0 && local.tm_sec < now.roll)
		return "the roll of the hour";
	if (local.tm_sec >= 30 && local.tm_sec < 30 + now.date)
		return "the date";
	return NULL;
}

static const char *tubes_mean(struct demo *demo, const char *digits)
{
	const char *show = show_now(demo);

	if (right_now(demo, digits))
		return "the server's time, since a moment ago";
	if (digits[0] == ' ')
		return "no high voltage";
	if (show != NULL)
		return show;
	if (dark(digits) >= 5)
		return dark(digits) == 6 ? "dark" : "self-test: each cathode in turn";
	if (in_turn(digits) || strncmp(digits, "----", 4) == 0)
		return demo->reply == 0 ? "digits in turn: it does not know the time yet" :
		    "digits in turn: exercise of the cathodes";
	if (strcmp(digits + 4, "--") == 0)
		return "hours and minutes only: the seconds may be wrong";
	return demo->lie == DEMO_HOUR ? "not the server's time, but that is a lie" : "not the time of the server";
}

void demo_tubes(struct demo *demo, char *text, unsigned size)
{
	const char *digits = tubes_at(&demo->rig->tubes, demo->rig->cycle), *code = demo_code(demo);
	double error = demo_error(demo);
	int n;

	find_reply(demo);
	n = snprintf(text, size, "%.2s:%.2s:%.2s  ", digits, digits + 2, digits + 4);
	if (error < 1e8)
		snprintf(text + n, size - (unsigned)n, "the server's time, off by %.1f ms at most in the last 3 s", error);
	else if (code != NULL)
		snprintf(text + n, size - (unsigned)n, "error code %.2s: %s", digits + 4, code);
	else
		snprintf(text + n, size - (unsigned)n, "%s", tubes_mean(demo, digits));
}
