/* SPDX-License-Identifier: Apache-2.0 */
/*
 * worker_java: runs a worker plugin that is written in Java, in a JVM inside the worker process.
 *
 * A copy of this library is one plugin: its name is the file's, and the properties file beside it
 * (java_settings.c) names the class and the JDK. jvm.c starts the JVM, worker_java.c passes
 * commands to the Java class dev.jurom.worker.internal.HostedPlugin, deferred.c takes answers from
 * other threads, and host_memory.c copies memory of hosts.
 */
#ifndef JUROM_JAVA_H_
#define JUROM_JAVA_H_

#include <jni.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <doca_urom_plugin.h>

#include "java_settings.h"

/* HostedPlugin.command: returns the length of the answer, DEFERRED, or an encoded failure. */
typedef int64_t (*java_command)(int64_t host, int64_t length);

/* A deferred answer belongs to `waiting` from the deferral to the answer, then to `ready`. */
struct deferred {
    pthread_mutex_t lock;
    ucs_list_link_t waiting; /* headers of notifications */
    ucs_list_link_t ready;   /* notifications */
    bool closed;             /* has released all */
    atomic_bool any_ready;
    int wake_fd; /* an eventfd, readable once `ready` is not empty */
};

#define WINDOW_SIZE (1 << 18) /* bytes; the interface MemorySource has the same number */

/*
 * Copies between exported memory and a window of this process, by DMA. Opened with the first
 * memory, and kept until the process ends. The caller of the native methods has a lock.
 */
struct copier {
    struct doca_dev *dev; /* NULL: not open */
    struct doca_pe *pe;
    struct doca_mmap *window_map;
    struct doca_buf_inventory *inventory;
    struct doca_dma *dma;
    uint8_t *window;
};

/* The plugin, of which a process has one for each copy of the library. */
struct java {
    struct java_settings settings;
    bool opened; /* ever */
    char reason[REASON_MAX];
    JNIEnv *env;
    jobject plugin; /* a HostedPlugin */
    jmethodID command, progress, host_left, cancel, set_memory, close;
    _Atomic(java_command) linked; /* enters `command` without JNI; NULL until it is linked */
    uint8_t *input;               /* the payload of the current command */
    uint8_t *output;              /* its answer */
    size_t capacity;              /* of each */
    const struct urom_worker_cmd_desc *current;
    bool progress_due;
    ucs_list_link_t answers;
    struct deferred deferred;
    struct copier copier;
};

/* deferred.c: prepares for deferred answers. */
doca_error_t deferred_open(struct deferred *deferred);

/* deferred.c: registers the native methods of HostedPlugin. */
bool deferred_register(JNIEnv *env, jclass hosted_plugin);

/* deferred.c: moves the answers that are ready to the list. */
void deferred_take(struct deferred *deferred, ucs_list_link_t *answers);

/* deferred.c: returns the number of the unanswered deferral of a command; 0: there is none. */
int64_t deferred_find(struct deferred *deferred, uint64_t dest_id, uint64_t urom_context);

/* deferred.c: drops all answers. Those that threads give later are dropped too. */
void deferred_close(struct deferred *deferred);

/* host_memory.c: registers the native methods of HostedPlugin for exported memory. */
bool host_memory_register(JNIEnv *env, jclass hosted_plugin);

#endif /* JUROM_JAVA_H_ */
