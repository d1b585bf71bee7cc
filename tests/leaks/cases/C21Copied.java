/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** Tables that were made once, and cannot grow. */
public class C21Copied {
    static class Town { final String name; final double lat, lon; Town(String n, int i) { name = n; lat = i; lon = -i; } }
    static Map<String, Town> byCode; static List<Town> all; static Set<String> names;
    public static void main(String[] a) throws Exception {
        Map<String, Town> m = new HashMap<>();
        for (int i = 0; i < 90000; i++) m.put("P" + i, new Town("Town " + i, i));
        byCode = Map.copyOf(m); all = List.copyOf(byCode.values()); names = Set.copyOf(m.keySet());
        m = null;
        System.out.println("READY"); Thread.sleep(600000);
    }
}
