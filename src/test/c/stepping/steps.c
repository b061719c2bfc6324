/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include <elf.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include <testing/assertions.h>

void steps_offer(void)
{
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
        _exit(4);
}

void steps_mark(void)
{
    syscall(SYS_kill, getpid(), SIGSTOP);
}

/* Returns the signal that stopped the child. */
static int stop_signal(pid_t pid, int status)
{
    if (!WIFSTOPPED(status))
        fail_msg("process %d has ended with status %#x", (int)pid, (unsigned)status);
    return WSTOPSIG(status);
}

bool steps_reached_mark(pid_t pid)
{
    int status;

    if (waitpid(pid, &status, WNOHANG) != pid)
        return false;
    assert_int_equal(SIGSTOP, stop_signal(pid, status));
    assert_int_equal(0, ptrace(PTRACE_SETOPTIONS, pid, NULL, (void *)PTRACE_O_EXITKILL));
    return true;
}

unsigned long steps_take(pid_t pid, unsigned long count)
{
    for (unsigned long i = 0; i < count; ++i) {
        int status;

        assert_int_equal(0, ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL));
        assert_int_equal(pid, waitpid(pid, &status, 0));
        if (stop_signal(pid, status) == SIGSTOP)
            return i;
        assert_int_equal(SIGTRAP, WSTOPSIG(status));
    }
    return count;
}

#if defined(__x86_64__)
static const uint8_t system_call[] = { 0x0f, 0x05 };

static uintptr_t place_in(const struct user_regs_struct *registers)
{
    return registers->rip;
}
#elif defined(__aarch64__)
static const uint8_t system_call[] = { 0x01, 0x00, 0x00, 0xd4 };

static uintptr_t place_in(const struct user_regs_struct *registers)
{
    return registers->pc;
}
#endif

bool steps_enter_kernel(pid_t pid)
{
    struct user_regs_struct registers;
    struct iovec all = { .iov_base = &registers, .iov_len = sizeof(registers) };
    uint8_t instruction[sizeof(system_call)];
    struct iovec here = { .iov_base = instruction, .iov_len = sizeof(instruction) }, there;

    assert_int_equal(0, ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &all));
    there = (struct iovec){ .iov_base = (void *)place_in(&registers),
        .iov_len = sizeof(instruction) };
    return process_vm_readv(pid, &here, 1, &there, 1, 0) == sizeof(instruction)
            && memcmp(instruction, system_call, sizeof(system_call)) == 0;
}

void steps_kill(pid_t pid)
{
    int status;

    assert_int_equal(0, kill(pid, SIGKILL));
    do {
        assert_int_equal(pid, waitpid(pid, &status, 0));
    } while (!WIFSIGNALED(status));
}
