/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import com.google.common.cache.*;
/** A large cache of Guava with a bound. */
public class C03Guava {
    static class Rate { final byte[] terms = new byte[1200]; }
    static class Rates { final Cache<Integer, Rate> cache = CacheBuilder.newBuilder().maximumSize(12000).build(); }
    static final Rates RATES = new Rates();
    public static void main(String[] a) throws Exception { for (int i = 0; i < 30000; i++) RATES.cache.put(i, new Rate()); System.out.println("READY"); Thread.sleep(600000); }
}
