"""tap.py: lines of TAP for checks that gather what is wrong."""
import sys

count = 0


def check(name, *wrong):
    """Fails when any of wrong is true, and shows those that are."""
    global count
    count += 1
    wrong = [w for w in wrong if w]
    print("%s %d - %s" % ("not ok" if wrong else "ok", count, name))
    for w in wrong:
        print("\n".join("# " + line[:1000] for line in str(w).splitlines()[:30]))
    sys.stdout.flush()


def skip(name, why):
    check("%s # SKIP %s" % (name, why))


def plan():
    print("1..%d" % count)
