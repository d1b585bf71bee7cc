// Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
import java.util.ArrayList;
import java.util.List;

/** Known SECONDS [wait]: heavy works three times as long as light; 500 objects of Leaf, five waiting threads. */
public class Known {
	static final class Leaf {
		final byte[] data = new byte[1000];
	}

	static final List<Leaf> leaves = new ArrayList<>();
	static volatile long sink;

	static long heavy(int rounds) {
		long total = 0;
		for (int i = 0; i < 3 * rounds; i++)
			total += (long) i * i % 7;
		return total;
	}

	static long light(int rounds) {
		long total = 0;
		for (int i = 0; i < rounds; i++)
			total += (long) i * i % 7;
		return total;
	}

	static void idle() {
		try {
			Thread.sleep(1000000);
		} catch (InterruptedException e) {
			Thread.currentThread().interrupt();
		}
	}

	public static void main(String[] args) throws Exception {
		for (int i = 0; i < 500; i++)
			leaves.add(new Leaf());
		for (int i = 0; i < 5; i++) {
			Thread thread = new Thread(Known::idle, "idle-" + i);
			thread.setDaemon(true);
			thread.start();
		}
		long end = System.nanoTime() + (long) (Double.parseDouble(args[0]) * 1e9);
		while (System.nanoTime() < end)
			sink += heavy(1000000) + light(1000000);
		System.out.println("READY");
		if (args.length > 1)
			idle();
	}
}
