/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * adb: commands on an Android device, by the program adb.
 *
 * adb passes the words of adb shell to a shell on the device, so each word is ours, or of letters, digits and
 * "._:-".
 */
#ifndef RECORD_ADB_H
#define RECORD_ADB_H

#include "record.h"

#define ADB_FILE 96	/* bytes of a path on the device */

struct adb {
	struct recording	*r;
	/* Path of adb; serial number of the device, once it is chosen. */
	struct buf		 path, serial;
	struct buf		 answer;	/* standard output of the last command, then its standard error */
	char			 pid[16];	/* process id of the app */
	char			 file[ADB_FILE];	/* on the device, to copy and to remove; empty: none */
	uint64_t		 patience;	/* ns of one command; 0: until a signal comes */
};

/*
 * Run adb with these words, then NULL, on the chosen device.  in, out: -1: none, and the output becomes the
 * answer.  A signal does not end the command at once, because its effect on the device must be known: false
 * only if it hangs. *status: the exit status.
 */
bool	adb_try(struct adb *, int in, int out, int *status, const char *const *words, struct err *) MUST_USE;
/* The same, and false if the answer is that of a failure. */
bool	adb_ask(struct adb *, const char *const *words, struct err *) MUST_USE;
/* For a command that failed: why, and the way out. */
bool	adb_failed(const struct adb *, const char *what, struct err *);
/* Find adb, choose the device, and find the app if it must run. */
bool	adb_begin(struct adb *, bool app, struct err *) MUST_USE;
/* Wait until the size of the file does not change any more, if it is still being written. */
bool	adb_settle(struct adb *, struct err *) MUST_USE;
/* Copy the file to an open one. */
bool	adb_copy(struct adb *, int to, struct err *) MUST_USE;
/* Remove the file on the device.  A signal is remembered in the recording. */
void	adb_end(struct adb *);

#endif
