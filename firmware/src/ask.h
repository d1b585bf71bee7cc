/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* One question to a time server at a time: its packet, its nonce, what comes back. */
#ifndef ASK_H
#define ASK_H

#include <stdbool.h>
#include <stdint.h>

#include "ntp.h"
#include "winc.h"

void ask_init(void);
bool ask_send(uint32_t ip);	/* false: not now, the driver is busy */
void ask_sent(uint32_t tick);	/* it left at tick */
bool ask_is_sent(void);
/* A datagram came.  NTP_SHORT also for one from elsewhere. */
enum ntp_verdict ask_check(const struct winc_event *event, struct ntp_reply *reply);
bool ask_dropped(void);		/* the server sent something, but no answer to us */
void ask_end(void);		/* whatever comes now is too late */
bool ask_recently(void);	/* the last one was less than 15 s ago */
uint32_t ask_server(void);	/* address of the one asked last, 0: none yet */

#endif
