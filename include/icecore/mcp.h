/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mcp: a server for the Model Context Protocol, over standard input and output.
 *
 * A message is a line of JSON.  One thread reads, answers simple requests at once and writes; the other
 * runs one query at a time.
 */
#ifndef ICECORE_MCP_H
#define ICECORE_MCP_H

#include "icecore/load.h"
#include "icecore/rows.h"

#define MCP_BUDGET_MIN 4096u
#define MCP_BUDGET (16u << 10)
#define MCP_BUDGET_MAX (256u << 10)
#define MCP_TIMEOUT ((uint64_t)60 * 1000000000u)	/* ns */

struct mcp_options {
	/* Symbolic links that stay below the working directory, which contains all files. */
	bool			 follow;
	bool			 values;	/* nothing is masked */
	bool			 record;	/* clients may record processes */
	int			 recorder;	/* socket to the process that records */
	bool			 log, log_arguments;	/* a line of each call on standard error */
	uint64_t		 budget;	/* bytes of one answer */
	uint64_t		 timeout;	/* ns of one call */
	struct store_options	 store;
	struct side_options	 sides;
	struct session		 session;	/* initial state of each session; it has no files */
	const char		*version;
};

/*
 * A request to record, a message to the recorder.  It answers with a byte, 0 if it recorded, and a text.
 * Any other message before the answer cancels it.
 */
struct mcp_recording {
	char		kind[16];	/* a kind that icecore record takes, or "ps" */
	uint32_t	pid, seconds;	/* 0: not given */
};

#define MCP_RECORDED 32768u	/* bytes of an answer of the recorder, at most */

/* Runs until the input ends, the output is closed, or a signal ends it: all of these are success. */
bool	mcp_run(const struct mcp_options *, struct err *) MUST_USE;

#endif
