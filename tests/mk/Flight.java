/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;

/* Runs for that many milliseconds and does what recordings contain: it computes, allocates, waits and fights for a lock. */
public class Flight {
	static final Object lock = new Object();
	static final List<Object> kept = new ArrayList<>();
	static volatile double sink;

	static void compute(long end) {
		while (System.nanoTime() < end)
			for (int i = 1; i < 1000; i++)
				sink += Math.sin(i) / i;
	}

	static void allocate(long end) {
		for (int i = 0; System.nanoTime() < end; i++) {
			byte[] b = new byte[1000 + i % 7000];
			if (i % 5000 == 0 && kept.size() < 1000)
				kept.add(b);
		}
	}

	static void fight(long end) {
		while (System.nanoTime() < end)
			synchronized (lock) {
				compute(Math.min(end, System.nanoTime() + 30_000_000));
			}
	}

	/* From JDK 21 on. */
	static void startVirtual(Runnable work) {
		try {
			Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
			for (int i = 0; i < 50; i++)
				start.invoke(null, work);
		} catch (ReflectiveOperationException e) {
			new Thread(work, "no virtual threads").start();
		}
	}

	public static void main(String[] args) throws Exception {
		long end = System.nanoTime() + Long.parseLong(args[0]) * 1_000_000;

		for (int i = 0; i < 2; i++)
			new Thread(() -> fight(end), "fight " + i).start();
		new Thread(() -> allocate(end), "allocate").start();
		startVirtual(() -> compute(System.nanoTime() + 5_000_000));
		while (System.nanoTime() < end) {
			Thread.sleep(30);
			System.gc();
		}
	}
}
