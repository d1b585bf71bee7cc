/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * serve: the program again and again from one process, each time in a child of it.
 *
 * A child does all that icecore does with the same words, its main() included; what it is spared
 * is the start of a program, most of what a short answer costs under the sanitizers.
 *
 * On standard input: requests, each a number of bytes and that many bytes of words, with a NUL after the number and each word.
 * The words are the files for standard input, output and errors, the working folder, the seconds that it may take, changes of
 * the environment (NAME=VALUE, or NAME to remove it), an empty word, and what main() gets.  The same file for output and
 * errors is opened once.  On standard output a line for each request: its exit status, or minus the signal that ended it.
 *
 * A sanitized child looks for leaks when its status is not 0, and else one in LEAKS does: that takes longer than most answers.
 * SERVE_LEAKS=all: each does.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#endif

#include "../tools.h"

#define MOST_WORDS 4096
#define LEAKS 8

/* The main() of icecore is one of this file. */
int	icecore_main(int, char **);
#define main icecore_main
#include "../../src/main.c"
#undef main

enum { INPUT, OUTPUT, ERRORS, FOLDER, SECONDS, CHANGES };

static void
die(const char *what)
{
	fprintf(stderr, "serve: %s\n", what);
	exit(99);
}

static void
become(const char *path, int fd)
{
	int opened = open(path, fd == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (opened < 0 || dup2(opened, fd) < 0)
		die(path);
	close(opened);
}

/* Takes the words of a request out of its bytes; the list ends with NULL. */
static void
split(char *bytes, size_t size, char **word)
{
	size_t n = 0;

	for (char *at = bytes; at < bytes + size; at += strlen(at) + 1) {
		if (n == MOST_WORDS)
			die("too many words");
		word[n++] = at;
	}
	word[n] = NULL;
	if (n <= CHANGES)
		die("words are missing");
}

#ifdef __SANITIZE_ADDRESS__
/* The end of a sanitized process except its last part, which takes each variable out of the tables of the sanitizer. */
static void
leave(int status, void *arg)
{
	const bool *leaks = arg;

	fflush(NULL);
	if (status != 0 || *leaks)
		__lsan_do_leak_check();
	_exit(status);
}
#endif

static void
run_request(char *bytes, size_t size, bool leaks)
{
	char *word[MOST_WORDS + 1], **next = &word[CHANGES];
	int argc = 0;

	split(bytes, size, word);
	alarm((unsigned)atoi(word[SECONDS]));
	become(word[INPUT], STDIN_FILENO);
	become(word[OUTPUT], STDOUT_FILENO);
	if (strcmp(word[ERRORS], word[OUTPUT]) != 0)
		become(word[ERRORS], STDERR_FILENO);
	else
		dup2(STDOUT_FILENO, STDERR_FILENO);
	if (chdir(word[FOLDER]) != 0)
		die(word[FOLDER]);
	for (; *next != NULL && **next != '\0'; next++)
		if ((strchr(*next, '=') != NULL ? putenv(*next) : unsetenv(*next)) != 0)
			die(*next);
	if (*next++ == NULL)
		die("words are missing");
	while (next[argc] != NULL)
		argc++;
#ifdef __SANITIZE_ADDRESS__
	on_exit(leave, &leaks);
#else
	(void)leaks;
#endif
	exit(icecore_main(argc, next));
}

static int
serve(char *bytes, size_t size, bool leaks)
{
	int status;
	pid_t child = fork();

	if (child < 0)
		die("cannot fork");
	if (child == 0)
		run_request(bytes, size, leaks);
	if (waitpid(child, &status, 0) != child)
		die("the child is lost");
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

/* A child that starts icecore again runs this program, under that name. */
TOOL_ADD(icecore, .name = "icecore", .run = icecore_main)

/* The bytes of a request are freed before the next one: a child must not see others than its own. */
TOOL(hurt, serve)
{
	const char *leaks = getenv("SERVE_LEAKS");
	size_t room = 0, size, n = leaks != NULL && strcmp(leaks, "all") == 0 ? 1 : LEAKS;
	char *number = NULL, *bytes;

	for (size_t i = 0; getdelim(&number, &room, '\0', stdin) > 0; i++) {
		size = strtoul(number, NULL, 10);
		if (size == 0 || (bytes = malloc(size)) == NULL || fread(bytes, 1, size, stdin) != size || bytes[size - 1] != '\0')
			die("no request");
		printf("%d\n", serve(bytes, size, i % n == 0));
		fflush(stdout);
		free(bytes);
	}
	free(number);
	return 0;
}
