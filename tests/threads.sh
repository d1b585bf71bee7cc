# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
# The explorer while much happens at once, for the sanitizers (make check-tsan, and .ci/run): tests/hurt/threads.py.
. "${srcdir:-$(dirname "$0")/..}/tests/python.sh"

tests/mk/heapshape mesh 50000 >"$scratch/heap.hprof" || exit 99
tests/mk/heapshape mesh 40000 2 >"$scratch/other.hprof" || exit 99
tests/mk/gentrace -s 1 -n 100000 -t 20 -m 300 -o "$scratch/calls.trace" >/dev/null || exit 99
tests/mk/gentrace -s 2 -n 100000 -t 20 -m 300 -o "$scratch/other.trace" >/dev/null || exit 99
for file in demo.hprof.gz phone.hprof.gz sched.txt.gz recipes.pftrace.gz shop.jfr.gz profile.txt.gz money.ofx.gz money_before.ofx.gz notes.jar; do
	cp "$srcdir/demo/$file" "$scratch" || exit 99
done
"$python" "$srcdir/tests/hurt/threads.py" . "$scratch" "${THREAD_STEPS:-200}" "${THREAD_SEED:-1}"
