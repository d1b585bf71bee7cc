/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * facts: the names, types and meanings of facts about a file as a whole.
 *
 * A row FACT(handle, name, type, family, meaning) makes FACT_handle.  name: in the index and in `info`;
 * names of repairs begin with "repair.", names of losses with "loss.".  type: of enum fact_type.  family:
 * the files to which the meaning applies; INNER: `info` does not show it.  A size or a time is shown with
 * its unit, so its meaning names none.  meaning: a phrase (phrase.h) whose only field is the value:
 * "{:record|records} of unknown kind".  Meanings of repairs and losses also follow their values elsewhere
 * and fit there; "1: " begins those of flags.
 *
 * Names that are made at run time ("setting.EVENT.NAME") have no row: store_fact sets them.  It also sets
 * facts whose type differs from file to file: FACT_TOTAL and FACT_TOTAL_BEFORE (that of the weight),
 * FACT_VERSION (a text in OFX).
 */
#ifndef ICECORE_FACTS_H
#define ICECORE_FACTS_H

#include "icecore/facts_counts.h"
#include "icecore/facts_dumps.h"
#include "icecore/facts_heap.h"
#include "icecore/facts_inner.h"
#include "icecore/facts_profile.h"
#include "icecore/facts_trace.h"
#include "icecore/store.h"

/*
 * All facts.  To add one: a row in the header of its family, and fact_set or a row of struct make_fact where it is
 * counted.  A repair (repair.x) or a loss (loss.x) also needs an item in icecore-formats(5).  A test knows its value
 * (tests/promises.test).  Tests of its rows: install man promises query tables unread words unit/store.
 */
#define FACTS(FACT) \
	FACTS_TRACE(FACT) FACTS_PROFILE(FACT) FACTS_DUMPS(FACT) FACTS_COUNTS(FACT) FACTS_HEAP(FACT) FACTS_INNER(FACT)

enum fact_id {
#define FACT_ID(handle, name, type, family, meaning) FACT_##handle,
	FACTS(FACT_ID)
#undef FACT_ID
	FACT_IDS
};

/* The name as info shows it, and how its value is shown. */
const char	*fact_name(enum fact_id);
enum fact_type	 fact_type(enum fact_id);
enum fact_id	 fact_named(struct str name);	/* FACT_IDS: not a fact */

/* Set or replace it; visible to other threads after store_publish.  False: out of memory. */
bool	fact_set(struct store *, enum fact_id, uint64_t, struct err *) MUST_USE;
bool	fact_set_text(struct store *, enum fact_id, struct str, struct err *) MUST_USE;
/* 0 or the empty text if the fact is missing. */
uint64_t	fact_value(const struct store *, enum fact_id);
struct str	fact_text(const struct store *, enum fact_id);

#endif
