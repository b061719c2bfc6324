/* SPDX-License-Identifier: Apache-2.0 */
#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <doca_log.h>
#include <wire/wire.h>

#include "aot_cache.h"
#include "aot_creation.h"
#include "java_files.h"
#include "jvm.h"

DOCA_LOG_REGISTER(UROM::JAVA)

#define JDK_MIN 22
#define OPTIONS_MAX 64
#define DATA_MIN_MIB 96          /* RLIMIT_DATA with which a JVM starts and runs a small plugin */
#define OWNER "JUROM_WORKER_JVM" /* variable of the process: what its JVM was created with */

#define FAILED "Error occurred during initialization of VM" /* the JVM prints the cause after it */

static const struct java_settings *own_settings;
static char *refusal; /* REASON_MAX bytes, which the host receives if the plugin is being opened */
static _Thread_local bool creating; /* whether this thread is creating the JVM */
static char printed[REASON_MAX];    /* by the JVM while it was being created */
static size_t printed_length;

/*
 * Called on a thread of the JVM, in System.exit and Runtime.halt, which cannot be undone. The
 * worker reports the refusal in quick_exit.
 */
static void on_exit_of_jvm(jint code)
{
    fail_with(refusal, DOCA_ERROR_INITIALIZATION,
            "it called System.exit(%d), which ends the worker: throw an exception instead",
            (int)code);
    DOCA_LOG_ERR("A plugin has ended this worker with System.exit(%d): throw an exception, which "
                 "fails only its command",
            (int)code);
    quick_exit(code);
}

static jint print(FILE *file, const char *format, va_list arguments)
{
    int length;

    if (creating && printed_length < sizeof(printed)) {
        va_list copy;

        va_copy(copy, arguments);
        length = vsnprintf(
                printed + printed_length, sizeof(printed) - printed_length, format, copy);
        printed_length += length > 0 ? (size_t)length : 0;
        va_end(copy);
    }
    length = vfprintf(file, format, arguments);
    fflush(file); /* the JVM may exit without it */
    return length;
}

/* States why the JVM was not created, in its own words if it has printed any. */
static doca_error_t explain(jint result)
{
    const char *line = printed;
    size_t length = strcspn(line, "\n");

    while (line[length] != '\0'
            && (strncmp(line, FAILED, length) == 0
                    || memmem(line, length, " warning: ", 10) != NULL)) {
        line += length + 1;
        length = strcspn(line, "\n");
    }
    if (length == 0) {
        line = "no message";
        length = strlen(line);
    }
    return fail_with(refusal,
            result == JNI_ENOMEM ? DOCA_ERROR_NO_MEMORY : DOCA_ERROR_INITIALIZATION,
            "the JVM in %s did not start (%.*s): check options in %s, and the worker's log",
            own_settings->java_home, (int)length, line, own_settings->file);
}

/* Called before the JVM aborts the process: while it is created, because of its options. */
static void on_abort_of_jvm(void)
{
    if (!creating)
        return;
    explain(JNI_ERR);
    quick_exit(EXIT_FAILURE);
}

static doca_error_t check_memory(char reason[REASON_MAX])
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur >= (rlim_t)DATA_MIN_MIB << 20)
        return DOCA_SUCCESS;
    return fail_with(reason, DOCA_ERROR_NO_MEMORY,
            "the memory limit of this worker, %lu MiB, is too small for a JVM: the service needs "
            "--worker-memory of %d MiB or more",
            (unsigned long)(limit.rlim_cur >> 20), DATA_MIN_MIB);
}

static doca_error_t load_library(
        const struct java_settings *settings, void **library, char reason[REASON_MAX])
{
    int release = java_settings_release(settings);
    char path[PATH_MAX];

    if (release > 0 && release < JDK_MIN)
        return fail_with(reason, DOCA_ERROR_UNSUPPORTED_VERSION,
                "the JDK in %s is version %d, and the plugin needs %d or later: correct java.home "
                "in %s",
                settings->java_home, release, JDK_MIN, settings->file);
    snprintf(path, sizeof(path), "%s/lib/server/libjvm.so", settings->java_home);
    *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    return *library != NULL ? DOCA_SUCCESS
                            : fail_with(reason, DOCA_ERROR_NOT_FOUND,
                                    "there is no usable JDK in %s (%s): correct java.home in %s",
                                    settings->java_home, dlerror(), settings->file);
}

/* The options of a JVM that is being created. */
struct options {
    JavaVMOption at[OPTIONS_MAX];
    jint count;
    bool failed;
};

static __attribute__((format(printf, 2, 3))) void add(
        struct options *options, const char *format, ...)
{
    char *text = NULL;
    va_list arguments;

