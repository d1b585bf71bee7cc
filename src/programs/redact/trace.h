/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace: Perfetto traces, whose fields are masked by what they hold (perfetto.h).
 */
#ifndef REDACT_TRACE_H
#define REDACT_TRACE_H

#include "icecore/perfetto.h"
#include "icecore/protobuf.h"
#include "hide.h"

enum { TRACE_DEEPEST = 32 };	/* messages in messages */

extern const struct redact_kind redact_trace;

#endif
