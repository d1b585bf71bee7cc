/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** Texts of the program in eight languages. */
public class C11Messages {
    static class Bundle { final Locale locale; final Map<String, String> texts = new HashMap<>(); Bundle(Locale l) { locale = l; for (int i = 0; i < 1500; i++) texts.put("message." + i, "text " + i + " in " + l); } }
    static final Map<Locale, Bundle> BUNDLES = new LinkedHashMap<>();
    public static void main(String[] a) throws Exception { for (String s : "de en fr it es nl pl sv".split(" ")) BUNDLES.put(new Locale(s), new Bundle(new Locale(s))); System.out.println("READY"); Thread.sleep(600000); }
}
