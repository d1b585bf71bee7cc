/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** An InheritableThreadLocal whose value is copied for each thread. */
public class P32Inherited {
    static final InheritableThreadLocal<Map<String, byte[]>> CONTEXT = new InheritableThreadLocal<>() {
        @Override protected Map<String, byte[]> childValue(Map<String, byte[]> m) { Map<String, byte[]> c = new HashMap<>(); for (int i = 0; i < 40; i++) c.put("k" + i, new byte[6000]); return c; }
    };
    public static void main(String[] a) throws Exception {
        CONTEXT.set(new HashMap<>());
        for (int i = 0; i < 30; i++) { Thread t = new Thread(() -> { try { Thread.sleep(600000); } catch (InterruptedException e) { } }, "worker"); t.start(); }
        System.out.println("READY"); Thread.sleep(600000);
    }
}
