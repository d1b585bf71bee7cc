/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The time servers: names of conf.server, addresses found for them, and what each
 * address said to being asked.  A round asks up to four addresses, of four names
 * or several of one; a machine is known by its address, not by its name.
 */
#ifndef SERVERS_H
#define SERVERS_H

#include <stdbool.h>
#include <stdint.h>

void servers_init(void);	/* forgets all that was learned of them */
bool servers_listed(void);	/* conf.server has one at all */

void servers_begin(void);	/* a round: to the first */
bool servers_next(void);	/* false: that was the last of the round */
bool servers_first(void);	/* of its name in this round */

uint32_t servers_dotted(void);	/* the address when the list has that; 0: it is a name */
char servers_name(uint8_t i);	/* the name, a winc_text */
/* Takes the address that the name resolved to; 0: none, then the last address of the name is used. */
enum servers_found {
	SERVERS_ASK, SERVERS_NONE,
	SERVERS_AGAIN,		/* it was asked in this round */
	SERVERS_HELD,		/* it does not want to be asked now */
} servers_found(uint32_t ip);
uint32_t servers_ip(void);	/* that address */

void servers_refused(void);	/* it sent DENY: not asked for 24 h */
void servers_slower(uint16_t seconds);	/* it sent RATE to being asked after so many: held for twice as long, at most 18 h */
void servers_good(void);	/* it gave time: held half as long as last time, in the end not at all */

#endif
