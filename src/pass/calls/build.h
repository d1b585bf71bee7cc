/*
 * What the passes that make call trees share beside the trees.
 */
#ifndef PASS_BUILD_H
#define PASS_BUILD_H

#include "calls.h"

/* What passes that make call trees make. */
#define BUILD_MAKES \
	"call.parent", "call.size", "call.thread", "call.depth", "call.method", \
	"call.calls", "call.total_wall", "call.self_wall", "call.total_cpu", "call.self_cpu", \
	"thread.raw", "thread.tid", "thread.name", "thread.main", "thread.calls", "thread.wall", \
	"thread.cpu", "thread.start", "thread.end", "thread.depth", "thread.repairs", \
	"thread.records", "thread.call", "thread.size", "thread.listed", "method.raw"

bool	build_parents(struct build *, struct err *);	/* fills parent; no node can be added any more */

#endif
