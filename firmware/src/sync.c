/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Applies good replies to the clock, and tracks the age and the quality of the time. */
#include "sync.h"

#include <string.h>

#include "civil.h"
#include "clk.h"
#include "conf.h"
#include "hal.h"
#include "rnd.h"
#include "vote.h"

#define DAY 86400UL
#define WEEK (7 * DAY)

/* 1/65536 s */
#define SECOND 65536L
#define MS(n) ((n) * SECOND / 1000)
#define STEP_FROM MS(125)		/* less is slewed */
#define DEAD_BAND 66			/* 1 ms */
#define ALIKE ((uint32_t)6554)		/* 100 ms: two samples agree; 32 bits, as what it is added to may wrap */
#define FAR (1000 * SECOND)		/* more than a spike or a small accident: two servers or time must confirm it */
#define SLEW_BACK (3 * SECOND)		/* a shown time does not go back by less */
#define RESUME_ERROR (2 * SECOND)	/* what a reset costs */
#define RESUME_MOST 5000		/* ms; when seconds had stopped before the watchdog bit */
#define FIRST_DISTANCE (3 * SECOND - 1)
#define DELAY_CAP 16384U		/* 250 ms */
#define DELAY_FLOOR 2621U		/* 40 ms */
#define MUCH_AGE (4 * DAY)		/* the arithmetic holds for so long */

/* 0.1 ppm: how fast the error may grow */
#define CRYSTAL (CRYSTAL_PPM * 10)	/* of a crystal that was not measured */
#define CORRECTED 150			/* of one that was, by warmth and age; what the measuring left open comes on top */
#define DRIFT_MOST 4000000000UL		/* 0.1 us */

enum {
	WAIT_AGAIN = 16, WAIT_FAR = 160, WAIT_FIRST = 64, WAIT_SECOND = 512, WAIT_LONG = 3600,
	RATE_SPAN = 512,		/* seconds between two samples that measure the crystal */
	MUCH = 32,			/* 1/65536 s a second: no crystal is off by more than these 488 ppm */
	FAR_SAMPLES = 3,
	FAR_SPAN = 300,			/* seconds */
};

enum { TRUST_NONE, TRUST_RESUMED, TRUST_SYNCED };

static struct sync {
	struct sync_info info;		/* as reported; bound only then */
	/* the answer that is dealt with */
	struct majority said;
	uint16_t delay;
	/* the last accepted one */
	uint32_t reach;			/* so much the clock may have been wrong by, 1/65536 s */
	uint16_t took;			/* its delay, 1/65536 s */
	int16_t left;			/* offset that was not slewed */
	uint16_t source;		/* server */
	/* and since then */
	uint32_t drift;			/* what the crystal may have added, 0.1 us */
	uint16_t growth;		/* in a second */
	uint32_t paired;		/* seconds since two servers agreed, UINT32_MAX: never */
	/* a jump that wants to be confirmed */
	int32_t jump_off;		/* of the first sample that asks for a jump */
	uint32_t jump_utc;		/* its time */
	uint16_t jump_age;		/* seconds since then */
	uint8_t jump_count;		/* samples that agreed, 0: nothing pending */
	/* policy */
	uint16_t best;			/* usual delay of the network, 1/65536 s */
	uint16_t allowed;		/* delay, 1/65536 s */
	uint16_t wait;			/* seconds to the next request */
	uint8_t good;			/* accepted replies since the last set or step */
	uint8_t trust;
	bool learned;			/* the rate was measured since start */
	bool quarrel;			/* the servers of the last round sent different times */
} sync_now;

void sync_init(bool resumed, uint32_t age, uint32_t bound)
{
	struct sync *s = VIA(sync_now);

	memset(s, 0, sizeof *s);
	vote_clear();
	s->info.age = s->info.bound = s->paired = UINT32_MAX;
	s->growth = CRYSTAL;
	if (resumed) {
		s->info.age = age;
		s->drift = bound < DRIFT_MOST / 10000 ? bound * 10000 : DRIFT_MOST;
		if (bound != UINT32_MAX)
			s->trust = TRUST_RESUMED;
	}
	s->best = s->allowed = DELAY_CAP;
	s->wait = WAIT_FIRST;
}

/*
 * Half the delay is an error that nobody can see, so a reply that took much
 * longer than usual is refused; what is usual may change, so more is allowed
 * with every try.  Without time, or with an old one, a bad reply is better
 * than none.
 */
