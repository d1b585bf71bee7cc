/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The world around the processors of the rig, which both share: datagrams and
 * their ways, hands on the keyboard, the power switch, time.
 */
#include "rig.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rig_world.h"

#define START_UTC 1795178090U	/* 2026-11-20 12:34:50 */

/* At each byte on the bus: without the sanitizers' checks. */
#define RIG_LEAN __attribute__((no_sanitize("address", "undefined")))

enum { STEP_MS = 20, NTP_PORT = 123 };

/* ---- datagrams ------------------------------------------------------------- */

static void post(struct rig_world *world, const struct ntpsrv_reply *reply, uint16_t to)
{
	if (world->mails == MAILS)
		return;			/* lost on the way, as datagrams are */
	struct mail *mail = &world->mail[world->mails++];
	mail->to = to;
	mail->reply = *reply;
}

/* From the module's antenna. */
static void sent(void *arg, uint32_t ip, uint16_t port, uint16_t from, const uint8_t *data, uint16_t size)
{
	struct rig *rig = arg;

	if (rig->real_udp) {
		udp_send(rig->world->udp, ip, port, from, data, size);
		return;
	}
	for (unsigned i = 0; i < RIG_SERVERS; i++) {
		struct ntpsrv *server = &rig->server[i];

		if (server->ip != ip || server->port != port)
			continue;
		struct ntpsrv_reply reply[2];
		unsigned count = ntpsrv_ask(server, data, size, rig->cycle, reply);
		for (unsigned k = 0; k < count; k++)
			post(rig->world, &reply[k], from);
	}
}

RIG_LEAN static void deliver(struct rig *rig)
{
	struct rig_world *world = rig->world;
	unsigned i = 0;

	while (i < world->mails) {
		struct mail *mail = &world->mail[i];
		const struct ntpsrv_reply *reply = &mail->reply;

		if (reply->cycle > rig->cycle) {
			i++;
			continue;
		}
		wsim_datagram(rig->wifi, reply->ip, reply->port, mail->to, reply->data, reply->size, rig->cycle);
		world->mail[i] = world->mail[--world->mails];
	}
}

static void asks(void *arg, bool low)
{
	struct rig *rig = arg;

	rig->cpu->irq(rig, low);
}

/* ---- serial port ----------------------------------------------------------- */

RIG_LEAN static void type_next(struct rig *rig)
{
	struct rig_world *world = rig->world;

	if (world->typed_at == world->typed_size || rig->cycle < world->type_due)
		return;
	rig->cpu->uart(rig, world->typed[world->typed_at++]);
	world->type_due = rig->cycle + BYTE_CYCLES;
}

static bool says_secret(const struct rig *rig, const char *text)
{
	for (unsigned i = 0; i < rig->world->secrets; i++)
		if (strstr(text, rig->world->secret[i]))
			return true;
	return false;
}

void rig_said(struct rig *rig, uint8_t byte)
{
	if (rig->heard_size + 1 >= rig->heard_room) {
		rig->heard_room = rig->heard_room ? rig->heard_room * 2 : 4096;
		rig->heard = realloc(rig->heard, rig->heard_room);
		if (!rig->heard)
			abort();
	}
	rig->heard[rig->heard_size++] = (char)(byte ? byte : '@');	/* NUL would end it */
	rig->heard[rig->heard_size] = 0;
	if (rig->heard_size >= SECRET && says_secret(rig, rig->heard + rig->heard_size - SECRET))
		rig->leaked = true;
}

bool rig_heard(struct rig *rig, const char *text)
{
	return rig->heard && strstr(rig->heard, text);
}

void rig_forget(struct rig *rig)
{
	if (rig->heard && says_secret(rig, rig->heard))
		rig->leaked = true;
	rig->heard_size = 0;
	if (rig->heard)
		rig->heard[0] = 0;
}

void rig_secret(struct rig *rig, const char *text)
{
	struct rig_world *world = rig->world;

	if (strlen(text) < 8 || world->secrets == SECRETS)
		return;
	strncpy(world->secret[world->secrets++], text, SECRET - 1);
}

void rig_type_bytes(struct rig *rig, const uint8_t *bytes, uint32_t size)
{
	struct rig_world *world = rig->world;

	world->typed = bytes;
	world->typed_size = size;
	world->typed_at = 0;
	rig->due = rig->cycle;
	while (world->typed_at < size)
		rig_run_to(rig, rig->cycle + (size - world->typed_at) * (uint64_t)BYTE_CYCLES);
	world->typed = NULL;
	world->typed_size = world->typed_at = 0;
}

