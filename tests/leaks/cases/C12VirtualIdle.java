/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** 2 000 virtual threads at rest, with little. JDK 21 or later. */
public class C12VirtualIdle {
    static final Set<Thread> OPEN = new HashSet<>();
    static void serve(String who) { try { Thread.sleep(600000); } catch (InterruptedException e) { } System.out.print(who); }
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 2000; i++) { String who = "guest " + i; OPEN.add(Thread.ofVirtual().start(() -> serve(who))); }
        Thread.sleep(1000);
        System.out.println("READY"); Thread.sleep(600000);
    }
}
