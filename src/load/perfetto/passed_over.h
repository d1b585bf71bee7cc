/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * passed_over: packets, kernel events and fields that icecore does not show, counted by kind.
 */
#ifndef LOAD_PERFETTO_PASSED_OVER_H
#define LOAD_PERFETTO_PASSED_OVER_H

#include <stdbool.h>
#include <stdint.h>

#include "icecore/str.h"

struct perfetto;
struct err;

void	pf_skip_packet(struct perfetto *, uint64_t number);
void	pf_skip_event(struct perfetto *, uint32_t kind);
bool	pf_unread_facts(struct perfetto *, struct err *);
bool	pf_nothing(const struct perfetto *, struct err *);	/* fails; the error lists what the trace contains instead of events */
bool	pf_packet_named(uint64_t number);	/* whether the kind is known */

#endif
