/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The WiFi module's model: the host's requests, and its UDP sockets. */
#include <string.h>

#include "wsim_in.h"

enum { CONTROL = 16, DATA_AT = 68, ANSWER = 16, PSK_BYTES = 108, ANY = 0xffff };
enum { ADDRESS_IN_USE = -2, INVALID = -9, TIMED_OUT = -13 };

void wsim_net_reset(struct wsim *wifi)
{
	wsim_sockets_die(wifi);
	wifi->last_session = 0;
}

void wsim_sockets_die(struct wsim *wifi)
{
	for (unsigned i = 0; i < WSIM_SOCKETS; i++) {
		struct wsim_socket *socket = &wifi->socket[i];

		socket->bound = socket->receiving = false;
		socket->waits = 0;
		socket->receive_until = WSIM_IDLE;
	}
}

/* The UDP socket of a request; NULL: there can be none of that number and session. */
static struct wsim_socket *check_socket(struct wsim *wifi, unsigned number, uint16_t session)
{
	if (!wifi->link.told)
		wsim_error(wifi, "socket used without an address of our own");
	if (number < WSIM_FIRST_UDP || number >= WSIM_SOCKETS) {
		wsim_error(wifi, "no UDP socket has this number");
		return NULL;
	}
	if (!session) {
		wsim_error(wifi, "session 0");
		return NULL;
	}
	return &wifi->socket[number];
}

/* The same, and it must be open; whether the host could know that it is not decides about the blame. */
static struct wsim_socket *open_socket(struct wsim *wifi, unsigned number, uint16_t session)
{
	struct wsim_socket *socket = check_socket(wifi, number, session);

	if (!socket)
		return NULL;
	if (wifi->link.state != LINK_ADDRESS)
		return NULL;
	if (!socket->bound) {
		wsim_error(wifi, "socket used that is not bound");
		return NULL;
	}
	if (socket->session != session) {
		wsim_error(wifi, "session is not the socket's");
		return NULL;
	}
	return socket;
}

static bool port_taken(const struct wsim *wifi, uint16_t port)
{
	for (unsigned i = 0; i < WSIM_SOCKETS; i++)
		if (wifi->socket[i].bound && wifi->socket[i].port == port)
			return true;
	return false;
}

static int8_t bind_status(struct wsim *wifi, struct wsim_socket *socket, uint16_t port)
{
	if (wifi->script.bind_status)
		return wifi->script.bind_status;
	if (wifi->link.state != LINK_ADDRESS)
		return INVALID;
	if (socket->bound)
		wsim_error(wifi, "bind: the socket is bound already");
	return socket->bound || port_taken(wifi, port) ? ADDRESS_IN_USE : 0;
}

static void bind_socket(struct wsim *wifi, const uint8_t *c, uint16_t size)
{
	(void)size;
	uint16_t session = wsim_get16(c + 10);
	struct wsim_socket *socket = check_socket(wifi, c[8], session);

	if (!socket)
		return;
	if (wsim_get16(c) != 2)
		wsim_error(wifi, "bind: family is not 2");
	if (!wsim_net16(c + 2))
		wsim_error(wifi, "bind: port 0");
	if (wsim_get32(c + 4) || c[9])
		wsim_error(wifi, "bind: address or reserved byte is not 0");
	if ((int16_t)(session - wifi->last_session) <= 0 && wifi->last_session)
		wsim_error(wifi, "bind: session was not increased");
	wifi->last_session = session;
	int8_t status = bind_status(wifi, socket, wsim_net16(c + 2));
	uint8_t answer[4] = { c[8], (uint8_t)status };
	wsim_put16(answer + 2, session);
	if (!status)
		*socket = (struct wsim_socket){
			.bound = true, .port = wsim_net16(c + 2), .session = session, .receive_until = WSIM_IDLE,
		};
	wsim_event(wifi, 2, 0x41, answer, sizeof answer);
}

static void check_send(struct wsim *wifi, const uint8_t *c, uint16_t size)
{
	if (wsim_get16(c + 2) != size - DATA_AT)
		wsim_error(wifi, "send: data size does not fit the length");
	if (wsim_get16(c + 4) != 2)
		wsim_error(wifi, "send: family is not 2");
	if (!wsim_net16(c + 6) || !wsim_get32(c + 8))
		wsim_error(wifi, "send: no port or no address");
	if (c[1] || wsim_get16(c + 14))
		wsim_error(wifi, "send: reserved bytes are not 0");
}

