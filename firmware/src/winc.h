/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Driver of the WINC1500: module boot, WLAN, DHCP, DNS, UDP, all by polling.
 * winc_poll does one step of at most 2 ms and never waits; what happened comes
 * out of it as an event.  At most one request is under way; a second one
 * before its event is refused (false).  Each request ends in its event: when
 * the module says nothing the driver gives it, with code WINC_TIME_OUT, no
 * address or WINC_LEFT.  WINC_LEFT and WINC_DEAD end every request.
 *
 * Layers: wspi.c (SPI commands), wboot.c (start), whif.c (mailbox), wreq.c and
 * wevent.c (messages to and from the module), winc.c (what comes when).
 */
#ifndef WINC_H
#define WINC_H

#include <stdbool.h>
#include <stdint.h>

enum winc_kind {
	WINC_NONE,
	WINC_UP,		/* booted, power save and the module's own SNTP are off */
	WINC_DEAD,		/* code: enum winc_fault.  Only winc_start helps */
	WINC_JOINED,
	WINC_LEFT,		/* code: enum winc_left */
	WINC_ADDRESS,		/* ip: ours */
	WINC_NO_ADDRESS,	/* DHCP failed */
	WINC_NAME,		/* ip: 0 when it does not resolve */
	WINC_BOUND,		/* code: 0 or the module's error */
	WINC_SENT,		/* code: 0 or the module's error; tick: when the module took it */
	WINC_DATA,		/* a datagram: ip, port, length, tick; the first bytes in data */
	WINC_RANDOM,		/* data: WINC_RANDOM_BYTES, with code 0 */
};

enum { WINC_TIME_OUT = -13 };	/* as a code: the module's own, and ours when it says nothing */

enum winc_left {
	WINC_LINK_LOST,
	/* to join failed: as the module numbers it, any other number is like WINC_NO_JOIN */
	WINC_NO_NETWORK, WINC_NO_JOIN, WINC_NO_AUTH,
};

enum { WINC_DATA_BYTES = 48, WINC_RANDOM_BYTES = 8 };

enum winc_fault {
	WINC_NO_ANSWER,		/* nothing speaks SPI there */
	WINC_NO_BOOT,		/* boot ROM or firmware do not start */
	WINC_UNKNOWN,		/* a chip revision we do not know */
	WINC_BUS,		/* SPI errors beyond repair */
	WINC_NO_BUFFER,		/* the mailbox grants none */
};

struct winc_event {
	uint32_t ip;		/* first byte of the address in the low byte, in network order */
	uint32_t tick;		/* DATA: of the interrupt; SENT: just before the module got it */
	uint16_t port;
	uint16_t length;	/* of the whole datagram */
	uint8_t kind;		/* enum winc_kind */
	int8_t code;
	const uint8_t *data;	/* DATA: min(length, WINC_DATA_BYTES) bytes, until the next winc_poll */
};

/* How deep the repair goes: mailbox only, RESET_N, EN off for a second. */
enum winc_depth { WINC_SOFT, WINC_RESET, WINC_POWER };
void winc_start(enum winc_depth depth);
void winc_stop(void);		/* EN off; also how the driver begins */
void winc_poll(struct winc_event *event);

/* Text is read through functions, so that it may be in EEPROM: byte i, 0 from its end on. */
typedef char winc_text(uint8_t i);

bool winc_join(winc_text *ssid, winc_text *pass, uint8_t security);
bool winc_leave(void);
bool winc_resolve(winc_text *name);
bool winc_open(uint16_t port);	/* the one UDP socket: closes the old one, binds, posts receives until closed */
/* size: 2 or more; data stays the module's until WINC_SENT. */
bool winc_send(uint32_t ip, uint16_t port, const uint8_t *data, uint8_t size);
bool winc_random(void);

/* For `stat`: firmware version as major<<8 | minor<<4 | patch, SPI errors since start. */
uint16_t winc_version(void);
uint16_t winc_errors(void);

enum { WINC_OPEN = 1, WINC_WPA = 2 };	/* security */

#endif
