/* SPDX-License-Identifier: Apache-2.0 */
/* Implemented by a timerfd, which exists only while a context starts or stops. */
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <faults/faults.h>

#include "deadline.h"

static unsigned poll_deadline(struct pe_poller *poller)
{
    struct deadline *deadline = CONTAINER_OF(poller, struct deadline, poller);
    uint64_t expirations;

    if (read(poller->fd, &expirations, sizeof(expirations)) != sizeof(expirations))
        return 0;
    deadline_clear(deadline);
    deadline->passed(deadline);
    return 1;
}

static doca_error_t arm_deadline(struct pe_poller *poller)
{
    (void)poller;
    return DOCA_SUCCESS;
}

doca_error_t deadline_set(struct deadline *deadline, struct doca_pe *pe, unsigned milliseconds,
        void (*passed)(struct deadline *deadline))
{
    struct itimerspec when = {
        .it_value = { .tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L },
    };
    doca_error_t status = DOCA_ERROR_OPERATING_SYSTEM;
    int fd;

    deadline_clear(deadline);
    fd = FAULT_CALL(
            deadline_timer_make, timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK));
    if (fd < 0)
        return status;

    deadline->poller = (struct pe_poller){ .poll = poll_deadline, .arm = arm_deadline, .fd = fd };
    deadline->passed = passed;
    if (timerfd_settime(fd, 0, &when, NULL) == 0)
        status = priv_doca_pe_add_poller(pe, &deadline->poller);
    if (status == DOCA_SUCCESS)
        deadline->pe = pe;
    else
        close(fd);
    return status;
}

void deadline_clear(struct deadline *deadline)
{
    if (deadline->pe == NULL)
        return;

    priv_doca_pe_remove_poller(deadline->pe, &deadline->poller);
    close(deadline->poller.fd);
    deadline->pe = NULL;
}
