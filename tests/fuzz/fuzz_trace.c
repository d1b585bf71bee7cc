/* Fuzz target: any bytes, opened as a file and explored; the kept ones are traces. */
#include "config.h"

#include "target.h"
#include "walk.h"

TARGET(trace, &mutate_trace)
{
	walk_bytes(data, size);
}
