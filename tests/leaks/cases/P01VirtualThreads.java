/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** Virtual threads that wait for an answer, each with its order in a local variable. JDK 21 or later. */
public class P01VirtualThreads {
    static class Order { final byte[] form = new byte[3000]; final int number; Order(int i) { number = i; } }
    static final Object ANSWER = new Object();
    static void handle(int i) {
        Order order = new Order(i);
        try { Thread.sleep(600000); } catch (InterruptedException e) { }
        System.out.print(order.number);
    }
    public static void main(String[] a) throws Exception {
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < 4000; i++) { int n = i; all.add(Thread.ofVirtual().start(() -> handle(n))); }
        Thread.sleep(1500);
        System.out.println("READY"); Thread.sleep(600000);
        System.out.println(all.size());
    }
}
