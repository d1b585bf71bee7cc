/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*; import java.util.function.*;
/** Listeners that are lambdas and keep the view that added them. */
public class P09Lambdas {
    static class View { final int[] pixels = new int[200]; void repaint(String s) { } void show(Model m) { m.onChange(s -> { if (s != null) this.repaint(s); }); } }
    static class Model { private final List<Consumer<String>> observers = new ArrayList<>(); void onChange(Consumer<String> c) { observers.add(c); } }
    static final Model MODEL = new Model();
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 15000; i++) new View().show(MODEL);
        System.out.println("READY"); Thread.sleep(600000);
    }
}
