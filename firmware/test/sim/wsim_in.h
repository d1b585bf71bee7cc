/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inside the WiFi module's model: what its parts share.  wsim.c has pins, time
 * and journal, wsim_spi.c the bytes, wsim_hif.c registers and mailbox,
 * wsim_net.c requests and sockets, wsim_link.c the access point behind it.
 */
#ifndef WSIM_IN_H
#define WSIM_IN_H

#include "wsim.h"

enum {
	WSIM_MEMORY = 1 << 20,		/* addresses are masked to it */
	WSIM_TX = 0x36000,		/* where the host writes its requests */
	WSIM_RX = 0x37000,		/* where events lie */
	WSIM_BUFFER = 1600,		/* of each */
	WSIM_HEADER = 8,
	WSIM_EVENTS = 8,
	WSIM_SOCKETS = 11,
	WSIM_FIRST_UDP = 7,
	WSIM_WAITING = 4,		/* datagrams a socket keeps */
	WSIM_NAMES = 4,			/* DNS questions under way */
	WSIM_DATAGRAM = 1500,
	WSIM_ANSWER = 8192,
	WSIM_REGISTERS = 16,
};

#define WSIM_MS 16000ull		/* cycles */
#define WSIM_IDLE UINT64_MAX		/* nothing is due */
/* For what looks at the time at each byte on the bus and at no byte of it: without the sanitizers' checks. */
#define WSIM_LEAN __attribute__((no_sanitize("address", "undefined")))

enum wsim_spi_state { SPI_IDLE, SPI_ARGUMENTS, SPI_TOKEN, SPI_DATA, SPI_CRC };

struct wsim_spi {
	enum wsim_spi_state state;
	uint8_t command[9];
	uint8_t have, want;
	uint8_t answer[WSIM_ANSWER];	/* bytes from head to tail wait for the host */
	uint16_t head, tail;
	uint8_t resets;			/* bytes of a CF seen while an answer waits */
	uint8_t idle;			/* MISO while nothing waits */
	uint32_t address, left;		/* of the data that come */
	uint32_t block;			/* left of this block */
	uint8_t crc_left;
	bool first;			/* the next block is the first one */
	bool spoil;			/* the data's answer is to be wrong */
	bool muddled;			/* out of step by a fault of ours: no blame until the next CF or 0xe824 */
	uint32_t commands;		/* for bad_every */
	uint32_t control;		/* 0xe824 */
};

enum wsim_tx_state { TX_IDLE, TX_HEADED, TX_ASKED, TX_GRANTED, TX_WRITING };

struct wsim_tx {
	enum wsim_tx_state state;
	uint32_t head;
	uint32_t polls;
	uint32_t end;			/* of what was written, from the buffer's begin */
	bool written[WSIM_BUFFER];
};

struct wsim_message {
	uint8_t group, opcode;
	uint16_t size;			/* with the header */
	uint8_t bytes[WSIM_BUFFER];
};

enum wsim_rx_state { RX_FREE, RX_WAITS, RX_TAKEN };

struct wsim_rx {
	enum wsim_rx_state state;
	uint64_t free_at;		/* the next event is not placed before */
	uint32_t control;		/* 0x1070 */
	struct wsim_message queue[WSIM_EVENTS];
	unsigned queued;
	bool lied;			/* the last one's header lied: the host can not know what it was */
};

enum wsim_link_state { LINK_OFF, LINK_JOINING, LINK_UP, LINK_ADDRESS };

struct wsim_link {
	uint32_t names;			/* answered */
	enum wsim_link_state state;
	uint64_t join_at, dhcp_at, renew_at;
	uint8_t connect[108];		/* the connect request */
	bool told;			/* the host knows an address and of no loss since */
};

struct wsim_name {
	uint64_t at;			/* WSIM_IDLE: free */
	char name[64];
};

struct wsim_packet {
	uint32_t ip;
	uint16_t port, size;
	uint8_t data[WSIM_DATAGRAM];
};

struct wsim_socket {
	bool bound, receiving;
	uint16_t port, session;
	uint64_t receive_until;
	struct wsim_packet waiting[WSIM_WAITING];
	unsigned waits;
};

