/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import com.google.common.cache.*;
/** A cache of Guava without any bound. */
public class P33Guava {
    static class Quote { final byte[] text = new byte[250]; }
    static class Quotes { final Cache<Integer, Quote> known = CacheBuilder.newBuilder().build(); }
    static final Quotes QUOTES = new Quotes();
    public static void main(String[] a) throws Exception { for (int i = 0; i < 30000; i++) QUOTES.known.put(i, new Quote()); System.out.println("READY"); Thread.sleep(600000); }
}
