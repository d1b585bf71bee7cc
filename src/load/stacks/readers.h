/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * readers: one for each family of forms.  Each reads all lines, or the JSON, of the text.
 */
#ifndef LOAD_STACKS_READERS_H
#define LOAD_STACKS_READERS_H

#include "icecore/json.h"

#include "dumps_in.h"

void	hotspot_read(struct dumps_in *);	/* text of HotSpot */
void	tofile_read(struct dumps_in *);		/* text of Thread.dump_to_file */
void	art_read(struct dumps_in *);
void	logcat_read(struct dumps_in *);		/* crashes in logs and bugreports of Android */
void	hserr_read(struct dumps_in *);		/* hs_err_pid.log of HotSpot */
void	javacore_read(struct dumps_in *);	/* OpenJ9 */
void	go_read(struct dumps_in *);
/* "goroutine profile: total 9": the head of a profile of counts, which may have any name. */
bool	go_counts_line(struct str line, struct str *name, uint64_t *total);
void	go_counts_read(struct dumps_in *);
void	gdb_read(struct dumps_in *);
void	eustack_read(struct dumps_in *);
void	lldb_read(struct dumps_in *);
void	pyspy_read(struct dumps_in *);
void	faulthandler_read(struct dumps_in *);
void	asyncio_read(struct dumps_in *);
void	asyncio_table_read(struct dumps_in *);
void	dotnet_read(struct dumps_in *);
void	erlang_read(struct dumps_in *);
void	crash_read(struct dumps_in *);		/* reports of crashes, of several forms */
void	sos_read(struct dumps_in *);
void	pstacks_read(struct dumps_in *);
void	kotlin_read(struct dumps_in *);
void	php_read(struct dumps_in *);
void	sigdump_read(struct dumps_in *);
void	kernel_read(struct dumps_in *);

/*
 * JSON readers.  These two work like members_of and member_text, and report the meaning; MEANT_FORM: an id.
 */
bool	dumps_members(struct dumps_in *, struct json *, const char *const *names, struct json *values);
struct str dumps_member(struct dumps_in *, const struct json *, enum meaning, struct buf *);
void	dumpfile_json_read(struct dumps_in *);	/* Thread.dump_to_file */
void	beans_json_read(struct dumps_in *);	/* ThreadInfo, of Spring for example */
void	pyspy_json_read(struct dumps_in *);
void	node_json_read(struct dumps_in *);
void	ips_read(struct dumps_in *);		/* crash reports of macOS */

#endif
