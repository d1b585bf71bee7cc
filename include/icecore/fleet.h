/*
 * fleet: many heap dumps, one process for each, one table of them all.
 */
#ifndef ICECORE_FLEET_H
#define ICECORE_FLEET_H

#include "icecore/base.h"

/* icecore triage ..., icecore watch ...: argv[0] is that word.  False: err says why; else *status is that of the program. */
bool	fleet_triage(int argc, char **argv, int *status, struct err *) MUST_USE;
bool	fleet_watch(int argc, char **argv, int *status, struct err *) MUST_USE;

#endif
