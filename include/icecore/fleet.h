/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fleet: many heap dumps, one process per dump, one table of all results.
 */
#ifndef ICECORE_FLEET_H
#define ICECORE_FLEET_H

#include "icecore/base.h"

/*
 * icecore triage ..., icecore compare ..., icecore watch ...: argv[0] is the subcommand.  False: err has
 * the error; otherwise *status is the exit status.
 */
bool	fleet_triage(int argc, char **argv, int *status, struct err *) MUST_USE;
bool	fleet_compare(int argc, char **argv, int *status, struct err *) MUST_USE;
bool	fleet_watch(int argc, char **argv, int *status, struct err *) MUST_USE;

#endif