static void send_to(struct wsim *wifi, const uint8_t *c, uint16_t size)
{
	if (size <= DATA_AT) {
		wsim_error(wifi, "send: no data at offset 68");
		return;
	}
	check_send(wifi, c, size);
	struct wsim_socket *socket = open_socket(wifi, c[0], wsim_get16(c + 12));
	uint16_t count = (uint16_t)(size - DATA_AT);
	uint8_t answer[8] = { c[0] };
	wsim_put16(answer + 2, socket ? count : (uint16_t)INVALID);
	memcpy(answer + 4, c + 12, 2);
	if (socket && wifi->out)
		wifi->out(wifi->arg, wsim_get32(c + 8), wsim_net16(c + 6), socket->port, c + DATA_AT, count);
	wsim_event(wifi, 2, 0x47, answer, sizeof answer);
}

/* Answer to a receive request: status and what comes with it. */
static void received(struct wsim *wifi, unsigned number, uint16_t session, int16_t status,
    const struct wsim_packet *packet)
{
	uint16_t offset = wifi->script.data_offset;
	uint16_t at = offset < ANSWER || offset > 80 ? ANSWER : offset, size = packet ? packet->size : 0;
	uint8_t payload[80 + WSIM_DATAGRAM] = { 2 };

	if (packet) {
		payload[2] = (uint8_t)(packet->port >> 8);
		payload[3] = (uint8_t)packet->port;
		wsim_put32(payload + 4, packet->ip);
		memcpy(payload + at, packet->data, size);
	}
	wsim_put16(payload + 8, (uint16_t)status);
	wsim_put16(payload + 10, offset);
	payload[12] = (uint8_t)number;
	wsim_put16(payload + 14, session);
	wsim_event(wifi, 2, 0x48, payload, (uint16_t)(at + size));
}

/* One receive request takes one datagram. */
static void deliver(struct wsim *wifi, unsigned number)
{
	struct wsim_socket *socket = &wifi->socket[number];
	struct wsim_script *script = &wifi->script;

	while (socket->bound && socket->receiving && socket->waits) {
		struct wsim_packet *packet = &socket->waiting[0];
		bool stale = script->wrong_session, big = script->big_status && !stale;

		script->wrong_session = false;
		if (big)
			script->big_status = false;
		socket->receiving = stale;	/* a stale answer is of an older request: this one stays open */
		received(wifi, number, stale ? socket->session ^ 0x5555 : socket->session,
		    big ? 3000 : (int16_t)packet->size, packet);
		socket->waits--;
		memmove(packet, packet + 1, socket->waits * sizeof *packet);
	}
}

static void receive_from(struct wsim *wifi, const uint8_t *c, uint16_t size)
{
	(void)size;
	uint32_t ms = wsim_get32(c);
	struct wsim_socket *socket = open_socket(wifi, c[4], wsim_get16(c + 6));

	if (c[5])
		wsim_error(wifi, "receive: reserved byte is not 0");
	if (!socket) {
		received(wifi, c[4], wsim_get16(c + 6), INVALID, NULL);
		return;
	}
	if (socket->receiving && !wifi->rx.lied)
		wsim_error(wifi, "receive asked for while one is open");
	socket->receiving = true;
	socket->receive_until = ms == 0xffffffff ? WSIM_IDLE : wifi->cycle + ms * WSIM_MS;
	deliver(wifi, c[4]);
}

static void close_socket(struct wsim *wifi, const uint8_t *c, uint16_t size)
{
	(void)size;
	uint16_t session = wsim_get16(c + 2);

	if (c[1])
		wsim_error(wifi, "close: reserved byte is not 0");
	bool refused = c[0] < WSIM_SOCKETS && !wifi->socket[c[0]].bound && session == wifi->last_session;
	if (refused)
		return;		/* the bind had failed */
	struct wsim_socket *socket = open_socket(wifi, c[0], session);
	if (!socket)
		return;
	*socket = (struct wsim_socket){ .receive_until = WSIM_IDLE };
}

static void rssi(struct wsim *wifi, const uint8_t *c, uint16_t size)
{
	(void)c;
	(void)size;
	const uint8_t answer[4] = { (uint8_t)-55 };

	wsim_event(wifi, 1, 0x04, answer, sizeof answer);
}

