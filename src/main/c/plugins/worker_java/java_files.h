/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The files and folders that decide which code the JVM of a plugin runs: the properties file, the
 * JDK, the class path, the paths in the options and the AOT cache. They need not exist. The service
 * adds what the manifests of the jars name.
 */
#ifndef JUROM_JAVA_FILES_H_
#define JUROM_JAVA_FILES_H_

#include "java_settings.h"

/* Variable: the folder of plugins with the class path of the application that runs the service. */
#define JAVA_LINKED_PLUGINS "JUROM_LINKED_PLUGINS"

/*
 * Calls a function with each path until one call fails, and returns its status. Calls it with none
 * for a plugin in the folder that JAVA_LINKED_PLUGINS names, whose files the application runs
 * itself.
 */
doca_error_t java_files_each(const struct java_settings *settings,
        doca_error_t (*visit)(void *argument, const char *path), void *argument);

/* Checks that no user but root and that of this process can change or add one of them. */
doca_error_t java_files_check(const struct java_settings *settings, char reason[REASON_MAX]);

#endif /* JUROM_JAVA_FILES_H_ */
