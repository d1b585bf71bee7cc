/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** Two static maps that have the same values. */
public class P06SharedStatics {
    static class Parcel { final byte[] label = new byte[150]; final int id; Parcel(int i) { id = i; } }
    static final Map<Integer, Parcel> BY_ID = new HashMap<>();
    static final Map<String, Parcel> BY_CODE = new TreeMap<>();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 50000; i++) { Parcel p = new Parcel(i); BY_ID.put(i, p); BY_CODE.put("P" + i, p); }
        System.out.println("READY"); Thread.sleep(600000);
    }
}
