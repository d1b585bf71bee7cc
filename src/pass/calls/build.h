/*
 * What the passes that make call trees share beside the trees.
 */
#ifndef PASS_BUILD_H
#define PASS_BUILD_H

#include "calls.h"

bool	build_parents(struct build *, struct err *);	/* fills parent; no node can be added any more */

#endif
