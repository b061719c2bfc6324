/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The properties file beside the plugin's own file, which states what the plugin runs: lines
 * `key=value` without escapes, and comments that begin with `#`.
 */
#ifndef JUROM_JAVA_SETTINGS_H_
#define JUROM_JAVA_SETTINGS_H_

#include <limits.h>
#include <stdint.h>

#include <doca_urom_plugin.h>
#include <worker/reason.h>

struct java_settings {
    char file[PATH_MAX]; /* the properties file */
    char name[DOCA_UROM_PLUGIN_NAME_MAX_LEN];
    uint64_t version;
    const char *class_name; /* of the plugin */
    const char *java_home;  /* the JDK's folder */
    const char *options;    /* of the JVM, separated by blanks; may be empty */
    char *class_path;       /* absolute paths, separated by colons */
    char *text;             /* of the file, to which the strings belong */
};

/* Finds and reads the file. Release it with java_settings_free, also after an error. */
doca_error_t java_settings_read(struct java_settings *settings, char reason[REASON_MAX]);

/* Returns the feature release of the JDK in its file `release`; 0: not known. */
int java_settings_release(const struct java_settings *settings);

/* Releases what the settings own. */
void java_settings_free(struct java_settings *settings);

#endif /* JUROM_JAVA_SETTINGS_H_ */
