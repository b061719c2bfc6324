/* SPDX-License-Identifier: Apache-2.0 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <doca_log.h>
#include <doca_urom_plugin.h>

#include "java.h"
#include "java_files.h"
#include "jvm.h"

DOCA_LOG_REGISTER(UROM::JAVA)

#define HOSTED_PLUGIN "dev/jurom/worker/internal/HostedPlugin"
#define CAPACITY_MIN 65536 /* bytes of an answer that every plugin may give */
#define DEFERRED INT64_MIN
#define FAILURE_MARK "\0uromerr" /* precedes the text of a failure: docs/plugin-protocols.md */
#define FAILURE_MARK_LENGTH 8

static struct java self;

/* Clears an exception that HostedPlugin let pass, after logging it. */
static bool is_thrown(JNIEnv *env)
{
    bool thrown = (*env)->ExceptionCheck(env);

    if (thrown) {
        (*env)->ExceptionDescribe(env);
        (*env)->ExceptionClear(env);
    }
    return thrown;
}

/* Provides memory for a payload of this length. HostedPlugin ends its views of the former. */
static doca_error_t provide_memory(struct java *java, size_t length)
{
    size_t capacity = length > CAPACITY_MIN / 2 ? 2 * length : CAPACITY_MIN;
    uint8_t *input, *output;
    bool thrown;

    if (length <= java->capacity && java->capacity > 0)
        return DOCA_SUCCESS;
    input = malloc(capacity);
    output = malloc(capacity);
    thrown = true;
    if (input != NULL && output != NULL) {
        (*java->env)
                ->CallVoidMethod(java->env, java->plugin, java->set_memory, (jlong)input,
                        (jlong)output, (jlong)capacity);
        thrown = is_thrown(java->env);
    }
    if (thrown) {
        free(input);
        free(output);
        return DOCA_ERROR_NO_MEMORY;
    }
    free(java->input);
    free(java->output);
    java->input = input;
    java->output = output;
    java->capacity = capacity;
    return DOCA_SUCCESS;
}

static bool find_methods(struct java *java, jclass type)
{
    JNIEnv *env = java->env;

    java->command = (*env)->GetMethodID(env, type, "command", "(JJ)J");
    java->progress = (*env)->GetMethodID(env, type, "progress", "()Z");
    java->host_left = (*env)->GetMethodID(env, type, "hostLeft", "(J)V");
    java->cancel = (*env)->GetMethodID(env, type, "cancel", "(J)V");
    java->set_memory = (*env)->GetMethodID(env, type, "setMemory", "(JJJ)V");
    java->close = (*env)->GetMethodID(env, type, "close", "()V");
    return !is_thrown(env) && deferred_register(env, type) && host_memory_register(env, type);
}

/* Copies the sentence with which HostedPlugin.open refused. */
static doca_error_t refuse(struct java *java, jobject sentence)
{
    const char *text = sentence == NULL
            ? NULL
            : (*java->env)->GetStringUTFChars(java->env, sentence, NULL);

    fail_with(java->reason, DOCA_ERROR_INITIALIZATION, "%s",
            text != NULL ? text : "the Java plugin could not be opened: see the worker's log");
    if (text != NULL)
        (*java->env)->ReleaseStringUTFChars(java->env, sentence, text);
    return DOCA_ERROR_INITIALIZATION;
}

static doca_error_t open_plugin(struct java *java, bool shared)
{
    const struct java_settings *settings = &java->settings;
    JNIEnv *env = java->env;
    jclass type = (*env)->FindClass(env, HOSTED_PLUGIN);
    jmethodID open = NULL;
    jobject opened = NULL;

    if (type != NULL && find_methods(java, type))
        open = (*env)->GetStaticMethodID(env, type, "open",
                "(JLjava/lang/String;JLjava/lang/String;Ljava/lang/String;)Ljava/lang/Object;");
    if (open != NULL)
        opened = (*env)->CallStaticObjectMethod(env, type, open, (jlong)java,
                (*env)->NewStringUTF(env, settings->name), (jlong)settings->version,
                (*env)->NewStringUTF(env, settings->class_name),
                shared ? (*env)->NewStringUTF(env, settings->class_path) : NULL);
    if (is_thrown(env) || opened == NULL)
        return refuse(java, NULL);
    if (!(*env)->IsInstanceOf(env, opened, type))
        return refuse(java, opened);
    java->plugin = (*env)->NewGlobalRef(env, opened);
    return java->plugin == NULL ? DOCA_ERROR_NO_MEMORY : provide_memory(java, 0);
}

