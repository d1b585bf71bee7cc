/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** 500 MB in thirty parts of about one size, each with its own kind of row. */
public class C05Big {
    static class Text { final String text; Text(int i) { text = "text of row " + i; } }
    static class Point { final double x, y, z; Point(int i) { x = i; y = 2 * i; z = 3 * i; } }
    static class Blob { final byte[] bytes = new byte[120]; }
    static class Part1 { final Map<Integer, Text> m = new HashMap<>(); Part1() { for (int i = 0; i < 220000; i++) m.put(i, new Text(i)); } }
    static class Part2 { final List<Point> l = new ArrayList<>(); Part2() { for (int i = 0; i < 700000; i++) l.add(new Point(i)); } }
    static class Part3 { final Set<Blob> s = new LinkedHashSet<>(); Part3() { for (int i = 0; i < 120000; i++) s.add(new Blob()); } }
    static class Part4 { final TreeMap<Integer, Blob> m = new TreeMap<>(); Part4() { for (int i = 0; i < 120000; i++) m.put(i, new Blob()); } }
    static final Part1 A1 = new Part1(), A2 = new Part1(), A3 = new Part1(), A4 = new Part1(), A5 = new Part1();
    static final Part2 B1 = new Part2(), B2 = new Part2(), B3 = new Part2(), B4 = new Part2(), B5 = new Part2();
    static final Part3 D1 = new Part3(), D2 = new Part3(), D3 = new Part3(), D4 = new Part3(), D5 = new Part3();
    static final Part4 E1 = new Part4(), E2 = new Part4(), E3 = new Part4(), E4 = new Part4(), E5 = new Part4();
    public static void main(String[] a) throws Exception { System.out.println("READY"); Thread.sleep(600000); }
}
