/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/** Objects with a finalizer that nobody needs any more: the collection before the dump is the first to see them. */
public class C22Finalized {
    static int closed;
    static class Handle { final byte[] b = new byte[400]; @SuppressWarnings("removal") protected void finalize() { closed++; } }
    static Object[] keep = new Object[30000];
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < keep.length; i++) keep[i] = new Handle();
        System.gc(); System.gc();
        keep = null;
        System.out.println("READY"); Thread.sleep(600000);
    }
}
