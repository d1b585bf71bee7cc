/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/** finalize() of one object waits for a lock; those behind it pile up. */
public class P22FinalizeHang {
    static class Handle { final byte[] table = new byte[600]; @SuppressWarnings("removal") protected void finalize() { synchronized (LOCK) { } } }
    static class FileHandle extends Handle { final String path; FileHandle(int i) { path = "/data/" + i; } }
    static final Object LOCK = new Object();
    public static void main(String[] a) throws Exception {
        synchronized (LOCK) {
            for (int i = 0; i < 15000; i++) new FileHandle(i);
            System.gc(); Thread.sleep(700);
            System.out.println("READY"); Thread.sleep(600000);
        }
    }
}
