/* SPDX-License-Identifier: Apache-2.0 */
#include "allgather.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define DEADLINE_MS 20000
#define PAUSE_NS 200000
#define ROUNDS_MAX 16
#define BLOCK_MAX 16384

struct block {
    _Atomic size_t length; /* 0: not written */
    uint8_t bytes[BLOCK_MAX];
};

struct memory {
    _Atomic bool left[ALLGATHER_PARTICIPANTS_MAX];
    struct block blocks[ROUNDS_MAX][ALLGATHER_PARTICIPANTS_MAX];
};

static struct memory *shared;

static uint64_t now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void allgather_prepare(void)
{
    if (shared != NULL)
        munmap(shared, sizeof(*shared));
    shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        exit(EXIT_FAILURE);
}

doca_error_t allgather_begin(
        struct allgather *allgather, const void *send, void *receive, size_t length)
{
    struct block *block;

    if (allgather->round == ROUNDS_MAX || length == 0 || length > BLOCK_MAX)
        return DOCA_ERROR_TOO_BIG;
    block = &shared->blocks[allgather->round++][allgather->index];
    allgather->receive = receive;
    allgather->length = length;
    allgather->deadline_ms = now_ms() + DEADLINE_MS;
    memcpy(block->bytes, send, length);
    atomic_store(&block->length, length);
    return DOCA_SUCCESS;
}

/* Checks first whether the participant left: it writes all of its blocks before it leaves. */
static doca_error_t take(struct allgather *allgather, unsigned index)
{
    bool left = atomic_load(&shared->left[index]);
    struct block *block = &shared->blocks[allgather->round - 1][index];
    size_t length = atomic_load(&block->length);

    if (length == 0)
        return left ? DOCA_ERROR_CONNECTION_RESET : DOCA_ERROR_AGAIN;
    if (length != allgather->length)
        return DOCA_ERROR_INVALID_VALUE;
    memcpy(allgather->receive + index * length, block->bytes, length);
    return DOCA_SUCCESS;
}

doca_error_t allgather_test(struct allgather *allgather)
{
    const struct timespec pause = { .tv_nsec = PAUSE_NS };
    doca_error_t result = DOCA_SUCCESS;

    for (unsigned i = 0; i < allgather->participants; ++i) {
        doca_error_t status = take(allgather, i);

        if (status != DOCA_SUCCESS && (result == DOCA_SUCCESS || result == DOCA_ERROR_AGAIN))
            result = status;
    }
    if (result != DOCA_ERROR_AGAIN)
        return result;
    if (now_ms() >= allgather->deadline_ms)
        return DOCA_ERROR_TIME_OUT;
    nanosleep(&pause, NULL);
    return DOCA_ERROR_IN_PROGRESS;
}

bool allgather_has_member_left(const struct allgather *allgather)
{
    for (unsigned i = 0; i < allgather->participants; ++i) {
        if (i != allgather->index && atomic_load(&shared->left[i]))
            return true;
    }
    return false;
}

void allgather_leave(unsigned index)
{
    atomic_store(&shared->left[index], true);
}
