/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The WINC1500 as the clock uses it: join, address, names, one UDP socket.
 * The items to send wait as bits in wstate.to_send.  One message at a time is sent
 * or fetched.  An error of the bus repeats the step in which it occurred.
 */
#include "winc.h"

#include <string.h>

#include "hal.h"
#include "wboot.h"
#include "wreq.h"
#include "wspi.h"
#include "wstate.h"

enum {
	GRANT_MS = 1000,		/* to wait for a mailbox buffer */
	LOOK_MS = 100,			/* to look for messages when IRQN does not ask */
	FALSE_ALARM_MS = 10,		/* and when it asks for nothing */
	LEAVE_MS = 200,			/* for the module to leave, before we continue */
	REPAIR_MS = 1,			/* before and after a reset of the SPI parser */
	TRIES = 3,
	STEPS = 20,			/* of one poll at most, while they are quick: */
	STEPS_TICKS = TICKS_PER_MS / 2,
};

enum driver_state { STOPPED, BOOTING, RUNNING };

struct wstate wstate;

enum step { STEP_GOOD, STEP_BUS_ERROR, STEP_IDLE };

static NOINLINE uint16_t elapsed(uint16_t from)
{
	return (uint16_t)hal_ms() - from;
}

void wstate_nap(uint16_t ms)
{
	wstate.nap_from = hal_ms();
	wstate.nap_ms = ms;
}

bool wstate_awaits(uint8_t kind)
{
	return wreq.kind == kind && !(wstate.to_send & SEND_REQUEST);
}

void wstate_forget_socket(void)
{
	wstate.has_socket = wstate.bound = false;
	wstate.to_send &= ~(SEND_CLOSE | SEND_RECEIVE);
}

static NOINLINE void die(struct winc_event *event, uint8_t fault)
{
	wstate.state = STOPPED;
	memset(event, 0, sizeof *event);
	event->kind = WINC_DEAD;
	event->code = fault;
}

static uint8_t fetch_step(struct wstate *s, struct winc_event *event)
{
	switch (whif_receive_step()) {
	case WHIF_BUS_ERROR:
		return STEP_BUS_ERROR;
	case WHIF_MESSAGE:
		s->false_alarm = false;
		if (!wevent_read(event))
			return STEP_BUS_ERROR;
		if (event->kind != WINC_SENT || whif_message.opcode == OP_SEND_TO)
			whif_release();
		return STEP_GOOD;
	case WHIF_MORE:
		return STEP_GOOD;
	case WHIF_NOTHING:
		s->false_alarm = true;
	}
	s->fetching = s->fetch_first = false;
	return STEP_GOOD;
}

/* IRQN is a level for us, and is not trusted to come. */
static bool time_to_look(struct wstate *s)
{
	uint8_t after = LOOK_MS;

	if (hal_wifi_asks())
		after = s->false_alarm ? FALSE_ALARM_MS : 0;
	return elapsed(s->looked) >= after;
}

/* Sending */

static void begin_send(struct wstate *s, struct winc_event *event)
{
	static FLASH uint8_t kinds[] = {
		WREQ_SLEEP_MODE, WREQ_SNTP_OFF, WREQ_LEAVE, WREQ_NONE, WREQ_CLOSE, WREQ_RECEIVE,
	};
	uint8_t i, bit = 1;

	for (i = 0; !(s->to_send & bit); i++)
		bit <<= 1;
	s->in_hand = bit;
	if (bit == SEND_ANNOUNCE) {
		s->to_send &= ~SEND_ANNOUNCE;
		event->kind = WINC_UP;
		return;
	}
	wreq_compose(bit == SEND_REQUEST ? wreq.kind : kinds[i]);
	whif_send();
	s->sending = true;
	s->sending_since = hal_ms();
}

/* The module has it. */
static void handed_over(struct wstate *s)
{
	s->sending = false;
	s->fetch_first = true;
	s->to_send &= ~s->in_hand;
	switch (s->in_hand) {
	case SEND_LEAVE:
		wstate_nap(LEAVE_MS);
		break;
	case SEND_CLOSE:
		wstate_forget_socket();
		break;
	case SEND_REQUEST:
		s->asked_at = hal_ms();
		if (wreq.kind == WREQ_OPEN)
			s->has_socket = true;
	}
}

static uint8_t send_step(struct wstate *s, struct winc_event *event)
{
	if (s->in_hand == SEND_REQUEST)
		s->sent_tick = hal_ticks();	/* of the step that hands it over, in the end */
	switch (whif_send_step()) {
	case WHIF_BUS_ERROR:
		return STEP_BUS_ERROR;
	case WHIF_NOT_YET:
		if (elapsed(s->sending_since) > GRANT_MS)
			die(event, WINC_NO_BUFFER);
		wstate_nap(1);
		break;
	case WHIF_FINISHED:
		handed_over(s);
	}
	return STEP_GOOD;
}

