/*
 * redact_command: icecore redact: its own options, its sandbox, and what it says.
 */
#ifndef REDACT_COMMAND_H
#define REDACT_COMMAND_H

#include "icecore/base.h"

/* argv begins with the word "redact".  False: err says why; else *status is the exit code. */
bool	redact_command(int argc, char **argv, int *status, struct err *);

#endif
