/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * codewalk: all of the bytecode that a file has.  Shared by the fuzz targets and the hurt tests.
 */
#ifndef TESTS_CODEWALK_H
#define TESTS_CODEWALK_H

#include "icecore/code.h"

/* Reads every name and every instruction; what contradicts itself aborts.  The number of methods. */
uint64_t walk_code(const struct store *, struct err *);

#endif
