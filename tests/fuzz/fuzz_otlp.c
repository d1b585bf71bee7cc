/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: any bytes, opened as a file and explored; the kept ones are profiles of OpenTelemetry, recognised or asked for. */
#include "config.h"

#include "target.h"
#include "walk.h"

TARGET(otlp, &mutate_proto)
{
	walk_as = NULL;
	walk_bytes(data, size);
	walk_as = "otlp";
	walk_bytes(data, size);
}
