/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.concurrent.*;
/** Each export makes a pool of its own, which nobody shuts down: only its idle threads keep it. */
public class P40Pools {
    static int export(String name) throws Exception { return Executors.newFixedThreadPool(2).submit(() -> name.length()).get(); }
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 150; i++) export("month " + i);
        System.out.println("READY"); Thread.sleep(600000);
    }
}
