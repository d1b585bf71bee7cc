/*
 * syscalls: the system calls that are left, by seccomp.
 */
#include "config.h"

#include "icecore/sandbox.h"

bool
syscalls_confine(void)
{
	return false;
}
