# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heapgrow.py - sizes that the fields of a class do not tell, for heap.py: stacks of virtual threads, and what the VM adds to a class."""
import collections

WIDTH = {4: 1, 5: 2, 6: 4, 7: 8, 8: 1, 9: 2, 10: 4, 11: 8}
STACK = "jdk.internal.vm.StackChunk"
ADDED = (b"<resolved_references>", b"<init_lock>")      # statics that lie elsewhere
KNOWN = set("""java.lang.Class java.lang.ClassLoader java.lang.InternalError java.lang.Module java.lang.StackFrameInfo java.lang.Thread
java.lang.VirtualThread java.lang.invoke.MemberName java.lang.invoke.MethodHandleNatives$CallSiteContext java.lang.invoke.ResolvedMethodName
java.util.concurrent.ConcurrentHashMap$CounterCell java.util.concurrent.Exchanger$Node java.util.concurrent.ForkJoinPool
java.util.concurrent.ForkJoinPool$WorkQueue java.util.concurrent.SubmissionPublisher$BufferedSubscription
java.util.concurrent.atomic.Striped64$Cell jdk.internal.vm.StackChunk""".split())
# What all JDKs add at least.
ADDED_LEAST = {"java.lang.ClassLoader": 8, "java.lang.InternalError": 1, "java.lang.Module": 8, "java.lang.invoke.MemberName": 8,
               "java.lang.invoke.ResolvedMethodName": 8, "java.util.concurrent.ConcurrentHashMap$CounterCell": 256,
               "java.util.concurrent.ForkJoinPool": 256, "java.util.concurrent.atomic.Striped64$Cell": 256}
FIRSTS, AGREE, MOST, MOST_OF_ONE, PADDED, DENSE, TIGHT = 16, 3, 4096, 512, 128, .9, .995


def up(n, to):
    return (n + to - 1) // to * to


def stack_bytes(words, word, ref):
    """The words, then a bit for each place of a reference, in whole words."""
    return words * word + up(words * word // ref, 8 * word) // 8


class Larger:
    """A part of Heap."""

    def stack_class(self):
        return 0 if self.android else self.by_name.get(STACK, 0)

    def words(self, o):
        """Frames of the stack of a stack chunk."""
        at = next((at for _, n, t, at in self.fields(o.cls) if n == b"size" and t == 10), None)
        n = self.r.i4(o.data + at) if at is not None and o.bytes >= at + 4 else 0
        return max(n, 0)

    def statics_bytes(self, c, ref, align):
        own = [t for n, t, _ in self.r.classes[c].statics if t not in (1, 2) or self.r.names.get(n) not in ADDED]
        refs = ref * sum(t in (1, 2) for t in own)
        refs = up(refs, 8) if any(t in (7, 11) for t in own) else refs
        return up(refs + sum(WIDTH[t] for t in own if t not in (1, 2)), align)

    def gaps_behind(self, ref, align):
        """{class: [(distance to the next object without what differs, one of the first instances)]}."""
        seen, count, stack = collections.defaultdict(list), collections.Counter(), self.stack_class()
        behind = dict(zip(self.addresses, self.addresses[1:]))
        for a, o in self.r.objects.items():
            if o.kind == "i":
                count[o.cls] += 1
                if a in behind:
                    d = behind[a] - a
                    if o.cls == stack:
                        d = max(d - stack_bytes(self.words(o), self.r.ids, ref), 0) // align * align
                    seen[o.cls].append((d, count[o.cls] <= FIRSTS))
            elif o.kind == "c" and self.jlc and a in behind:
                d = behind[a] - a - self.statics_bytes(a, ref, align)
                if d >= 0:
                    seen[self.jlc].append((d, False))
        return seen

    def larger(self, layout, flat, align):
        """({class: bytes of an instance, not aligned, with all that the VM adds}, whether a class fits nowhere)."""
        header, ref, _ = layout
        memo, seen, more = {}, self.gaps_behind(ref, align), {}
        classes = set(self.r.classes) | set(seen)
        end = {c: self.fields_end(c, header, ref, flat, memo) + (ref + 14 if c == self.stack_class() else 0) for c in classes}
        rule = {c: up(e, align) for c, e in end.items()}
        least = {c: min(d for d, _ in ds) for c, ds in seen.items() if ds}
        first = {c: [d for d, f in seen[c] if f] for c in classes}
        excess = {c: max(d - rule[c], 0) for c, d in least.items()}
        fit = [c for c in least if least[c] == rule[c]]
        n = sum(len(first[c]) for c in fit)
        touching = sum(first[c].count(rule[c]) for c in fit)
        dense, tight = touching >= DENSE * n, touching >= TIGHT * n
        below = collections.defaultdict(list)
        for c in least:
            for k in self.chain(c):
                below[k].append(excess[c])
        for c in sorted(classes, key=lambda k: len(self.chain(k))):
            above = self.sup.get(c)
            inherited = 0
            if above is not None and (more[above] or self.name(above) in KNOWN):
                inherited = max(up(rule[above] + more[above] + end[c] - end[above], align) - rule[c], 0)
            known, under = self.name(c) in KNOWN, any(self.name(k) in KNOWN for k in self.chain(c)[1:])

            def may(extra):
                return c in self.r.classes and not self.name(c).endswith("[]") and extra <= MOST and \
                    (known or under or self.r.classes[c].loader == 0 and (tight or dense and extra >= PADDED))
            agree = first[c].count(least[c]) if c in least else 0
            smallest = min(below[c], default=0)
            if agree >= AGREE and 2 * agree > len(first[c]) and may(excess[c]):
                more[c] = excess[c]
            elif not first[c] and below[c].count(smallest) >= AGREE and inherited < smallest and may(smallest):
                more[c] = smallest
            elif known and (tight or dense and not 0 < ADDED_LEAST.get(self.name(c), 0) < PADDED) and first[c] and excess[c] <= MOST_OF_ONE and may(excess[c]):
                more[c] = excess[c]
            else:
                least_added = ADDED_LEAST.get(self.name(c), 0) if known and first[c] and may(0) else 0
                added = max(inherited, up(end[c] + least_added, align) - rule[c] if least_added else 0)
                more[c] = min(excess.get(c, added), added)
        differs = any(len(first[c]) >= AGREE and least[c] != rule[c] + more[c] for c in least)
        return {c: end[c] + more[c] for c in classes}, differs
