/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * finding_kinds: the one list of kinds of findings.
 */
#include "config.h"

#include "icecore/leak.h"

const char *const severity_names[SEVERITIES] = { "note", "warning", "leak" };

/* The phrase of kinds of objects that have ended. */
#define WHY_ENDED "{reason}[, {state}]; {retained} retained{count:|; {count} leaking objects in all}" \
	"[, with it: {with}][; known leak: {known_leak}]"

/*
 * To add a kind: a value of enum finding_kind (leak.h), a row here, a word in icecore-heap(7), and a detector with a
 * row in findings.c; detect_threads.c is a short one.  tests/mk/heapleaks.py or tests/mk/heaptroubles.py makes two
 * dumps, just above and just below its threshold.  The rule stands a second time in tests/oracle/owners.py.
 *
 * Tests of its rows: man query cases.
 */
const struct finding_row finding_rows[FINDINGS] = {
	[FINDING_ACTIVITY] = { "activity", SEVERITY_LEAK, 400,
	    "destroyed Activity still reachable",
	    "Certain: mDestroyed is true, so the system no longer uses it.  A reference from a GC root still holds it "
	    "with\n"
	    "all its views; the retained size includes them.",
	    "Follow the leak trace to the last object that should be alive.  Clear the reference below it in "
	    "onDestroy, or\n"
	    "remove that reference.",
	    WHY_ENDED },
	[FINDING_FRAGMENT] = { "fragment", SEVERITY_LEAK, 400,
	    "destroyed Fragment still reachable",
	    "Certain: no FragmentManager contains it any more, or its lifecycle is DESTROYED.",
	    "Clear the reference marked in its leak trace when the Fragment is destroyed.",
	    WHY_ENDED },
	[FINDING_VIEW] = { "view", SEVERITY_LEAK, 400,
	    "detached View, or View of a destroyed Activity",
	    "Certain if its context is a destroyed Activity.  Likely if mAttachInfo is null although the View was "
	    "attached\n"
	    "before (mWindowAttachCount), unless the app keeps the View to attach it again.",
	    "A Fragment must clear its references to views in onDestroyView.",
	    WHY_ENDED },
	[FINDING_STATIC_VIEW] = { "static view", SEVERITY_WARNING, 400,
	    "View in a static field",
	    "A View holds its Activity, and a static field lives as long as the process.  When the Activity is "
	    "destroyed, the\n"
	    "View leaks it.",
	    "Do not store a View in a static field, or clear the field in onDestroy.",
	    "held by a static field of {other}; {retained} retained" },
	[FINDING_ROOT_VIEW] = { "root view", SEVERITY_LEAK, 400,
	    "root view of a closed window still reachable",
	    "Certain: the ViewRootImpl has no view, or its Activity was destroyed.",
	    "A dialog, popup or toast was not dismissed, or something still holds it.  Follow its leak trace.",
	    WHY_ENDED },
	[FINDING_CONTEXT] = { "context", SEVERITY_LEAK, 400,
	    "Context wrapping a destroyed Activity",
	    "Certain: through mBase or mOuterContext it wraps an Activity whose mDestroyed is true.",
	    "Use the application context in objects that live longer than an Activity.",
	    WHY_ENDED },
	[FINDING_SERVICE] = { "service", SEVERITY_LEAK, 400,
	    "stopped Service still reachable",
	    "Certain: ActivityThread.mServices no longer contains it.",
	    "Follow its leak trace: a registered listener, a thread or a static field holds it.",
	    WHY_ENDED },
	[FINDING_DIALOG] = { "dialog", SEVERITY_LEAK, 400,
	    "dismissed Dialog, Window or Toast still reachable",
	    "Certain: its window was closed or destroyed.",
	    "Clear the reference marked in its leak trace when it is dismissed.",
	    WHY_ENDED },
	[FINDING_OTHER] = { "ended object", SEVERITY_LEAK, 400,
	    "ended queue, ViewModel or similar object still reachable",
	    "Certain: a field shows that it has ended (mQuitting, mCleared, disposed, ShutDown, dead), or the view of "
	    "the\n"
	    "editor leaks.",
	    "Nothing should hold an ended object.  Follow its leak trace.",
	    WHY_ENDED },
	[FINDING_WATCHED] = { "watched object", SEVERITY_LEAK, 400,
	    "object watched by LeakCanary and not collected",
	    "A KeyedWeakReference of LeakCanary still has its referent and a retained time.  The app declared the "
	    "object\n"
	    "unused, but it was not collected.",
	    "Follow its leak trace.",
	    WHY_ENDED },
	[FINDING_DETACHED] = { "detached element", SEVERITY_LEAK, 400,
	    "element that was removed from its page and is still held",
	    "Certain: the browser marks elements that no document contains.  The outermost element of a removed tree "
	    "is\n"
	    "reported with all that it holds.  A page may keep an element on purpose, to show it again.",
	    "Clear the variable, the listener or the collection that holds the element when it is removed from the "
	    "page.",
	    "removed from the page, but still held[holder? by {holder}]; {retained} retained{count:|; {count} elements "
	    "in all}" },
	[FINDING_UNREACHABLE] = { "unreachable object", SEVERITY_NOTE, 0,
	    "object watched by LeakCanary without a strong reference",
	    "A KeyedWeakReference of LeakCanary still has its referent, but no strong reference from a GC root leads "
	    "to it.\n"
	    "It was not collected before the dump was taken.  It is not a leak.",
	    "Nothing.  If LeakCanary reported it, it was collected late.",
	    "{count} watched by LeakCanary without a strong reference: a later collection frees "
	    "{count:it|them}[; {state}]" },
	[FINDING_CURSOR] = { "cursor", SEVERITY_WARNING, 400,
	    "unclosed Cursors or cursor windows",
	    "Certain if nothing can close them any more: only static fields or ended objects hold them, or only their\n"
	    "finalizer reaches them.  Cursors held by a running method, an adapter, a loader, a live Activity or "
	    "another\n"
	    "process are in use.  Cursors held by other objects may be in use; they are reported if more than 20 are "
	    "held in\n"
	    "the same way.",
	    "Call close(), preferably by try-with-resources, or by use {} in Kotlin.",
	    "{count} open[unreachable?, reachable only by finalizers][static?, held by a static field of {other}]"
	    "[ended?, held by {other}, which has ended]; {retained} retained" },
	[FINDING_BITMAP_RECYCLED] = { "recycled bitmap", SEVERITY_NOTE, 100,
	    "recycled Bitmaps still held",
	    "Certain, but mostly harmless: the pixels are freed and the objects are small.  Reported if one of them "
	    "still has\n"
	    "its pixel buffer, or if there are at least ten.",
	    "Remove them from the cache or ImageView that holds them.  Drawing a recycled Bitmap throws an exception.",
	    "{count was|were} recycled and {count:is|are} still held[, {number} with pixels]; {retained} retained" },
	[FINDING_BITMAP_COPIES] = { "equal bitmaps", SEVERITY_WARNING, 100,
	    "duplicate Bitmaps",
	    "Certain: width, height, format and all bytes are equal.  Reported if at least 64 KiB, or 1 % of the live "
	    "bytes,\n"
	    "are wasted.  Bitmaps held in the same way form one finding.",
	    "Load the image once and share it.  The query bitmaps lists the copies.",
	    "{count} bitmaps show [several?only {number} different pictures|the same picture]; {retained} could be "
	    "saved" },
	[FINDING_FINALIZER] = { "finalizer queue", SEVERITY_WARNING, 200,
	    "many objects wait for finalize()",
	    "Until finalize() has run, these objects and everything they hold stay in the heap; only their finalizers "
	    "reach\n"
	    "them.  Reported for at least 1000 objects of a class, or at least 1 MiB and 2 % of the live bytes.  "
	    "Objects that\n"
	    "the collection just before the dump found are not counted.  The queue is not counted while the Finalizer "
	    "thread\n"
	    "is idle.",
	    "Look at the stack of the Finalizer thread: it hangs or is too slow.  Close these objects explicitly, or "
	    "use\n"
	    "java.lang.ref.Cleaner.",
	    "{count} {class} {count:waits|wait} for finalize() and {count:holds|hold} {retained}[; the Finalizer "
	    "thread is in {finalizer}]" },
	[FINDING_RESOURCE] = { "resource", SEVERITY_WARNING, 400,
	    "files, sockets, statements or locks that were not released",
	    "Certain if only ended objects hold them, and for locks of ended threads and receivers of destroyed "
	    "Activities.\n"
	    "Also if only their finalizers reach them; at least 10 of a class are reported.  Fields show that they are "
	    "open\n"
	    "(closed, fd, address, mRecycled, mHeld).  Resources held by a running method or by native code are in "
	    "use.  More\n"
	    "than 100 that the program holds in the same way may be in use, so they are a note.  Sockets do not count "
	    "there.",
	    "Release them on all paths, preferably by try-with-resources.  Among bytecode, the query bugs shows where "
	    "they\n"
	    "are made.",
	    "{count} {class} not released[unreachable?, reachable only by finalizers][ended?, held by {other}, which "
	    "has ended]; "
	    "{retained} retained" },
	[FINDING_ACCUMULATION] = { "accumulation", SEVERITY_NOTE, 100,
	    "one field holds many objects of the same kind",
	    "icecore follows the heaviest field down (query 'names') to the place that holds many similar objects.  If "
	    "each\n"
	    "of these objects holds many more objects with most of the bytes, icecore goes further down.  So it finds "
	    "the\n"
	    "queue of each connection instead of the list of connections.  Equally large objects, more than one of "
	    "them\n"
	    "holds, grow in number and are reported themselves.  The finding names the nearest field of your program "
	    "above\n"
	    "the objects, with everything it holds; or the object whose collections share them, and these collections. "
	    " It\n"
	    "is a warning if the field holds at least 4 MiB and at least 10 % of all bytes.  Fewer than 100 objects of "
	    "a\n"
	    "library, objects in a full array, or in a ring made at once, are reported as a note.  Immutable "
	    "collections\n"
	    "cannot grow and are not reported.  A cache that is large on purpose looks the same as a leak.",
	    "Find the code that adds to the field, and the code that should remove from it.  Compare two dumps: a leak "
	    "grows.",
	    "{subject}: [number?{things}{in}{dead}{each}{contents}|objects of many kinds]{one_of}"
	    "[kept_all?; nothing was ever removed from it]{other_holders}[bound?; may be bounded by {bound}][; made at "
	    "{made}]" },
	[FINDING_POOL] = { "pool queue", SEVERITY_NOTE, 100,
	    "tasks wait in the queue of a thread pool",
	    "Certain: the tasks are in the queue of a ThreadPoolExecutor or ForkJoinPool.  Tasks arrive faster than "
	    "the\n"
	    "threads run them, or the threads are waiting.  Tasks of a scheduled pool stay in the queue until they are "
	    "due,\n"
	    "even if they were cancelled.",
	    "Look at what the threads of the pool wait for.  Give an unbounded queue a limit, and decide what happens "
	    "to\n"
	    "tasks that do not fit.  Cancel periodic tasks that are no longer needed; setRemoveOnCancelPolicy(true) "
	    "removes\n"
	    "cancelled tasks at once.",
	    "the [local?queue of [program?a thread pool in a local variable of {owner}|[worker?the thread pool of "
	    "\"{worker}\"|a thread pool]] "
	    "holds {part}|{owners:queue of the thread pool {owner} holds {part}|queues of {owners} thread pools "
	    "{owner} hold {part} together}]: "
	    "{count} {class} [scheduled?{count:is|are} scheduled[cancelled?, most of them cancelled: see "
	    "setRemoveOnCancelPolicy]|"
	    "{count:waits|wait}][workers?; [workers_differ?one of ]{owners:its|the} "
	    "{workers:thread|{workers} threads}{owners:| of one pool} {workers:is|[workers_differ?is|are]} in "
	    "[worker_frame?{worker_frame}|JDK code]]{one_of}" },
	[FINDING_LINKED] = { "linked structure", SEVERITY_NOTE, 100,
	    "list, tree or graph of linked objects",
	    "Many objects of a few classes, each held by another of these objects, at any depth.  The object that "
	    "holds the\n"
	    "first of them retains all of them.  It is a warning under the same conditions as an accumulation.",
	    "Find the place where nodes should be unlinked, or where the reference to the first node should be "
	    "cleared.",
	    "{subject}: a linked structure of {links}{one_of}" },
	[FINDING_THREAD_LOCAL] = { "thread local", SEVERITY_NOTE, 100,
	    "values of a ThreadLocal",
	    "The values live as long as their threads, and the threads of pools do not end.  If the ThreadLocal itself "
	    "was\n"
	    "collected, nothing can read its values any more: this is certainly a leak.",
	    "Call remove() when the work is done, in a finally block.",
	    "[lost?values whose ThreadLocal was collected hold|[keys?{keys} hold|ThreadLocal {owner} holds]] "
	    "{part}[static_local? in {threads thread|threads}]: "
	    "{count} {class}; [lost?nothing can read them any more|kept until remove() is called or the thread ends]" },
	[FINDING_THREAD] = { "thread", SEVERITY_NOTE, 100,
	    "local variable of a running method that holds much memory",
	    "Certain, but only until the method returns.  Often the method reads a large result at once.  Fields of a "
	    "few\n"
	    "objects belong to the method if a collection in its local variable has these objects, or if several "
	    "threads\n"
	    "have them.  Local variables of main() do not count then.",
	    "Look at the stack of the thread.  Read the data in pages, or stream it.",
	    "[calls?calls of {owner} that have not returned keep {part} in local variables|"
	    "[keepers?{keepers:thread|{keepers} threads} {keeper} {keepers:keeps|keep}|a thread keeps] "
	    "{part} in local variables of {owner}]: [number?{things}{contents}|one {class}]"
	    "[request?; each works on a {request}]" },
	[FINDING_LARGE] = { "large object", SEVERITY_NOTE, 100,
	    "one very large object",
	    "Certain: an array, or a string or collection including its array.  Usually it is a buffer that has grown. "
	    " It is\n"
	    "a warning if it has at least 16 MiB and at least 25 % of all bytes.",
	    "Read or write in chunks, or give the buffer a limit.",
	    "{subject}: one {class}[ of {elements} elements]{one_of}" },
	[FINDING_LISTENERS] = { "listeners", SEVERITY_NOTE, 100,
	    "many listeners of one event",
	    "Certain: they are in the list of listeners of an emitter or of an element.  Each listener keeps the "
	    "variables\n"
	    "of the function that made it.  It is a warning under the same conditions as an accumulation.",
	    "Remove a listener when its object is no longer needed, or add it once.  The option once, or an "
	    "AbortSignal,\n"
	    "removes it by itself.",
	    "{subject}: {count} listeners, {class}{contents}{other_holders}" },
	[FINDING_TIMERS] = { "timers", SEVERITY_NOTE, 100,
	    "many timers that still wait",
	    "Certain: timers that have neither run nor been cleared hold these objects.  An interval waits until it "
	    "is\n"
	    "cleared.  It is a warning under the same conditions as an accumulation.",
	    "Call clearInterval() or clearTimeout() when the work is done or not needed any more.",
	    "timers that wait hold {part}: {count} {class}{contents}" },
	[FINDING_PROMISES] = { "pending promises", SEVERITY_NOTE, 100,
	    "many promises that functions wait for",
	    "Certain: the promises were neither fulfilled nor rejected, and functions that wait for them are still in\n"
	    "memory, with their variables.  It is a warning under the same conditions as an accumulation.",
	    "Settle every promise: reject it when the reply does not come in time, or when its connection is closed.",
	    "{subject}: promises that were never settled keep {count} {class}{contents}{other_holders}" },
	[FINDING_DIRECT] = { "direct memory", SEVERITY_NOTE, 100,
	    "buffers and memory segments outside the heap",
	    "Certain: the sizes of reachable direct ByteBuffers, memory segments and open arenas, each byte counted "
	    "once.\n"
	    "The zlib memory of an Inflater or a Deflater is an estimate.  The memory of a buffer is freed when the "
	    "buffer is\n"
	    "collected; the memory of an arena, a stream or a library is freed when it is closed.  "
	    "-XX:MaxDirectMemorySize\n"
	    "limits buffers; -Xmx limits none of this memory.",
	    "Reuse buffers, or release them.  Close arenas.  Call end() of Inflaters and Deflaters.  When a thread "
	    "reads or\n"
	    "writes with heap buffers, the JDK copies the data into buffers that sun.nio.ch.Util.bufferCache keeps.  "
	    "With\n"
	    "-Djdk.nio.maxCachedBufferSize=BYTES it keeps only buffers up to that size.",
	    "{owner} keeps [zlib?about ]{native} outside the heap[zlib? (zlib memory, estimated)]: {count} "
	    "{class}{one_of}[static_local?; see -Djdk.nio.maxCachedBufferSize]" },
	[FINDING_NETTY] = { "netty pool", SEVERITY_NOTE, 100,
	    "pooled Netty buffers in use",
	    "The pool keeps a chunk as long as one buffer in it is in use.  The bytes in use are those that the chunks "
	    "do not\n"
	    "count as free; caches of threads are in use, too.  A pool with less than half of its bytes in use is at "
	    "rest.\n"
	    "Otherwise icecore cannot know whether the buffers should already have been released.",
	    "The code that holds the buffers must call release().  -Dio.netty.leakDetection.level=paranoid shows where "
	    "they\n"
	    "were allocated.",
	    "Netty's buffer pool holds {part}; [unheld?{used_bytes} of its bytes are in use[rest?: it is at rest|, but "
	    "buffers "
	    "were collected without release()]|{count} buffers are in use, most of them held by {owner}; release() may "
	    "be "
	    "missing]" },
	[FINDING_CACHE] = { "bounded cache", SEVERITY_NOTE, 100,
	    "cache with a size limit",
	    "Not a leak: the cache cannot grow beyond its limit, and it is near it.  icecore knows the limits of "
	    "Guava,\n"
	    "Caffeine, Ehcache, Jackson, Lucene, Spring, Android and commons-collections, and of bounded queues of the "
	    "JDK.\n"
	    "The limit counts only for the entries themselves, not for lists inside them.  A map of the program that "
	    "extends\n"
	    "LinkedHashMap is a cache if it is in the order of access, or if --classes shows its removeEldestEntry.  A "
	    "field\n"
	    "such as maxEntries that equals the number of entries proves a limit only if --classes shows that it is "
	    "final.\n"
	    "Otherwise the finding is an accumulation that may be bounded.  A queue counts as a cache if it holds "
	    "fewer than\n"
	    "1000 objects, or holds buffers.  Any other queue is a backlog and is reported as an accumulation.",
	    "Check whether the limit is right for this heap.",
	    "{subject}: {things}; the cache is bounded[bound? by {bound}]" },
	[FINDING_HASH] = { "bad hash", SEVERITY_WARNING, 100,
	    "most keys of a hash table collide",
	    "Certain: computed from the table.  Reported if a table has at least 500 entries and at least 60 % of them "
	    "share\n"
	    "a bucket; with good hashes 17 to 30 % do.  Each look-up compares with all entries of a bucket.  It is a "
	    "warning\n"
	    "if used buckets have at least 8 entries on average.",
	    "Check hashCode() of the keys.",
	    "{owner}: {count} entries, {collide} of them collide; check hashCode() of {class}" },
	[FINDING_THREADS] = { "many threads", SEVERITY_WARNING, 100,
	    "many threads of the same kind, outside any pool",
	    "Reported if at least 50 threads have names that differ only in numbers, or are in the same calls outside "
	    "the\n"
	    "JDK, and none of them works for an executor.  Some code starts a new thread each time and never stops it. "
	    " Each\n"
	    "thread also has its stack outside the heap.",
	    "Close the object that starts them (a client, a producer, a timer), or use one pool.",
	    "{count} threads {pattern} ({class}) run, belong to no pool and keep {part}[number?; one of them is in "
	    "[frame?{frame}|JDK code]]: close the object that starts them" },
	[FINDING_POOLS] = { "thread pools", SEVERITY_WARNING, 100,
	    "many similar thread pools, or very many threads in one",
	    "Certain: these pools have the same class and core size.  The names of their threads differ only in "
	    "numbers, or\n"
	    "the same factory made the threads; pools of a class outside the JDK need neither.  Reported for at least "
	    "50\n"
	    "pools, for at least 20 pools with a total of 200 threads, and for a pool with 1000 threads.  A pool "
	    "without\n"
	    "references lives as long as it has threads, even idle ones.",
	    "Create one pool and share it.  Shut down pools that serve one job, with try-with-resources or shutdown(). "
	    " Limit\n"
	    "the number of threads of a pool.",
	    "{count} thread {count:pool|pools} {class} {count:has|have} [single?{count:1 thread|one thread "
	    "each}|{number} threads]"
	    "[has_other? ([of_thread?{pattern}|made by {factory}])] and {count:keeps|keep} {part}"
	    "[of_thread?; [single?the thread of one|one of these threads] is [frame?in {frame}|idle, in JDK code]][; "
	    "held by {held}]" },
	[FINDING_OBJECT_POOL] = { "object pool", SEVERITY_NOTE, 100,
	    "pool of connections or other objects, and what is in use",
	    "Certain: the fields of the pool show it.  icecore knows HikariCP, commons-pool 2 (DBCP, Jedis), Tomcat "
	    "JDBC, c3p0,\n"
	    "Druid and HttpComponents.  It is a warning if threads wait and no object is free.",
	    "Find the code that takes an object and does not give it back: close connections in try-with-resources.\n"
	    "HikariCP's leakDetectionThreshold shows where they were taken.",
	    "{pool}: [used?{used}|none] of {all} {all:object|objects} in use[limit?, limit {limit}]"
	    "[waiting?; {waiting} {waiting:thread|threads}[waiter? {waiter}] {waiting:waits|wait} for one][borrower?; "
	    "one in use is held by {borrower}]" },
	[FINDING_VIRTUAL] = { "virtual threads", SEVERITY_NOTE, 150,
	    "many virtual threads in one place",
	    "Certain: these threads are in this method, which is not part of the JDK.  If the dump has no stacks of "
	    "virtual\n"
	    "threads, all of them have a task of this class instead.  Dumps of JDK 21 and of the serviceability agent "
	    "(jhsdb\n"
	    "jmap) lack these stacks; objects held only by them count as unreachable.  Reported for at least 500 "
	    "threads.  It\n"
	    "is a warning if they hold at least 4 MiB and 10 % of all bytes, and there are at least 5000, or at least "
	    "100\n"
	    "with 8 KiB each.  It is also a warning if their local variables hold as much as an accumulation.",
	    "Find out what they wait for, and why it does not happen.  Limit how many are started (a Semaphore), and "
	    "give\n"
	    "each wait a timeout.",
	    "{count} virtual threads {does} [frame?in|with task] {place} and keep {part}[locals?[most_local?, most of "
	    "it|, "
	    "also] {held_count} {class} in local variables of {field}]"
	    "[awaited?; waiting for {awaited}[, which thread {taken_by} holds]]"
	    "[await_holder?[taken_by?|, which holds them]|[; held by {held}]][stack?|; the dump lacks their stacks: "
	    "objects held only by their local variables count as unreachable[, {unreachable_size} are]]" },
	[FINDING_LOADER] = { "class loader", SEVERITY_WARNING, 400,
	    "class loaders that should have been unloaded",
	    "Likely if the loader was closed or stopped.  Also likely if only its objects or classes are referenced, "
	    "not the\n"
	    "loader itself, and it is one of several loaders with the same classes.  The same applies if it has at "
	    "most 1000\n"
	    "objects, at most 8 references to them from outside, and no thread in its code.  Loaders of code generated "
	    "at run\n"
	    "time (Groovy, Janino, Byte Buddy, JSP) are reported if there are at least 1000.  A loader that is neither "
	    "closed\n"
	    "nor one of several may be in use, so it is reported as a note.",
	    "A module or web application was undeployed, but a thread local, a driver or a listener in a static field "
	    "still\n"
	    "holds it.  The leak trace shows which.",
	    "{count:class loader {object} seems|{count} class loaders {label} seem} abandoned[some? (of {number} of "
	    "that "
	    "class)] but {count:is|are} still reachable, with {part}: [has_other?{count:|the largest is }kept alive by "
	    "[held_class?class|an instance of] {class} in {loader_place}|[context?kept alive by the "
	    "contextClassLoader of {context}|{count:it|one} has class {class}]][; other holders: "
	    "{kept_otherwise}][unsure?; no leak if it is still in use]" },
	[FINDING_CLASSES] = { "generated classes", SEVERITY_WARNING, 100,
	    "very many classes whose names differ only in numbers",
	    "Certain: these classes are generated while the program runs (proxies, scripts, hidden classes).  Each "
	    "class also\n"
	    "uses some KiB outside the heap.  It lives as long as its class loader; a hidden class lives as long as it "
	    "is\n"
	    "used.  Reported for at least 1000 such classes, as a warning for at least 3000.  For lambdas and other "
	    "classes\n"
	    "that the JDK generates for itself, the limits are 3000 and 20 000.  It is also a warning if at least 100 "
	    "have a\n"
	    "class loader each, which together retain at least 4 MiB and 10 % of the live bytes.",
	    "Generate each class once and keep it.  Find out what differs each time: the list of interfaces, the text "
	    "of a\n"
	    "script, or the class loader.",
	    "{count} classes {names} of [number?{number} class loaders|[has_other?class loader {other}|the boot class "
	    "loader]] keep {part}, and more outside the heap: each was generated at run time[; held by {held}]" },
	[FINDING_EMPTY] = { "empty collections", SEVERITY_NOTE, 1,
	    "mostly empty collections",
	    "Certain: less than 20 % of their capacity is used, and collections of the same class waste at least 1 MiB "
	    "and\n"
	    "5 % of the live bytes.",
	    "Create them when the first element is added, or with the right capacity.",
	    "{count} {class} are mostly empty[, {number} of them without any element]: they waste {part}[, most of it "
	    "in {most_in}]" },
	[FINDING_STRING_COPIES] = { "equal strings", SEVERITY_NOTE, 1,
	    "many Strings with the same value",
	    "Certain: the copies, all except one of each value, waste at least 1 MiB and 5 % of the live bytes.",
	    "Keep one copy of each value (a map of your own, intern(), -XX:+UseStringDeduplication), or use an enum.  "
	    "The\n"
	    "query duplicates lists the copies.",
	    "{count} Strings have [several?only {number} different values|the same value]: the copies waste {part}; "
	    "[several?[most?most of that|the worst] is ]\"{string}\"" },
	[FINDING_ARRAY_COPIES] = { "equal arrays", SEVERITY_NOTE, 1,
	    "duplicate arrays",
	    "Certain: the copies, all except one of each content, waste at least 1 MiB and 5 % of the live bytes.",
	    "Share one copy, or do not allocate arrays that hold only zeros.  The query duplicates lists the copies.",
	    "{count} arrays have [several?only {number} different contents|the same content]: the copies waste {part}; "
	    "[several?[most?most of that|the worst] is ]{object}[zeros?, all zeros]" }
};
