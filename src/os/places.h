/*
 * places: which orders a helper follows.
 */
#ifndef PLACES_H
#define PLACES_H

#include "icecore/sandbox.h"
#include "orders.h"

struct sandbox_place {
	enum sandbox_use	 use;
	char			*path, *given;	/* without symbolic links; as it was told */
};

/* Adds one; what is missing is ignored.  False: memory ran out. */
bool	places_add(struct sandbox *, enum sandbox_use, const char *path) MUST_USE;
/* Else errno says why not. */
bool	places_allow(const struct sandbox *, const struct file_order *);
/* Whether a file of SANDBOX_EXPORT may have that name. */
bool	places_export(const char *path, const char *const *endings);
void	places_free(struct sandbox *);

#endif
