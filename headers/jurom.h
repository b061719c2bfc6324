/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the software DOCA tells beyond the interface of DOCA. The vendor's libraries have none of it: a
 * program that is to run on both asks for these symbols at run time.
 */
#ifndef JUROM_H_
#define JUROM_H_

#include <doca_compat.h>

#ifdef __cplusplus
extern "C" {
#endif

struct doca_urom_worker;

/*
 * Why the worker context last lost its worker process, as a sentence without a full stop: "worker 7
 * did not answer for 60 s". Empty when it did not since its last start. Valid until it is started
 * again or destroyed; for the thread of its progress engine.
 */
DOCA_EXPERIMENTAL const char *jurom_urom_worker_get_loss(const struct doca_urom_worker *worker);

#ifdef __cplusplus
}
#endif

#endif /* JUROM_H_ */
