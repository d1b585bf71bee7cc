/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/** As R8 leaves a program: names of one letter, in part the same for all; P35Mapped.map has the true ones. */
public class P35Mapped {
    static final b a = new b();
    public static void main(String[] x) throws Exception { for (int i = 0; i < 30000; i++) a.a.add(new c(i)); System.out.println("READY"); Thread.sleep(600000); }
}
class b { final java.util.List<c> a = new java.util.ArrayList<>(); }
class c { final byte[] a = new byte[200]; final int b; c(int i) { b = i; } }