static doca_error_t java_open(struct urom_worker_ctx *ctx)
{
    struct java *java = &self;
    doca_error_t status;
    bool shared;

    if (java->opened)
        return fail_with(java->reason, DOCA_ERROR_IN_USE,
                "%s is loaded already: a Java plugin is a copy of worker_java.so, not a link to "
                "another plugin's file",
                java->settings.file);
    java->opened = true;
    ctx->plugin_ctx = java;
    ucs_list_head_init(&java->answers);
    status = deferred_open(&java->deferred);
    if (status == DOCA_SUCCESS)
        status = java_settings_read(&java->settings, java->reason);
    if (status == DOCA_SUCCESS)
        status = jvm_enter(&java->settings, &java->env, &shared, java->reason);
    if (status == DOCA_SUCCESS && (*java->env)->PushLocalFrame(java->env, 16) != 0)
        status = DOCA_ERROR_NO_MEMORY;
    if (status == DOCA_SUCCESS) {
        status = open_plugin(java, shared);
        (*java->env)->PopLocalFrame(java->env, NULL);
    }
    if (status != DOCA_SUCCESS)
        DOCA_LOG_ERR("The plugin could not be opened: %s", java->reason);
    return status;
}

/* Threads of the plugin may still run, so what they use stays: this library is never unloaded. */
static void java_close(struct urom_worker_ctx *ctx)
{
    struct java *java = ctx->plugin_ctx;

    if (java->plugin != NULL) {
        (*java->env)->CallVoidMethod(java->env, java->plugin, java->close);
        is_thrown(java->env);
    }
    deferred_close(&java->deferred);
    while (!ucs_list_is_empty(&java->answers))
        free(ucs_list_extract_head(&java->answers, struct urom_worker_notif_desc, entry));
    java_settings_free(&java->settings);
}

/* The plugin communicates only with hosts, so it has no address. */
static doca_error_t java_addr(struct urom_worker_ctx *ctx, void *addr, size_t *addr_len)
{
    (void)ctx;
    (void)addr;
    *addr_len = 0;
    return DOCA_ERROR_NOT_SUPPORTED;
}

static int64_t enter(struct java *java, const struct urom_worker_cmd_desc *desc)
{
    java_command linked = atomic_load_explicit(&java->linked, memory_order_acquire);
    int64_t length = (int64_t)desc->worker_cmd.len;
    int64_t result;

    if (linked != NULL)
        return linked((int64_t)desc->dest_id, length);
    result = (*java->env)
                     ->CallLongMethod(java->env, java->plugin, java->command, (jlong)desc->dest_id,
                             (jlong)length);
    return is_thrown(java->env) ? ~((int64_t)DOCA_ERROR_UNEXPECTED << 32) : result;
}

/* Queues the answer in `output`. */
static doca_error_t queue_answer(
        struct java *java, const struct urom_worker_cmd_desc *desc, int64_t result)
{
    doca_error_t status = result >= 0 ? DOCA_SUCCESS : (doca_error_t)(~result >> 32);
    size_t length = (uint32_t)(result >= 0 ? result : ~result);
    struct urom_worker_notif_desc *answer = malloc(sizeof(*answer) + length);

    if (answer == NULL)
        return DOCA_ERROR_NO_MEMORY;
    answer->dest_id = desc->dest_id;
    answer->worker_notif = (struct urom_worker_notify){
        .type = desc->worker_cmd.type,
        .urom_context = desc->worker_cmd.urom_context,
        .len = length,
        .status = status,
    };
    memcpy(answer->worker_notif.plugin_notif, java->output, length);
    ucs_list_add_tail(&java->answers, &answer->entry);
    return DOCA_SUCCESS;
}

static doca_error_t run(struct java *java, const struct urom_worker_cmd_desc *desc)
{
    doca_error_t status = provide_memory(java, desc->worker_cmd.len);
    int64_t result;

    if (status != DOCA_SUCCESS)
        return status;
    memcpy(java->input, desc->worker_cmd.plugin_cmd, desc->worker_cmd.len);
    java->current = desc;
    result = enter(java, desc);
    java->current = NULL;
    return result == DEFERRED ? DOCA_SUCCESS : queue_answer(java, desc, result);
}

static doca_error_t java_worker_cmd(struct urom_worker_ctx *ctx, ucs_list_link_t *cmd_list)
{
    doca_error_t status = DOCA_SUCCESS;

    while (!ucs_list_is_empty(cmd_list) && status == DOCA_SUCCESS) {
        struct urom_worker_cmd_desc *desc = ucs_list_extract_head(
                cmd_list, struct urom_worker_cmd_desc, entry);

        status = run(ctx->plugin_ctx, desc);
        free(desc);
    }
    return status;
}

