/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A small host for tests of the WiFi module's model: it does what the
 * reference says and nothing more, so that a test can bend one thing of it.
 * A function that returns nothing fails the cmocka test when the module does not answer.
 */
#ifndef WSIM_HOST_H
#define WSIM_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "wsim.h"

struct wsim_host {
	struct wsim *wifi;
	uint64_t cycle;
	bool irq_low;
	unsigned irqs;			/* falling edges */
	bool crc;			/* commands carry a CRC */
	/* the last datagram that went out */
	uint32_t ip;
	uint16_t port, from, size;
	uint8_t data[1500];
	unsigned sent;
	/* the event that was taken last */
	uint8_t group, opcode;
	uint16_t length, payload_size;
	uint8_t payload[1600];
};

void host_open(struct wsim_host *host);		/* a module without power */
void host_close(struct wsim_host *host);
void host_wait(struct wsim_host *host, double ms);
/* Sends hex bytes "C9 00 .." ('..' is 00), then reads as many as answer has and compares ('..': any). */
void host_says(struct wsim_host *host, const char *bytes, const char *answer);
uint8_t host_byte(struct wsim_host *host, uint8_t byte);
/* A register or a block; false: no echo, state or token within 10 bytes each. */
bool host_read(struct wsim_host *host, uint32_t address, uint32_t *value);
bool host_write(struct wsim_host *host, uint32_t address, uint32_t value);
bool host_write_block(struct wsim_host *host, uint32_t address, const uint8_t *bytes, unsigned size);
/* EN and RESET_N with their times. */
void host_power(struct wsim_host *host);
/* To the firmware that runs, all as it should be; false: it does not come up in 5 s. */
bool host_boot(struct wsim_host *host);
/* A request in one or two parts; false: no buffer. */
bool host_request(struct wsim_host *host, uint8_t group, uint8_t opcode, const void *control, unsigned size);
bool host_request_data(struct wsim_host *host, uint8_t group, uint8_t opcode, const void *control, unsigned size,
    unsigned offset, const void *data, unsigned data_size);
/* Waits for the next event, takes it and is done with it; false: none within ms. */
bool host_event(struct wsim_host *host, double ms);
/* Joins "net" and takes events until the address is there. */
void host_join(struct wsim_host *host);
void host_connect_bytes(uint8_t bytes[108], const char *ssid, const char *pass);
void host_bind(struct wsim_host *host, uint8_t socket, uint16_t session, uint16_t port);
void host_receive(struct wsim_host *host, uint8_t socket, uint16_t session);
/* The text of the last rule broken; "" when there is none. */
const char *host_blame(const struct wsim_host *host);

#endif
