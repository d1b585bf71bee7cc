/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*; import java.util.concurrent.*;
/** Lines of a log that wait for their writer: never more than 5 000. */
public class C16LogRing {
    static class Line { final long at; final String text; Line(int i) { at = i; text = "line " + i + " of the log of this program"; } }
    static class Log { final LinkedBlockingQueue<Line> lines = new LinkedBlockingQueue<>(5000); }
    static final Log LOG = new Log();
    public static void main(String[] a) throws Exception { for (int i = 0; i < 9000; i++) LOG.lines.offer(new Line(i)); System.out.println("READY"); Thread.sleep(600000); }
}
