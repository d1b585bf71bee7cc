/*
 * inspect_fragment: fragments of the platform, of the support library and of AndroidX.
 */
#include "config.h"

#include "inspect.h"

/*
 * A fragment that was never added looks like one that was removed, but for mCalled: the callbacks of its life
 * cycle set it.  Where that field is missing, no manager is all there is to say.
 */
static void
inspect_manager(int manager, int called, struct verdict *v)
{
	if (manager == 1)
		verdict_not(v, "mFragmentManager is not null");
	else if (manager == 0 && called != 0)
		verdict_yes(v, FINDING_FRAGMENT, "mFragmentManager is null");
}

void
inspect_fragment(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_field manager = { "android.app.Fragment", "mFragmentManager" };
	static const struct inspect_field called = { "android.app.Fragment", "mCalled" };
	uint32_t to;

	inspect_manager(field_ref(in, object, &manager, &to), field_flag(in, object, &called), v);
}

void
inspect_support_fragment(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_field manager =
	    { "android.support.v4.app.Fragment", "mFragmentManager" };
	static const struct inspect_field called = { "android.support.v4.app.Fragment", "mCalled" };
	uint32_t to;

	inspect_manager(field_ref(in, object, &manager, &to), field_flag(in, object, &called), v);
}

/* ---- life cycles --------------------------------------------------------------------- */

/* Not leaking by its life cycle; the last two have to be asked otherwise. */
enum state { CREATED, STARTED, RESUMED, INITIALIZED, DESTROYED, STATES };
static const char *const state_names[STATES] = {
	"CREATED", "STARTED", "RESUMED", "INITIALIZED", "DESTROYED"
};
static const char *const alive[] = {
	"its life cycle is CREATED", "its life cycle is STARTED", "its life cycle is RESUMED"
};

static int
registry_state(struct inspector *in, uint32_t registry)
{
	static const struct inspect_field old = { "androidx.lifecycle.LifecycleRegistry", "mState" };
	static const struct inspect_field new = { "androidx.lifecycle.LifecycleRegistry", "state" };
	int state = field_enum(in, registry, &old, state_names, STATES);

	return state >= 0 ? state : field_enum(in, registry, &new, state_names, STATES);
}

/* A fragment keeps the one of its view, which ends earlier: DESTROYED says nothing. */
void
inspect_lifecycle(struct inspector *in, uint32_t object, struct verdict *v)
{
	int state = registry_state(in, object);

	if (state >= 0 && state < INITIALIZED)
		verdict_not(v, alive[state]);
}

/* Since version 1.1, which brought mMaxState, a destroyed fragment gets a new life cycle. */
void
inspect_androidx_fragment(struct inspector *in, uint32_t object, struct verdict *v)
{
	static const struct inspect_field registry =
	    { "androidx.fragment.app.Fragment", "mLifecycleRegistry" };
	static const struct inspect_field most = { "androidx.fragment.app.Fragment", "mMaxState" };
	static const struct inspect_field manager =
	    { "androidx.fragment.app.Fragment", "mFragmentManager" };
	static const struct inspect_field called = { "androidx.fragment.app.Fragment", "mCalled" };
	int state = registry_state(in, field_object(in, object, &registry)), held, was_called;
	uint32_t to;

	held = field_ref(in, object, &manager, &to);
	was_called = field_flag(in, object, &called);
	if (state == DESTROYED)
		verdict_yes(v, FINDING_FRAGMENT, "its life cycle is DESTROYED");
	else if (state >= 0 && state < INITIALIZED)
		verdict_not(v, alive[state]);
	else if (held == 1)
		verdict_not(v, "mFragmentManager is not null");
	else if (held == 0 && was_called == 1 &&
	    (state < 0 || field_ref(in, object, &most, &to) >= 0))
		verdict_yes(v, FINDING_FRAGMENT, "mFragmentManager is null and mCalled is true");
}
