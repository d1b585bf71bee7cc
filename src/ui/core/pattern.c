/*
 * pattern: what is typed to look for something.
 */
#include "config.h"

#include <ctype.h>
#include <stdlib.h>

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "core.h"

enum { MATCH_LIMIT = 100000 };

struct pattern {
	pcre2_code		*code;
	pcre2_match_data	*data;
	pcre2_match_context	*context;
};

static bool
has_capital(struct str s)
{
	size_t	i;

	for (i = 0; i < s.n; i++)
		if (s.s[i] == '\\')
			i++;
		else if (isupper((unsigned char)s.s[i]))
			return true;
	return false;
}

struct pattern *
pattern_make(struct str s, struct err *err)
{
	struct pattern	*p = mem_array(1, sizeof *p);
	uint32_t	 opt = has_capital(s) ? 0 : PCRE2_CASELESS;
	PCRE2_SIZE	 at;
	int		 code;

	if (p == NULL)
		goto bad;
	p->code = pcre2_compile((PCRE2_SPTR)s.s, s.n, opt, &code, &at, NULL);
	if (p->code == NULL)
		p->code = pcre2_compile((PCRE2_SPTR)s.s, s.n, opt | PCRE2_LITERAL,
		    &code, &at, NULL);
	p->context = pcre2_match_context_create(NULL);
	if (p->code == NULL || p->context == NULL)
		goto bad;
	p->data = pcre2_match_data_create_from_pattern(p->code, NULL);
	if (p->data == NULL)
		goto bad;
	pcre2_set_match_limit(p->context, MATCH_LIMIT);
	pcre2_set_depth_limit(p->context, MATCH_LIMIT);
	/* Without JIT it is slower, no more. */
	pcre2_jit_compile(p->code, PCRE2_JIT_COMPLETE);
	return p;
bad:
	pattern_free(p);
	fail(err, E_SYSTEM, "no memory for the search");
	return NULL;
}

void
pattern_free(struct pattern *p)
{
	if (p == NULL)
		return;
	pcre2_match_data_free(p->data);
	pcre2_match_context_free(p->context);
	pcre2_code_free(p->code);
	free(p);
}

bool
pattern_match(struct pattern *p, struct str s)
{
	return pcre2_match(p->code, (PCRE2_SPTR)(s.s != NULL ? s.s : ""), s.n, 0, 0,
	    p->data, p->context) >= 0;
}