/* A request whose answer does not come ends anyway. */
static bool timed_out(struct wstate *s, struct winc_event *event)
{
	static FLASH struct { uint16_t ms; uint8_t event; int8_t code; } limits[] = {
		[WREQ_JOIN] = { 19000, WINC_LEFT, WINC_NO_JOIN },
		[WREQ_LEAVE] = { 2000, WINC_LEFT, WINC_LINK_LOST },
		[WREQ_RESOLVE] = { 4500, WINC_NAME, WINC_TIME_OUT },
		[WREQ_OPEN] = { 1500, WINC_BOUND, WINC_TIME_OUT },
		[WREQ_SEND] = { 1500, WINC_SENT, WINC_TIME_OUT },
		[WREQ_RANDOM] = { 1000, WINC_RANDOM, WINC_TIME_OUT },
	};
	uint8_t kind = wreq.kind;

	if (kind == WREQ_NONE || !wstate_awaits(kind) || elapsed(s->asked_at) < limits[kind].ms)
		return false;
	wreq.kind = WREQ_NONE;
	event->kind = limits[kind].event;
	event->code = limits[kind].code;
	event->data = wreq_buffer;
	if (kind == WREQ_JOIN)
		s->to_send |= SEND_LEAVE;
	if (event->kind == WINC_LEFT) {
		s->joined = false;
		wstate_forget_socket();
	}
	return true;
}

static uint8_t running_step(struct wstate *s, struct winc_event *event)
{
	if (s->sending)
		return send_step(s, event);
	if (s->fetching)
		return fetch_step(s, event);
	if (timed_out(s, event))
		return STEP_GOOD;
	if (s->to_send != 0 && !(s->fetch_first && hal_wifi_asks())) {
		begin_send(s, event);
		return STEP_GOOD;
	}
	if (!time_to_look(s))
		return STEP_IDLE;
	s->looked = hal_ms();
	s->fetching = true;
	return STEP_GOOD;
}

static uint8_t booting_step(struct wstate *s, struct winc_event *event)
{
	uint8_t step = wboot_step(s->tries);

	wstate_nap(wboot_ms);
	if (step >= WBOOT_FAULT) {
		die(event, step - WBOOT_FAULT);
		return STEP_GOOD;
	}
	if (step == WBOOT_UP) {
		s->state = RUNNING;
		s->fetching = wboot_warm;
		s->to_send = SEND_SLEEP_MODE | SEND_SNTP_OFF | SEND_ANNOUNCE;
		if (s->fetching)
			s->to_send |= SEND_LEAVE;
		whif_init(s->fetching);
	}
	return step == WBOOT_BUS_ERROR ? STEP_BUS_ERROR : STEP_GOOD;
}

/* One step; a bus error means: reset of the SPI parser, a pause each side of it, and the same step again. */
static bool step(struct wstate *s, struct winc_event *event)
{
	uint8_t result = STEP_GOOD;

	if (s->repair) {
		s->repair = false;
		wspi_clear();
		wstate_nap(REPAIR_MS);
		return true;
	}
	result = s->state == BOOTING ? booting_step(s, event) : running_step(s, event);
	if (result != STEP_BUS_ERROR) {
		s->tries = 0;
		return result == STEP_GOOD;
	}
	event->kind = WINC_NONE;
	if (++s->tries >= TRIES && s->state == RUNNING)	/* wboot counts for itself */
		die(event, WINC_BUS);
	s->repair = true;
	wstate_nap(REPAIR_MS);
	return true;
}

void winc_poll(struct winc_event *event)
{
	struct wstate *s = VIA(wstate);
	uint16_t began = hal_ticks();
	uint8_t steps;

	for (steps = STEPS; steps > 0; steps--) {
		memset(event, 0, sizeof *event);
		if (s->state == STOPPED || (s->nap_ms != 0 && elapsed(s->nap_from) <= s->nap_ms))
			return;
		s->nap_ms = 0;
		if (!step(s, event) || event->kind != WINC_NONE || (uint16_t)((uint16_t)hal_ticks() - began) > STEPS_TICKS)
			return;
	}
}

/* Requests of the clock */

static void reset_state(uint8_t state)
{
	memset(&wstate, 0, sizeof wstate);
	wstate.state = state;
	wreq.kind = WREQ_NONE;
}

void winc_start(enum winc_depth depth)
{
	reset_state(BOOTING);
	wboot_start(depth);
}

void winc_stop(void)
{
	reset_state(STOPPED);
	wboot_stop();
}

static bool begin(uint8_t kind)
{
	if (wstate.state != RUNNING || wstate.to_send & SEND_ANNOUNCE || wreq.kind != WREQ_NONE)
		return false;
	wreq.kind = kind;
	wstate.to_send |= SEND_REQUEST;
	return true;
}

bool winc_join(winc_text *ssid, winc_text *pass, uint8_t security)
{
	if (!begin(WREQ_JOIN))
		return false;
	wreq.join.ssid = ssid;
	wreq.join.pass = pass;
	wreq.join.security = security;
	return true;
}

bool winc_leave(void)
{
	return begin(WREQ_LEAVE);
}

bool winc_resolve(winc_text *name)
{
	if (name(0) == 0 || !begin(WREQ_RESOLVE))
		return false;
	wreq.name = name;
	return true;
}

bool winc_open(uint16_t port)
{
	if (!begin(WREQ_OPEN))
		return false;
	wreq.port = port;
	wstate.to_send &= ~SEND_RECEIVE;
	wstate.bound = false;
	if (wstate.has_socket)
		wstate.to_send |= SEND_CLOSE;
	return true;
}

bool winc_send(uint32_t ip, uint16_t port, const uint8_t *data, uint8_t size)
{
	if (!wstate.bound || size < 2 || !begin(WREQ_SEND))
		return false;
	wreq.send.ip = ip;
	wreq.send.port = port;
	wreq.send.data = data;
	wreq.send.size = size;
	return true;
}

bool winc_random(void)
{
	return begin(WREQ_RANDOM);
}

uint16_t winc_version(void)
{
	return wboot_version;
}

uint16_t winc_errors(void)
{
	return wspi_errors;
}
