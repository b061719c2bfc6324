/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <inttypes.h>
#include <sched.h>
#include <string.h>

#include <common/sdk_log.h>

#include "configuration.h"
#include "pipe_frame.h"

SDK_LOG_REGISTER(UROM::WORKER)

#define MESSAGE_SIZE_MIN 256
#define MESSAGE_SIZE_MAX (64u << 20)
#define CONFIGURE_MAX 512
#define WAITING_MIN 1048576u /* lower bound of waiting_max, in bytes */
#define FRAMES_AT_ONCE 8

static void set_affinity(const uint8_t *bits)
{
    cpu_set_t set;

    CPU_ZERO(&set);
    for (int cpu = 0; cpu < 8 * WIRE_CPU_SET_SIZE && cpu < CPU_SETSIZE; ++cpu) {
        if (bits[cpu / 8] & 1u << cpu % 8)
            CPU_SET(cpu, &set);
    }
    /* With --cores, the set may contain CPUs that the machine lacks; the kernel ignores them. */
    if (sched_setaffinity(0, sizeof(set), &set) != 0)
        SDK_LOG_WARN("The worker's CPU set could not be applied: %s", strerror(errno));
}

static void set_message_size(struct configuration *configuration, uint32_t size)
{
    size_t twice = 2 * (size_t)size;

    configuration->max_message_size = size;
    configuration->waiting_max = twice > WAITING_MIN ? twice : WAITING_MIN;
    configuration->poll_frames = FRAMES_AT_ONCE * (size_t)size <= configuration->waiting_max
            ? FRAMES_AT_ONCE
            : 1;
}

doca_error_t configuration_read(
        struct configuration *configuration, int input, char reason[REASON_MAX])
{
    uint8_t bytes[CONFIGURE_MAX];
    struct wire_frame frame;
    doca_error_t status = pipe_read_frame(
            input, WIRE_CONFIGURE, bytes, sizeof(bytes), &frame, reason);

    if (status != DOCA_SUCCESS)
        return status;
    if (frame.configure.max_message_size < MESSAGE_SIZE_MIN
            || frame.configure.max_message_size > MESSAGE_SIZE_MAX)
        return fail_with(reason, DOCA_ERROR_INVALID_VALUE,
                "the maximum message size of %" PRIu32 " bytes is not within %u and %u",
                frame.configure.max_message_size, MESSAGE_SIZE_MIN, MESSAGE_SIZE_MAX);

    configuration->worker_id = frame.configure.worker_id;
    set_message_size(configuration, frame.configure.max_message_size);
    if (frame.configure.flags & WIRE_FLAG_HAS_CPU_SET)
        set_affinity(frame.configure.cpu_set);
    return DOCA_SUCCESS;
}
