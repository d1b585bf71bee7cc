/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.concurrent.*;
/** Answers that a time-out of an hour would give keep their frames in the JDK's own scheduler. */
public class P53Timeout {
    static class Answer { final byte[] frame = new byte[600]; }
    public static void main(String[] a) throws Exception {
        for (int i = 0; i < 20000; i++) new CompletableFuture<Answer>().completeOnTimeout(new Answer(), 1, TimeUnit.HOURS);
        System.out.println("READY"); Thread.sleep(600000);
    }
}
