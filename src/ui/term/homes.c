/*
 * homes: the files a user keeps of icecore.
 */
#include "config.h"

#include <sys/stat.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "term.h"

char *
home_path(const char *variable, const char *otherwise, const char *name)
{
	const char	*base = getenv(variable), *home = getenv("HOME");
	struct buf	 b = BUF_INIT;

	if (base != NULL && *base == '/')
		buf_printf(&b, "%s/icecore/%s", base, name);
	else if (home != NULL && *home == '/')
		buf_printf(&b, "%s/%s/icecore/%s", home, otherwise, name);
	if (b.bad) {
		buf_free(&b);
		return NULL;
	}
	return b.s;
}

bool
home_make(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash != NULL; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0700) == -1 && errno != EEXIST) {
			*slash = '/';
			return false;
		}
		*slash = '/';
	}
	return true;
}
