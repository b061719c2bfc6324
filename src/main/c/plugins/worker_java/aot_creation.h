/* SPDX-License-Identifier: Apache-2.0 */
/* Creation of the ahead-of-time cache of a plugin that is used for the first time. */
#ifndef JUROM_AOT_CREATION_H_
#define JUROM_AOT_CREATION_H_

#include "java_settings.h"

/*
 * Creates the cache with this name in other processes, which take only idle time of the processors
 * and end with this one, or after a minute. They do not run the plugin. No effect if this user
 * cannot write to the folder, or another worker is creating the cache. The process must not have a
 * JVM yet.
 */
void aot_cache_create(const struct java_settings *settings, const char *path);

#endif /* JUROM_AOT_CREATION_H_ */
