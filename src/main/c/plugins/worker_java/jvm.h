/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The JVM of this process, which all Java plugins share: HotSpot supports one per process. It is
 * never destroyed, because that would wait for the plugins' threads; the process exits instead.
 */
#ifndef JUROM_JVM_H_
#define JUROM_JVM_H_

#include <jni.h>

#include "java_settings.h"

/*
 * Creates the JVM, or attaches the current thread to the one that another plugin has created with
 * the same JDK and options. `*shared` receives whether it is that of another plugin, whose classes
 * are on its class path. The JVM keeps the settings and the reason, which receives the cause if a
 * plugin exits.
 */
doca_error_t jvm_enter(
        const struct java_settings *settings, JNIEnv **env, bool *shared, char reason[REASON_MAX]);

#endif /* JUROM_JVM_H_ */
