/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The requests of the clock as messages for the WINC1500's firmware. */
#ifndef WREQ_H
#define WREQ_H

#include <stdbool.h>
#include <stdint.h>

#include "whif.h"
#include "winc.h"

/* Numbers of messages, those of the module too. */
enum wreq_opcode {
	OP_SNTP_OFF = 0x0d,
	OP_RANDOM = 0x1f,
	OP_RANDOM_ANSWER = 0x20,
	OP_CONNECT = 0x28,
	OP_DISCONNECT = 0x2b,
	OP_CONNECTION = 0x2c,		/* state changed */
	OP_SLEEP_MODE = 0x2d,
	OP_DHCP = 0x32,
	OP_CONNECT_NEW = 0x3b,		/* firmware 19.6 on; we use it when built with WINC_NEW_CONNECT */
	OP_DHCP_FAILED = 0x3d,
	/* IP group */
	OP_BIND = 0x41,
	OP_SEND_TO = 0x47,
	OP_RECEIVE_FROM = 0x48,
	OP_CLOSE = 0x49,
	OP_RESOLVE = 0x4a,
};

enum wreq_kind {
	WREQ_NONE,
	/* the user's, one at a time */
	WREQ_JOIN, WREQ_LEAVE, WREQ_RESOLVE, WREQ_OPEN, WREQ_SEND, WREQ_RANDOM,
	/* the driver's own */
	WREQ_SLEEP_MODE, WREQ_SNTP_OFF, WREQ_CLOSE, WREQ_RECEIVE,
};

/* The user's request under way. */
struct wreq {
	uint8_t kind;			/* enum wreq_kind */
	union {
		struct {
			winc_text *ssid, *pass;
			uint8_t security;
		} join;
		winc_text *name;
		uint16_t port;		/* to open */
		struct {
			uint32_t ip;
			const uint8_t *data;
			uint16_t port;
			uint8_t size;
		} send;
	};
};
extern struct wreq wreq;

/* Short messages are built here, and what comes from the module is read into it. */
enum { WREQ_BUFFER = WINC_DATA_BYTES };
extern uint8_t wreq_buffer[WREQ_BUFFER];

enum { WREQ_NAME = 64 };	/* room for a host's name, with its NUL */

/* Makes whif_request of it; wreq_buffer must stay until that is sent.  WREQ_OPEN begins a new session. */
void wreq_compose(uint8_t kind);

bool wreq_is_ours(uint16_t session);	/* a message's session id is the socket's, not an old one's */
bool wreq_is_name(void);		/* wreq_buffer begins as the name that was asked for */

#endif
