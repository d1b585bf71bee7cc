/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/* The console's commands: one table gives names, help and what they do. */
#ifndef CLICMD_H
#define CLICMD_H

#include <stdbool.h>
#include <stdint.h>

#include "hal.h"

/* The next action of the console.  The prompt appears when the action is complete. */
enum cli_job { CLI_IDLE, CLI_SAY, CLI_HELP, CLI_SHOW, CLI_STAT, CLI_SAVE, CLI_ERASE, CLI_REBOOT };

struct cli_answer {
	FLASH char *text;	/* NULL: nothing to say */
	FLASH char *usage;	/* behind it; NULL: none */
	bool unsaved;		/* a setting was changed: only ever set here */
};

/* Runs a line (which it takes apart); enum cli_job, the answer is for CLI_SAY. */
uint8_t cmd_run(char *line, struct cli_answer *answer);

/* The rows of `help` and `show`, by out_*; false: there is no such row.  The pass phrase is in none of them. */
bool cmd_help(uint8_t row);
bool cmd_show(uint8_t row);

#endif
