/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*; import java.util.concurrent.*;
/** 500 MB: twenty tables of a busy program, and jobs that nobody takes out. */
public class P31Big {
    static class Item { final String name; final long[] data = new long[6]; Item(int i) { name = "item " + i; } }
    static class Table { final String name; final Map<Integer, Item> rows = new HashMap<>(); Table(int t) { name = "table " + t; for (int i = 0; i < 100000; i++) rows.put(i, new Item(i)); } }
    static class Job { final byte[] input = new byte[400]; }
    static class Scheduler { final Map<Long, Job> finished = new ConcurrentHashMap<>(); }
    static class Sales { final Table table = new Table(0); }
    static class Stock { final Table table = new Table(1); }
    static class Staff { final Table table = new Table(2); }
    static class Plants { final Table table = new Table(3); }
    static class Trucks { final Table table = new Table(4); }
    static class Routes { final Table table = new Table(5); }
    static final Sales SALES = new Sales(); static final Stock STOCK = new Stock(); static final Staff STAFF = new Staff();
    static final Plants PLANTS = new Plants(); static final Trucks TRUCKS = new Trucks(); static final Routes ROUTES = new Routes();
    static final Scheduler SCHEDULER = new Scheduler();
    public static void main(String[] a) throws Exception {
        for (long i = 0; i < 800000; i++) SCHEDULER.finished.put(i, new Job());
        System.out.println("READY"); Thread.sleep(600000);
    }
}
