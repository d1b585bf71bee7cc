/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later
 * The program behind demo/notes.jar: an app that keeps notes in a database, and forgets to close some of its Cursors.
 *
 *	javac -g --release 8 -d classes STUBS demo/Notes.java
 *	python3 tests/mk/demojar.py demo/notes.jar classes
 *
 * STUBS are android.database.Cursor and CursorWrapper as empty as the compiler lets them be; they are not in the jar.
 */
package com.example.notes;

import android.database.Cursor;
import android.database.CursorWrapper;
import java.util.ArrayList;
import java.util.List;

interface Database {
	Cursor query(String table, String where);
	void log(String line);
}

class Notes {
	private final Database db;
	private Cursor shown;

	Notes(Database db) {
		this.db = db;
	}

	/* As it should be. */
	List<String> titles() {
		List<String> titles = new ArrayList<>();
		try (Cursor c = db.query("notes", null)) {
			while (c.moveToNext())
				titles.add(c.getString(0));
		}
		return titles;
	}

	/* Closed by a helper. */
	int count() {
		Cursor c = db.query("notes", null);
		try {
			return c.getCount();
		} finally {
			Cursors.close(c);
		}
	}

	/* The early return leaves the Cursor open. */
	String find(String words) {
		Cursor c = db.query("notes", words);
		if (!c.moveToFirst())
			return null;
		String title = c.getString(0);
		c.close();
		return title;
	}

	/* An exception that the handler swallows leaves it open. */
	int unread() {
		Cursor c = db.query("notes", "unread");
		int n = 0;
		try {
			n = c.getCount();
			c.close();
		} catch (IllegalStateException e) {
			db.log("unread: " + e);
		}
		return n;
	}

	/* Each iteration except the last loses a Cursor. */
	int words(List<String> ids) {
		Cursor c = null;
		int n = 0;
		for (String id : ids) {
			c = db.query("words", id);
			n += c.getCount();
		}
		if (c != null)
			c.close();
		return n;
	}

	/* Another object closes it. */
	void show(String words) {
		shown = db.query("notes", words);
	}

	/* The helper only looks. */
	boolean exists(String id) {
		return Cursors.any(db.query("notes", id));
	}
}

class Cursors {
	static void close(Cursor c) {
		if (c != null && !c.isClosed())
			c.close();
	}

	static boolean any(Cursor c) {
		return c != null && c.getCount() > 0;
	}
}

/* A Cursor of the app's own. */
class Sorted extends CursorWrapper {
	Sorted(Cursor c) {
		super(c);
	}
}

class Search {
	private final Database db;

	Search(Database db) {
		this.db = db;
	}

	int hits(String words) {
		Sorted sorted = new Sorted(db.query("notes", words));
		int n = sorted.getCount();
		sorted.close();
		return n;
	}
}
