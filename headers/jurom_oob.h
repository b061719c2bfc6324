/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Callbacks for doca_urom_domain_set_oob that record the domain's request. The program executes it
 * after doca_pe_progress has returned, so that none of its own code runs inside that call.
 *
 * Not thread-safe: the domain and the program must not access a struct jurom_oob concurrently.
 */
#ifndef JUROM_OOB_H_
#define JUROM_OOB_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_compat.h>
#include <doca_error.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The all-gather that a domain has requested. Initialized to zero. It must outlive the domain,
 * whose destruction may free the request.
 */
struct jurom_oob {
    uint64_t request;  /* number of the outstanding request, 1 or more; 0: none */
    uint64_t requests; /* number of requests so far */
    const void *block; /* data of this participant, valid while the request is outstanding */
    void *blocks;      /* buffer for the blocks of all participants, valid likewise */
    uint64_t length;   /* length of one block, in bytes */
    int32_t status;    /* doca_error_t of the request; the program replaces IN_PROGRESS */
};

/*
 * Records a request. `oob` is the domain's coll_info, a struct jurom_oob; it also serves as the
 * handle of the request. IN_USE: another request is outstanding.
 */
DOCA_EXPERIMENTAL doca_error_t jurom_oob_allgather(
        void *block, void *blocks, size_t length, void *oob, void **request);
/* Returns the status that the program has set. INVALID_VALUE: no request is outstanding. */
DOCA_EXPERIMENTAL doca_error_t jurom_oob_req_test(void *request);
/* Frees the request, in any status. INVALID_VALUE: no request is outstanding. */
DOCA_EXPERIMENTAL doca_error_t jurom_oob_req_free(void *request);

#ifdef __cplusplus
}
#endif

#endif /* JUROM_OOB_H_ */
