/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The WINC1500's mailbox: a request goes into a buffer which the module
 * grants, a message of the module is fetched from where it says and released.
 */
#include "whif.h"

#include <stddef.h>
#include <string.h>

#include "hal.h"

enum {
	RX_CTRL = 0x1070,	/* state of the message for us */
	RX_WAITING = 1 << 0,
	RX_DONE = 1 << 1,	/* written by us: its buffer is free again */
	RX_SIZE = 0x3ffc,	/* its bytes: 12 bits */
	RX_SIZE_SHIFT = 2,
	RX_ADDR = 0x1084,
	TX_HEAD = 0x108c,	/* group, opcode << 8, length << 16; at boot another thing, see wboot.c */
	TX_REQ = 0x1078,
	TX_WANTED = 1 << 1,	/* the module clears it when there is a buffer */
	TX_DONE = 0x106c,	/* address << 2 and this bit: the request is in the buffer */
	TX_HANDED_OVER = 1 << 1,
	HEADER = 8,		/* bytes; 4 of them mean something */
	SIZE_SLACK = 4,		/* the header's length may be so much less than the register's */
};
#define TX_DATA 0x8000U		/* in TX_HEAD, not in the header of the message: there is a data part */
#define TX_ADDR 0x150400UL	/* of the buffer, 0: none */

enum whif_stage {
	SEND_HEAD, SEND_REQ, SEND_GRANT, SEND_HEADER, SEND_CONTROL, SEND_DATA, SEND_DONE,
	AT_REST,
	FETCH_ACCEPT, FETCH_HEADER, FETCH_READ, FETCH_RELEASE, FETCH_RELEASE_AGAIN,
};

struct whif_request whif_request;
_Static_assert(offsetof(struct whif_request, size) == 2 && offsetof(struct whif_message, size) == 2,
    "the header's layout");
struct whif_message whif_message;
static uint16_t rx_control;		/* RX_SIZE of the message, with its header, as the register says */
static uint8_t whif_stage;
static uint32_t whif_address;		/* of the buffer or the message in the module */
static uint32_t rx_tick;		/* IRQN's edge of the message before */

void whif_init(bool left)
{
	whif_stage = left ? FETCH_RELEASE_AGAIN : AT_REST;
	rx_tick = hal_wifi_asked();
}

void whif_send(void)
{
	uint16_t size = whif_request.control_size;

	whif_stage = SEND_HEAD;
	if (whif_request.data_size > 0)
		size = whif_request.data_offset + whif_request.data_size;
	whif_request.size = HEADER + size;
}

bool whif_read(uint16_t at, uint8_t *to, uint8_t size)
{
	return wspi_read_block(whif_address + HEADER + at, to, size);
}

/* Without a new edge of IRQN the message was found by asking, just now. */
uint32_t whif_asked(void)
{
	uint32_t tick = hal_wifi_asked();

	return tick == rx_tick ? hal_ticks() : tick;
}

void whif_release(void)
{
	whif_stage = FETCH_RELEASE;
}

static uint8_t header_byte(uint8_t i)
{
	return i < 4 ? ((const uint8_t *)&whif_request)[i] : 0;
}

static bool send_head(void)
{
	uint32_t head;

	memcpy(&head, &whif_request, sizeof head);
	if (whif_request.data_size > 0)
		head |= TX_DATA;
	return wspi_write(TX_HEAD, head);
}

static bool get_address(uint32_t from)
{
	if (!wspi_read(from))
		return false;
	whif_address = wspi_value;
	return true;
}

static uint8_t send_grant(void)
{
	if (!wspi_read(TX_REQ))
		return WHIF_BUS_ERROR;
	if ((uint8_t)wspi_value & TX_WANTED)
		return WHIF_NOT_YET;
	if (!get_address(TX_ADDR))
		return WHIF_BUS_ERROR;
	whif_stage = SEND_HEADER;
	if (whif_address != 0)
		return WHIF_MORE;
	whif_stage = SEND_HEAD;
	return WHIF_NOT_YET;
}

static bool send_part(uint8_t at, wspi_bytes *bytes, uint8_t size)
{
	return size == 0 || wspi_write_block(whif_address + at, bytes, size);
}

static bool send_stage(void)
{
	switch (whif_stage) {
	case SEND_HEAD:
		return send_head();
	case SEND_REQ:
		return wspi_write(TX_REQ, TX_WANTED);
	case SEND_HEADER:
		return send_part(0, header_byte, HEADER);
	case SEND_CONTROL:
		return send_part(HEADER, whif_request.control, whif_request.control_size);
	case SEND_DATA:
		return send_part(HEADER + whif_request.data_offset, whif_request.data, whif_request.data_size);
	default:
		return wspi_write(TX_DONE, whif_address << 2 | TX_HANDED_OVER);
	}
}

uint8_t whif_send_step(void)
{
	if (whif_stage == SEND_GRANT)
		return send_grant();
	if (!send_stage())
		return WHIF_BUS_ERROR;
	return whif_stage++ == SEND_DONE ? WHIF_FINISHED : WHIF_MORE;
}

static bool write_control(uint16_t value)
{
	return wspi_write(RX_CTRL, value);
}

static uint8_t look(void)
{
	if (!((uint8_t)wspi_value & RX_WAITING))
		return WHIF_NOTHING;
	rx_control = (uint16_t)wspi_value & RX_SIZE;
	whif_stage = FETCH_ACCEPT;
	return WHIF_MORE;
}

/* Clears RX_WAITING; then IRQN goes high. */
static uint8_t accept(void)
{
	if (!write_control(rx_control))
		return WHIF_BUS_ERROR;
	whif_stage = FETCH_HEADER;
	return WHIF_MORE;
}

static uint8_t fetch_header(void)
{
	uint16_t size, most = rx_control >> RX_SIZE_SHIFT;

	if (!get_address(RX_ADDR) || !wspi_read_block(whif_address, (uint8_t *)&whif_message, 4))
		return WHIF_BUS_ERROR;
	whif_stage = FETCH_READ;
	size = whif_message.size;
	whif_message.size -= HEADER;
	if (size < HEADER || size > most || most - size > SIZE_SLACK)
		whif_message.group = WHIF_UNREADABLE;
	return WHIF_MESSAGE;
}

/* Fetched by us or by a host before us, and nobody said yet that it is done with it. */
static bool unreleased(void)
{
	return !((uint8_t)wspi_value & (RX_WAITING | RX_DONE)) && (uint16_t)wspi_value & RX_SIZE;
}

/*
 * When the module's answer to our first try got lost, it may have put the next
 * message there meanwhile: that one must not be released unread.
 */
static uint8_t release(void)
{
	bool first = whif_stage == FETCH_RELEASE;

	if (first)
		rx_tick = hal_wifi_asked();
	whif_stage = FETCH_RELEASE_AGAIN;
	if ((first || unreleased()) && !write_control(wspi_value | RX_DONE))
		return WHIF_BUS_ERROR;
	whif_stage = AT_REST;
	return WHIF_FINISHED;
}

uint8_t whif_receive_step(void)
{
	switch (whif_stage) {
	case FETCH_ACCEPT:
		return accept();
	case FETCH_HEADER:
		return fetch_header();
	case FETCH_READ:
		return WHIF_MESSAGE;
	}
	if (!wspi_read(RX_CTRL))
		return WHIF_BUS_ERROR;
	return whif_stage < FETCH_ACCEPT ? look() : release();
}
