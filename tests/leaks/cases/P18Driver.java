/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.sql.*; import java.util.*;
/** Five deployments of one application; each registered its driver and never took it back. */
public class P18Driver {
    public static class Shop implements Runnable, Driver {
        static final Map<String, byte[]> PRICES = new HashMap<>();
        public void run() { for (int i = 0; i < 300; i++) PRICES.put("p" + i, new byte[4000]); try { DriverManager.registerDriver(this); } catch (SQLException e) { } }
        public Connection connect(String u, Properties p) { return null; }
        public boolean acceptsURL(String u) { return false; }
        public DriverPropertyInfo[] getPropertyInfo(String u, Properties p) { return null; }
        public int getMajorVersion() { return 1; }
        public int getMinorVersion() { return 0; }
        public boolean jdbcCompliant() { return false; }
        public java.util.logging.Logger getParentLogger() { return null; }
    }
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 5; i++) ((Runnable) new WebappLoader("P18Driver$Shop").loadClass("P18Driver$Shop").getDeclaredConstructor().newInstance()).run();
        System.out.println("READY"); Thread.sleep(600000);
    }
}