void rig_type(struct rig *rig, const char *text)
{
	rig_type_bytes(rig, (const uint8_t *)text, (uint32_t)strlen(text));
}

/* Notes the settings of a line that the rig itself must know. */
static void note_line(struct rig *rig, const char *line)
{
	if (strncmp(line, "set ", 4) == 0)
		line += 4;
	if (strncmp(line, "pass ", 5) == 0)
		rig_secret(rig, line + 5);
	else if (strncmp(line, "tz ", 3) == 0)
		rig_zone(rig, line + 3);
}

static bool prompted(const struct rig *rig)
{
	const char *last = rig->heard_size > 0 ? strrchr(rig->heard, '\n') : NULL;

	return last && (strcmp(last, "\n> ") == 0 || strcmp(last, "\nunsaved> ") == 0);
}

const char *rig_command(struct rig *rig, const char *line)
{
	note_line(rig, line);
	rig_forget(rig);
	rig_type(rig, line);
	rig_type(rig, "\r");
	for (unsigned i = 0; i < 400 && !prompted(rig); i++)
		rig_run(rig, 0.01);
	return rig->heard ? rig->heard : "";
}

/* ---- time ------------------------------------------------------------------ */

static double clock_now(clockid_t which)
{
	struct timespec now;

	clock_gettime(which, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

double rig_epoch(const struct rig *rig)
{
	return rig->world->epoch;
}

/* Paced: waits until the wall clock has come as far; never long at once, whatever that clock does. */
static void wait_for_wall(struct rig *rig)
{
	struct rig_world *world = rig->world;
	double simulated = (double)rig->cycle / SIM_HZ / rig->pace;
	double now = clock_now(CLOCK_MONOTONIC);

	if (!world->paced) {
		world->paced = true;
		world->start = now - simulated;
		world->epoch = clock_now(CLOCK_REALTIME) - simulated;
	}
	double ahead = simulated - (now - world->start);
	if (-ahead * rig->pace > world->late)
		world->late = -ahead * rig->pace;
	if (ahead < 0.0002)
		return;
	if (ahead > 0.05)
		ahead = 0.05;
	struct timespec pause = { 0, (long)(ahead * 1e9) };
	nanosleep(&pause, NULL);
}

void rig_pace(struct rig *rig, double pace)
{
	rig->pace = pace;
	rig->world->paced = false;
	rig->due = rig->cycle;
}

bool rig_real(struct rig *rig, unsigned server, uint16_t port, double shift)
{
	struct rig_world *world = rig->world;

	rig->real_udp = port != 0;
	udp_shift(world->udp, shift);
	rig->due = rig->cycle;
	if (port == 0 || world->real[server] == port)
		return true;
	world->real[server] = port;
	return udp_map(world->udp, rig->server[server].ip, NTP_PORT, port);
}

RIG_LEAN static uint64_t next_due(struct rig *rig, uint64_t due)
{
	const struct rig_world *world = rig->world;

	for (unsigned i = 0; i < world->mails; i++)
		if (world->mail[i].reply.cycle < due)
			due = world->mail[i].reply.cycle;
	if (world->typed_at < world->typed_size && world->type_due < due)
		due = world->type_due;
	if ((rig->pace > 0 || rig->real_udp) && rig->cycle + CYCLES_PER_MS < due)
		due = rig->cycle + CYCLES_PER_MS;
	return due > rig->cycle ? due : rig->cycle + 1;
}

RIG_LEAN void rig_tick(struct rig *rig)
{
	if (rig->world->ticking)	/* a level of IRQN changed by what is done here */
		return;
	rig->world->ticking = true;
	if (rig->pace > 0)
		wait_for_wall(rig);
	if (rig->real_udp)
		udp_poll(rig->world->udp, rig->wifi, rig->cycle);
	deliver(rig);
	type_next(rig);
	uint64_t due = wsim_tick(rig->wifi, rig->cycle);
	rig->due = next_due(rig, due);
	rig->world->ticking = false;
}

void rig_pin(struct rig *rig, enum tubes_pin pin, bool level)
{
	tubes_set(&rig->tubes, pin, level, rig->cycle);
}

void rig_run_to(struct rig *rig, uint64_t cycle)
{
	if (rig->due < rig->cycle)
		rig->due = rig->cycle;
	/* In pieces, so that tubes and clocks are updated regularly. */
	while (rig->cycle < cycle && !rig->crashed) {
		uint64_t until = rig->cycle + 1000 * CYCLES_PER_MS;

		rig->cpu->run(rig, until < cycle ? until : cycle);
		tubes_pass(&rig->tubes, rig->cycle);
	}
	if (rig->crashed && rig->cycle < cycle)
		rig->cycle = cycle;
}

void rig_run(struct rig *rig, double seconds)
{
	rig_run_to(rig, rig->cycle + (uint64_t)(seconds * SIM_HZ));
}

/* The newest change to pattern since index from; true also when it is shown now. */
static bool shown(struct rig *rig, const char *pattern, uint32_t from)
{
	const struct tubes *tubes = &rig->tubes;

	if (from < tubes->changes && tubes_find(tubes, tubes->change[from].cycle, pattern))
		return true;
	for (unsigned i = 0; pattern[i]; i++)
		if (pattern[i] != '*' && tubes_at(tubes, rig->cycle)[i] != pattern[i])
			return false;
	return true;
}

bool rig_wait(struct rig *rig, const char *pattern, double seconds)
{
	uint64_t end = rig->cycle + (uint64_t)(seconds * SIM_HZ);
	uint32_t from = rig->tubes.changes;

	while (!shown(rig, pattern, from)) {
		if (rig->cycle >= end)
			return false;
		rig_run(rig, STEP_MS / 1e3);
	}
	return true;
}

bool rig_wait_time(struct rig *rig, double seconds)
{
	uint64_t end = rig->cycle + (uint64_t)(seconds * SIM_HZ);
	uint64_t begin = rig->cycle + (uint64_t)(2.5 * SIM_HZ);

	for (;;) {
		if (rig->cycle >= begin && rig_error_ms(rig, rig->cycle - (uint64_t)(2.5 * SIM_HZ), rig->cycle) <= 50)
			return true;
		if (rig->cycle >= end)
			return false;
		rig_run(rig, 0.25);
	}
}

/* ---- power ----------------------------------------------------------------- */

void rig_power(struct rig *rig, bool on)
{
	if (rig->world->on == on)
		return;
	rig->world->on = on;
	if (on) {
		rig->power_on = rig->cycle;
		tubes_power(&rig->tubes, true, rig->seed + (uint32_t)rig->cycle, rig->cycle);
		rig->cpu->power(rig, true);
		return;
	}
	rig->cpu->power(rig, false);
	tubes_power(&rig->tubes, false, 0, rig->cycle);
	wsim_power_off(rig->wifi);
	rig_tick(rig);
}

void rig_button(struct rig *rig)
{
	rig->cpu->button(rig);
}

static void make_world(struct rig *rig)
{
	rig->world = calloc(1, sizeof *rig->world);
	if (!rig->world)
		abort();
	strcpy(rig->world->tz, "UTC0");
	rig->wifi = wsim_new(sent, asks, rig);
	rig->world->udp = udp_new();
	struct wsim_script *script = wsim_script(rig->wifi);
	static const char *const name[RIG_SERVERS] = { "ntp.example", "ntp2.example", "ntp3.example", "ntp4.example" };
	for (uint32_t i = 0; i < RIG_SERVERS; i++) {
		uint32_t ip = 192U | 2U << 16 | (123 + i) << 24;

		ntpsrv_init(&rig->server[i], ip, START_UTC);
		strcpy(script->host[i].name, name[i]);
		script->host[i].ip = ip;
	}
	strcpy(script->ssid, "net");
	strcpy(script->pass, "pass phrase");
	script->seed = rig->seed;
	rig_secret(rig, script->pass);
	tubes_init(&rig->tubes);
}

struct rig *rig_new(const struct rig_cpu *cpu, const char *elf, uint32_t seed)
{
	struct rig *rig = calloc(1, sizeof *rig);

	if (!rig)
		abort();
	rig->cpu = cpu;
	rig->seed = seed;
	rig->light = UINT8_MAX;
	make_world(rig);
	if (cpu->open(rig, elf))
		return rig;
	rig->cpu = NULL;
	rig_free(rig);
	return NULL;
}

void rig_free(struct rig *rig)
{
	if (!rig)
		return;
	if (rig->cpu)
		rig->cpu->close(rig);
	wsim_free(rig->wifi);
	udp_free(rig->world->udp);
	tubes_free(&rig->tubes);
	free(rig->heard);
	free(rig->world);
	free(rig);
}
