/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
/** Three plug-ins with a class loader each, of three different classes, all in use. */
public class C15Plugins {
    public static class Pdf implements Runnable { final byte[] fonts = new byte[300000]; public void run() { } }
    public static class Csv implements Runnable { final byte[] table = new byte[200000]; public void run() { } }
    public static class Xml implements Runnable { final byte[] schema = new byte[400000]; public void run() { } }
    static final Map<String, Runnable> EXPORTS = new TreeMap<>();
    public static void main(String[] a) throws Exception {
        for (String s : new String[] {"Pdf", "Csv", "Xml"}) { String n = "C15Plugins$" + s; EXPORTS.put(s, (Runnable) new WebappLoader(n).loadClass(n).getDeclaredConstructor().newInstance()); }
        System.out.println("READY"); Thread.sleep(600000);
    }
}
