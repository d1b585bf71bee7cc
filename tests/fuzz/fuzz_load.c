/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz targets: inputs of others opened as a file and closed, many more of them in the same time. */
#include "config.h"

#include "target.h"
#include "walk.h"

TARGET(heap_load, &mutate_hprof) { load_bytes(data, size); }
TARGET(jfr_load, &mutate_jfr) { load_bytes(data, size); }
TARGET(json_load, &mutate_json) { load_bytes(data, size); }
TARGET(perfetto_load, &mutate_proto) { load_bytes(data, size); }
TARGET(sched_load, &mutate_text) { load_bytes(data, size); }
TARGET(trace_load, &mutate_trace) { load_bytes(data, size); }
