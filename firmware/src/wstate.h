/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of the driver and its reading of messages, shared by winc.c and wevent.c only. */
#ifndef WSTATE_H
#define WSTATE_H

#include <stdbool.h>
#include <stdint.h>

#include "winc.h"

/* Items to send, in this order. */
enum to_send {
	SEND_SLEEP_MODE = 1,
	SEND_SNTP_OFF = 2,
	SEND_LEAVE = 4,
	SEND_ANNOUNCE = 8,		/* no message: WINC_UP */
	SEND_CLOSE = 16,
	SEND_RECEIVE = 32,		/* before a question goes out, its answer must have a way in */
	SEND_REQUEST = 64,		/* the user's */
};

extern struct wstate {
	uint8_t state;			/* enum driver_state */
	uint8_t to_send, in_hand;	/* in_hand: the bit that is being sent */
	uint8_t tries;			/* bus errors in a row */
	bool repair;			/* the next step resets the SPI parser */
	bool sending, fetching;		/* at most one is true: the message that whif.c is about */
	bool fetch_first;		/* we sent last: a message's turn */
	bool false_alarm;		/* IRQN asked and nothing was there */
	bool joined;
	bool has_socket, bound;		/* the module got the socket; and accepted it */
	uint16_t nap_from, nap_ms;	/* nap_ms 0: awake */
	uint16_t asked_at;		/* ms of the request's hand over */
	uint16_t sending_since, looked;	/* ms */
	uint32_t sent_tick;		/* just before the request was handed over */
} wstate;

void wstate_nap(uint16_t ms);		/* at least so many whole ms without a step */
void wstate_forget_socket(void);

/* The user's request of this kind (enum wreq_kind) has been handed over and waits for its answer. */
bool wstate_awaits(uint8_t kind);

/* Reads the waiting message into event, if it is one for us; false: a bus error, to be called again. */
bool wevent_read(struct winc_event *event);

#endif
