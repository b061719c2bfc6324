/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker's log: standard error, which plugins and the C library write to as well. When it is
 * longer than its limit, it is copied to the older log and begins anew: the folder is the
 * service's, where a worker can rename nothing. What others write meanwhile may be lost.
 */
#ifndef JUROM_LOG_FILE_H_
#define JUROM_LOG_FILE_H_

#include <stdint.h>

struct log_file {
    int64_t limit; /* bytes; 0: it is nobody's to rotate */
};

/* Logs at the level that UROM_WORKER_LOG_LEVEL says. `limit`: 0 for the service's own log. */
void log_file_open(struct log_file *log, uint32_t limit);

/* Rotates it if it is too long. One system call if it is not. */
void log_file_check(const struct log_file *log);

#endif /* JUROM_LOG_FILE_H_ */
