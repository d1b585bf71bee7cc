/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages of the WINC1500's firmware, and which of them are events for the clock. */
#include "wstate.h"

#include <string.h>

#include "hal.h"
#include "whif.h"
#include "wreq.h"

enum {
	OFF = 0, ON = 1,		/* state of OP_CONNECTION */
	NAME_ANSWER_IP = WREQ_NAME,	/* offset of the address after the name */
	RECEIVED_HEAD = 16,
	RANDOM_AT = 8,
	RECEIVE_AGAIN_MS = 100,		/* after an error */
};

static uint16_t get16(const uint8_t *bytes)
{
	return bytes[0] | (uint16_t)bytes[1] << 8;
}

/*
 * Messages of the module, the first bytes of each in wreq_buffer.  A handler
 * says which event that is, WINC_NONE, or BUS_ERROR: then it is called again.
 */
enum { BUS_ERROR = 0xff };

static uint8_t on_connection(struct winc_event *event)
{
	struct wstate *s = VIA(wstate);
	bool joining = wstate_awaits(WREQ_JOIN), known = s->joined || joining || wstate_awaits(WREQ_LEAVE);

	event->code = wreq_buffer[1];
	if (wreq_buffer[0] == ON && joining) {
		s->joined = true;
		wreq.kind = WREQ_NONE;
		return WINC_JOINED;
	}
	if (wreq_buffer[0] != OFF)
		return WINC_NONE;
	s->joined = false;
	wstate_forget_socket();
	if (!known || (wreq.kind == WREQ_JOIN && !joining))
		return WINC_NONE;
	s->to_send &= ~SEND_REQUEST;
	wreq.kind = WREQ_NONE;
	return WINC_LEFT;
}

static uint8_t on_dhcp_failed(struct winc_event *event)
{
	(void)event;
	return wstate.joined ? WINC_NO_ADDRESS : WINC_NONE;
}

static uint8_t on_dhcp(struct winc_event *event)
{
	memcpy(&event->ip, wreq_buffer, 4);
	return wstate.joined && event->ip != 0 ? WINC_ADDRESS : on_dhcp_failed(event);
}

static uint8_t on_random(struct winc_event *event)
{
	event->data = wreq_buffer + RANDOM_AT;
	event->length = WINC_RANDOM_BYTES;
	return WINC_RANDOM;
}

static uint8_t on_name(struct winc_event *event)
{
	if (!wreq_is_name())
		return WINC_NONE;
	return whif_read(NAME_ANSWER_IP, (uint8_t *)&event->ip, 4) ? WINC_NAME : BUS_ERROR;
}

static uint8_t on_bind(struct winc_event *event)
{
	event->code = wreq_buffer[1];
	if (event->code == 0) {
		wstate.bound = true;
		wstate.to_send |= SEND_RECEIVE;
	} else {
		wstate_forget_socket();
	}
	return WINC_BOUND;
}

static uint8_t on_sent(struct winc_event *event)
{
	event->tick = wstate.sent_tick;
	if (wreq_buffer[3] & 0x80)	/* bytes sent, or an error */
		event->code = wreq_buffer[2];
	return WINC_SENT;
}

/*
 * An answer may be here before the module says that the question is out: then
 * that is reported first, and the message, which winc.c does not release, read again.
 */
static uint8_t on_received(struct winc_event *event)
{
	struct wstate *s = VIA(wstate);
	uint8_t *head = VIA(wreq_buffer[0]);
	uint16_t length = get16(head + 8), at = get16(head + 10), size = whif_message.size;
	uint8_t take = length < WREQ_BUFFER ? length + (length & 1) : WREQ_BUFFER;	/* never a block of 1 byte */

	if (!s->bound)
		return WINC_NONE;
	if (wstate_awaits(WREQ_SEND)) {
		wreq.kind = WREQ_NONE;
		event->tick = s->sent_tick;
		return WINC_SENT;
	}
	s->to_send |= SEND_RECEIVE;
	if (length > size || at < RECEIVED_HEAD || at > size - length) {	/* an error is negative: too long */
		wstate_nap(RECEIVE_AGAIN_MS);
		return WINC_NONE;
	}
	event->port = (uint16_t)head[2] << 8 | head[3];
	memcpy(&event->ip, head + 4, 4);
	event->length = length;
	event->data = head;
	event->tick = whif_asked();
	return take == 0 || whif_read(at, head, take) ? WINC_DATA : BUS_ERROR;
}

static FLASH struct handler {
	uint8_t group, opcode;
	uint8_t least;			/* payload bytes; fewer: it is not for us */
	uint8_t request;		/* the user's that it answers; WREQ_NONE: it comes by itself */
	uint8_t session_at;		/* where the socket's session stands, 0: nowhere */
	uint8_t (*handle)(struct winc_event *event);
} handlers[] = {
	{ WHIF_WIFI, OP_CONNECTION, 4, WREQ_NONE, 0, on_connection },
	{ WHIF_WIFI, OP_DHCP, 16, WREQ_NONE, 0, on_dhcp },
	{ WHIF_WIFI, OP_DHCP_FAILED, 0, WREQ_NONE, 0, on_dhcp_failed },
	{ WHIF_WIFI, OP_RANDOM_ANSWER, RANDOM_AT + WINC_RANDOM_BYTES, WREQ_RANDOM, 0, on_random },
	{ WHIF_IP, OP_BIND, 4, WREQ_OPEN, 2, on_bind },
	{ WHIF_IP, OP_SEND_TO, 8, WREQ_SEND, 4, on_sent },
	{ WHIF_IP, OP_RECEIVE_FROM, RECEIVED_HEAD, WREQ_NONE, 14, on_received },
	{ WHIF_IP, OP_RESOLVE, NAME_ANSWER_IP + 4, WREQ_RESOLVE, 0, on_name },
};
enum { HANDLERS = sizeof handlers / sizeof *handlers };

/* Handles a message.  A message that is not for us, not requested or stale is only released. */
static uint8_t handle(FLASH struct handler *handler, struct winc_event *event)
{
	uint8_t least = handler->least, request = handler->request, session_at = handler->session_at, kind;

	if (whif_message.size < least || (request != WREQ_NONE && !wstate_awaits(request)))
		return WINC_NONE;
	if (least > 0 && !whif_read(0, wreq_buffer, least < WREQ_BUFFER ? least : WREQ_BUFFER))
		return BUS_ERROR;
	if (session_at != 0 && !wreq_is_ours(get16(wreq_buffer + session_at)))
		return WINC_NONE;
	kind = handler->handle(event);
	if (request != WREQ_NONE && kind != WINC_NONE && kind != BUS_ERROR)
		wreq.kind = WREQ_NONE;
	return kind;
}

bool wevent_read(struct winc_event *event)
{
	FLASH struct handler *handler;
	uint8_t kind = WINC_NONE;

	if (whif_message.group == WHIF_UNREADABLE && wstate.bound)
		wstate.to_send |= SEND_RECEIVE;		/* it may have been our datagram */
	for (handler = handlers; handler < handlers + HANDLERS; handler++)
		if (handler->group == whif_message.group && handler->opcode == whif_message.opcode)
			kind = handle(handler, event);
	event->kind = kind;
	return kind != BUS_ERROR;
}
