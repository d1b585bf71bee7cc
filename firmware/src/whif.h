/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The mailbox ("HIF") between us and the module's firmware.  Requests and
 * messages are done in steps of one or two SPI commands; a step that says
 * WHIF_BUS_ERROR has changed nothing of ours and is called again.
 */
#ifndef WHIF_H
#define WHIF_H

#include <stdbool.h>
#include <stdint.h>

#include "wspi.h"

enum whif_group {
	WHIF_WIFI = 1,
	WHIF_IP = 2,
	WHIF_UNREADABLE = 0xff,		/* a message whose header can not be right: release it */
};

enum whif_step {
	WHIF_MORE,		/* went well, call again */
	WHIF_FINISHED,		/* the request is handed over (in this very step); the message is released */
	WHIF_NOTHING,		/* no message waits */
	WHIF_MESSAGE,		/* a message is waiting: whif_read its payload, then whif_release */
	WHIF_NOT_YET,		/* the module grants no buffer: call again after 1 ms */
	WHIF_BUS_ERROR,
};

/*
 * The request to send: group, opcode, and for a control part its size and
 * bytes; if data_size > 0 a data part too, at data_offset from the header's end.
 * Both structures begin with the mailbox's header, with the same layout.
 */
struct whif_request {
	uint8_t group, opcode;
	uint16_t size;		/* of the whole, whif_send sets it */
	wspi_bytes *control, *data;
	uint8_t control_size, data_size, data_offset;
};
extern struct whif_request whif_request;

struct whif_message {
	uint8_t group, opcode;
	uint16_t size;		/* of the payload */
};

/* left: a host before us may have left a message fetched but not released. */
void whif_init(bool left);
/* whif_request is complete: whif_send_step sends it until WHIF_FINISHED.  Never between a message and its release. */
void whif_send(void);
uint8_t whif_send_step(void);		/* enum whif_step, as the next */

uint8_t whif_receive_step(void);
extern struct whif_message whif_message;
/* A part of the message's payload; the caller keeps within its size. */
bool whif_read(uint16_t at, uint8_t *to, uint8_t size);
uint32_t whif_asked(void);		/* tick at which the module asked for this message to be fetched */
void whif_release(void);		/* the message is read: the next receive steps tell the module */

#endif
