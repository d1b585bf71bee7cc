/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.locks.StampedLock;
/** A lock for each document that was ever opened. */
public class P51Stamps {
    static class Documents { private final ConcurrentSkipListMap<Long, StampedLock> open = new ConcurrentSkipListMap<>(); }
    static final Documents DOCUMENTS = new Documents();
    public static void main(String[] a) throws Exception {
        for (long i = 0; i < 100000; i++) DOCUMENTS.open.put(i, new StampedLock());
        System.out.println("READY"); Thread.sleep(600000);
    }
}
