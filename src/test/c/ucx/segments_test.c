/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "segments.h"

#define SEGMENTS 60000 /* without the check of the size, about one of 4,000 was removed */
#define BYTES 4096

static pid_t start_sweeper(void)
{
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        signal(SIGURG, SIG_IGN);
        for (;;)
            segments_sweep();
    }
    return pid;
}

/* Creates a segment as UCX does; returns whether a peer can open it by its name. */
static bool is_found_by_a_peer(const char *name)
{
    int fd = shm_open(name, O_CREAT | O_EXCL | O_RDWR, 0600);
    void *segment;
    int peer;

    assert_true(fd >= 0);
    assert_int_equal(ftruncate(fd, BYTES), 0);
    segment = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    assert_true(segment != MAP_FAILED);
    close(fd);
    peer = shm_open(name, O_RDWR, 0600);
    if (peer >= 0)
        close(peer);
    shm_unlink(name);
    munmap(segment, BYTES);
    return peer >= 0;
}

static void no_sweep_removes_a_segment_that_is_being_created(void **state)
{
    pid_t sweeper = start_sweeper();
    unsigned removed = 0;
    char name[64];

    (void)state;
    for (unsigned i = 0; i < SEGMENTS; ++i) {
        snprintf(name, sizeof(name), "/ucx_shm_posix_%x_%x", (unsigned)getpid(), i);
        removed += !is_found_by_a_peer(name);
    }
    kill(sweeper, SIGKILL);
    waitpid(sweeper, NULL, 0);
    assert_int_equal(removed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_sweep_removes_a_segment_that_is_being_created),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
