/*
 * The answers of one round: who agrees with whom.  Each answer is an interval in
 * which its server says that the true time lies; a majority whose intervals
 * overlap is believed (as RFC 5905, 11.2.1 selects), nobody otherwise.
 */
#ifndef VOTE_H
#define VOTE_H

#include "ntp.h"

enum { VOTES = 4 };

struct vote {
	struct ntp_reply reply;
	uint32_t tick;		/* when it came */
	uint16_t source;	/* identifies its server */
};

void vote_clear(void);
void vote_add(const struct ntp_reply *reply, uint32_t tick, uint16_t source);	/* one more than VOTES: dropped */
uint8_t vote_count(void);
/* The answer of the majority that has the least error, and how many are of one mind with it; NULL: no majority. */
const struct vote *vote_best(uint8_t *agree);
/* So much it may be wrong by, 1/65536 s: half of its way, and what its server says of itself. */
uint32_t vote_error(const struct ntp_reply *reply);

#endif
