/* SPDX-License-Identifier: Apache-2.0 */
#include <linux/membarrier.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <faults/faults.h>

#include "asymmetric_fence.h"

static bool membarrier(int command)
{
    return FAULT_CALL(ring_membarrier, (int)syscall(SYS_membarrier, command, 0, 0)) == 0;
}

bool asymmetric_fence_register(void)
{
    return membarrier(MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED) && asymmetric_fence();
}

bool asymmetric_fence(void)
{
    return membarrier(MEMBARRIER_CMD_GLOBAL_EXPEDITED);
}
