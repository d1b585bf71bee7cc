/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** A running method reads a whole table into a list that only its frame knows. */
public class P04LocalList {
    static class Row { final long id; final String text; Row(int i) { id = i; text = "row " + i + " of the export"; } }
    static class Export implements Runnable {
        public void run() { collect(); }
        void collect() {
            List<Row> rows = new ArrayList<>();
            for (int i = 0; i < 100000; i++) rows.add(new Row(i));
            System.out.println("READY");
            try { Thread.sleep(600000); } catch (InterruptedException e) { }
            System.out.println(rows.size());
        }
    }
    public static void main(String[] a) throws Exception { Thread t = new Thread(new Export(), "export-7"); t.start(); t.join(); }
}
