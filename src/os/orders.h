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
	ORDER_NAME,		/* made, replace, durable: give the file its name; made becomes invalid */
	ORDER_DROP,		/* made, which becomes invalid */
	ORDER_TEMPORARY,	/* path: a directory */
	ORDER_REMOVE,		/* path */
	ORDER_DIRECTORY,	/* path */
	ORDER_SWEEP,		/* path: a directory */
	ORDERS
};

struct file_order {
	enum order_kind	 kind;
	int		 flags, made;
	bool		 replace, durable, links;
	char		 path[PATH_MAX];	/* must be last: only its used part is sent */
};

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

/* As order_run, in this process or in the helper. */
void	order_give(const struct file_order *, struct file_answer *, int *fd);
/* The same for an order with only a kind and a path. *fd is -1 without a descriptor. False: see errno. */
bool	order_do(enum order_kind, const char *path, int *fd);
/* Send all later orders to a helper at the other end of socket, once it is ready; false: the helper ended first. */
bool	orders_to(int socket, int pid);
/* Return whether a helper runs the orders. */
bool	orders_helped(void);
/* Set path; false with errno if it is too long. */
bool	order_of(struct file_order *, enum order_kind, const char *path);

#endif
