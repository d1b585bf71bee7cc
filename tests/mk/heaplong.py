# Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
"""heaplong.py - a dump whose classes have names of 60 characters and more, for mkheap.py.

long      HotSpot: 40 classes of com.example.subscription.management.*, each instance holds the next one, byte arrays and
          Strings of one text; they hang on a HashMap of a static, on locals of threads with methods of such classes.
"""
from heapfile import BYTE, OBJECT, Dump
from heapjava import boot

PACKAGE = "com.example.subscription.management.infrastructure."
WORDS = ["Asynchronous", "Transactional", "Distributed", "Configurable", "Observable"]
KINDS = ["SubscriptionRepository", "CustomerNotification", "PaymentReconciliation", "SessionSynchronization"]


def long_name(i):
    return f"{PACKAGE}{WORDS[i % 5]}{KINDS[i // 5 % 4]}{'Factory' if i % 2 else 'Adapter'}{i}"


def long():
    d = Dump()
    boot(d)
    names = [long_name(i) for i in range(40)]
    for name in names:
        d.klass(name, fields=[("subscriptionIdentifierOfTheCustomer", OBJECT), ("following", OBJECT), ("payload", OBJECT)])
    last = [0] * 8
    for i in range(400):
        name = names[i * 7 % 40]
        last[i % 8] = d.obj(name, subscriptionIdentifierOfTheCustomer=d.text(f"urn:subscription:customer:of:the:month:{i % 50}"),
                            following=last[i % 8], payload=d.prims(BYTE, [i % 100] * (64 + i)))
    held = d.refs("java.lang.Object[]", last[:4])
    d.klass(PACKAGE + "SubscriptionManagementApplicationContextHolder", statics=[("subscriptionsThatAreStillPending", OBJECT, held)])
    for n in range(3):
        thread = d.obj("java.lang.Thread", name=d.text(f"subscription-management-executor-of-tenant-{n}"), tid=n + 1)
        for k in range(3):
            d.frame(0x900 + 8 * n + k, names[n * 3 + k], f"reconcileSubscriptionsOfCustomer{k}", "()V", "Subscriptions.java", 10 + k)
        d.stack(100 + n, n + 1, [0x900 + 8 * n + k for k in range(3)])
        d.root("thread", thread, n + 1, 100 + n)
        d.root("java frame", last[4 + n], n + 1, 1)
    return d


MAKERS = {"long": lambda: long().build()}
