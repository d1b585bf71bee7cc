/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts by their handles: each name is that of one fact, and what info makes later is a fact too.
 */
#include "config.h"

#include <string.h>

#include "check.h"
#include "icecore/command.h"
#include "icecore/facts.h"

static void
names(void **state)
{
	(void)state;
	for (enum fact_id id = 0; id < FACT_IDS; id++) {
		struct str name = str_of(fact_name(id));

		assert_true(name.n > 0 && name.n < 64);
		/* That of each choice of --refs and --sizes has them in front of its name in a file. */
		if (id != FACT_HEAP_UNIT)
			assert_int_equal(fact_named(name), id);
	}
	assert_int_equal(fact_named(STR("elapsed")), FACT_ELAPSED);
	assert_int_equal(fact_named(STR("elapse")), FACT_IDS);
	assert_int_equal(fact_named(STR("")), FACT_IDS);
}

static void
later(void **state)
{
	size_t n = 0;

	(void)state;
	for (size_t i = 0; commands[i] != NULL; i++)
		for (const struct late_row *row = commands[i]->late; row != NULL && row->name != NULL; row++, n++)
			if (strcmp(commands[i]->word, "info") == 0 && fact_named(str_of(row->name)) == FACT_IDS)
				fail_msg("'info' makes a row '%s', which is not a fact", row->name);
	assert_true(n > 40);
}

TOOL(unit, facts)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(names), cmocka_unit_test(later) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