    va_start(arguments, format);
    if (options->count == OPTIONS_MAX || vasprintf(&text, format, arguments) < 0)
        options->failed = true;
    else
        options->at[options->count++].optionString = text;
    va_end(arguments);
}

static void add_hook(struct options *options, const char *name, void *function)
{
    add(options, "%s", name);
    if (!options->failed)
        options->at[options->count - 1].extraInfo = function;
}

static void add_cache(struct options *options, const struct java_settings *settings)
{
    char path[PATH_MAX];

    /* A named cache that is missing or broken would also disable the default one. */
    if (!aot_cache_find(settings, path)) {
        aot_cache_create(settings, path);
        return;
    }
    DOCA_LOG_INFO("The plugin %s uses the AOT cache %s", settings->name, path);
    add(options, "-XX:AOTCache=%s", path);
}

static void add_all(struct options *options, const struct java_settings *settings)
{
    const char *next = settings->options;

    add_hook(options, "exit", (void *)on_exit_of_jvm);
    add_hook(options, "abort", (void *)on_abort_of_jvm);
    add_hook(options, "vfprintf", (void *)print); /* before options that the JVM rejects */
    add(options, "-Djava.class.path=%s", settings->class_path);
    add(options, "--enable-native-access=ALL-UNNAMED");
    add(options, "-Xrs");             /* the worker's signals are its own */
    add(options, "-XX:-UsePerfData"); /* this and the next would leave files of a killed worker */
    add(options, "-XX:+DisableAttachMechanism");
    add(options, "-XX:+ErrorFileToStderr");        /* into the worker's log */
    add(options, "-XX:MaxJavaStackTraceDepth=64"); /* no command can fill the log */
    while (*(next += strspn(next, " ")) != '\0') {
        size_t length = strcspn(next, " ");

        add(options, "%.*s", (int)length, next);
        next += length;
    }
    add_cache(options, settings);
}

static doca_error_t create(const struct java_settings *settings, void *library, JNIEnv **env)
{
    jint (*create_vm)(JavaVM **, void **, void *) = NULL;
    JavaVMInitArgs arguments = { .version = JNI_VERSION_21 };
    struct options options = { .count = 0 };
    jint result = JNI_ERR;
    JavaVM *vm;

    *(void **)&create_vm = dlsym(library, "JNI_CreateJavaVM");
    add_all(&options, settings);
    arguments.options = options.at;
    arguments.nOptions = options.count;
    creating = true;
    if (create_vm != NULL && !options.failed)
        result = create_vm(&vm, (void **)env, &arguments);
    creating = false;
    for (jint i = 0; i < options.count; ++i)
        free(options.at[i].optionString);
    return result == JNI_OK ? DOCA_SUCCESS : explain(result);
}

/* Writes the settings that all plugins of a worker must share. */
static void describe(const struct java_settings *settings, char text[2 * PATH_MAX])
{
    snprintf(text, 2 * (size_t)PATH_MAX, "java.home=%s, options=%s and jurom %s",
            settings->java_home, settings->options, JUROM_RELEASE);
}

/* Returns whether this process has a JVM, and attaches this thread to it. */
static bool attach(void *library, JNIEnv **env)
{
    jint (*created)(JavaVM **, jsize, jsize *) = NULL;
    JavaVM *vm = NULL;
    jsize count = 0;

    *(void **)&created = dlsym(library, "JNI_GetCreatedJavaVMs");
    return created != NULL && created(&vm, 1, &count) == JNI_OK && count == 1
            && (*vm)->AttachCurrentThread(vm, (void **)env, NULL) == JNI_OK;
}

doca_error_t jvm_enter(
        const struct java_settings *settings, JNIEnv **env, bool *shared, char reason[REASON_MAX])
{
    const char *owner = getenv(OWNER);
    char own[2 * PATH_MAX];
    doca_error_t status;
    void *library;

    describe(settings, own);
    if (owner != NULL && strcmp(owner, own) != 0)
        return fail_with(reason, DOCA_ERROR_BAD_CONFIG,
                "the Java plugins of a worker share one JVM, but %s has %s, and the first plugin "
                "has %s: make them equal, or use separate workers",
                settings->file, own, owner);
    status = check_memory(reason);
    if (status == DOCA_SUCCESS)
        status = java_files_check(settings, reason);
    if (status == DOCA_SUCCESS)
        status = load_library(settings, &library, reason);
    if (status != DOCA_SUCCESS)
        return status;
    *shared = attach(library, env);
    if (*shared)
        return DOCA_SUCCESS;
    setenv(OWNER, own, 1); /* before there are threads that read the environment */
    own_settings = settings;
    refusal = reason;
    return create(settings, library, env);
}
