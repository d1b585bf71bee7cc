/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes as a scheduler trace, as a file and live; the kept ones are small traces. */
#include "config.h"

#include "schedwalk.h"
#include "target.h"

TARGET(sched, &mutate_text)
{
	schedwalk_bytes(data, size);
}
