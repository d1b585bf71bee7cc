/*
 * finding_kinds: the one list of kinds of findings.
 */
#include "config.h"

#include "icecore/leak.h"

const char *const severity_names[SEVERITIES] = { "note", "warning", "leak" };

const struct finding_row finding_rows[FINDINGS] = {
	[FINDING_ACTIVITY] = { "activity", SEVERITY_LEAK,
	    "an Activity that was destroyed and can still be reached",
	    "mDestroyed is true, so the system is done with it; a reference from a root keeps it and all\n"
	    "its views, which are counted with it.  Follow the path to the last object that is meant to be alive:\n"
	    "the reference below it has to be cleared in onDestroy, or must not hold the Activity." },
	[FINDING_FRAGMENT] = { "fragment", SEVERITY_LEAK,
	    "a Fragment that was destroyed and can still be reached",
	    "It belongs to no FragmentManager any more, or its lifecycle is DESTROYED.  Clear the reference\n"
	    "that is marked on its path when the Fragment goes away." },
	[FINDING_VIEW] = { "view", SEVERITY_LEAK,
	    "a View that was taken from its window, or whose Activity is destroyed",
	    "mAttachInfo is null after it was attached (mWindowAttachCount), or its context is a destroyed\n"
	    "Activity.  A Fragment that keeps its views must drop them in onDestroyView." },
	[FINDING_STATIC_VIEW] = { "static view", SEVERITY_WARNING,
	    "a static field of a class of the app holds a View",
	    "A View holds its Activity, and a static lives as long as the process: it will leak the Activity\n"
	    "when that is destroyed.  Keep no View in a static, or clear it in onDestroy.",
	    "held by a static of %L; %r retained" },
	[FINDING_ROOT_VIEW] = { "root view", SEVERITY_LEAK,
	    "the root of a window that was closed and can still be reached",
	    "ViewRootImpl without a view, or of a destroyed Activity: a dialog, popup or toast was not\n"
	    "dismissed, or something holds it.  Follow its path." },
	[FINDING_CONTEXT] = { "context", SEVERITY_LEAK,
	    "a Context that wraps a destroyed Activity",
	    "Its mBase or mOuterContext leads to an Activity with mDestroyed.  What lives longer than an\n"
	    "Activity should be given the application's context." },
	[FINDING_SERVICE] = { "service", SEVERITY_LEAK,
	    "a Service that was stopped and can still be reached",
	    "It is not among the services of ActivityThread (mServices) any more.  Follow its path: a\n"
	    "registered listener, a thread or a static holds it." },
	[FINDING_DIALOG] = { "dialog", SEVERITY_LEAK,
	    "a Dialog, Window or Toast that was dismissed and can still be reached",
	    "Its window is gone or destroyed.  Drop the reference that is marked on its path when it is\n"
	    "dismissed." },
	[FINDING_OTHER] = { "ended object", SEVERITY_LEAK,
	    "something that was shut down (a quit message queue, a cleared ViewModel, a disposed composition) and is held",
	    "A field of it says that it ended: mQuitting, mCleared, disposed, dead.  Nothing should hold it\n"
	    "then; follow its path." },
	[FINDING_WATCHED] = { "watched object", SEVERITY_LEAK,
	    "an object that LeakCanary expected to go away, and that did not",
	    "A KeyedWeakReference has its referent and a time since which it counts as retained.  The app said\n"
	    "that it was done with the object; follow its path." },
	[FINDING_CURSOR] = { "cursor", SEVERITY_WARNING,
	    "Cursors or their windows that were not closed",
	    "An open one is what it should be while it is used.  Told are those that a static keeps, those that only\n"
	    "wait for their finalizer, and more than 20 that are held in one way.  Call close(), best by\n"
	    "try-with-resources or use.",
	    "%n {1is|are} open{m and only wait for their finalizer}; %r retained" },
	[FINDING_BITMAP_RECYCLED] = { "recycled bitmap", SEVERITY_NOTE,
	    "Bitmaps that were recycled and are still held",
	    "Their pixels are gone, the objects are small: reported when one still has its pixel buffer, or when\n"
	    "there are ten or more.  A cache or an ImageView keeps what is of no use; using one throws.",
	    "%n {1was|were} recycled and {1is|are} held{m, %m with pixels}; %r retained" },
	[FINDING_BITMAP_COPIES] = { "equal bitmaps", SEVERITY_WARNING,
	    "several Bitmaps with the same pixels",
	    "Sides, format and all bytes are equal.  Reported from 64 KiB of waste, or 1 % of the live heap; those\n"
	    "that are held in one way are one finding.\n"
	    "Load the image once and share it; the query bitmaps lists the copies.",
	    "%n bitmaps show {2only %m different pictures|the same picture}; %r could be saved" },
	[FINDING_FINALIZER] = { "finalizer queue", SEVERITY_WARNING,
	    "many objects wait for their finalizer",
	    "They are garbage, but stay until finalize() has run: reported from 1000 that wait, when they are\n"
	    "a tenth of all that have a finalizer.  The finalizer thread hangs or is too slow: look at its stack,\n"
	    "and close such objects by hand.",
	    "%n of %m objects with a finalizer wait for it; they take %r without what they hold" },
	[FINDING_SUSPECT] = { "leak suspect", SEVERITY_WARNING,
	    "one object keeps a tenth of the heap, or more",
	    "In the tree of dominators a tenth of the live bytes comes together in one object, the accumulation point:\n"
	    "mostly a collection that grows, or the first of a list.  Told is the nearest object or class of\n"
	    "your program above it.  What falls apart into many kinds counts from half the heap and 16 MiB on; of\n"
	    "the JDK's own objects there must be 1 MiB, of all 64 KiB; class loaders are no suspects for classes, and\n"
	    "what the JDK notes about them; several of one class that one object has are one suspect; what a thread\n"
	    "keeps is told of the thread.  Ask who adds to it and who should remove.",
	    "%o%f holds %p{a, accumulated in %O}%P" },
	[FINDING_SUSPECT_CLASS] = { "suspect class", SEVERITY_WARNING,
	    "the objects of one class keep a tenth of the heap, or more, together",
	    "Nothing dominates them, and none is a suspect for itself; of the JDK's own classes there must be 16 MiB,\n"
	    "of all 64 KiB, of threads 1 MiB and 100.  The path is that of the largest; look for what they have in\n"
	    "common, and whether so many are meant to be there.",
	    "%n %c hold %p together; the largest is %i with %R" },
	[FINDING_THREAD] = { "thread", SEVERITY_WARNING,
	    "a thread keeps a tenth of the heap, or more",
	    "By its locals or its fields, from 64 KiB on; the thread locals of a thread of a pool are findings of their\n"
	    "own.  Its stack shows what it was doing: often it reads a result that is too large in one go.",
	    "thread %t holds %p%h{m%P}" },
	[FINDING_LOADER] = { "class loader", SEVERITY_WARNING,
	    "class loaders that should be gone: something holds what they loaded",
	    "It was closed or stopped; or nobody refers to the loader, only to objects or classes of it, and it is\n"
	    "one of several with the same classes, or has at most 1000 objects, at most 8 references to them from\n"
	    "outside, and no thread in its code.  Loaders of code that is made at run time (Groovy, Janino, Byte\n"
	    "Buddy, JSP) are told from 1000 on.  A module or a web application was thrown away while something\n"
	    "holds on to it: a thread local, a driver, a listener in a static.  Its path shows what.",
	    "{1class loader %o seems|%n class loaders %l seem} to be given up{N (of %m of that class)} and cannot go, "
	    "with %p: {1it|one} loaded class %c{o, which %O holds}" },
	[FINDING_THREAD_LOCAL] = { "thread local", SEVERITY_WARNING,
	    "the value of a ThreadLocal that a thread of a pool keeps",
	    "Threads of a pool do not end, so their values stay.  Reported when those of one class (or name) hold 1 MiB, or 1 %\n"
	    "of the live bytes and 64 KiB, or when a thread is all that keeps their class loader.  Call\n"
	    "remove() when the work is done.",
	    "%n %c in {1a ThreadLocal of a pooled thread holds|ThreadLocals of pooled threads hold} %p"
	    "{m, %m of a ThreadLocal that is gone}; {1thread|the largest in thread} %T" },
	[FINDING_COLLECTION] = { "collection", SEVERITY_NOTE,
	    "a collection that is very large, or collections that are mostly empty",
	    "Large: it keeps a tenth of the live bytes, or a twentieth with 100 000 elements, and 1 MiB.  Compare its size\n"
	    "with what it is for; a cache needs a bound.  Those of suspects, threads, thread locals and class loaders that\n"
	    "are told are left out.  Mostly empty: less than a fifth of the places are taken, and\n"
	    "those of one class waste a twentieth of the live bytes, and 1 MiB.  Make them when the first\n"
	    "element comes, or with the right capacity.",
	    "{w%o of %m elements holds|%n %c are mostly empty, %m have no element: they waste} %p" },
	[FINDING_STRING_COPIES] = { "equal strings", SEVERITY_NOTE,
	    "many Strings with the same text",
	    "All but one of each waste a twentieth of the live bytes, and 1 MiB.  Keep one of each (a map of your own,\n"
	    "intern(), -XX:+UseStringDeduplication), or an enum.  The query duplicates lists them.",
	    "%n Strings have {2only %m different texts|the same text}: the copies waste %p; {2most of that is }%s" },
	[FINDING_ARRAY_COPIES] = { "equal arrays", SEVERITY_NOTE,
	    "many arrays with the same content",
	    "All but one of each waste a twentieth of the live bytes, and 1 MiB.  Share one of them, or leave those out\n"
	    "that hold nothing but zeros.  The query duplicates lists them.",
	    "%n arrays have {2only %m different contents|the same content}: the copies waste %p; {2most of that is }%o"
	    "{z, of nothing but zeros}" }
};
