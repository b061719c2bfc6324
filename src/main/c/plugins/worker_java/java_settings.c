/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>
#include <string.h>

#include "java_settings.h"

#define FILE_MAX (1 << 20)

/* Finds the properties file: this library's own path, with another suffix. */
static doca_error_t find_file(struct java_settings *settings, char reason[REASON_MAX])
{
    static const char suffix[] = ".properties";
    Dl_info self;
    const char *name;
    size_t length;

    if (dladdr(&suffix, &self) == 0 || self.dli_fname[0] != '/')
        return fail_with(reason, DOCA_ERROR_NOT_FOUND,
                "the plugin cannot find its own file: load it by an absolute path");
    length = strlen(self.dli_fname);
    if (length > 3 && strcmp(self.dli_fname + length - 3, ".so") == 0)
        length -= 3;
    name = strrchr(self.dli_fname, '/') + 1;
    if (length + sizeof(suffix) > sizeof(settings->file)
            || length - (size_t)(name - self.dli_fname) >= sizeof(settings->name))
        return fail_with(reason, DOCA_ERROR_TOO_BIG, "the path %s is too long", self.dli_fname);
    snprintf(settings->file, sizeof(settings->file), "%.*s%s", (int)length, self.dli_fname, suffix);
    snprintf(settings->name, sizeof(settings->name), "%.*s",
            (int)(length - (size_t)(name - self.dli_fname)), name);
    return DOCA_SUCCESS;
}

static doca_error_t read_text(struct java_settings *settings, char reason[REASON_MAX])
{
    FILE *file = fopen(settings->file, "re");
    size_t length = 0;

    if (file == NULL)
        return fail_with(reason, DOCA_ERROR_NOT_FOUND,
                "%s: %s; `urom plugin package` writes it beside the plugin", settings->file,
                strerror(errno));
    settings->text = calloc(1, FILE_MAX + 1);
    if (settings->text != NULL)
        length = fread(settings->text, 1, FILE_MAX + 1, file);
    fclose(file);
    if (settings->text == NULL)
        return fail_with(reason, DOCA_ERROR_NO_MEMORY, "out of memory for %s", settings->file);
    if (length > FILE_MAX || strlen(settings->text) != length)
        return fail_with(
                reason, DOCA_ERROR_INVALID_VALUE, "%s is not a properties file", settings->file);
    return DOCA_SUCCESS;
}

static void set(struct java_settings *settings, const char *key, char *value, char **entries)
{
    if (strcmp(key, "version") == 0)
        settings->version = strtoull(value, NULL, 10);
    else if (strcmp(key, "class") == 0)
        settings->class_name = value;
    else if (strcmp(key, "class.path") == 0)
        *entries = value;
    else if (strcmp(key, "java.home") == 0)
        settings->java_home = value;
    else if (strcmp(key, "options") == 0)
        settings->options = value;
}

/* Resolves the entries of the class path against the folder of the file. */
static doca_error_t set_class_path(
        struct java_settings *settings, char *entries, char reason[REASON_MAX])
{
    int folder = (int)(strrchr(settings->file, '/') - settings->file);
    bool has_colon = memchr(settings->file, ':', (size_t)folder) != NULL;
    bool is_possible = true;
    char *rest = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&settings->class_path, &size);

    if (out == NULL)
        return fail_with(reason, DOCA_ERROR_NO_MEMORY, "out of memory for %s", settings->file);
    for (char *entry = strtok_r(entries, ":", &rest); entry != NULL;
            entry = strtok_r(NULL, ":", &rest)) {
        fputs(ftell(out) > 0 ? ":" : "", out);
        is_possible = is_possible && (entry[0] == '/' || !has_colon);
        if (entry[0] != '/')
            fprintf(out, "%.*s/", folder, settings->file);
        fputs(entry, out);
    }
    fclose(out);
    return is_possible ? DOCA_SUCCESS
                       : fail_with(reason, DOCA_ERROR_BAD_CONFIG,
                               "the path of %s has a colon, which separates the entries of class "
                               "paths: move the plugin to another folder",
                               settings->file);
}

/* Refuses options that read further ones from a file, which nothing checks. */
static doca_error_t check_options(const struct java_settings *settings, char reason[REASON_MAX])
{
    static const char *const readers[] = { "-XX:Flags=", "-XX:VMOptionsFile=", "@" };
    const char *next = settings->options;

    while (*(next += strspn(next, " ")) != '\0') {
        int length = (int)strcspn(next, " ");

        for (size_t i = 0; i < sizeof(readers) / sizeof(*readers); ++i)
            if (strncmp(next, readers[i], strlen(readers[i])) == 0)
                return fail_with(reason, DOCA_ERROR_BAD_CONFIG,
                        "the option %.*s reads options from a file, which is not checked: write "
                        "them to options in %s",
                        length, next, settings->file);
        next += length;
    }
    return DOCA_SUCCESS;
}

doca_error_t java_settings_read(struct java_settings *settings, char reason[REASON_MAX])
{
    doca_error_t status;
    char *entries = NULL;
    char *rest = NULL;

    *settings = (struct java_settings){ .options = "" };
    status = find_file(settings, reason);
    if (status == DOCA_SUCCESS)
        status = read_text(settings, reason);
    if (status != DOCA_SUCCESS)
        return status;

    for (char *line = strtok_r(settings->text, "\n", &rest); line != NULL;
            line = strtok_r(NULL, "\n", &rest)) {
        char *equals = strchr(line, '=');

        if (line[0] == '#' || equals == NULL)
            continue;
        *equals = '\0';
        set(settings, line, equals + 1, &entries);
    }
    if (settings->version == 0 || settings->class_name == NULL || settings->java_home == NULL
            || entries == NULL)
        return fail_with(reason, DOCA_ERROR_INVALID_VALUE,
                "%s must set version (1 or more), class, class.path and java.home", settings->file);
    if (settings->java_home[0] != '/')
        return fail_with(reason, DOCA_ERROR_INVALID_VALUE,
                "java.home in %s is the relative path \"%s\": use an absolute one", settings->file,
                settings->java_home);
    status = check_options(settings, reason);
    return status == DOCA_SUCCESS ? set_class_path(settings, entries, reason) : status;
}

int java_settings_release(const struct java_settings *settings)
{
    char path[PATH_MAX];
    char line[PATH_MAX];
    int number = 0;
    FILE *file;

    snprintf(path, sizeof(path), "%s/release", settings->java_home);
    file = fopen(path, "re");
    while (file != NULL && number == 0 && fgets(line, sizeof(line), file) != NULL)
        sscanf(line, "JAVA_VERSION=\"%d", &number);
    if (file != NULL)
        fclose(file);
    return number;
}

void java_settings_free(struct java_settings *settings)
{
    free(settings->class_path);
    free(settings->text);
    *settings = (struct java_settings){ 0 };
}
