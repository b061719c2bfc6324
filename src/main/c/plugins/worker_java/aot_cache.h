/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The ahead-of-time cache of a plugin's classes. Its name contains a hash of everything that it
 * depends on, because the JDK does not detect a changed jar and would run the old code.
 */
#ifndef JUROM_AOT_CACHE_H_
#define JUROM_AOT_CACHE_H_

#include <stdbool.h>

#include "java_settings.h"

/*
 * Returns whether the cache that matches the JDK, the options and the jars exists, beside the
 * properties file. `path` receives its name, also if it does not exist; empty: there can be none.
 */
bool aot_cache_find(const struct java_settings *settings, char path[PATH_MAX]);

#endif /* JUROM_AOT_CACHE_H_ */
