/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.concurrent.locks.*;
/** Virtual threads that want a lock which thread main does not give back, each with its form. JDK 21 or later. */
public class P44Teller {
    static class Desk { final ReentrantLock lock = new ReentrantLock(); long sum; void book(int n) { lock.lock(); try { sum += n; } finally { lock.unlock(); } } }
    static final Desk DESK = new Desk();
    static void serve(int i) { byte[] form = new byte[500]; form[0] = (byte)i; DESK.book(form[0]); System.out.print(form[1]); }
    public static void main(String[] a) throws Exception {
        DESK.lock.lock();
        for (int i = 0; i < 8000; i++) { int n = i; Thread.startVirtualThread(() -> serve(n)); }
        Thread.sleep(2500);
        System.out.println("READY"); Thread.sleep(600000);
    }
}
