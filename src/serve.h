/*
 * serve: icecore mcp.
 */
#ifndef SERVE_H
#define SERVE_H

#include "icecore/base.h"

/* Until the client leaves.  argv begins with the word "mcp". */
bool	serve_mcp(int argc, char **argv, int *status, struct err *);

#endif