void sync_limits(struct ntp_limits *limits)
{
	struct sync *s = VIA(sync_now);

	limits->delay = s->allowed;
	limits->distance = SECOND - 1;
	if (sync_state() != SYNC_FRESH || s->trust == TRUST_NONE)
		limits->delay = UINT16_MAX;
	if (s->trust == TRUST_NONE)
		limits->distance = FIRST_DISTANCE;
	s->allowed += s->allowed / 4;
	if (s->allowed > DELAY_CAP)
		s->allowed = DELAY_CAP;
}

/* Three times as much as usual is allowed from now on. */
static void learn_delay(struct sync *s)
{
	uint16_t delay = s->delay < DELAY_CAP ? s->delay : DELAY_CAP;

	if (delay < s->best)
		s->best = delay;
	else
		s->best += (delay - s->best) / 4;
	s->allowed = s->best > DELAY_CAP / 3 ? DELAY_CAP : s->best * 3;
	if (s->allowed < DELAY_FLOOR)
		s->allowed = DELAY_FLOOR;
}

static NOINLINE bool within(int32_t off, int32_t limit)
{
	return off < limit && off > -limit;
}

/* off without what an uncertainty of so much may have made of it. */
static NOINLINE int16_t beyond(int16_t off, int16_t uncertainty)
{
	return off > uncertainty ? off - uncertainty : off < -uncertainty ? off + uncertainty : 0;
}

/* Half of what a delay is over the shortest known: so much the offset may be wrong by. */
static int16_t doubt(const struct sync *s, uint16_t delay)
{
	uint16_t least = s->delay < s->best ? s->delay : s->best;

	return delay > least ? (int16_t)((delay - least) / 2) : 0;
}

/* The crystal is worse than can be mended. */
static bool at_limit(void)
{
	int16_t rate = clk_get_rate();

	return rate == RATE_MAX || rate == -RATE_MAX;
}

/* May the offset measure the crystal? */
static bool tells_rate(const struct sync *s)
{
	return s->trust == TRUST_SYNCED && s->info.age >= RATE_SPAN;
}

/* So much since the last answer, as a rate of 0.1 ppm.  1e7 / 65536 = 9766 / 64 */
static NOINLINE uint32_t per_age(const struct sync *s, uint32_t much)
{
	return (much < 2 * (uint32_t)SECOND ? much * 9766 / 64 : much / 64 * 9766) / s->info.age;
}

/*
 * The clock is off by this much since the last answer, plus or minus open: that is
 * the crystal's error.  The first measurement counts fully, and so does a much better
 * one.  Of others the mean with the known rate is used, and the mean of the uncertainties.
 */
static void learn(struct sync *s, int32_t off, uint32_t open)
{
	int16_t rate = (int16_t)per_age(s, (uint32_t)(off < 0 ? -off : off));
	uint32_t growth = CORRECTED + per_age(s, open);

	if (off < 0)
		rate = -rate;
	/* The new rate is less accurate, but the known rate ages, at most until it is as bad as an unknown one. */
	if (growth > s->growth + s->growth / 2) {
		if (s->growth < CRYSTAL)
			s->growth += s->growth / 8;
		return;
	}
	if (s->learned && growth >= s->growth / 2) {
		rate /= 2;
		growth = (growth + s->growth) / 2;
	}
	s->learned = true;
	clk_rate(clk_get_rate() - rate);
	/* A crystal worse than can be mended stays as bad as any. */
	s->growth = at_limit() && growth < CRYSTAL ? CRYSTAL : (uint16_t)growth;
	conf_keep_rate(clk_get_rate());
}

/* Did one server send the last answer and this one, without another server that agreed? */
static bool same_alone(const struct sync *s)
{
	return s->said.best->source == s->source && s->said.agree == 1 && s->paired > s->info.age;
}

/* Return the possible error of the crystal rate between the last answer and this one.  It is smaller if one server alone sent both. */
static uint32_t open_error(const struct sync *s)
{
	return same_alone(s) ? ((uint32_t)s->delay + s->took) / 2 : s->reach + s->said.reach;
}

/*
 * The clock went off since the last answer: that is the crystal's, as far as
 * longer ways than usual do not explain it.
 */
static void learn_rate(struct sync *s)
{
	int16_t raw = (int16_t)s->info.offset - s->left, off;

	if (!tells_rate(s))
		return;
	off = s->said.best->source == s->source ? beyond(beyond(raw, doubt(s, s->delay)), doubt(s, s->took)) : raw;
	learn(s, off, open_error(s) + (uint16_t)(raw < off ? off - raw : raw - off));
}

