/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.lang.ref.Cleaner; import java.util.concurrent.*;
/** The thread of a Cleaner hangs in one action: all later ones wait, with what they hold. */
public class P21CleanerHang {
    static class Release implements Runnable { final byte[] state = new byte[500]; public void run() { try { new CountDownLatch(1).await(); } catch (InterruptedException e) { } } }
    static final Cleaner CLEANER = Cleaner.create();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 20000; i++) CLEANER.register(new Object(), new Release());
        System.gc(); Thread.sleep(500);
        System.out.println("READY"); Thread.sleep(600000);
    }
}
