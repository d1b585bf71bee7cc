/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import com.google.common.session.Journal;
/** Nobody takes from the queue of a library: it is bounded, and no cache; and a table that is meant to be there. */
public class P38Backlog {
    static final java.util.Map<String, byte[]> TEXTS = new java.util.HashMap<>();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 1000; i++) TEXTS.put("text " + i, new byte[2000]);
        for (int i = 0; i < 35000; i++) Journal.note("order was placed", "customer " + i, i, new java.util.Date());
        System.out.println("READY"); Thread.sleep(600000);
    }
}
