/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * known [ROUNDS [wait]]: heavy works three times as long as light, 12 calls of each; keep allocates 64 blocks of 1 MiB,
 * all alive at once.  wait: three more threads, then it waits to be looked at.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define APART __attribute__((noinline))

static volatile unsigned long	 sink;

APART void
heavy(unsigned long rounds)
{
	unsigned long	 i, total = 0;

	for (i = 0; i < 3 * rounds; i++)
		total += i * i % 7;
	sink += total;
}

APART void
light(unsigned long rounds)
{
	unsigned long	 i, total = 0;

	for (i = 0; i < rounds; i++)
		total += i * i % 7;
	sink += total;
}

APART void
keep(void)
{
	char	*blocks[64];
	int	 i;

	for (i = 0; i < 64; i++) {
		if ((blocks[i] = malloc(1 << 20)) == NULL)
			exit(1);
		memset(blocks[i], i, 4096);
	}
	for (i = 0; i < 64; i++)
		free(blocks[i]);
}

APART void *
idle(void *unused)
{
	for (;;)
		pause();
	return unused;
}

APART void
run(unsigned long rounds)
{
	int	 i;

	keep();
	for (i = 0; i < 12; i++) {
		heavy(rounds);
		light(rounds);
	}
	usleep(100000);
}

int
main(int argc, char **argv)
{
	pthread_t	 thread;
	int		 i;

	run(argc > 1 ? strtoul(argv[1], NULL, 10) : 1000000);
	if (argc > 2) {
		for (i = 0; i < 3; i++)
			if (pthread_create(&thread, NULL, idle, NULL) != 0)
				return 1;
		puts("READY");
		fflush(stdout);
		idle(NULL);
	}
	return 0;
}