/*
 * The same for a crystal that left the slewed range before it was measured
 * once: by a day without good replies, or because it is a bad one.
 */
static void learn_much(struct sync *s)
{
	if (!s->learned && tells_rate(s) && s->info.age < MUCH_AGE && within(s->info.offset, (int32_t)s->info.age * MUCH))
		learn(s, s->info.offset, open_error(s));
}

/* A leap second is believed only in the last day of June or December. */
static void hear_leap(const struct sync *s)
{
	uint16_t tomorrow = (uint16_t)(s->said.best->time.utc / DAY) + 1;
	int8_t sign = 0;
	struct date date;

	civil_date(tomorrow, &date);
	if (date.day == 1 && (date.month == 1 || date.month == 7))
		sign = s->said.leap;
	clk_leap(sign, tomorrow * DAY);
}

static uint16_t cadence(struct sync *s)
{
	if (s->good < 2)
		return WAIT_FIRST + (rnd_next() & 7);
	/* A crystal worse than can be mended is asked after more often. */
	if (s->good == 2 || at_limit())
		return WAIT_SECOND + (rnd_next() & 31);
	return WAIT_LONG - WAIT_LONG / 20 + (uint16_t)rnd_below(WAIT_LONG / 10);
}

static void accept_reply(struct sync *s, int16_t left)
{
	if (s->said.agree > 1)
		s->paired = 0;
	/* For a day, one server alone does not change what two servers announced. */
	if (s->paired == 0 || s->paired >= DAY)
		hear_leap(s);
	learn_delay(s);
	s->jump_count = 0;
	s->trust = TRUST_SYNCED;
	s->info.age = 0;
	s->quarrel = false;
	s->reach = s->said.reach + (uint16_t)(left < 0 ? -left : left);
	s->drift = 0;
	s->took = s->delay;
	s->left = left;
	s->source = s->said.best->source;
	if (s->good < UINT8_MAX)
		s->good++;
	s->wait = cadence(s);
}

static enum sync_act set(struct sync *s, enum sync_act act)
{
	clk_set(&s->said.best->time, s->said.best->tick);
	s->good = 0;
	accept_reply(s, 0);
	return act;
}

static void slew(struct sync *s)
{
	int16_t move = beyond((int16_t)s->info.offset, doubt(s, s->delay));

	learn_rate(s);
	if (move < DEAD_BAND && move > -DEAD_BAND)
		move = 0;
	else
		clk_slew(clk_slewing() + move);
	accept_reply(s, (int16_t)s->info.offset - move);
}

/* Samples agree on it. */
static enum sync_act jump(struct sync *s)
{
	learn_much(s);
	if (s->said.agree > 1 || s->info.offset > 0 || s->info.offset < -SLEW_BACK || s->trust != TRUST_SYNCED)
		return set(s, SYNC_STEP);
	clk_slew(clk_slewing() + s->info.offset);
	s->good = 0;
	accept_reply(s, 0);
	return SYNC_SLEW;
}

/* The offset is held to hours, so the time itself must agree too. */
static NOINLINE bool agrees(struct sync *s)
{
	return (uint32_t)s->info.offset - (uint32_t)s->jump_off + ALIKE <= 2 * ALIKE
	    && s->said.best->time.utc - s->jump_utc - s->jump_age + 2 <= 4;
}

static enum sync_act suspect(struct sync *s)
{
	s->jump_off = s->info.offset;
	s->jump_utc = s->said.best->time.utc;
	s->jump_age = 0;
	s->jump_count = 1;
	s->wait = WAIT_AGAIN;
	if (within(s->info.offset, FAR))
		return SYNC_AGAIN;
	s->wait = WAIT_FAR;
	return SYNC_OTHER;
}

/* A jump that one server reports must be reported again.  A jump that several servers report is believed. */
static enum sync_act hear_jump(struct sync *s)
{
	if (s->said.agree > 1)
		return jump(s);
	if (s->jump_count == 0)
		return suspect(s);
	if (!agrees(s)) {
		s->jump_count = 0;
		s->wait = WAIT_SECOND;
		return SYNC_SPIKE;
	}
	if (s->jump_count < UINT8_MAX)
		s->jump_count++;
	if (within(s->info.offset, FAR) || (s->jump_count >= FAR_SAMPLES && s->jump_age >= FAR_SPAN))
		return jump(s);
	s->wait = WAIT_FAR;
	return SYNC_OTHER;
}

