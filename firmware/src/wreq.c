/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The requests of the clock as messages for the WINC1500's firmware. */
#include "wreq.h"

#include <string.h>

#include "hal.h"

enum {
	FAMILY_IP4 = 2,
	UDP_SOCKET = 7,			/* 7 to 10 are; 0 to 6 are TCP */
	SEND_TO_OFFSET = 68,		/* room for the headers of WLAN, Ethernet, IP, UDP less our own 8 bytes */
	PASS_ROOM = 65, SSID_ROOM = 33,	/* with their NUL */
	ALL_CHANNELS = 255,
	SMALL = 16,			/* longest message that is built in wreq_buffer */
};

/* Opcode of a connect request, size of its control part. */
#ifdef WINC_NEW_CONNECT
enum { OP_JOIN = OP_CONNECT_NEW, JOIN_HEAD = 48 };
#else
enum { OP_JOIN = OP_CONNECT, JOIN_HEAD = 108 };
#endif

struct wreq wreq;
uint8_t wreq_buffer[WREQ_BUFFER];
static uint16_t session;

/* Group, opcode, size of the control part; offset of the socket's number and session in it (0: none). */
static FLASH struct form {
	uint8_t group, opcode, size, socket_at, session_at;
} forms[] = {
	[WREQ_JOIN] = { WHIF_WIFI, OP_JOIN, JOIN_HEAD, 0, 0 },
	[WREQ_LEAVE] = { WHIF_WIFI, OP_DISCONNECT, 0, 0, 0 },
	[WREQ_RESOLVE] = { WHIF_IP, OP_RESOLVE, 0, 0, 0 },
	[WREQ_OPEN] = { WHIF_IP, OP_BIND, 12, 8, 10 },
	[WREQ_SEND] = { WHIF_IP, OP_SEND_TO, 16, 0, 12 },
	[WREQ_RANDOM] = { WHIF_WIFI, OP_RANDOM, 0, 0, 0 },
	[WREQ_SLEEP_MODE] = { WHIF_WIFI, OP_SLEEP_MODE, 4, 0, 0 },
	[WREQ_SNTP_OFF] = { WHIF_WIFI, OP_SNTP_OFF, 0, 0, 0 },
	[WREQ_CLOSE] = { WHIF_IP, OP_CLOSE, 4, 0, 2 },
	[WREQ_RECEIVE] = { WHIF_IP, OP_RECEIVE_FROM, 8, 4, 6 },
};

/* Never 0 and always another, so that late answers to an old socket are known as such. */
static void new_session(void)
{
	if (++session == 0)
		session = 1;
}

static uint8_t buffer_byte(uint8_t i)
{
	return wreq_buffer[i];
}

static uint8_t text_byte(winc_text *text, uint8_t i, uint8_t room)
{
	return i < room - 1 ? (uint8_t)text(i) : 0;
}

static uint8_t pass_byte(uint8_t i)
{
	return wreq.join.security == WINC_OPEN ? 0 : text_byte(wreq.join.pass, i, PASS_ROOM);
}

#ifdef WINC_NEW_CONNECT
enum { CREDENTIALS = 44, AUTH_BLOCK = 108 };

static uint8_t text_length(winc_text *text, uint8_t room)
{
	uint8_t length = 0;

	while (text_byte(text, length, room) != 0)
		length++;
	return length;
}

static uint8_t connect_byte(uint8_t i)
{
	if (i >= 5 && i < 37)
		return text_byte(wreq.join.ssid, i - 5, SSID_ROOM);
	switch (i) {
	case 0:
		return CREDENTIALS + (wreq.join.security == WINC_OPEN ? 0 : AUTH_BLOCK);
	case 3:
		return ALL_CHANNELS;	/* byte 2: nothing is stored */
	case 4:
		return text_length(wreq.join.ssid, SSID_ROOM);
	case 44:
		return wreq.join.security;
	default:
		return 0;
	}
}

static uint8_t auth_byte(uint8_t i)
{
	if (i == 0)
		return text_length(wreq.join.pass, PASS_ROOM);
	return i <= 64 ? pass_byte(i - 1) : 0;
}

