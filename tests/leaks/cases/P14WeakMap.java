/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** A WeakHashMap whose values hold their keys: nothing ever leaves it. */
public class P14WeakMap {
    static class Key { final int n; Key(int i) { n = i; } }
    static class Meta { final Key of; final byte[] more = new byte[250]; Meta(Key k) { of = k; } }
    static final Map<Key, Meta> METAS = new WeakHashMap<>();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 30000; i++) { Key k = new Key(i); METAS.put(k, new Meta(k)); }
        System.out.println("READY"); Thread.sleep(600000);
    }
}
