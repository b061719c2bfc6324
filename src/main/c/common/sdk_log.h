/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logging of the software DOCA: like DOCA_LOG_*, but as part of the SDK, so that the SDK level and
 * the backends of the `_sdk` functions apply. Each C file has its own source.
 */
#ifndef JUROM_SDK_LOG_H_
#define JUROM_SDK_LOG_H_

#include <doca_log.h>

#include "private.h"

/* Logs one line for the SDK; a disabled level costs one comparison. */
DOCA_PRIVATE void priv_doca_log_sdk(uint32_t level, int source, const char *file, int line,
        const char *function, const char *format, ...) __attribute__((format(printf, 6, 7)));

#define SDK_LOG(level, ...) \
    priv_doca_log_sdk(level, sdk_log_source, __FILE__, __LINE__, __func__, __VA_ARGS__)
#define SDK_LOG_CRIT(...) SDK_LOG(DOCA_LOG_LEVEL_CRIT, __VA_ARGS__)
#define SDK_LOG_ERR(...) SDK_LOG(DOCA_LOG_LEVEL_ERROR, __VA_ARGS__)
#define SDK_LOG_WARN(...) SDK_LOG(DOCA_LOG_LEVEL_WARNING, __VA_ARGS__)
#define SDK_LOG_INFO(...) SDK_LOG(DOCA_LOG_LEVEL_INFO, __VA_ARGS__)
#define SDK_LOG_DBG(...) SDK_LOG(DOCA_LOG_LEVEL_DEBUG, __VA_ARGS__)

/* SDK_LOG_REGISTER(UROM::WORKER) defines the log source of the C file, registered before main(). */
#define SDK_LOG_REGISTER(source) \
    static int sdk_log_source; \
    static void __attribute__((constructor(102), used)) sdk_log_register_(void) \
    { \
        doca_log_register_source(#source, &sdk_log_source); \
    }

#endif /* JUROM_SDK_LOG_H_ */
