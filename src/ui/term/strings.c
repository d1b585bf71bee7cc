/*
 * strings: what curses needs of the strings of a terminal that have parameters.
 *
 * It has that from the first use of each on; in the middle of a frame it could not say that there is no memory.
 */
#include "config.h"

#include <curses.h>
#include <term.h>

#include "screen.h"

bool
strings_ready(struct err *err)
{
	static const char *const caps[] = {
		"cup", "cuu", "cud", "cuf", "cub", "hpa", "vpa", "csr", "il", "dl", "ich", "dch", "ech", "indn", "rin", "rep",
		"sgr", "setaf", "setab", "setf", "setb", "initc"
	};
	char	*s;

	for (size_t i = 0; i < NELEM(caps); i++) {
		s = tigetstr(caps[i]);
		if (s == NULL || s == (char *)-1 || tparm(s, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L, 0L) != NULL)
			continue;
		mem_refuse();
		return fail(err, E_SYSTEM, "out of memory (terminal)");
	}
	return true;
}
