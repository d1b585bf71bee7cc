/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/** An object's map of sessions that nobody takes out. */
object P37ObjectMap {
    data class Session(val user: String, val token: ByteArray)
    object Sessions { private val open = LinkedHashMap<String, Session>(); fun add(s: Session) { open[s.user] = s } }
    @JvmStatic fun main(a: Array<String>) {
        for (i in 0 until 30000) Sessions.add(Session("user " + i, ByteArray(240)))
        println("READY"); Thread.sleep(600000)
    }
}
