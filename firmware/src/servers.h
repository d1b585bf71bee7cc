/* The one or two time servers of conf.server: which to ask, its name or address, how it wants to be treated. */
#ifndef SERVERS_H
#define SERVERS_H

#include <stdbool.h>
#include <stdint.h>

void servers_init(void);	/* forgets all that was learned of them */
uint8_t servers_now(void);	/* 0 or 1: the one to ask */
uint8_t servers_usable(void);	/* how many may be asked now */
/* To the other server if the one to ask must not be asked; false: none may be asked. */
bool servers_choose(void);
bool servers_other(void);	/* to the other server; false: there is none to be asked */
bool servers_listed(void);	/* conf.server has one at all */

uint32_t servers_dotted(void);	/* the address when the list has that; 0: it is a name */
char servers_name(uint8_t i);	/* the name, a winc_text */
void servers_found(uint32_t ip);
uint32_t servers_ip(void);	/* last good address, 0: none yet */

void servers_refuse(void);	/* it sent DENY: out for 24 h */
void servers_slow(void);	/* it sent RATE: its interval doubles */
uint32_t servers_interval(uint32_t seconds);	/* what it allows instead, at most 36 h */

#endif
