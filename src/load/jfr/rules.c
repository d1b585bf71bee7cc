/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rules: weights of events other than their duration, in the order in which a profile lists them; and events whose
 * class is the innermost frame.
 */
#include "config.h"

#include "jfr.h"

static const struct jfr_rule rules[] = {
	{ "jdk.CPUTimeSample", "samplingPeriod", "ns", WEIGHT_TIME },
	{ "cpu", "", "samples", WEIGHT_COUNT },
	{ "jdk.ExecutionSample", "", "samples", WEIGHT_COUNT },
	{ "wall", "samples", "samples", WEIGHT_COUNT },
	{ "profiler.WallClockSample", "samples", "samples", WEIGHT_COUNT },
	{ "jdk.NativeMethodSample", "", "samples", WEIGHT_COUNT },
	{ "jdk.ObjectAllocationSample", "weight", "bytes", WEIGHT_BYTES, EVENT_ALLOCATES },
	{ "jdk.ObjectAllocationInNewTLAB", "tlabSize", "bytes", WEIGHT_BYTES, EVENT_ALLOCATES_BUFFER },
	{ "jdk.ObjectAllocationOutsideTLAB", "allocationSize", "bytes", WEIGHT_BYTES, EVENT_ALLOCATES_BUFFER },
	{ "profiler.LiveObject", "allocationSize", "bytes", WEIGHT_BYTES },
	{ "jdk.OldObjectSample", "objectSize", "bytes", WEIGHT_BYTES, EVENT_SURVIVES },
	{ JFR_UNRELEASED, "", "bytes", WEIGHT_BYTES },
	{ "profiler.Malloc", "size", "bytes", WEIGHT_BYTES },
};

static const struct { const char *event, *field; } classes[] = {
	{ "jdk.ObjectAllocationSample", "objectClass" }, { "jdk.ObjectAllocationInNewTLAB", "objectClass" },
	{ "jdk.ObjectAllocationOutsideTLAB", "objectClass" }, { "profiler.LiveObject", "objectClass" },
	{ "jdk.JavaMonitorEnter", "monitorClass" }, { "jdk.JavaMonitorWait", "monitorClass" },
	{ "jdk.ThreadPark", "parkedClass" },
};

const struct jfr_rule *
jfr_rule_of(struct str event)
{
	for (size_t i = 0; i < NELEM(rules); i++)
		if (str_eq(event, str_of(rules[i].event)))
			return &rules[i];
	return NULL;
}

static size_t
jfr_rule_rank(const struct jfr_rule *r)
{
	return r == NULL ? NELEM(rules) : (size_t)(r - rules);
}

const char *
jfr_rule_class(struct str event)
{
	for (size_t i = 0; i < NELEM(classes); i++)
		if (str_eq(event, str_of(classes[i].event)))
			return classes[i].field;
	return NULL;
}

const char *
jfr_rule_lost(struct str event, enum jfr_lost *what)
{
	static const struct { const char *event, *field; } losses[] = {
		[JFR_LOST_BYTES] = { "jdk.DataLoss", "amount" },
		[JFR_LOST_SAMPLES] = { "jdk.CPUTimeSamplesLost", "lostSamples" },
	};

	for (size_t i = 0; i < NELEM(losses); i++)
		if (str_eq(event, str_of(losses[i].event))) {
			*what = (enum jfr_lost)i;
			return losses[i].field;
		}
	return NULL;
}

enum jfr_unread
jfr_rule_unread(struct str event)
{
	static const char *const context[] = { "Flag", "Property", "Variable", "Configuration", "Information",
	    "ModuleRequire", "ModuleExport", "NativeLibrary", "SystemProcess", "TimeStampCounter" };

	if (str_eq(event, STR("jdk.JVMInformation")))
		return JFR_UNREAD_SHOWN;
	for (size_t i = 0; i < NELEM(context) && str_has_prefix(event, STR("jdk.")); i++)
		if (str_has_suffix(event, str_of(context[i])))
			return JFR_UNREAD_CONTEXT;
	return JFR_UNREAD;
}

uint32_t
jfr_event_add(struct jfr *j, struct str name, const struct jfr_rule *rule, bool stated)
{
	struct jfr_known known = { .rank = jfr_rule_rank(rule) };
	uint32_t event = into_event(&j->to, name, WEIGHT_COUNT, "");

	if (event > j->nknown)
		INTO_ROW(&j->to, j->known, j->nknown, known, "events");
	if (stated && !j->to.bad)
		SCRATCH(j->known, struct jfr_known)[event - 1].rule = rule;
	return event;
}
