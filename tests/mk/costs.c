/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program for valgrind: functions with several callers, a recursion, two functions that call each other, memory of several callers.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT 4096

static void *kept[KEPT];
static int nkept;
static volatile unsigned sink;

#define APART __attribute__((noinline, noclone))

APART static void *
small(int n)
{
	char *p = malloc(16 + (size_t)n % 40);

	memset(p, n, 16);
	return p;
}

APART static void *
large(int n)
{
	char *p = calloc(1, 1000 + (size_t)n * 10);

	p[n] = 1;
	return p;
}

APART static unsigned
burn(int n)
{
	unsigned s = 0;

	for (int i = 0; i < n; i++)
		s = s * 31 + (unsigned)i;
	sink += s;
	return s;
}

APART static unsigned
fib(int n)
{
	return n < 2 ? (unsigned)n : fib(n - 1) + fib(n - 2);
}

static unsigned is_odd(int n);

APART static unsigned
is_even(int n)
{
	sink++;
	return n == 0 ? 1 : is_odd(n - 1);
}

APART static unsigned
is_odd(int n)
{
	sink++;
	return n == 0 ? 0 : is_even(n - 1);
}

APART static void
fill(int n)
{
	for (int i = 0; i < n; i++)
		kept[nkept++ % KEPT] = i % 3 != 0 ? small(i) : large(i);
}

APART static void
empty(int n)
{
	for (int i = 0; i < n && nkept > 0; i++)
		free(kept[--nkept]);
	sink += burn(50);
}

int
main(void)
{
	for (int k = 0; k < 5; k++) {
		fill(200);
		sink += burn(2000) + fib(12) + is_even(30);
		empty(100);
	}
	printf("%u\n", sink);
	return 0;
}
