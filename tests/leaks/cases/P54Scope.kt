/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
import kotlinx.coroutines.*

/** Watchers of an application's scope wait for an event that never comes. */
class Watched54(val n: Int) { val state = ByteArray(900) }
object App54 { val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default); val never = CompletableDeferred<Unit>() }
suspend fun watch54(w: Watched54) { App54.never.await(); println(w.n) }
object P54Scope {
    @JvmStatic fun main(a: Array<String>) {
        for (i in 0 until 15000) App54.scope.launch { watch54(Watched54(i)) }
        Thread.sleep(2000); println("READY"); Thread.sleep(600000)
    }
}
