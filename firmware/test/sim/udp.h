/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Real UDP on the loopback interface behind the WiFi module's model: what the
 * firmware sends to an address of the simulated network goes to a port of
 * 127.0.0.1, what comes back goes to the socket that asked.
 */
#ifndef UDP_H
#define UDP_H

#include <stdbool.h>
#include <stdint.h>

#include "wsim.h"

struct udp;

struct udp *udp_new(void);
void udp_free(struct udp *udp);
/* ip:port of the simulated network stands for 127.0.0.1:real; at most eight of them.  false: no socket. */
bool udp_map(struct udp *udp, uint32_t ip, uint16_t port, uint16_t real);
/* Sends for the simulated socket bound to from; false: nothing stands for ip:port, or it could not be sent. */
bool udp_send(struct udp *udp, uint32_t ip, uint16_t port, uint16_t from, const uint8_t *data, uint16_t size);
/* Hands what has come in to the module at cycle; how many datagrams that were. */
unsigned udp_poll(struct udp *udp, struct wsim *wifi, uint64_t cycle);
/* From now on the time stamps of NTP replies are moved by that many seconds: a server of another day. */
void udp_shift(struct udp *udp, double seconds);
/* Requests sent and not answered yet. */
unsigned udp_open(const struct udp *udp);

#endif
