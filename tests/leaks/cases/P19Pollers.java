/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/** Each call starts a thread that never ends. */
public class P19Pollers {
    static class Poller extends Thread { final byte[] frame = new byte[2000]; Poller(int i) { super("poller-" + i); setDaemon(true); } public void run() { try { Thread.sleep(600000); } catch (InterruptedException e) { } } }
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 250; i++) new Poller(i).start();
        System.out.println("READY"); Thread.sleep(600000);
    }
}
