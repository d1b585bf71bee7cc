/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import com.github.benmanes.caffeine.cache.*;
/** A large cache of Caffeine with a bound. */
public class C02Caffeine {
    static class Thumb { final byte[] image = new byte[1500]; }
    static class Thumbs { final Cache<Integer, Thumb> cache = Caffeine.newBuilder().maximumSize(12000).build(); }
    static final Thumbs THUMBS = new Thumbs();
    public static void main(String[] a) throws Exception { for (int i = 0; i < 30000; i++) THUMBS.cache.put(i, new Thumb()); THUMBS.cache.cleanUp(); System.out.println("READY"); Thread.sleep(600000); }
}
