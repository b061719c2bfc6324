/* SPDX-License-Identifier: Apache-2.0 */
/* Rings in processes whose seccomp filter rejects membarrier(). */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <channel/asymmetric_fence.h>
#include <channel/ring_memory.h>
#include <testing/assertions.h>
#include <testing/process.h>

#define CAPACITY 4096

struct ends {
    struct ring_memory memory;
    struct ring_producer producer;
    struct ring_consumer consumer;
};

static void require(bool holds)
{
    if (!holds)
        _exit(1);
}

/* Rejects membarrier() with EPERM from now on. */
static void reject_membarrier(void)
{
    struct sock_filter filter[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_membarrier, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = { sizeof(filter) / sizeof(*filter), filter };

    require(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
    require(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
    require(!asymmetric_fence());
}

static void open_ends(struct ends *ends)
{
    int fd;

    require(ring_memory_create(CAPACITY, &ends->memory, &fd) == DOCA_SUCCESS);
    close(fd);
    ring_producer_init(&ends->producer, &ends->memory.rings[0]);
    ring_consumer_init(&ends->consumer, &ends->memory.rings[0]);
}

static bool has_record(struct ends *ends)
{
    size_t length;

    return ring_peek(&ends->consumer, &length) != NULL && length == 1;
}

static bool publish_wakes(struct ends *ends)
{
    require(ring_put(&ends->producer, (const uint8_t *)"x", 1));
    return ring_publish(&ends->producer);
}

static void assert_passes_in_child(void (*steps)(struct ends *ends))
{
    struct ends ends = { 0 };
    int status = 0;
    pid_t child = fork();

    if (child == 0) {
        steps(&ends);
        _exit(0);
    }
    assert_int_equal(child, waitpid(child, &status, 0));
    assert_int_equal(0, status);
}

static void sleep_with_own_fences(struct ends *ends)
{
    reject_membarrier();
    open_ends(ends);
    require(ends->memory.rings[0].control->consumer_fences == 0);
    require(ring_sleep_for_data(&ends->consumer));
    require(publish_wakes(ends));
    require(has_record(ends));
}

static void rings_work_where_the_kernel_rejects_membarrier(void **state)
{
    (void)state;
    assert_passes_in_child(sleep_with_own_fences);
}

static void stay_awake(struct ends *ends)
{
    open_ends(ends);
    if (ends->memory.rings[0].asymmetric) {
        require(ring_sleep_for_data(&ends->consumer));
        require(publish_wakes(ends));
        require(has_record(ends));
        ring_take(&ends->consumer);
        reject_membarrier();
        require(!ring_sleep_for_data(&ends->consumer));
        require(!publish_wakes(ends));
        require(has_record(ends));
    }
}

/* Its producer relies on the fence, so a sleep might last forever. */
static void a_consumer_that_may_no_longer_fence_does_not_sleep(void **state)
{
    (void)state;
    assert_passes_in_child(stay_awake);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_work_where_the_kernel_rejects_membarrier),
        cmocka_unit_test(a_consumer_that_may_no_longer_fence_does_not_sleep),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
