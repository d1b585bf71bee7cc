/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * orders: file operations that a process without access by name has another process do for it.
 */
#ifndef ORDERS_H
#define ORDERS_H

#include <limits.h>

#include "icecore/os.h"

enum order_kind {
	ORDER_OPEN,		/* path, flags */
	ORDER_OPEN_BOTH,	/* path */
	ORDER_OPEN_BENEATH,	/* path, flags: O_DIRECTORY or 0; links */
	ORDER_NEW,		/* path: name for a new file; the answer contains made */
	/* path: a device for characters, or a pipe, to be written; ENXIO: nobody reads the pipe yet */
	ORDER_THROUGH,
	ORDER_NAME,		/* made, replace, durable: give the file its name; made becomes invalid */
	ORDER_DROP,		/* made, which becomes invalid */
	ORDER_TEMPORARY,	/* path: a directory */
	ORDER_REMOVE,		/* path */
	ORDER_DIRECTORY,	/* path */
	ORDER_SWEEP,		/* path: a directory */
	/* only a helper: pressed keys follow the answer; made: how many bytes at most, and how many they are */
	ORDER_KEYS,
	ORDER_OFFER,		/* path: the name that the prompt proposes */
	ORDER_ASK,		/* path: a query for ORDER_START */
	ORDER_START,		/* path: a file to open in a process of its own; wait for its end */
	ORDERS
};

struct file_order {
	enum order_kind	 kind;
	int		 flags, made;
	bool		 replace, durable, links;
	bool		 copy;		/* name a checked copy of the text; what is sent for it is ignored */
	char		 path[PATH_MAX];	/* must be last: only its used part is sent */
};

#define ORDERS_MADE 64		/* created files at a time */
#define KEYS_PIECE 4096		/* bytes after an answer */

struct file_answer {
	int	error;		/* 0, or errno */
	int	made;
};

/* Run the order in this process; *fd: the opened file, or -1. */
void	order_run(const struct file_order *, struct file_answer *, int *fd);
/* Return the path of an order, also of a created file; NULL: none. */
const char *order_path(const struct file_order *);
/* Remove created files that did not get their names. */
void	orders_end(void);

/* Carry out an order like order_run, in this process or in the helper. */
void	order_give(const struct file_order *, struct file_answer *, int *fd);
/* The same for an order with only a kind and a path. *fd is -1 without a descriptor. False: see errno. */
bool	order_do(enum order_kind, const char *path, int *fd);
/*
 * Send all later orders to a helper at the other end of socket, once it is ready; false: the helper ended
 * first.
 */
bool	orders_to(int socket, int pid);
/* Return whether a helper runs the orders. */
bool	orders_helped(void);
/* Return the descriptor given to keys_from, or -1. */
int	keys_source(void);
/* Set path; false with errno if it is too long. */
bool	order_of(struct file_order *, enum order_kind, const char *path);

#endif
