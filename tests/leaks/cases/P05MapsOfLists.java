/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** A static map of lists of maps. */
public class P05MapsOfLists {
    static class Fare { final String code; final int cents; Fare(int i) { code = "F" + i; cents = i; } }
    static final Map<String, List<Map<String, Fare>>> FARES = new HashMap<>();
    public static void main(String[] a) throws Exception {
        for (int r = 0; r < 60; r++) {
            List<Map<String, Fare>> days = new ArrayList<>();
            for (int d = 0; d < 50; d++) {
                Map<String, Fare> day = new TreeMap<>();
                for (int i = 0; i < 40; i++) { Fare f = new Fare(r * 10000 + d * 100 + i); day.put(f.code, f); }
                days.add(day);
            }
            FARES.put("route " + r, days);
        }
        System.out.println("READY"); Thread.sleep(600000);
    }
}
