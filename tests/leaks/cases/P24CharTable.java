/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/** One char[] that doubles whenever it is full. */
public class P24CharTable {
    static class Lexicon { char[] letters = new char[1024]; int used; void add(String s) { if (used + s.length() > letters.length) letters = java.util.Arrays.copyOf(letters, letters.length * 2); s.getChars(0, s.length(), letters, used); used += s.length(); } }
    static final Lexicon LEXICON = new Lexicon();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 1000000; i++) LEXICON.add("word" + i);
        System.out.println("READY"); Thread.sleep(600000);
    }
}