static void take(struct sync *s)
{
	const struct vote *vote = s->said.best;

	s->info.delay = s->delay = vote->delay;
	s->info.offset = clk_known() ? clk_offset(&vote->time, vote->tick) : 0;
	if (within(s->info.offset, FAR))
		s->info.offset -= clk_slewing();
}

/* Nobody knows which of them is right: the clock keeps its own time, and says so. */
static enum sync_act quarrel(struct sync *s)
{
	s->quarrel = true;
	s->jump_count = 0;
	if (s->trust == TRUST_NONE)
		s->info.age = DAY;
	if (s->good < UINT8_MAX)
		s->good++;
	s->wait = cadence(s);
	return SYNC_DISAGREE;
}

static enum sync_act believe(struct sync *s)
{
	take(s);
	if (s->trust == TRUST_NONE || (s->trust == TRUST_RESUMED && within(s->info.offset, RESUME_ERROR)))
		return set(s, SYNC_SET);
	if (!within(s->info.offset, STEP_FROM))
		return hear_jump(s);
	slew(s);
	return SYNC_SLEW;
}

/* ms, up: what the answer left open, and the crystal since then. */
static NOINLINE uint32_t error_bound(const struct sync *s)
{
	return (s->reach * 125 >> 13) + s->drift / 10000 + 2;
}

/* The bound of what the tubes show: pending corrections are an error, too. */
static uint32_t told_bound(const struct sync *s)
{
	int32_t slewing = clk_slewing();

	return error_bound(s) + ((uint32_t)(slewing < 0 ? -slewing : slewing) * 125 >> 13);
}

/*
 * The clock's own time votes until it is a day old.  If only one server set it,
 * it does not vote beside a new answer of that server.
 */
static bool votes_itself(const struct sync *s)
{
	return s->trust == TRUST_SYNCED && s->info.age < DAY && (s->paired < DAY || !vote_from(s->source));
}

enum sync_act sync_decide(void)
{
	struct sync *s = VIA(sync_now);
	enum sync_act act;

	if (vote_count() == 0)
		return SYNC_NOTHING;
	/* 1 ms is less than 66 / 65536 s. */
	vote_decide(votes_itself(s) ? told_bound(s) * 66 : 0, &s->said);
	act = s->said.best == NULL ? quarrel(s) : believe(s);
	vote_clear();
	return act;
}

/* Without time the first answer is shown until the others have said theirs. */
void sync_hear(const struct ntp_reply *reply, uint32_t t4, uint16_t source)
{
	vote_add(reply, t4, source);
	if (clk_known())
		return;
	clk_set(&reply->time, t4);
	VIA(sync_now)->info.age = 0;
}

void sync_begin(void)
{
	vote_clear();
}

uint16_t sync_next(void)
{
	return sync_now.wait;
}

enum sync_state sync_state(void)
{
	struct sync *s = VIA(sync_now);

	if (!clk_known())
		return SYNC_NEVER;
	/* The time that a reset may have cost is in the reported bound, but hides no seconds: it will be known in a moment. */
	if (s->info.age > WEEK || (s->trust != TRUST_NONE && error_bound(s) > 2000))
		return SYNC_OLD;
	return s->info.age < DAY && !s->quarrel ? SYNC_FRESH : SYNC_STALE;
}

void sync_second(void)
{
	struct sync *s = VIA(sync_now);

	if (s->info.age < UINT32_MAX)
		s->info.age++;
	if (s->paired < UINT32_MAX)
		s->paired++;
	if (s->drift < DRIFT_MOST)
		s->drift += s->growth;
	/* A doubt is forgotten after most of a day. */
	if (++s->jump_age == 0)
		s->jump_count = 0;
}

/* Counts as a day old, so that the tubes say that it is nobody's time. */
void sync_by_hand(uint32_t utc)
{
	struct sync *s = VIA(sync_now);
	struct stamp stamp = { utc, 0 };

	clk_set(&stamp, hal_ticks());
	s->trust = TRUST_NONE;
	s->jump_count = 0;
	s->info.age = DAY;
}

void sync_get(struct sync_info *info)
{
	struct sync *s = VIA(sync_now);

	s->info.bound = UINT32_MAX;
	if (s->trust != TRUST_NONE)
		s->info.bound = told_bound(s) + (s->trust == TRUST_SYNCED ? 0 : RESUME_MOST);
	*info = s->info;
}
