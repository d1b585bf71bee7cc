/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** A large cache of the program's own, with a bound. */
public class C01OwnLru {
    static class Page { final byte[] text = new byte[900]; }
    static class Pages extends LinkedHashMap<Integer, Page> { Pages() { super(16, .75f, true); } @Override protected boolean removeEldestEntry(Map.Entry<Integer, Page> e) { return size() > 20000; } }
    static class Site { final Pages recent = new Pages(); }
    static final Site SITE = new Site();
    public static void main(String[] a) throws Exception { for (int i = 0; i < 50000; i++) SITE.recent.put(i, new Page()); System.out.println("READY"); Thread.sleep(600000); }
}
