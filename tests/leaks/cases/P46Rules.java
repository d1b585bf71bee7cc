/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.lang.invoke.*;
import java.util.*;
/** A hidden class for each rule, kept by its text. */
public class P46Rules {
    public static class Rule implements Runnable { static int n; public void run() { n++; } }
    static class Engine {
        final Map<String, Runnable> compiled = new HashMap<>();
        void add(String text) throws Exception {
            byte[] code = P46Rules.class.getResourceAsStream("P46Rules$Rule.class").readAllBytes();
            compiled.put(text, (Runnable)MethodHandles.lookup().defineHiddenClass(code, true).lookupClass().getDeclaredConstructor().newInstance());
        }
    }
    static final Engine ENGINE = new Engine();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 3500; i++) ENGINE.add("price > " + i);
        System.out.println("READY"); Thread.sleep(600000);
    }
}
