/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "exit_timer.h"
#include "termination.h"

#define STACK_SIZE 131072

static struct {
    int input;
    int terminated;
    int started; /* an eventfd */
    atomic_bool cancelled;
} timer = { -1, -1, -1, false };

/* Waits until the worker has to exit. */
static void await_cause(void)
{
    struct pollfd causes[] = {
        { .fd = timer.input }, /* poll always reports POLLHUP */
        { .fd = timer.started, .events = POLLIN },
        { .fd = timer.terminated, .events = POLLIN },
    };

    while (poll(causes, 3, -1) < 0 && errno == EINTR)
        continue;
    if (causes[0].revents == 0 && causes[1].revents == 0)
        poll(causes, 2, TERMINATION_MS); /* all signals are blocked */
}

static void *exit_in_time(void *nothing)
{
    static const char late[] = "The worker did not exit within 2 s and is terminated.\n";
    struct timespec time = { EXIT_TIMER_MS / 1000, EXIT_TIMER_MS % 1000 * 1000000 };

    await_cause();
    while (nanosleep(&time, &time) != 0 && errno == EINTR)
        continue;
    if (!atomic_load(&timer.cancelled)) {
        (void)!write(STDERR_FILENO, late, sizeof(late) - 1);
        _exit(EXIT_FAILURE);
    }
    return nothing;
}

/* Blocks all signals in the new thread: the thread that runs the plugins receives them. */
static int start_thread(void)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    pthread_t thread;
    int result = pthread_attr_init(&attributes);

    if (result != 0)
        return result;
    sigfillset(&all);
    pthread_attr_setstacksize(&attributes, STACK_SIZE);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    result = pthread_create(&thread, &attributes, exit_in_time, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return result;
}

doca_error_t exit_timer_open(int input, int terminated)
{
    timer.input = input;
    timer.terminated = terminated;
    timer.started = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return timer.started >= 0 && start_thread() == 0 ? DOCA_SUCCESS : DOCA_ERROR_OPERATING_SYSTEM;
}

void exit_timer_start(void)
{
    uint64_t one = 1;

    (void)!write(timer.started, &one, sizeof(one));
}

void exit_timer_cancel(void)
{
    atomic_store(&timer.cancelled, true);
}