static void random_bytes(struct wsim *wifi, const uint8_t *c, uint16_t size)
{
	uint8_t answer[8 + 1024];
	uint16_t count = wsim_get16(c + 4);

	if (!count || count > 1024 || wsim_get16(c + 6)) {
		wsim_error(wifi, "random bytes: bad count or reserved bytes not 0");
		return;
	}
	memcpy(answer, c, size);
	for (unsigned i = 0; i < count; i++)
		answer[8 + i] = (uint8_t)(wsim_random(wifi) >> 11);
	wsim_event(wifi, 1, 0x20, answer, (uint16_t)(8 + count));
}

static void sleep_mode(struct wsim *wifi, const uint8_t *c, uint16_t size)
{
	(void)size;
	if (c[0] > 4 || c[1] > 1 || c[2] || c[3])
		wsim_error(wifi, "sleep mode: no such mode or reserved bytes not 0");
	if (c[0])
		wsim_error(wifi, "sleep mode other than none: the host does not wake the module");
}

static void nothing(struct wsim *wifi, const uint8_t *c, uint16_t size)
{
	(void)wifi;
	(void)c;
	(void)size;
}

static const struct request {
	uint8_t group, opcode;
	bool data;			/* opcode bit 7 in 0x108c */
	uint16_t size;			/* of the payload; ANY: act looks itself */
	void (*act)(struct wsim *wifi, const uint8_t *payload, uint16_t size);
} requests[] = {
	{ 1, 0x03, false, 0, rssi },
	{ 1, 0x07, false, 48, nothing },
	{ 1, 0x0c, false, 0, nothing },
	{ 1, 0x0d, false, 0, nothing },
	{ 1, 0x17, false, 4, nothing },
	{ 1, 0x19, false, 4, nothing },
	{ 1, 0x1f, true, 8, random_bytes },
	{ 1, 0x28, false, PSK_BYTES, wsim_connect },
	{ 1, 0x2b, false, 0, wsim_disconnect },
	{ 1, 0x2d, false, 4, sleep_mode },
	{ 2, 0x41, false, 12, bind_socket },
	{ 2, 0x47, true, ANY, send_to },
	{ 2, 0x48, false, 8, receive_from },
	{ 2, 0x49, false, 4, close_socket },
	{ 2, 0x4a, false, ANY, wsim_resolve },
};

static const struct request *find(uint8_t group, uint8_t opcode)
{
	for (unsigned i = 0; i < sizeof requests / sizeof *requests; i++)
		if (requests[i].group == group && requests[i].opcode == opcode)
			return &requests[i];
	return NULL;
}

bool wsim_wants_data(uint8_t group, uint8_t opcode)
{
	const struct request *request = find(group, opcode);

	return request && request->data;
}

void wsim_request(struct wsim *wifi, uint8_t group, uint8_t opcode, const uint8_t *payload, uint16_t size)
{
	const struct request *request = find(group, opcode);

	if (!request)
		wsim_error(wifi, "a request the clock has no need of, or none at all");
	else if (request->size != ANY && request->size != size)
		wsim_error(wifi, "request of the wrong length");
	else
		request->act(wifi, payload, size);
}

bool wsim_datagram(struct wsim *wifi, uint32_t ip, uint16_t from, uint16_t port, const uint8_t *data, uint16_t size,
    uint64_t cycle)
{
	wsim_tick(wifi, cycle);
	for (unsigned i = WSIM_FIRST_UDP; i < WSIM_SOCKETS; i++) {
		struct wsim_socket *socket = &wifi->socket[i];

		if (!socket->bound || socket->port != port)
			continue;
		if (socket->waits == WSIM_WAITING || size > WSIM_DATAGRAM)
			return false;
		struct wsim_packet *packet = &socket->waiting[socket->waits++];
		packet->ip = ip;
		packet->port = from;
		packet->size = size;
		memcpy(packet->data, data, size);
		deliver(wifi, i);
		return true;
	}
	return false;
}

WSIM_LEAN uint64_t wsim_net_tick(struct wsim *wifi)
{
	uint64_t due = WSIM_IDLE;

	for (unsigned i = WSIM_FIRST_UDP; i < WSIM_SOCKETS; i++) {
		struct wsim_socket *socket = &wifi->socket[i];

		if (!socket->receiving)
			continue;
		if (wifi->cycle >= socket->receive_until) {
			socket->receiving = false;
			received(wifi, i, socket->session, TIMED_OUT, NULL);
		} else if (socket->receive_until < due) {
			due = socket->receive_until;
		}
	}
	return due;
}
