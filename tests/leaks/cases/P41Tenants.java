/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.util.*;
import java.util.concurrent.*;
/** A scheduler for each tenant, whose thread has the tenant's name. */
public class P41Tenants {
    static class Tenant {
        final ScheduledExecutorService refresh;
        long times;
        Tenant(String name) {
            refresh = Executors.newSingleThreadScheduledExecutor(r -> { Thread t = new Thread(r, "refresh " + name); t.setDaemon(true); return t; });
            refresh.scheduleAtFixedRate(() -> times++, 1, 3600, TimeUnit.SECONDS);
        }
    }
    static final Map<String, Tenant> TENANTS = new HashMap<>();
    public static void main(String[] a) throws Exception {
        for (char x = 'a'; x <= 'z'; x++) for (char y = 'a'; y < 'f'; y++) TENANTS.put("" + x + y, new Tenant("" + x + y));
        System.out.println("READY"); Thread.sleep(600000);
    }
}
