/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes, opened as a file and explored; the kept ones are class histograms and reports of native memory. */
#include "config.h"

#include "target.h"
#include "walk.h"

TARGET(counts, &mutate_text)
{
	walk_as = "counts";
	walk_bytes(data, size);
}
