/*
 * event: the events of a profile and their names.
 */
#include "config.h"

#include <string.h>

#include "icecore/pass.h"

struct str
event_name(const struct store *st, uint32_t event)
{
	uint64_t own = column_get(store_column(st, COL_EVENT_OWN), event - 1ull);

	return own != 0 ? column_text(store_column(st, COL_EVENT_TEXT), own) :
	    store_text(st, column_get(store_column(st, COL_EVENT_NAME), event - 1ull));
}

uint32_t
event_larger(const struct store *st)
{
	const struct column *samples = store_column(st, COL_EVENT_SAMPLES);
	uint64_t event = store_fact_get(st, "event"), most = 0, i, n;
	uint32_t id = 0;

	if (samples == NULL || event == 0)
		return 0;
	for (i = 0; i < samples->rows; i++)
		if ((n = column_get(samples, i)) > most) {
			most = n;
			id = (uint32_t)i + 1;
		}
	return most / 10 >= column_get(samples, event - 1) && id != event ? id : 0;
}

uint32_t
event_find(const struct store *st, struct str name)
{
	const struct column *types = store_column(st, COL_EVENT_TYPE);
	uint64_t i, n = types == NULL ? 0 : types->rows;
	uint32_t found = 0, times = 0;

	for (i = 1; i <= n; i++)
		if (str_eq(event_name(st, (uint32_t)i), name))
			return (uint32_t)i;
	for (i = 1; i <= n; i++) {
		struct str s = event_name(st, (uint32_t)i);

		if (s.n > name.n && s.s[name.n] == ':' && str_has_prefix(s, name)) {
			found = (uint32_t)i;
			times++;
		}
	}
	return times == 1 ? found : 0;
}
