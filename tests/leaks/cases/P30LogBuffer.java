/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*; import java.util.logging.*;
/** A handler of java.util.logging that keeps all records to show them in a window. */
public class P30LogBuffer {
    static class WindowHandler extends Handler {
        private final List<LogRecord> lines = new ArrayList<>();
        public void publish(LogRecord r) { lines.add(r); }
        public void flush() { }
        public void close() { }
    }
    static final Logger LOG = Logger.getLogger("shop");
    public static void main(String[] a) throws Exception {
        LOG.setUseParentHandlers(false); LOG.addHandler(new WindowHandler());
        for (int i = 0; i < 40000; i++) LOG.info("order " + i + " was sent to customer " + i * 3);
        System.out.println("READY"); Thread.sleep(600000);
    }
}
