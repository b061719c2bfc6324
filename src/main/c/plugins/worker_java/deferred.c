/* SPDX-License-Identifier: Apache-2.0 */
/* The native methods of HostedPlugin: answers to commands after `command` has returned. */
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <jurom.h>

#include "java.h"

#define LINKING_NICENESS 10

/* Called on the worker's thread, within `command`. Returns 0 if there is no memory. */
static jlong JNICALL defer(JNIEnv *env, jclass type, jlong plugin)
{
    struct java *java = (struct java *)plugin;
    struct urom_worker_notif_desc *header = calloc(1, sizeof(*header));

    (void)env;
    (void)type;
    if (header == NULL)
        return 0;
    header->dest_id = java->current->dest_id;
    header->worker_notif.type = java->current->worker_cmd.type;
    header->worker_notif.urom_context = java->current->worker_cmd.urom_context;
    pthread_mutex_lock(&java->deferred.lock);
    ucs_list_add_tail(&java->deferred.waiting, &header->entry);
    pthread_mutex_unlock(&java->deferred.lock);
    java->progress_due = true;
    return (jlong)header;
}

/* Returns the notification of a deferred answer; without memory, an error without a text. */
static struct urom_worker_notif_desc *make(JNIEnv *env, struct urom_worker_notif_desc *header,
        jint status, jbyteArray bytes, jint length)
{
    struct urom_worker_notif_desc *made = realloc(header, sizeof(*made) + (size_t)length);

    if (made == NULL) {
        header->worker_notif.status = DOCA_ERROR_NO_MEMORY;
        return header;
    }
    (*env)->GetByteArrayRegion(env, bytes, 0, length, (jbyte *)made->worker_notif.plugin_notif);
    made->worker_notif.len = (uint64_t)length;
    made->worker_notif.status = (doca_error_t)status;
    return made;
}

/* Called on any thread, once for each deferral. */
static void JNICALL answer(JNIEnv *env, jclass type, jlong plugin, jlong deferral, jint status,
        jbyteArray bytes, jint length)
{
    struct deferred *deferred = &((struct java *)plugin)->deferred;
    struct urom_worker_notif_desc *header = (struct urom_worker_notif_desc *)deferral;
    uint64_t one = 1;

    (void)type;
    pthread_mutex_lock(&deferred->lock);
    if (!deferred->closed) {
        ucs_list_del(&header->entry);
        ucs_list_add_tail(&deferred->ready, &make(env, header, status, bytes, length)->entry);
        atomic_store(&deferred->any_ready, true);
        if (write(deferred->wake_fd, &one, sizeof(one)) < 0) {
            /* it is readable already */
        }
    }
    pthread_mutex_unlock(&deferred->lock);
}

/*
 * Called on the linking thread, which should not delay commands for long, but must make progress if
 * all cores are busy: the thread of the worker polls.
 */
static void JNICALL yield_core(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), LINKING_NICENESS);
}

/* Called on the worker's thread. */
static void JNICALL set_busy(JNIEnv *env, jclass type, jint seconds)
{
    (void)env;
    (void)type;
    jurom_worker_busy((uint32_t)seconds);
}

/* Called on the worker's thread, within `command`. */
static jboolean JNICALL is_wanted(JNIEnv *env, jclass type, jlong plugin)
{
    (void)env;
    (void)type;
    return jurom_command_is_wanted(((struct java *)plugin)->current) != 0;
}

/* The same. The clock of System.nanoTime is CLOCK_MONOTONIC. */
static jlong JNICALL deadline(JNIEnv *env, jclass type, jlong plugin)
{
    (void)env;
    (void)type;
    return (jlong)jurom_command_deadline(((struct java *)plugin)->current);
}

/* Called on the linking thread, when `command` can be entered without JNI. */
static void JNICALL linked(JNIEnv *env, jclass type, jlong plugin, jlong function)
{
    (void)env;
    (void)type;
    atomic_store_explicit(
            &((struct java *)plugin)->linked, (java_command)function, memory_order_release);
}

bool deferred_register(JNIEnv *env, jclass hosted_plugin)
{
    const JNINativeMethod methods[] = {
        { "defer", "(J)J", (void *)defer },
        { "answer", "(JJI[BI)V", (void *)answer },
        { "yieldCore", "()V", (void *)yield_core },
        { "linked", "(JJ)V", (void *)linked },
        { "setBusy", "(I)V", (void *)set_busy },
        { "isWanted", "(J)Z", (void *)is_wanted },
        { "deadline", "(J)J", (void *)deadline },
    };

    return (*env)->RegisterNatives(
                   env, hosted_plugin, methods, sizeof(methods) / sizeof(methods[0]))
            == 0;
}

doca_error_t deferred_open(struct deferred *deferred)
{
    ucs_list_head_init(&deferred->waiting);
    ucs_list_head_init(&deferred->ready);
    pthread_mutex_init(&deferred->lock, NULL);
    deferred->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return deferred->wake_fd >= 0 ? DOCA_SUCCESS : DOCA_ERROR_OPERATING_SYSTEM;
}

void deferred_take(struct deferred *deferred, ucs_list_link_t *answers)
{
    uint64_t count;

    if (!atomic_load_explicit(&deferred->any_ready, memory_order_relaxed))
        return;
    pthread_mutex_lock(&deferred->lock);
    ucs_list_splice_tail(answers, &deferred->ready);
    ucs_list_head_init(&deferred->ready);
    atomic_store(&deferred->any_ready, false);
    if (read(deferred->wake_fd, &count, sizeof(count)) < 0) {
        /* it was not readable */
    }
    pthread_mutex_unlock(&deferred->lock);
}

int64_t deferred_find(struct deferred *deferred, uint64_t dest_id, uint64_t urom_context)
{
    struct urom_worker_notif_desc *header;
    int64_t found = 0;

    pthread_mutex_lock(&deferred->lock);
    ucs_list_for_each(header, &deferred->waiting, entry)
    {
        if (header->dest_id == dest_id && header->worker_notif.urom_context == urom_context)
            found = (int64_t)header;
    }
    pthread_mutex_unlock(&deferred->lock);
    return found;
}

static void drop(ucs_list_link_t *list)
{
    while (!ucs_list_is_empty(list))
        free(ucs_list_extract_head(list, struct urom_worker_notif_desc, entry));
}

void deferred_close(struct deferred *deferred)
{
    pthread_mutex_lock(&deferred->lock);
    deferred->closed = true;
    drop(&deferred->waiting);
    drop(&deferred->ready);
    pthread_mutex_unlock(&deferred->lock);
}
