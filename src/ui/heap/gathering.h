/*
 * gathering: where most of a heap comes together.
 */
#ifndef UI_GATHERING_H
#define UI_GATHERING_H

#include "icecore/graph.h"

/*
 * Where most of what is reachable comes together: down along the dominators from the largest object.  0: there is no
 * such object.  *holder: the last class on that way, or 0.
 */
uint32_t heap_gathering(const struct heap *, uint32_t *holder);

#endif
