/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runtime_names: the only lists of functions and threads of runtimes, for runtime.c.
 */
#ifndef BASE_RUNTIME_NAMES_H
#define BASE_RUNTIME_NAMES_H

#include "icecore/runtime.h"

/* Patterns of names, separated by '|'.  They also stand for names with "_", "GI_", "libc_" in front. */
static const struct runtime_names {
	unsigned	is;
	const char	*patterns;
} runtime_names[] = {
	/* ---- waits: C and C++ ---- */
	{ WAITING_LOCK, "*lll_lock_wait*|*pthread_mutex_lock*|*pthread_rwlock_rdlock*|"
	    "*pthread_rwlock_wrlock*|*__psynch_mutexwait*|*os_unfair_lock*|*futex_lock_pi*" },
	{ WAITING_TIMED, "*pthread_cond_timedwait*|*__pthread_clock_wait*|*sem_timedwait*" },
	{ WAITING_SIGNAL, "*pthread_cond_wait*|*__psynch_cvwait*|*sem_wait*|*pthread_join*|*clockjoin*" },
	{ WAITING_SLEEPS, "*nanosleep*|*usleep*|*__semwait_signal*|sleep" },
	{ WAITING_OTHER, "*futex_wait*|*futex_abstimed_wait*|*__ulock_wait*|wait3|wait4|waitpid|waitid|take_gil|"
	    "*PyThread_acquire_lock*" },
	/* Of a thread in a system call that can be cancelled, glibc 2.41 leaves only this frame. */
	{ WAITING_OTHER, "*_syscall_cancel*" },
	{ WAITING_IO, "mach_msg*|__CFRunLoopServiceMachPort|*::epoll_wait|*ZwWaitForWorkViaWorkerFactory|"
	    "epoll_wait|epoll_pwait|epoll_pwait2|poll|ppoll|select|pselect|pselect6|read|pread|recv|recvfrom|"
	    "recvmsg|accept|accept4|kevent|sigwait|sigwaitinfo|sigtimedwait|rt_sigtimedwait|msgrcv|semop|semtimedop|"
	    "io_getevents|io_uring_enter|io_uring_wait_cqe*|io_cqring_wait" },
	{ WAITING_SIGNAL, "std::condition_variable*::wait*|std::__condvar::wait*|std::thread::join|"
	    "std::thread::park*|parking_lot*::park*|std::sys*::futex::futex_wait" },
	{ WAITING_SLEEPS, "std::this_thread::sleep*|std::thread::sleep*" },
	{ WAITING_IO, "mio::poll::Poll::poll|mio::sys*::Selector::select" },
	{ WAITING_SIGNAL, "*NtWaitFor*|*ZwWaitFor*|*WaitForSingleObject*|*WaitForMultipleObjects*|"
	    "*SleepConditionVariable*|*NtWaitForAlertByThreadId" },
	{ WAITING_SLEEPS, "*NtDelayExecution|*ZwDelayExecution|*!SleepEx" },
	{ WAITING_WORK, "*io_service*::run_one|*tokio*::park|*WorkerThread::WaitForWork*" },
	/* ---- waits: Java ---- */
	{ WAITING_IO, "*.socketRead0|*SocketInputStream.*read*|*.socketAccept|*.socketConnect|*.accept0|"
	    "*.epollWait|*EPoll.wait|*KQueue.poll|*.kevent0|*.poll0|*.Net.accept|*.Net.poll|*.Net.connect0|"
	    "*FileInputStream.readBytes|*FileInputStream.read0|*.waitForProcessExit|*.waitForProcessExit0|"
	    "*SocketDispatcher.*read*|*FileDispatcherImpl.*read*|*DatagramDispatcher.*read*" },
	{ WAITING_SLEEPS, "*Thread.sleep|*Thread.sleep0|*Thread.sleepNanos0" },
	{ WAITING_NAPS, "java.lang.Thread.sleep*" },
	{ WAITING_SIGNAL | WAITING_WORK, "*Reference.waitForReferencePendingList" },
	{ WAITING_LOCK, "*ReentrantLock*.lock|*ReentrantReadWriteLock*.lock|"
	    "*AbstractQueuedSynchronizer.*cquire*" },
	{ WAITING_OTHER, "*Object.wait|*Object.wait0|*Unsafe.park|*LockSupport.park*|*ConditionObject.await*|"
	    "*Thread.parkFor$|*Thread.parkUntil$" },
	{ WAITING_WORK, "*ThreadPoolExecutor.getTask|*ForkJoinPool.awaitWork|*BlockingQueue.take|"
	    "*BlockingQueue.poll|*DelayedWorkQueue.take|*DelayedWorkQueue.poll|*TimerThread.mainLoop|"
	    "*ReferenceQueue.remove|*BlockingDeque.take*|*BlockingDeque.poll*|*TransferQueue.take|"
	    "*TransferQueue.poll|*LinkedTransferQueue.awaitMatch|android.os.MessageQueue.nativePollOnce|"
	    "java.lang.Daemons$*Daemon.run*" },
	{ WAITING_WORK, "*CoroutineScheduler$Worker.park|*CoroutineScheduler$Worker.tryPark|"
	    "*kotlinx.coroutines.DefaultExecutor.run|*okhttp*.ConnectionPool.performCleanup|"
	    "*okhttp*.ConnectionPool$1.run|*okio.AsyncTimeout.awaitTimeout|*BlockingConsumerArrayQueue.*|"
	    "*DelayQueue.take|*DelayQueue.poll|*SynchronousQueue.take|*SynchronousQueue.poll" },
	{ WAITING_EVENTS, "*SelectorImpl.select|*SelectorImpl.lockAndDoSelect" },
	/* ---- waits: JavaScript ---- */
	{ WAITING_WORK | RUNTIME_NAMELESS, "(idle)|:(idle):*" },
	/* ---- waits: .NET ---- */
	{ WAITING_LOCK, "*Threading.Monitor.*Enter*|*Threading.Lock.*Enter*" },
	{ WAITING_SIGNAL, "*Threading.Monitor.*Wait*|*Threading.WaitHandle.*Wait*|*SlimSemaphore.Wait|"
	    "*SemaphoreSlim.Wait|*ManualResetEventSlim.Wait|*Threading.Tasks.Task.*Wait*|"
	    "*Threading.Thread.*Join*|*LowLevelLifoSemaphore.*Wait*|*LowLevelMonitor.Wait*" },
	{ WAITING_IO, "System.Console.Read*|System.ConsolePal.Read*|Interop+Sys.Read|"
	    "Interop+Sys.WaitForSocketEvents|Interop+Kernel32.GetQueuedCompletionStatus*" },
	{ WAITING_SLEEPS, "*Threading.Thread.Sleep*|*Threading.Thread.UninterruptibleSleep*" },
	{ WAITING_WORK, "*PortableThreadPool+GateThread.GateThreadStart|"
	    "*LowLevelLifoSemaphore.WaitForSignal" },
	/* ---- waits: Python, with the file of the function ---- */
	{ WAITING_SIGNAL, "wait (*threading.py*|_wait_for_tstate_lock (*threading.py*|join (*threading.py*|"
	    "get (*queue.py*|wait (*subprocess.py*" },
	{ WAITING_IO, "select (*selectors.py*|accept (*socket.py*|readinto (*socket.py*" },
	/* ---- waits: Go ---- */
	{ WAITING_OTHER, "runtime.gopark|runtime.goparkunlock|runtime.semasleep|runtime.notesleep|"
	    "runtime.futexsleep|runtime.selectgo|runtime.block|runtime.chanrecv*|runtime.chansend*|"
	    "runtime.netpollblock|runtime.semacquire*|runtime.notetsleep*|sync.runtime_*" },
	{ WAITING_IO, "internal/poll.runtime_pollWait|internal/poll.(*pollDesc).wait*|runtime.netpoll" },
	/* ---- waits: what uftrace writes instead of a function while a thread is off its CPU ---- */
	{ WAITING_OTHER, "linux:schedule*" },
	/* ---- waits: Linux ---- */
	{ WAITING_OTHER, "finish_task_switch*|__schedule*|schedule|schedule_*|preempt_schedule*|io_schedule*|"
	    "*_slowpath|__switch_to*|context_switch|__mutex_lock*|mutex_lock|mutex_lock_*|down_read*|down_write*|"
	    "__down*|down|rwsem_down_*|ep_poll|do_epoll_wait|do_epoll_pwait|do_sys_poll|do_select|"
	    "core_sys_select|poll_schedule_timeout*|wait_for_completion*|__wait_for_common|wait_for_common|"
	    "wait_woken|do_wait|do_futex|futex_*|bit_wait*|__wait_on_bit*|out_of_line_wait_on_bit*|"
	    "__wait_on_buffer|wait_on_page_bit*|folio_wait_bit*|__wait_rcu_gp|synchronize_rcu*|"
	    "synchronize_srcu*|__synchronize_srcu*|exit_to_user_mode*|syscall_exit_to_user_mode*|"
	    "irqentry_exit*|sysvec_*|asm_sysvec_*|el0_i*|el1_i*|el1h_64_irq*|el0t_64_irq*|do_notify_resume" },
	{ WAITING_LOCK, "_raw_spin_lock*|_raw_read_lock*|_raw_write_lock*|queued_spin_lock*|"
	    "queued_read_lock*|queued_write_lock*|rt_spin_lock*|rt_mutex_lock*|rwsem_*|percpu_down_*|"
	    "__percpu_down_*|osq_lock" },
	/* ---- begin and run threads ---- */
	{ RUNTIME_ENTRY, "start_thread|thread_start*|clone|clone3|__libc_start*|_start|*pthread_start*|"
	    "_pthread_body*|_pt_root|start_wqthread|_pthread_wqthread|*ThreadFunc*|*ThreadMain*|call_run|"
	    "*Thread::call_run|JavaThread::*|JavaCalls::*|JavaMain*|java_start|thread_entry*|"
	    "thread_native_entry*|thread_main_inner*|*java?lang?Thread*run*|*VirtualThread*.run*|Thread.run|"
	    "java.*Thread.run|java.lang.ref.Reference$ReferenceHandler.run|jdk.*Thread.run|"
	    "android.*Thread.run|runtime.goexit*|runtime.main|__libc_init|*AndroidRuntime::start*|*ZygoteInit.main|"
	    "*RuntimeInit$MethodAndArgsCaller.run|*ActivityThread.main|node::Start*|node::LoadEnvironment*" },
	{ RUNTIME_ENTRY, "_bootstrap|_bootstrap (*|_bootstrap_inner|_bootstrap_inner (*|"
	    "run (*threading.py*" },
	{ RUNTIME_MAIN, "main|run|<module>|(root)" },
	{ RUNTIME_LOOP, "*RunTask|*GPUTask|*ProcessTaskFromWorkQueue|*ProcessNextEvent*|*MessagePump*|"
	    "*MessageLoop*|*.dispatchMessage|*ThreadPoolExecutor.runWorker|*ThreadPoolExecutor$Worker.run|"
	    "*ForkJoinPool.runWorker|*ForkJoinPool.scan|*ForkJoinWorkerThread.run|*FutureTask.run*|"
	    "*RunnableAdapter.call|*CoroutineScheduler$Worker.run*|*Looper.loop*|uv_run|uv__run_*|uv__io_poll" },
	{ RUNTIME_GLUE, "Interpreter*|*Method.invoke*|*<built-in method *|*_syscall_cancel*|*do_syscall*|"
	    "*entry_SYSCALL*|system_call*|*alloc_hook|asm_*|call_stub|jni_invoke*|_JNIEnv::Call*|_JNIEnv::NewObject*" },
	{ RUNTIME_GLUE, "art::Method_invoke*|art::Constructor_newInstance*|art::ArtMethod::Invoke*|*art::InvokeWith*|"
	    "art::JNI<*|art::interpreter::*|art_quick_*|artQuick*|nterp_*|ExecuteNterp*|ExecuteSwitch*|"
	    "Builtins_InterpreterEntry*|Builtins_JSEntry*|*v8::internal::*Invoke*|v8::Function::Call*" },
	{ RUNTIME_NAMELESS, "0x*|[*]|unknown_Java|(program)|(anonymous)|(heap allocation functions)|"
	    "(page allocation syscalls)|cpu_idle*|*_idle|*idle_loop*|native_safe_halt" },
	/* ---- libraries, and servers whose threads wait for connections ---- */
	{ RUNTIME_LIBRARY, "java.*|javax.*|jdk.*|sun.*|com.sun.*|java/*|javax/*|sun/*|jdk/*|Ljava/*|"
	    "Java_java_*|Java_sun_*|com.oracle.svm.*|com.oracle.graal.*|com.ibm.oti.*|com.ibm.jvm.*|openj9.*|"
	    "libcore.*|dalvik.*|android.*|com.android.internal.*|kotlin.*|kotlinx.*|scala.*|io.netty.*|"
	    "org.eclipse.jetty.*|org.apache.tomcat.*|org.apache.catalina.*|org.apache.coyote.*|io.undertow.*|"
	    "org.xnio.*|io.vertx.*|okio.*|okhttp3.*" },
	{ RUNTIME_LIBRARY, "runtime.*|runtime/*|internal/*|sync.*|net.(*|net/*|os.(*|os/*|bufio.(*|io.copy*|"
	    "io.Read*|crypto/*|database/*|syscall.*|time.Sleep" },
	{ RUNTIME_LIBRARY, "std::*|core::*|alloc::*|<std::*|<core::*|<alloc::*|pthread*|futex*|lll_*|"
	    "do_futex_wait*|write|read|open|mmap|brk|sbrk|free|malloc|calloc|realloc" },
	{ RUNTIME_LIBRARY, "_int_malloc|os::*alloc|AllocateHeap*|operator new*|operator delete*|ntdll!*|"
	    "KERNELBASE!*|__GI_*|__interceptor_*|ucrtbase!*|System.*|(dynamicClass).*" },
	/* ---- how programs of all languages end themselves ---- */
	{ RUNTIME_ENDS, "panic|gopanic|rust_panic*|rust_begin_unwind|objc_exception_*|tgkill|kill|raise|"
	    "gsignal|abort|<signal handler called>" },
	{ RUNTIME_RAISES, "panic|runtime.gopanic|runtime.sigpanic|runtime.panic*|__cxa_throw*|__cxa_rethrow*|"
	    "std::terminate*|core::panicking::panic*|objc_exception_throw*|<signal handler called>|__restore_rt|"
	    "_sigtramp*|runtime.sigtramp*" },
	{ RUNTIME_ENDS, "__restore_rt|_sigtramp*|__cxxabiv1::*|__cxa_*|__rust_*|__exceptionPreprocess|__asan_*|"
	    "__ubsan_*|__tsan_*|__sanitizer*|__stack_chk_fail*|__fortify_*|__libc_message*|__assert*|__die*|"
	    "art::Runtime::Abort*|swift_*Failure*|_assertionFailure*|asm_exc_*|exc_*|page_fault|do_page_fault*|"
	    "no_context*|*bad_area*|oops_*" },
	/* ---- how Linux reports: the timer that interrupts a function, and who writes its stack ---- */
	{ RUNTIME_ENDS, "dump_stack*|show_stack*|dump_backtrace*|show_regs*|nmi_cpu_backtrace*|"
	    "nmi_trigger_cpumask_backtrace*|arch_trigger_cpumask_backtrace*|trigger_single_cpu_backtrace*|"
	    "rcu_dump_cpu_stacks*|print_cpu_stall*|rcu_sched_clock_irq*|rcu_check_callbacks*|"
	    "watchdog_timer_fn*|softlockup_fn*|update_process_times*|tick_sched_*|tick_nohz_*|"
	    "hrtimer_interrupt*|__hrtimer_run_queues*|*apic_timer_interrupt|arch_timer_handler_*|"
	    "handle_percpu_devid_irq*|generic_handle_domain_irq*|handle_domain_irq*|gic_handle_irq*|"
	    "call_on_irq_stack*|do_interrupt_handler*" },
	/* ---- work of runtimes ---- */
	{ RUNTIME_COLLECTS, "GCTaskThread::*|GangWorker::*|ConcurrentGCThread::*|ConcurrentG1*|G1Conc*|"
	    "G1Collect*|G1YoungCollector::*|VM_GC_Operation::*|VM_G1*::doit*|VM_Parallel*::doit*|"
	    "VM_GenCollect*::doit*|ParallelScavengeHeap::*|PSScavenge::*|ZDriver*|ZWorker*|ZThread::*|"
	    "Shenandoah*Thread::*|runtime.gcBgMarkWorker*|runtime.gcAssistAlloc*|runtime.bgsweep*|"
	    "runtime.bgscavenge*|runtime.gcStart*|*(garbage collector)*|*::gc_heap::*|gc_collect*|gc_start*|"
	    "gc_marks*|gc_sweep*|rb_gc*|v8::internal::Heap::CollectGarbage*|v8::internal::Scavenger*|"
	    "art::gc::collector::*" },
	{ RUNTIME_COMPILES, "CompileBroker::*|C2Compiler::*|Compiler::compile_method*|compiler_thread_loop|"
	    "v8::internal::Compiler::*|v8::internal::OptimizingCompileDispatcher*|art::jit::*|*(compiler)*" }
};

/* Patterns of names of threads of runtimes and of the kernel, as the kernel cuts them. */
static const char *const runtime_threads[] = {
	"kworker/*", "ksoftirqd/*", "irq/*", "rcu_*", "kswapd*", "migration/*",
	/* ART */
	"ReferenceQueueD*", "FinalizerDaemon", "FinalizerWatchd*", "HeapTaskDaemon", "Signal Catcher",
	"Jit thread pool*", "Profile Saver", "ADB-JDWP Connec*", "Runtime worker *", "perfetto_hprof_*",
	/* HotSpot */
	"Reference Handl*", "Finalizer", "Signal Dispatch*", "Common-Cleaner", "Service Thread", "Monitor Deflati*",
	"C1 CompilerThre*", "C2 CompilerThre*", "G1 *", "GC Thread#*", "VM Thread", "VM Periodic Tas*", "DestroyJavaVM",
	"Notification Th*", "Attach Listener", "Sweeper thread", "ZGC *", "XWorker#*", "ZWorker*", "Shenandoah*", NULL
};

#endif
