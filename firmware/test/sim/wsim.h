/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Model of a WINC1500 on its SPI pins, with an access point, DHCP and DNS
 * behind it.  Everything it does wrong is in struct wsim_script; everything
 * that was asked of it is in its journal.
 *
 * Time is the processor's cycles; datagrams go out through a function and come
 * in by wsim_datagram, so that either a scripted server or real sockets
 * (udp.c) can be behind it.
 */
#ifndef WSIM_H
#define WSIM_H

#include <stdbool.h>
#include <stdint.h>

enum { WSIM_NEVER = 0x7fffffff };	/* for all times in ms */
enum { WSIM_HOSTS = 4 };

struct wsim_script {
	/* SPI */
	bool dead;			/* MISO is dead_byte whatever comes */
	uint8_t dead_byte;
	uint8_t filler_max;		/* bytes of filler before echo, state and token: 0 to this, by seed */
	uint8_t filler_fixed;		/* with filler_max 0: exactly so many */
	uint32_t seed;
	uint32_t bad_every;		/* every n-th command is not answered right (wrong echo, state or C3); 0 never */
	bool early_c3;			/* C3 comes one byte early, while the last data byte goes out */
	bool warm;			/* at power-on the module runs already, CRC off (host-only reset) */
	/* boot */
	uint32_t chip;			/* 0x1000: 0x1002b0 */
	uint32_t rf;			/* 0x13f4: 4 */
	uint32_t efuse_ms, rom_ms, firmware_ms;
	bool bit7;			/* 0x14a0 reads back with bit 7 */
	bool host_wait;			/* 0x207bc bit 0 */
	uint8_t version[3];		/* 19.5.2: below 19.5 DHCP results are of 16 bytes */
	/* mailbox */
	uint32_t grant_polls;		/* of 0x1078 before a buffer is granted; WSIM_NEVER */
	bool grant_zero;		/* buffer address 0 */
	uint16_t data_offset;		/* of receive answers: 16, 20, 60 */
	bool lying_header;		/* the next event's header length is not the register's */
	bool hung;			/* the module's firmware does nothing more until RESET_N or EN; SPI continues */
	bool drop_in_send;		/* the link drops when the host next asks for a buffer */
	/* network */
	char ssid[33], pass[65];	/* of the access point; ssid empty: none in reach */
	uint32_t join_ms;
	uint8_t join_error;		/* 1 to 5: always this; 0: by ssid (1) and pass (3) */
	uint32_t dhcp_ms;
	bool dhcp_fails;		/* opcode 61, then the link drops */
	uint32_t lease;			/* s; 0x32 is sent again at half of it */
	uint32_t dns_ms;		/* WSIM_NEVER: no answer at all */
	bool dns_fails;			/* address 0 */
	struct { char name[64]; uint32_t ip; } host[WSIM_HOSTS];	/* of equal names another one at each question */
	uint32_t our_ip;
	int8_t bind_status;
	bool wrong_session;		/* of the next receive answer */
	bool big_status;		/* the next receive answer claims 3000 bytes */
};

enum wsim_what {
	WSIM_REQUEST,			/* of the host: group, opcode (without bit 7), length */
	WSIM_EVENT,			/* to the host, when placed */
	WSIM_DONE,			/* the host is done with the event */
	WSIM_PIN,			/* opcode 0 EN, 1 RESET_N; length: level */
	WSIM_ERROR,			/* a rule broken by the host: described in text */
};

struct wsim_entry {
	uint64_t cycle;
	enum wsim_what what;
	uint8_t group, opcode;
	uint16_t length;
	uint8_t bytes[112];		/* payload after the header, or its beginning */
	const char *text;
};

typedef void wsim_out(void *arg, uint32_t ip, uint16_t port, uint16_t from, const uint8_t *data, uint16_t size);
typedef void wsim_irq(void *arg, bool low);

struct wsim;
/* The script is read at every step: change it at any time. */
struct wsim *wsim_new(wsim_out *out, wsim_irq *irq, void *arg);
void wsim_free(struct wsim *wifi);
struct wsim_script *wsim_script(struct wsim *wifi);
void wsim_defaults(struct wsim_script *script);

void wsim_enable(struct wsim *wifi, bool high, uint64_t cycle);
void wsim_reset(struct wsim *wifi, bool high, uint64_t cycle);
void wsim_select(struct wsim *wifi, bool low, uint64_t cycle);
uint8_t wsim_byte(struct wsim *wifi, uint8_t mosi, uint64_t cycle);
/* Does what is due by cycle; returns the cycle of what is due next (UINT64_MAX: nothing). */
uint64_t wsim_tick(struct wsim *wifi, uint64_t cycle);
void wsim_power_off(struct wsim *wifi);

/* A datagram for the socket that is bound to port; false: nobody listens or four wait already. */
bool wsim_datagram(struct wsim *wifi, uint32_t ip, uint16_t from, uint16_t port, const uint8_t *data, uint16_t size,
    uint64_t cycle);
/* By hand: the link drops (opcode 44), any event, DHCP again. */
void wsim_drop(struct wsim *wifi);
void wsim_renew(struct wsim *wifi);
/* Its supply dips: it starts again by itself, CRC on, firmware not running. */
void wsim_brown_out(struct wsim *wifi);
void wsim_event(struct wsim *wifi, uint8_t group, uint8_t opcode, const uint8_t *payload, uint16_t size);
bool wsim_joined(const struct wsim *wifi);

const struct wsim_entry *wsim_journal(const struct wsim *wifi, uint32_t *count);
/* How many of them since cycle. */
uint32_t wsim_count(const struct wsim *wifi, enum wsim_what what, uint8_t group, uint8_t opcode, uint64_t since);
uint32_t wsim_errors(const struct wsim *wifi);	/* rules broken by the host */

#endif
