/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Units as profilers name them, and ours.
 */
#include "config.h"

#include "profile.h"

/* Words that may also end in s. */
static const struct {
	const char	*name;
	struct weight_unit of;
} units[] = {
	{ "", { "count", 1, WEIGHT_COUNT } }, { "count", { "count", 1, WEIGHT_COUNT } },
	{ "b", { "bytes", 1, WEIGHT_BYTES } }, { "byte", { "bytes", 1, WEIGHT_BYTES } },
	{ "kb", { "bytes", 1 << 10, WEIGHT_BYTES } }, { "kilobyte", { "bytes", 1 << 10, WEIGHT_BYTES } },
	{ "mb", { "bytes", 1 << 20, WEIGHT_BYTES } }, { "megabyte", { "bytes", 1 << 20, WEIGHT_BYTES } },
};

bool
weight_unit(struct str unit, struct weight_unit *of)
{
	struct str one = unit;

	*of = (struct weight_unit){ "ns", num_time_unit(unit), WEIGHT_TIME };
	if (of->factor != 0)
		return true;
	if (unit.n > 2 && (unit.s[unit.n - 1] | 32) == 's')
		one.n--;
	for (size_t i = 0; i < NELEM(units); i++)
		if (str_eq_nocase(unit, str_of(units[i].name)) || str_eq_nocase(one, str_of(units[i].name))) {
			*of = units[i].of;
			return true;
		}
	return false;
}