struct wsim {
	struct wsim_script script;
	wsim_out *out;
	wsim_irq *irq;
	void *arg;
	uint64_t cycle;
	uint32_t random;
	/* pins */
	bool enable, reset, selected, irq_low;
	bool silent_checked;		/* the first byte since a pin changed was looked at */
	bool warm_used;
	uint64_t enabled_at, started_at;
	/* boot */
	uint64_t polled_at;		/* last read of a boot register that was not ready; 0: none */
	uint32_t polled;		/* which */
	uint32_t rom_word, configuration, state_word;
	uint64_t firmware_at;
	bool firmware_up;
	uint32_t plain[WSIM_REGISTERS];	/* registers that only keep what is written */
	struct wsim_spi spi;
	struct wsim_tx tx;
	struct wsim_rx rx;
	struct wsim_link link;
	struct wsim_name name[WSIM_NAMES];
	struct wsim_socket socket[WSIM_SOCKETS];
	uint16_t last_session;
	struct wsim_entry *journal;
	uint32_t entries, room, errors;
	uint8_t memory[WSIM_MEMORY];
};

/* wsim.c */
void wsim_error(struct wsim *wifi, const char *text);	/* a rule broken, into the journal */
/* A new entry of the journal, for more to be written to; never NULL. */
struct wsim_entry *wsim_log(struct wsim *wifi, enum wsim_what what, uint8_t group, uint8_t opcode, uint16_t length);
uint32_t wsim_random(struct wsim *wifi);	/* by the script's seed */
uint64_t wsim_after(const struct wsim *wifi, uint32_t ms);	/* the cycle ms from now; WSIM_IDLE for WSIM_NEVER */

/* wsim_spi.c */
void wsim_spi_reset(struct wsim *wifi);		/* as after RESET_N: CRC on */
uint8_t wsim_spi_byte(struct wsim *wifi, uint8_t mosi);	/* MISO while mosi comes in; of a module that runs */

/* wsim_hif.c */
void wsim_hif_reset(struct wsim *wifi);		/* registers, memory, mailbox; nothing is loaded yet */
void wsim_firmware_up(struct wsim *wifi);	/* it says that it runs */
void wsim_firmware_warm(struct wsim *wifi);	/* it ran already before the host came */
/* A register is read or written, with all that follows from it. */
uint32_t wsim_register(struct wsim *wifi, uint32_t address);
void wsim_register_write(struct wsim *wifi, uint32_t address, uint32_t value);
/* Blames a block command that is not the host's right. */
void wsim_check_read(struct wsim *wifi, uint32_t address, uint32_t size);
void wsim_check_write(struct wsim *wifi, uint32_t address, uint32_t size);
void wsim_store(struct wsim *wifi, uint32_t address, uint8_t byte);	/* into a granted buffer, else nowhere */
void wsim_place(struct wsim *wifi);		/* the next event, if it may */

/* wsim_net.c */
void wsim_net_reset(struct wsim *wifi);		/* no sockets, no sessions */
/* A whole request of the host; payload is what follows the header. */
void wsim_request(struct wsim *wifi, uint8_t group, uint8_t opcode, const uint8_t *payload, uint16_t size);
bool wsim_wants_data(uint8_t group, uint8_t opcode);	/* bit 7 belongs to the opcode in 0x108c */
uint64_t wsim_net_tick(struct wsim *wifi);	/* does what is due; when something is next */
void wsim_sockets_die(struct wsim *wifi);	/* the link is gone, and the sockets with it, silently */

/* wsim_link.c */
void wsim_link_reset(struct wsim *wifi);	/* off, no questions open */
/* Requests, with their payload. */
void wsim_connect(struct wsim *wifi, const uint8_t *payload, uint16_t size);
void wsim_disconnect(struct wsim *wifi, const uint8_t *payload, uint16_t size);
void wsim_resolve(struct wsim *wifi, const uint8_t *payload, uint16_t size);
uint64_t wsim_link_tick(struct wsim *wifi);	/* does what is due; when something is next */
void wsim_link_told(struct wsim *wifi, const struct wsim_message *event);	/* the host is done with it */

/* Little-endian, as in the module, and ports in network order. */
static inline uint16_t wsim_get16(const uint8_t *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t wsim_get32(const uint8_t *p)
{
	return (uint32_t)wsim_get16(p) | (uint32_t)wsim_get16(p + 2) << 16;
}

static inline void wsim_put16(uint8_t *p, uint16_t value)
{
	p[0] = (uint8_t)value;
	p[1] = (uint8_t)(value >> 8);
}

static inline void wsim_put32(uint8_t *p, uint32_t value)
{
	wsim_put16(p, (uint16_t)value);
	wsim_put16(p + 2, (uint16_t)(value >> 16));
}

static inline uint16_t wsim_net16(const uint8_t *p)
{
	return (uint16_t)(p[0] << 8 | p[1]);
}

#endif
