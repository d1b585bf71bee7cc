/*
 * subcommand: programs of their own, which the first argument names.
 */
#ifndef SUBCOMMAND_H
#define SUBCOMMAND_H

#include <stdbool.h>

/* False: it names none; a file of such a name is opened as ./NAME. */
bool	subcommand_run(int argc, char **argv, int *status);

#endif