static doca_error_t java_progress(struct urom_worker_ctx *ctx, ucs_list_link_t *notif_list)
{
    struct java *java = ctx->plugin_ctx;

    if (java->progress_due) {
        java->progress_due =
                (*java->env)->CallBooleanMethod(java->env, java->plugin, java->progress);
        java->progress_due &= !is_thrown(java->env);
    }
    deferred_take(&java->deferred, &java->answers);
    if (ucs_list_is_empty(&java->answers))
        return DOCA_ERROR_EMPTY;
    ucs_list_splice_tail(notif_list, &java->answers);
    ucs_list_head_init(&java->answers);
    return DOCA_SUCCESS;
}

/* Replaces an answer that does not fit by a failure, and truncates the text of a failure. */
static doca_error_t java_notif_pack(
        struct urom_worker_notify *notif, size_t *packed_notif_len, void *packed_notif)
{
    struct urom_worker_notify *packed = packed_notif;
    size_t room = *packed_notif_len - sizeof(*packed);
    size_t length = notif->len;

    if (*packed_notif_len < sizeof(*packed) + FAILURE_MARK_LENGTH)
        return DOCA_ERROR_TOO_BIG;
    if (length > room && notif->status == DOCA_SUCCESS) {
        notif->status = DOCA_ERROR_TOO_BIG;
        memcpy(packed->plugin_notif, FAILURE_MARK, FAILURE_MARK_LENGTH);
        length = FAILURE_MARK_LENGTH
                + (size_t)snprintf((char *)packed->plugin_notif + FAILURE_MARK_LENGTH,
                        room - FAILURE_MARK_LENGTH,
                        "its answer has %" PRIu64 " bytes of at most %zu", notif->len, room);
    } else {
        length = length < room ? length : room;
        memcpy(packed->plugin_notif, notif->plugin_notif, length);
    }
    notif->len = length < room ? length : room;
    *packed = *notif;
    *packed_notif_len = sizeof(*packed) + notif->len;
    return DOCA_SUCCESS;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_arm(struct urom_worker_ctx *ctx, int *fd)
{
    struct java *java = ctx->plugin_ctx;

    *fd = java->deferred.wake_fd;
    return java->progress_due || !ucs_list_is_empty(&java->answers) ? DOCA_ERROR_AGAIN
                                                                    : DOCA_SUCCESS;
}

DOCA_EXPERIMENTAL void urom_plugin_host_left(struct urom_worker_ctx *ctx, uint64_t dest_id)
{
    struct java *java = ctx->plugin_ctx;

    (*java->env)->CallVoidMethod(java->env, java->plugin, java->host_left, (jlong)dest_id);
    is_thrown(java->env);
}

/* A thread may answer the command meanwhile: HostedPlugin.cancel then does nothing. */
DOCA_EXPERIMENTAL void urom_plugin_cancel(
        struct urom_worker_ctx *ctx, uint64_t dest_id, uint64_t urom_context)
{
    struct java *java = ctx->plugin_ctx;
    int64_t deferral = deferred_find(&java->deferred, dest_id, urom_context);

    if (deferral == 0)
        return;
    (*java->env)->CallVoidMethod(java->env, java->plugin, java->cancel, (jlong)deferral);
    is_thrown(java->env);
}

DOCA_EXPERIMENTAL const char *urom_plugin_get_refusal(struct urom_worker_ctx *ctx)
{
    (void)ctx;
    return self.reason;
}

/* Answers from the properties file alone, because the service probes each plugin. */
DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_version(uint64_t *version)
{
    struct java_settings settings;
    doca_error_t status;

    if (version == NULL)
        return DOCA_ERROR_INVALID_VALUE;
    status = java_settings_read(&settings, self.reason);
    *version = settings.version;
    java_settings_free(&settings);
    return status;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_files(
        doca_error_t (*add)(void *argument, const char *path), void *argument)
{
    struct java_settings settings;
    doca_error_t status = java_settings_read(&settings, self.reason);

    if (status == DOCA_SUCCESS)
        status = java_files_each(&settings, add, argument);
    java_settings_free(&settings);
    return status;
}

DOCA_EXPERIMENTAL bool urom_plugin_uses_ucx(void);
bool urom_plugin_uses_ucx(void)
{
    return false;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface)
{
    if (iface == NULL)
        return DOCA_ERROR_INVALID_VALUE;

    DOCA_STRUCT_PTR_CTOR(iface);
    iface->open = java_open;
    iface->close = java_close;
    iface->addr = java_addr;
    iface->worker_cmd = java_worker_cmd;
    iface->progress = java_progress;
    iface->notif_pack = java_notif_pack;
    return DOCA_SUCCESS;
}
