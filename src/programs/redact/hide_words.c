/* Copyright (C) 2026 the icecore authors; SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hide_words: names of functions, classes and files word by word, so that equal functions stay equal and
 * their marks stay.
 */
#include "config.h"

#include <string.h>

#include "hide.h"

/*
 * Words of virtual machines, runtimes and kernels: all programs have the same, and states of threads are
 * known by them.
 */
static const char platform[] =
	/* Java */
	"java javax jdk sun lang util nio net io ch misc base concurrent locks atomic internal Thread Object Class "
	    "String "
	"Runnable Native Method method Unknown Source app platform bootstrap sleep sleep0 sleepNanos0 sleepNanos wait "
	    "wait0 run park "
	"parkNanos parkUntil Unsafe LockSupport AbstractQueuedSynchronizer ConditionObject ConditionNode ReentrantLock "
	"ReentrantReadWriteLock StampedLock Semaphore CountDownLatch CyclicBarrier CompletableFuture FutureTask "
	    "NonfairSync "
	"FairSync Sync ReadLock WriteLock await lock unlock acquire acquireQueued doAcquireShared ThreadPoolExecutor "
	"ScheduledThreadPoolExecutor ForkJoinPool ForkJoinWorkerThread Worker runWorker getTask take "
	    "LinkedBlockingQueue "
	"ArrayBlockingQueue SynchronousQueue DelayedWorkQueue TransferStack HashMap ArrayList Reference "
	    "ReferenceHandler "
	"ReferenceQueue Finalizer FinalizerThread waitForReferencePendingList socketRead0 socketAccept socketConnect "
	    "accept0 "
	"epollWait EPoll WEPoll KQueue poll poll0 kevent0 Net accept connect0 FileInputStream readBytes read read0 "
	    "write write0 "
	"waitForProcessExit waitForProcessExit0 SocketDispatcher FileDispatcherImpl UnixFileDispatcherImpl "
	    "DatagramDispatcher "
	"SocketInputStream PlainSocketImpl EPollArrayWrapper EPollSelectorImpl SelectorImpl select lambda Lambda init "
	    "clinit "
	"invoke main "
	/* C, C++, Rust */
	"lll_lock_wait lll_lock_wait_private lll_timedlock_wait pthread_mutex_lock pthread_mutex_lock_full "
	    "pthread_mutex_unlock "
	"pthread_rwlock_rdlock pthread_rwlock_wrlock pthread_cond_wait pthread_cond_timedwait pthread_cond_wait_common "
	"pthread_clock_wait pthread_join pthread_clockjoin_ex pthread_timedjoin_np pthread_mutex_t psynch_mutexwait "
	"psynch_cvwait psynch_rw_rdlock psynch_rw_wrlock os_unfair_lock os_unfair_lock_lock_slow os_unfair_lock_lock "
	    "futex "
	"futex_lock_pi futex_lock_pi64 futex_wait futex_abstimed_wait_common futex_abstimed_wait_cancelable64 sem_wait "
	"sem_timedwait semwait_signal new_sem_wait_slow new_sem_wait_slow64 clockjoin nanosleep clock_nanosleep usleep "
	"epoll_wait epoll_pwait ppoll pselect pread pread64 recv recvfrom recvmsg accept4 kevent mach_msg "
	    "mach_msg_trap "
	"mach_msg2_trap mach_msg_overwrite libc_read libc_recv libc_recvfrom libc_recvmsg libc_accept libc_pread "
	"libc_start_main start_thread clone clone3 libc libpthread libstdc ld linux signal handler called std alloc "
	    "core "
	"operator new delete const unsigned int char long void class struct anonymous namespace impl closure so dylib "
	    "dll exe "
	"GLIBC_2 GLIBCXX_3 take_gil GIL artificial inlined kernel kallsyms vdso unknown deleted perf map tmp ko guest "
	/* Go */
	"sync runtime internal Mutex RWMutex WaitGroup Lock RLock Unlock lockSlow gopark goexit semacquire semacquire1 "
	"semasleep chanrecv chanrecv1 chansend chansend1 selectgo netpoll netpollblock goroutine func1 func2 func3 cmd "
	    "go src "
	"time Sleep runtime_pollWait runtime_Semacquire runtime_SemacquireMutex runtime_SemacquireRWMutex "
	"runtime_SemacquireRWMutexR proc sema panic sigpanic "
	/* Python, .NET, Erlang */
	"py python threading Monitor Wait System Threading Private CoreLib Frames Managed gen_server gen_statem "
	    "proc_lib "
	"supervisor erlang erl_eval loop receive "
	/* Linux */
	"schedule schedule_timeout schedule_hrtimeout_range schedule_hrtimeout_range_clock schedule_preempt_disabled "
	"io_schedule mutex mutex_lock mutex_lock_slowpath rwsem rwlock semaphore rwsem_down_read_slowpath "
	"rwsem_down_write_slowpath down_read down_write worker_thread kthread ret_from_fork ret_from_fork_asm "
	    "do_syscall_64 "
	"entry_SYSCALL_64_after_hwframe entry_SYSCALL_64 x64_sys_call swapper native ";

enum { DIGITS_MOST = 8 };	/* digits of numbers of lines; longer numbers may be values */

static bool
words_is_mark(char c)
{
	unsigned char u = (unsigned char)c;

	return u < 127 && u >= ' ' && u != '_' && !is_digit(c) && (unsigned char)((u | 32) - 'a') >= 26;
}

/*
 * Short words, as letters several would be one; numbers of lines; addresses; "h0123456789abcdef" and "u20"
 * of Rust.
 */
static bool
hide_words_is_plain(struct str w)
{
	return w.n <= 2 || (w.n <= DIGITS_MOST && str_digits(w) == w.n) ||
	    (w.n <= 18 && str_has_prefix(w, STR("0x")) && str_hexes(str_after(w, 2)) == w.n - 2) ||
	    (((w.n == 17 && w.s[0] == 'h') || (w.n == 3 && w.s[0] == 'u')) &&
	    str_hexes(str_after(w, 1)) == w.n - 1);
}

bool
hide_is_platform_word(struct hider *h, struct str word)
{
	return listed_has(&h->listed, platform, word);
}

void
hide_words_each(struct hider *h, char *at, size_t n, void (*letters)(struct hider *, char *, size_t))
{
	struct str word;

	for (size_t i = 0, end; i < n; i = end) {
		for (end = i; end < n && words_is_mark(at[end]) == words_is_mark(at[i]); end++)
			;
		word = (struct str){ at + i, end - i };
		if (words_is_mark(at[i]) || hide_words_is_plain(word))
			continue;
		/* "__GI___poll" */
		while (word.n > 1 && (word.s[0] == '_' || str_has_prefix(word, STR("GI_"))))
			word = str_after(word, word.s[0] == '_' ? 1 : 3);
		if (!listed_has(&h->listed, platform, word))
			letters(h, at + i, end - i);
	}
}
