/*
 * orders: what a process that may do nothing by name has others do for it.
 */
#ifndef ORDERS_H
#define ORDERS_H

#include <limits.h>

#include "icecore/os.h"

enum order_kind {
	ORDER_OPEN,		/* path, flags */
	ORDER_OPEN_BOTH,	/* path */
	ORDER_OPEN_BENEATH,	/* path, flags: O_DIRECTORY or 0; links */
	ORDER_NEW,		/* path: a file that is to have that name; the answer has made */
	ORDER_NAME,		/* made, replace, durable: it gets its name, and made ends */
	ORDER_DROP,		/* made, which ends */
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
	char		 path[PATH_MAX];	/* last: no more of it is sent than there is */
};

struct file_answer {
	int	error;		/* 0, or errno */
	int	made;
};

/* Does it here; *fd is what was opened, or -1. */
void	order_run(const struct file_order *, struct file_answer *, int *fd);
/* The path that an order is about, be it of what was made; NULL: there is none. */
const char *order_path(const struct file_order *);
/* Removes what was made and has not got its name. */
void	orders_end(void);

/* As order_run, by whoever does it for this process. */
void	order_give(const struct file_order *, struct file_answer *, int *fd);
/* The same for an order that is only a kind and a path; *fd is -1 without one.  False: errno. */
bool	order_do(enum order_kind, const char *path, int *fd);
/* Passes all later orders to a helper at the other end of socket, once it is ready; false: it ended first. */
bool	orders_to(int socket, int pid);
/* Whether one does. */
bool	orders_helped(void);
/* Fills path; false: it is too long, and errno says so. */
bool	order_of(struct file_order *, enum order_kind, const char *path);

#endif
