/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From power-on to the time and on for years: module, network, address, name,
 * question, pause; back-off of each; what the tubes say when it does not work.
 */
#ifndef NET_H
#define NET_H

#include <stdbool.h>
#include <stdint.h>

/* The codes that the tubes of the seconds show.  README.md lists them. */
enum code {
	CODE_NONE = 0,
	CODE_NO_CONFIG = 1, CODE_NO_MODULE = 2, CODE_NO_START = 3, CODE_REVISION = 4,
	CODE_NO_NETWORK = 10, CODE_NO_JOIN = 11, CODE_NO_AUTH = 12, CODE_NO_ADDRESS = 13, CODE_LINK_LOST = 14,
	CODE_NO_NAME = 20, CODE_NO_ANSWER = 21, CODE_NOT_SYNCHRONISED = 22, CODE_REFUSED = 23,
	CODE_REJECTED = 24, CODE_DISAGREE = 25,
	CODE_BAD_TZ = 30, CODE_WATCHDOG = 40, CODE_SELF_TEST = 50,
};

enum net_state { NET_OFF, NET_BOOT, NET_JOIN, NET_DHCP, NET_NAME, NET_BIND, NET_ASK, NET_IDLE };

void net_init(void);
void net_pass(void);		/* often; never longer than 3 ms */
void net_restart(void);		/* the configuration changed: join again */
bool net_ask_now(void);		/* console `sync`; false: asked less than 15 s ago or not connected */
uint8_t net_code(void);		/* enum code: why there is no (new) time; none while all is well */

struct net_info {		/* for `stat` */
	uint32_t ip;		/* ours */
	uint32_t server;	/* that of the server asked last */
	uint32_t next;		/* seconds to the next request */
	uint8_t state;		/* enum net_state */
};
void net_get(struct net_info *info);

#endif
