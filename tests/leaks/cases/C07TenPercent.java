/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** A cache without a bound that has a tenth of a large heap, beside sixteen parts of 7 MB. */
public class C07TenPercent {
    static class Hit { final byte[] answer = new byte[400]; }
    static class Row { final byte[] columns = new byte[100]; }
    static class Search { final Map<Integer, Hit> cache = new HashMap<>(); }
    static final Search SEARCH = new Search();
    static List<Row> part() { List<Row> l = new ArrayList<>(); for (int i = 0; i < 50000; i++) l.add(new Row()); return l; }
    static final List<Row> P01 = part(), P02 = part(), P03 = part(), P04 = part(), P05 = part(), P06 = part(), P07 = part(), P08 = part(),
        P09 = part(), P10 = part(), P11 = part(), P12 = part(), P13 = part(), P14 = part(), P15 = part(), P16 = part();
    public static void main(String[] a) throws Exception { for (int i = 0; i < 23000; i++) SEARCH.cache.put(i, new Hit()); System.out.println("READY"); Thread.sleep(600000); }
}
