/* SPDX-License-Identifier: Apache-2.0 */
/* One thread, which blocks only when the service does not read its events. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <counters/process_start.h>

#include "launch_inheritance.h"
#include "launcher.h"
#include "monitor.h"
#include "monitor_request.h"

#define SIGNALLED 128 /* added to a signal, as in the exit codes of shells */
#define FIRST_CAPACITY 64

struct child {
    uint64_t id;
    pid_t process;
};

static struct {
    const char *program;
    int socket;
    int exits; /* a signalfd of SIGCHLD */
    struct child *children;
    unsigned count;
    unsigned capacity;
} state;

static struct received received;

/* A failure means that the service has exited, which the socket reports. */
static void send_event(struct monitor_event event, const char *reason)
{
    struct iovec parts[] = {
        { &event, sizeof(event) },
        { (void *)reason, strnlen(reason, MONITOR_REASON_MAX) },
    };
    const struct msghdr message = { .msg_iov = parts, .msg_iovlen = 2 };
    ssize_t sent;

    do {
        sent = sendmsg(state.socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
}

static void refuse(uint64_t id, const char *reason)
{
    send_event((struct monitor_event){ .kind = MONITOR_REFUSED, .id = id }, reason);
}

static struct child *find(uint64_t id)
{
    for (unsigned i = 0; i < state.count; ++i) {
        if (state.children[i].id == id)
            return &state.children[i];
    }
    return NULL;
}

static bool has_room(void)
{
    unsigned capacity = state.capacity == 0 ? FIRST_CAPACITY : 2 * state.capacity;
    struct child *grown;

    if (state.count < state.capacity)
        return true;
    if (capacity > MONITOR_PROCESSES_MAX)
        return false;
    grown = realloc(state.children, capacity * sizeof(*grown));
    if (grown == NULL)
        return false;
    state.children = grown;
    state.capacity = capacity;
    return true;
}

/* Runs in the new process. Returns its exit status if it could not execute the program. */
static int run(pid_t parent)
{
    launch_reset_signals();
    if (!launch_end_with(parent))
        return EXIT_FAILURE;
    return received.request.kind == MONITOR_START ? launch(state.program, &received, parent)
                                                  : launch_other(state.program, &received);
}

static void start(const struct monitor_request *request)
{
    const pid_t self = getpid();
    char reason[REASON_MAX];
    pid_t process;

    if (find(request->id) != NULL) {
        refuse(request->id, "the launcher received a malformed request: its id is in use");
    } else if (!has_room()) {
        refuse(request->id, "the launcher has no memory for another process");
    } else {
        process = fork();
        if (process == 0)
            _exit(run(self));
        if (process < 0) {
            snprintf(reason, sizeof(reason), "no process can be created: %s", strerror(errno));
            refuse(request->id, reason);
            return;
        }
        state.children[state.count++] = (struct child){ request->id, process };
        send_event(
                (struct monitor_event){
                        .kind = MONITOR_STARTED,
                        .id = request->id,
                        .process = (uint32_t)process,
                        .start = counters_process_start((uint64_t)process),
                },
                "");
    }
}

static void handle(const struct monitor_request *request)
{
    const struct child *child;

    if (request->kind != MONITOR_KILL) {
        start(request);
        return;
    }
    child = find(request->id);
    if (child != NULL)
        kill(child->process, SIGKILL); /* not reaped yet, so the number is its own */
    send_event((struct monitor_event){ .kind = MONITOR_ACCEPTED, .id = request->id }, "");
}

/* Returns false at the end of the socket. */
static bool serve_request(void)
{
    char reason[REASON_MAX] = "";
    doca_error_t status;

    if (!monitor_receive(state.socket, &received, &status, reason))
        return false;
    if (status == DOCA_SUCCESS)
        handle(&received.request);
    monitor_release(&received);
    if (status != DOCA_SUCCESS)
        refuse(received.request.id, reason);
    return true;
}

static uint32_t exit_status(int status)
{
    return (uint32_t)(WIFSIGNALED(status) ? SIGNALLED + WTERMSIG(status) : WEXITSTATUS(status));
}

static void report_end(pid_t process, int status)
{
    for (unsigned i = 0; i < state.count; ++i) {
        if (state.children[i].process == process) {
            const uint64_t id = state.children[i].id;

            state.children[i] = state.children[--state.count];
            send_event(
                    (struct monitor_event){
                            .kind = MONITOR_ENDED, .id = id, .status = exit_status(status) },
                    "");
            return;
        }
    }
}

/* Reaps all processes that have exited, because the kernel merges signals of the same kind. */
static void reap(void)
{
    struct signalfd_siginfo ignored;
    pid_t process;
    int status;

    (void)!read(state.exits, &ignored, sizeof(ignored));
    while ((process = waitpid(-1, &status, WNOHANG)) > 0)
        report_end(process, status);
}

static void serve_service(void)
{
    struct pollfd sources[] = {
        { .fd = state.socket, .events = POLLIN },
        { .fd = state.exits, .events = POLLIN },
    };

    for (;;) {
        if (poll(sources, 2, -1) < 0 && errno != EINTR)
            return;
        if (sources[1].revents != 0)
            reap();
        if (sources[0].revents != 0 && !serve_request())
            return;
    }
}

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Waits for the processes, which exit because the service has closed their standard input. */
static void await_children(void)
{
    const uint64_t end = now_ms() + MONITOR_EXIT_MS;
    struct pollfd exits = { .fd = state.exits, .events = POLLIN };

    for (uint64_t now = now_ms(); state.count > 0 && now < end; now = now_ms()) {
        if (poll(&exits, 1, (int)(end - now)) > 0)
            reap();
    }
    for (unsigned i = 0; i < state.count; ++i)
        kill(state.children[i].process, SIGKILL);
}

/* Signals for the service, for example of a terminal or of systemd, must not end this process. */
static bool open_signals(void)
{
    sigset_t blocked, exits;

    sigfillset(&blocked);
    sigemptyset(&exits);
    sigaddset(&exits, SIGCHLD);
    if (sigprocmask(SIG_SETMASK, &blocked, NULL) != 0)
        return false;
    state.exits = signalfd(-1, &exits, SFD_CLOEXEC | SFD_NONBLOCK);
    return state.exits >= 0 && signal(SIGCHLD, SIG_DFL) != SIG_ERR;
}

/* Moves the socket, so that the standard descriptors of new processes can be replaced. */
static bool open_socket(void)
{
    int nothing;

    closefrom(STDERR_FILENO + 1);
    state.socket = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (state.socket < 0 || nothing < 0 || fcntl(state.socket, F_SETFL, 0) != 0)
        return false;
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDOUT_FILENO);
    close(nothing);
    return true;
}

int monitor(const char *program)
{
    char reason[REASON_MAX] = "";

    prctl(PR_SET_NAME, "urom_monitor");
    state.program = program;
    if (!open_socket() || launch_leave_terminal(reason) != DOCA_SUCCESS || !open_signals()) {
        fprintf(stderr, "The launcher cannot be set up: %s\n",
                reason[0] == '\0' ? strerror(errno) : reason);
        return EXIT_FAILURE;
    }
    serve_service();
    await_children();
    free(state.children);
    return EXIT_SUCCESS;
}
