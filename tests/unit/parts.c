/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parts of pages that the process of an untrusted file made: which of them are accepted.
 */
#include "config.h"

#include "check.h"

#include "icecore/triage.h"

static void
accepted(void **state)
{
	static const char *const parts[] = {
		"", "a > b &amp; c", "<p class=\"pair\"><b>file</b> x</p>\n", "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1 2\">"
		"<g class=\"m\"><rect x=\"1\" y=\"2\" width=\"3\" height=\"4\"/><path d=\"M0 1h2\"/></g></svg>",
		"<details><summary>pool: 3 threads</summary></details>", "<td>&lt;script&gt;</td>",
		"<th scope=\"col\" title=\"time\">wall</th>", "<section class=\"leak\"><h3>1. leak</h3><mark>static x</mark></section>"
	};

	(void)state;
	for (size_t i = 0; i < NELEM(parts); i++)
		assert_true(triage_parts_fit(str_of(parts[i])));
}

static void
refused(void **state)
{
	static const char *const parts[] = {
		"<script>x</script>", "<SCRIPT>", "<meta http-equiv=\"refresh\" content=\"0;url=http://x\">", "<a href=\"http://x\">", "<img src=\"x\">", "<img src=\"data:image/png;base64,AA==\">",
		"<p onclick=\"x\">", "<p style=\"x\">", "<p class=x>", "<p class='x'>", "<p class=\"x>", "<p class=\"x\"", "<p class=\"<b>\">", "<", "</",
		"<!-- x -->", "<![CDATA[", "<?x?>", "<p/onclick=\"x\">", "<p  onclick=\"x\">", "<p\tclass=\"x\">", "<p class =\"x\">", "</p class=\"x\">",
		"</body>", "<iframe>", "<form>", "<base>", "<link>", "<style>", "<use>", "<foreignObject>", "<p class>", "< p>", "<b<i>", "<animate>"
	};

	(void)state;
	for (size_t i = 0; i < NELEM(parts); i++)
		if (triage_parts_fit(str_of(parts[i])))
			fail_msg("accepted: %s", parts[i]);
	assert_false(triage_parts_fit((struct str){ "a\0b", 3 }));
}

TOOL(unit, parts)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(accepted), cmocka_unit_test(refused) };

	return cmocka_run_group_tests_name("parts", tests, NULL, NULL);
}
