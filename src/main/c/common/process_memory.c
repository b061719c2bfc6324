/* SPDX-License-Identifier: Apache-2.0 */
#include <faults/faults.h>

#include "process_memory.h"

#include <errno.h>
#include <sys/uio.h>

#define CHUNK ((size_t)1 << 30) /* bytes per call; the kernel's limit is just below 2 GiB */

typedef ssize_t transfer_function(pid_t process, const struct iovec *local,
        unsigned long local_count, const struct iovec *remote, unsigned long remote_count,
        unsigned long flags);

static doca_error_t status_of(int error)
{
    if (error == EPERM)
        return DOCA_ERROR_NOT_PERMITTED;
    return error == ENOSYS ? DOCA_ERROR_NOT_SUPPORTED : DOCA_ERROR_IO_FAILED;
}

static doca_error_t transfer_all(transfer_function *transfer, pid_t process, void *local_address,
        uint64_t address, size_t length)
{
    struct iovec local, remote;
    ssize_t done;

    while (length > 0) {
        local.iov_base = local_address;
        local.iov_len = FAULT_LENGTH(exported_memory_copy, length < CHUNK ? length : CHUNK);
        remote.iov_base = (void *)(uintptr_t)address;
        remote.iov_len = local.iov_len;
        done = FAULT_TRANSFER(exported_memory_copy, transfer(process, &local, 1, &remote, 1, 0));
        if (done < 0)
            return status_of(errno);
        if (done == 0)
            return DOCA_ERROR_IO_FAILED;
        local_address = (char *)local_address + done;
        address += (uint64_t)done;
        length -= (size_t)done;
    }
    return DOCA_SUCCESS;
}

doca_error_t process_memory_read(pid_t process, void *to, uint64_t address, size_t length)
{
    return transfer_all(process_vm_readv, process, to, address, length);
}

doca_error_t process_memory_write(pid_t process, const void *from, uint64_t address, size_t length)
{
    return transfer_all(process_vm_writev, process, (void *)from, address, length);
}
