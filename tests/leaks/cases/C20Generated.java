/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.lang.invoke.*;
import java.util.*;
/** Some hundred generated classes of one name, and as many of another: an ordinary program has them. */
public class C20Generated {
    public static class View implements Runnable { public void run() { } }
    public static class Mapper implements Runnable { public void run() { } }
    static final List<Runnable> ALL = new ArrayList<>();
    static Runnable copy(String name) throws Exception {
        byte[] code = C20Generated.class.getResourceAsStream("C20Generated$" + name + ".class").readAllBytes();
        return (Runnable)MethodHandles.lookup().defineHiddenClass(code, true).lookupClass().getDeclaredConstructor().newInstance();
    }
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 900; i++) { ALL.add(copy("View")); ALL.add(copy("Mapper")); }
        System.out.println("READY"); Thread.sleep(600000);
    }
}