static void compose_join(struct whif_request *request)
{
	request->control = connect_byte;
	if (wreq.join.security == WINC_OPEN)
		return;
	request->data = auth_byte;
	request->data_offset = JOIN_HEAD;
	request->data_size = AUTH_BLOCK;
}
#else
static uint8_t connect_byte(uint8_t i)
{
	if (i < PASS_ROOM)
		return pass_byte(i);
	if (i >= 70 && i < 70 + SSID_ROOM)
		return text_byte(wreq.join.ssid, i - 70, SSID_ROOM);
	switch (i) {
	case 65:
		return wreq.join.security;
	case 68:
		return ALL_CHANNELS;
	case 103:
		return 1;		/* not to be stored: that wears the module's flash */
	default:
		return 0;
	}
}

static void compose_join(struct whif_request *request)
{
	request->control = connect_byte;
}
#endif

static uint8_t name_byte(uint8_t i)
{
	return text_byte(wreq.name, i, WREQ_NAME);
}

/* The name may have become longer on the console since its size was sent: it ends anyway. */
static uint8_t name_sent(uint8_t i)
{
	return i + 1 < whif_request.control_size ? name_byte(i) : 0;
}

static void compose_resolve(struct whif_request *request)
{
	uint8_t size = 0;

	while (name_byte(size++) != 0)
		;
	request->control = name_sent;
	request->control_size = size;
}

/* Family, port in network order. */
static void put_port(uint8_t *bytes, uint16_t port)
{
	bytes[0] = FAMILY_IP4;
	bytes[2] = port >> 8;
	bytes[3] = port;
}

static uint8_t data_byte(uint8_t i)
{
	return wreq.send.data[i];
}

static void compose_send(struct whif_request *request, uint8_t *buffer)
{
	const struct wreq *wanted = VIA(wreq);

	request->data = data_byte;
	request->data_size = wanted->send.size;
	request->data_offset = SEND_TO_OFFSET;
	buffer[2] = wanted->send.size;
	put_port(buffer + 4, wanted->send.port);
	memcpy(buffer + 8, &wanted->send.ip, 4);
}

static void compose_body(uint8_t kind, struct whif_request *request, uint8_t *buffer)
{
	switch (kind) {
	case WREQ_JOIN:
		compose_join(request);
		break;
	case WREQ_RESOLVE:
		compose_resolve(request);
		break;
	case WREQ_OPEN:
		new_session();
		put_port(buffer, wreq.port);
		break;
	case WREQ_SEND:
		compose_send(request, buffer);
		break;
	case WREQ_RANDOM:	/* a data part at offset 0: pointer (for the host's use), count */
		request->data_size = 8;
		buffer[4] = WINC_RANDOM_BYTES;
		break;
	case WREQ_SLEEP_MODE:
		buffer[1] = 1;		/* mode 0: none; broadcasts are received */
		break;
	case WREQ_RECEIVE:		/* no time-out */
		buffer[0] = buffer[1] = buffer[2] = buffer[3] = 0xff;
	}
}

void wreq_compose(uint8_t kind)
{
	FLASH struct form *form = &forms[kind];
	struct whif_request *request = VIA(whif_request);
	uint8_t *buffer = VIA(wreq_buffer[0]);
	uint8_t session_at = form->session_at, socket_at = form->socket_at;

	memset(buffer, 0, SMALL);
	request->group = form->group;
	request->opcode = form->opcode;
	request->control_size = form->size;
	request->control = request->data = buffer_byte;
	request->data_size = request->data_offset = 0;
	compose_body(kind, request, buffer);
	if (session_at == 0)
		return;
	buffer[socket_at] = UDP_SOCKET;
	buffer[session_at] = session;
	buffer[session_at + 1] = session >> 8;
}

bool wreq_is_ours(uint16_t id)
{
	return id == session;
}

bool wreq_is_name(void)
{
	uint8_t i = 0;

	while (i < WREQ_BUFFER && wreq_buffer[i] == name_byte(i))
		if (wreq_buffer[i++] == 0)
			return true;
	return i == WREQ_BUFFER;
}
