/* SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <wire/bytes.h>

#include "aot_cache.h"

#define JDK_AOT_MIN 25 /* the first whose cache is made in one step */

/*
 * Adds bytes to a hash, in little-endian words of which the last is padded with zeros, and their
 * number. The Java class PluginFolder computes the same.
 */
static uint64_t add(uint64_t hash, const uint8_t *bytes, size_t length)
{
    for (size_t at = 0; at < length; at += sizeof(uint64_t)) {
        uint64_t word = 0;

        memcpy(&word, bytes + at, length - at < sizeof(word) ? length - at : sizeof(word));
        hash = (hash ^ le64toh(word)) * UINT64_C(0x9E3779B97F4A7C15);
        hash ^= hash >> 32;
    }
    return (hash ^ length) * UINT64_C(0x9E3779B97F4A7C15);
}

/* Adds the content of a regular file. Returns false if it is none, such as a folder of classes. */
static bool add_file(uint64_t *hash, const char *path)
{
    struct stat status = { .st_size = 0 };
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    void *bytes = MAP_FAILED;

    if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0)
        bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE | MAP_POPULATE, fd, 0);
    if (fd >= 0)
        close(fd);
    if (bytes == MAP_FAILED)
        return false;
    *hash = add(*hash, bytes, (size_t)status.st_size);
    munmap(bytes, (size_t)status.st_size);
    return true;
}

bool aot_cache_find(const struct java_settings *settings, char path[PATH_MAX])
{
    size_t stem = strlen(settings->file) - strlen(".properties");
    char *entries = strdup(settings->class_path);
    uint64_t hash = 0;
    char *rest = NULL;
    bool usable;
    int length;

    snprintf(path, PATH_MAX, "%s/release", settings->java_home);
    usable = entries != NULL && java_settings_release(settings) >= JDK_AOT_MIN
            && add_file(&hash, path);
    hash = add(hash, (const uint8_t *)settings->options, strlen(settings->options));
    for (char *entry = usable ? strtok_r(entries, ":", &rest) : NULL; usable && entry != NULL;
            entry = strtok_r(NULL, ":", &rest))
        usable = add_file(&hash, entry);
    free(entries);
    length = snprintf(path, PATH_MAX, "%.*s-%016" PRIx64 ".aot", (int)stem, settings->file, hash);
    if (!usable || length >= PATH_MAX)
        path[0] = '\0';
    return path[0] != '\0' && access(path, R_OK) == 0;
}
