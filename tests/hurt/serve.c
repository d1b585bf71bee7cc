/*
 * serve: the program again and again from one process, each time in a child of it.
 *
 * A child does all that icecore does with the same words, its main() included; what it is spared
 * is the start of a program, most of what a short answer costs under the sanitizers.
 *
 * On standard input: the files for standard output and standard error, then how many words follow,
 * then the words, a NUL behind each; on standard output a line for each request: its exit status,
 * or minus the signal that ended it.
 */
#include "config.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../tools.h"

#define MOST_WORDS 4096
#define CASE_SECONDS 60

/* The main() of icecore is one of this file. */
int	icecore_main(int, char **);
#define main icecore_main
#include "../../src/main.c"
#undef main

static void
die(const char *what)
{
	fprintf(stderr, "serve: %s\n", what);
	exit(99);
}

/* The next word, to be freed; NULL at the end of the input. */
static char *
read_word(void)
{
	char *word = NULL;
	size_t size = 0;

	if (getdelim(&word, &size, '\0', stdin) > 0)
		return word;
	free(word);
	return NULL;
}

static void
become(const char *path, int fd)
{
	int opened = open(path, fd == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (opened < 0 || dup2(opened, fd) < 0)
		die(path);
	close(opened);
}

static int
answer_words(char **word, const char *out, const char *err)
{
	int status, n = 0;
	pid_t child = fork();

	if (child < 0)
		die("cannot fork");
	if (child > 0) {
		if (waitpid(child, &status, 0) != child)
			die("the child is lost");
		return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
	}
	alarm(CASE_SECONDS);
	become("/dev/null", STDIN_FILENO);
	become(out, STDOUT_FILENO);
	become(err, STDERR_FILENO);
	while (word[n] != NULL)
		n++;
	exit(icecore_main(n, word));
}

/* The words of a request are freed before the next: a child must not see others than its own. */
TOOL(hurt, serve)
{
	char *word[MOST_WORDS + 2], *out, *err, *count;
	int i, n;

	while ((out = read_word()) != NULL) {
		err = read_word();
		count = read_word();
		n = count == NULL ? -1 : atoi(count);
		if (n < 0 || n > MOST_WORDS)
			die("no request");
		word[0] = strdup("icecore");
		for (i = 1; i <= n; i++)
			if ((word[i] = read_word()) == NULL)
				die("words are missing");
		word[n + 1] = NULL;
		printf("%d\n", answer_words(word, out, err));
		fflush(stdout);
		for (i = 0; i <= n; i++)
			free(word[i]);
		free(out);
		free(err);
		free(count);
	}
	return 0;
}
