/* SPDX-License-Identifier: Apache-2.0 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "aot_cache.h"
#include "java_files.h"
#include "trusted_path.h"

#define SEPARATORS "=:,;!" /* of the paths in an option */

struct visit {
    doca_error_t (*function)(void *argument, const char *path);
    void *argument;
};

static doca_error_t visit_one(const struct visit *visit, const char *path)
{
    return visit->function(visit->argument, path);
}

/* Returns whether an option names only a file or folder that is written. */
static bool is_output(const char *option)
{
    static const char *const outputs[] = { "-Djava.io.tmpdir=", "-XX:ErrorFile=",
        "-XX:HeapDumpPath=", "-XX:LogFile=", "-XX:StartFlightRecording",
        "-XX:FlightRecorderOptions", "-Xlog:", "-Xloggc:" };

    for (size_t i = 0; i < sizeof(outputs) / sizeof(*outputs); ++i)
        if (strncmp(option, outputs[i], strlen(outputs[i])) == 0)
            return true;
    return false;
}

/* Visits what a part of an option would be as a path, which is relative to the root directory. */
static doca_error_t visit_part(const struct visit *visit, const char *part, size_t length)
{
    char path[PATH_MAX];

    if (length == 0 || part[0] == '-')
        return DOCA_SUCCESS;
    if (snprintf(path, sizeof(path), "%s%.*s", part[0] == '/' ? "" : "/", (int)length, part)
            >= (int)sizeof(path))
        return DOCA_SUCCESS; /* nothing can open it */
    return strchr(path + 1, '/') != NULL || access(path, F_OK) == 0 ? visit_one(visit, path)
                                                                    : DOCA_SUCCESS;
}

/*
 * Visits everything between two separators of an option, because a path can contain separators, and
 * any option, also a property, can name code.
 */
static doca_error_t visit_option(const struct visit *visit, const char *option, size_t length)
{
    const char *end = option + length;
    doca_error_t status = DOCA_SUCCESS;

    if (is_output(option))
        return DOCA_SUCCESS;
    for (const char *start = option; start < end && status == DOCA_SUCCESS;) {
        const char *stop = start;

        while (stop < end && status == DOCA_SUCCESS) {
            stop += strcspn(stop, SEPARATORS);
            stop = stop < end ? stop : end;
            status = visit_part(visit, start, (size_t)(stop - start));
            ++stop;
        }
        start += strcspn(start, SEPARATORS) + 1;
    }
    return status;
}

static doca_error_t visit_options(const struct visit *visit, const char *options)
{
    doca_error_t status = DOCA_SUCCESS;

    while (status == DOCA_SUCCESS && *(options += strspn(options, " ")) != '\0') {
        size_t length = strcspn(options, " ");

        status = visit_option(visit, options, length);
        options += length;
    }
    return status;
}

static doca_error_t visit_class_path(const struct visit *visit, const char *class_path)
{
    doca_error_t status = DOCA_SUCCESS;
    char path[PATH_MAX];

    while (status == DOCA_SUCCESS && *class_path != '\0') {
        size_t length = strcspn(class_path, ":");

        snprintf(path, sizeof(path), "%.*s", (int)length, class_path);
        status = visit_one(visit, path);
        class_path += length + (class_path[length] == ':');
    }
    return status;
}

static doca_error_t visit_cache(const struct visit *visit, const struct java_settings *settings)
{
    char path[PATH_MAX];

    aot_cache_find(settings, path);
    return path[0] == '\0' ? DOCA_SUCCESS : visit_one(visit, path);
}

static bool is_linked(const struct java_settings *settings)
{
    const char *folder = getenv(JAVA_LINKED_PLUGINS);
    size_t length = (size_t)(strrchr(settings->file, '/') - settings->file);

    return folder != NULL && strlen(folder) == length
            && strncmp(folder, settings->file, length) == 0;
}

doca_error_t java_files_each(const struct java_settings *settings,
        doca_error_t (*function)(void *argument, const char *path), void *argument)
{
    const struct visit visit = { function, argument };
    doca_error_t status;

    if (is_linked(settings))
        return DOCA_SUCCESS;
    status = visit_one(&visit, settings->file);
    if (status == DOCA_SUCCESS)
        status = visit_one(&visit, settings->java_home);
    if (status == DOCA_SUCCESS)
        status = visit_class_path(&visit, settings->class_path);
    if (status == DOCA_SUCCESS)
        status = visit_options(&visit, settings->options);
    if (status == DOCA_SUCCESS)
        status = visit_cache(&visit, settings);
    return status;
}

static doca_error_t check(void *reason, const char *path)
{
    return trusted_path_check(path, reason);
}

doca_error_t java_files_check(const struct java_settings *settings, char reason[REASON_MAX])
{
    return java_files_each(settings, check, reason);
}
