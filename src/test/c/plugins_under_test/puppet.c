/* SPDX-License-Identifier: Apache-2.0 */
/* A plugin whose behavior each command specifies: see puppet.h. */
#include "puppet.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <doca_log.h>
#include <doca_urom_plugin.h>
#include <jurom.h>

DOCA_LOG_REGISTER(TEST::PUPPET)

#define VERSION 7
#define SLACK 64
#define NOBODY 0xdeadbeef00000000

struct answer {
    ucs_list_link_t entry;
    uint64_t due; /* call of progress */
    struct urom_worker_notif_desc *desc;
};

struct puppet {
    ucs_list_link_t answers;
    ucs_list_link_t held; /* commands */
    uint64_t given;
    uint64_t progressed;
    uint64_t postponed; /* how often the oldest command was left */
    uint64_t left;      /* hosts */
    uint64_t cancelled; /* commands */
    uint64_t slowness;  /* ms that each call of progress takes */
    doca_error_t slow;  /* what such a call returns */
};

/* Precedes the notification, because notif_pack has no context argument. */
struct packing {
    uint32_t act;
    uint32_t status;
};

static const struct puppet_command *command_of(const struct urom_worker_cmd_desc *desc)
{
    return (const struct puppet_command *)desc->worker_cmd.plugin_cmd;
}

static bool has_slack(const struct urom_worker_cmd *command)
{
    static const uint8_t zeros[SLACK];

    return memcmp(command->plugin_cmd + command->len, zeros, SLACK) == 0;
}

/*
 * Queues an answer with `length` bytes after the fixed part, to be sent after `later` calls of
 * progress.
 */
static uint8_t *answer(struct puppet *puppet, const struct urom_worker_cmd_desc *desc,
        doca_error_t status, size_t length, uint64_t later)
{
    struct answer *made = calloc(1, sizeof(*made));
    struct puppet_notification *notification;
    struct packing *packing;

    length += sizeof(*notification);
    made->due = puppet->progressed + later;
    made->desc = calloc(1, sizeof(*made->desc) + sizeof(*packing) + length);
    made->desc->dest_id = desc->dest_id;
    made->desc->worker_notif.type = desc->worker_cmd.type;
    made->desc->worker_notif.urom_context = desc->worker_cmd.urom_context;
    made->desc->worker_notif.len = length;
    made->desc->worker_notif.status = status;
    packing = (struct packing *)made->desc->worker_notif.plugin_notif;
    packing->act = command_of(desc)->act;
    packing->status = command_of(desc)->status;
    notification = (struct puppet_notification *)(packing + 1);
    *notification = (struct puppet_notification){
        .dest_id = desc->dest_id,
        .type = desc->worker_cmd.type,
        .len = desc->worker_cmd.len,
        .sequence = puppet->given - 1,
        .progressed = puppet->progressed,
        .process_id = (uint32_t)getpid(),
        .is_aligned = (uintptr_t)desc % 8 == 0,
        .has_slack = has_slack(&desc->worker_cmd),
    };
    ucs_list_add_tail(&puppet->answers, &made->entry);
    return notification->bytes;
}

static void echo(struct puppet *puppet, const struct urom_worker_cmd_desc *desc,
        doca_error_t status, uint64_t later)
{
    size_t length = desc->worker_cmd.len - sizeof(struct puppet_command);

    memcpy(answer(puppet, desc, status, length, later), (command_of(desc) + 1), length);
}

static void let_go(struct puppet *puppet)
{
    while (!ucs_list_is_empty(&puppet->held)) {
        struct urom_worker_cmd_desc *desc = ucs_list_tail(
                &puppet->held, struct urom_worker_cmd_desc, entry);

        ucs_list_del(&desc->entry);
        echo(puppet, desc, DOCA_SUCCESS, 0);
        free(desc);
    }
}

static void block(uint64_t milliseconds)
{
    struct timespec rest = { milliseconds / 1000, milliseconds % 1000 * 1000000 };

    while (milliseconds > 0 && nanosleep(&rest, &rest) != 0)
        continue;
}

static void tell_cpus(struct puppet *puppet, const struct urom_worker_cmd_desc *desc)
{
    cpu_set_t set;
    uint8_t *bytes;

    CPU_ZERO(&set);
    sched_getaffinity(0, sizeof(set), &set);
    bytes = answer(puppet, desc, DOCA_SUCCESS, (size_t)CPU_COUNT(&set), 0);
    for (int cpu = 0; cpu < 256; ++cpu) {
        if (CPU_ISSET(cpu, &set))
            *bytes++ = (uint8_t)cpu;
    }
}

static void tell_environment(struct puppet *puppet, const struct urom_worker_cmd_desc *desc)
{
    /* The slack terminates the name. */
    const char *value = getenv((const char *)(command_of(desc) + 1));
    size_t length = value == NULL ? 0 : strlen(value);

    memcpy(answer(puppet, desc, value == NULL ? DOCA_ERROR_NOT_FOUND : DOCA_SUCCESS, length, 0),
            value == NULL ? "" : value, length);
}

static void grow(struct puppet *puppet, const struct urom_worker_cmd_desc *desc)
{
    size_t length = command_of(desc)->count;
    uint8_t *bytes = answer(puppet, desc, DOCA_SUCCESS, length, 0);

    for (size_t i = 0; i < length; ++i)
        bytes[i] = (uint8_t)i;
}

static doca_error_t work(const struct urom_worker_cmd_desc *desc)
{
    for (uint64_t i = 0; i < command_of(desc)->count; ++i) {
        if (!jurom_command_is_wanted(desc))
            return DOCA_ERROR_SKIPPED;
        block(1);
    }
    return DOCA_SUCCESS;
}

static void tell_number(
        struct puppet *puppet, const struct urom_worker_cmd_desc *desc, uint64_t number)
{
    memcpy(answer(puppet, desc, DOCA_SUCCESS, sizeof(number), 0), &number, sizeof(number));
}

/* Executes a command that was removed from the list. The caller frees it unless `*keep` is set. */
static doca_error_t act(struct puppet *puppet, struct urom_worker_cmd_desc *desc, bool *keep)
{
    const struct puppet_command *command = command_of(desc);
    size_t length = desc->worker_cmd.len - sizeof(*command);

    switch (command->act) {
    case PUPPET_FAIL:
        echo(puppet, desc, command->status, 0);
        return DOCA_SUCCESS;
    case PUPPET_REFUSE_ALOUD:
        echo(puppet, desc, command->status + 1, 0);
        return command->status;
    case PUPPET_REFUSE:
        return command->status;
    case PUPPET_LATER:
        echo(puppet, desc, DOCA_SUCCESS, command->count);
        return DOCA_SUCCESS;
    case PUPPET_HOLD:
        ucs_list_add_tail(&puppet->held, &desc->entry);
        *keep = true;
        return DOCA_SUCCESS;
    case PUPPET_LET_GO:
        let_go(puppet);
        break;
    case PUPPET_TWICE:
        echo(puppet, desc, DOCA_SUCCESS, 0);
        break;
    case PUPPET_STRANGER:
        echo(puppet, desc, DOCA_SUCCESS, 0);
        ucs_list_tail(&puppet->answers, struct answer, entry)->desc->dest_id ^= NOBODY >> 32;
        echo(puppet, desc, DOCA_SUCCESS, 0);
        ucs_list_tail(&puppet->answers, struct answer, entry)->desc->worker_notif.urom_context ^=
                NOBODY;
        break;
    case PUPPET_BIG:
        grow(puppet, desc);
        return DOCA_SUCCESS;
    case PUPPET_CRASH:
        signal((int)command->count, SIG_DFL);
        raise((int)command->count);
        break;
    case PUPPET_BUSY:
        jurom_worker_busy(command->status);
        block(command->count);
        break;
    case PUPPET_PRINT:
        printf("%.*s\n", (int)length, (const char *)(command + 1));
        fflush(stdout);
        break;
    case PUPPET_ENVIRONMENT:
        tell_environment(puppet, desc);
        return DOCA_SUCCESS;
    case PUPPET_CPUS:
        tell_cpus(puppet, desc);
        return DOCA_SUCCESS;
    case PUPPET_REFUSE_LATER:
        echo(puppet, desc, DOCA_SUCCESS, command->count);
        return command->status;
    case PUPPET_LEFT:
        tell_number(puppet, desc, puppet->left);
        return DOCA_SUCCESS;
    case PUPPET_WORK:
        echo(puppet, desc, work(desc), 0);
        return DOCA_SUCCESS;
    case PUPPET_CANCELLED:
        tell_number(puppet, desc, puppet->cancelled);
        return DOCA_SUCCESS;
    case PUPPET_DEADLINE:
        tell_number(puppet, desc, jurom_command_deadline(desc));
        return DOCA_SUCCESS;
    case PUPPET_SLOW:
        puppet->slowness = command->count;
        puppet->slow = command->status;
        break;
    default:
        break;
    }
    echo(puppet, desc, DOCA_SUCCESS, 0);
    return DOCA_SUCCESS;
}

static bool is_left(struct puppet *puppet, const struct puppet_command *command)
{
    if (command->act == PUPPET_LEAVE)
        return true;
    if (command->act != PUPPET_POSTPONE || puppet->postponed == command->count) {
        puppet->postponed = 0;
        return false;
    }
    ++puppet->postponed;
    return true;
}

static doca_error_t puppet_worker_cmd(struct urom_worker_ctx *ctx, ucs_list_link_t *cmd_list)
{
    struct puppet *puppet = ctx->plugin_ctx;
    doca_error_t status = DOCA_SUCCESS;

    while (!ucs_list_is_empty(cmd_list) && status == DOCA_SUCCESS) {
        struct urom_worker_cmd_desc *desc = ucs_list_head(
                cmd_list, struct urom_worker_cmd_desc, entry);
        bool keep = false;

        if (desc->worker_cmd.len >= sizeof(struct puppet_command)
                && is_left(puppet, command_of(desc)))
            return command_of(desc)->status;
        ucs_list_del(&desc->entry);
        ++puppet->given;
        status = desc->worker_cmd.len < sizeof(struct puppet_command) ? DOCA_ERROR_INVALID_VALUE
                                                                      : act(puppet, desc, &keep);
        if (!keep)
            free(desc);
    }
    return status;
}

static doca_error_t puppet_progress(struct urom_worker_ctx *ctx, ucs_list_link_t *notif_list)
{
    struct puppet *puppet = ctx->plugin_ctx;
    struct answer *at, *next;
    bool found = false;

    ++puppet->progressed;
    ucs_list_for_each_safe(at, next, &puppet->answers, entry)
    {
        if (at->due > puppet->progressed)
            continue;
        ucs_list_del(&at->entry);
        ucs_list_add_tail(notif_list, &at->desc->entry);
        free(at);
        found = true;
    }
    block(puppet->slowness);
    return found ? DOCA_SUCCESS : puppet->slow;
}

static doca_error_t puppet_notif_pack(
        struct urom_worker_notify *notif, size_t *packed_notif_len, void *packed_notif)
{
    const struct packing *packing = (const struct packing *)notif->plugin_notif;
    size_t capacity = *packed_notif_len;
    size_t length = sizeof(*notif) + notif->len;

    if (packing->act == PUPPET_PACK_FAILS)
        return packing->status;
    if (length > capacity)
        return DOCA_ERROR_TOO_BIG;
    memcpy(packed_notif, notif, sizeof(*notif));
    memcpy((uint8_t *)packed_notif + sizeof(*notif), packing + 1, notif->len);
    *packed_notif_len = packing->act == PUPPET_PACK_TOO_LONG ? capacity + 1
            : packing->act == PUPPET_PACK_TOO_SHORT          ? sizeof(*notif) - 1
                                                             : length;
    return DOCA_SUCCESS;
}

static doca_error_t puppet_addr(struct urom_worker_ctx *ctx, void *addr, size_t *addr_len)
{
    (void)ctx;
#ifdef PUPPET_ADDRESS
    if (addr == NULL || *addr_len < sizeof(PUPPET_ADDRESS)) {
        *addr_len = sizeof(PUPPET_ADDRESS);
        return DOCA_ERROR_INVALID_VALUE;
    }
    memcpy(addr, PUPPET_ADDRESS, sizeof(PUPPET_ADDRESS));
    return DOCA_SUCCESS;
#else
    (void)addr;
    *addr_len = 0;
    return DOCA_ERROR_NOT_SUPPORTED;
#endif
}

/*
 * Records whether a plugin can access the terminal of the service or a key in its session keyring.
 */
static void __attribute__((constructor)) witness(void)
{
    const char *path = getenv(PUPPET_WITNESS);
    FILE *file = path == NULL ? NULL : fopen(path, "we");
    int terminal;

    if (file == NULL)
        return;
    terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_CLOEXEC);
    fprintf(file, "terminal: %s\n", terminal < 0 ? strerror(errno) : "open");
    fprintf(file, "key: %s\n",
            syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", PUPPET_KEY, 0) < 0
                    ? strerror(errno)
                    : "found");
    fclose(file);
    if (terminal >= 0)
        close(terminal);
}

static doca_error_t puppet_open(struct urom_worker_ctx *ctx)
{
    struct puppet *puppet = calloc(1, sizeof(*puppet));

    if (puppet == NULL)
        return DOCA_ERROR_NO_MEMORY;
    ucs_list_head_init(&puppet->answers);
    ucs_list_head_init(&puppet->held);
    puppet->slow = DOCA_ERROR_EMPTY;
    ctx->plugin_ctx = puppet;
    DOCA_LOG_INFO("puppet opened");
    return DOCA_SUCCESS;
}

static void puppet_close(struct urom_worker_ctx *ctx)
{
    struct puppet *puppet = ctx->plugin_ctx;

    while (!ucs_list_is_empty(&puppet->answers)) {
        struct answer *left = ucs_list_extract_head(&puppet->answers, struct answer, entry);

        free(left->desc);
        free(left);
    }
    while (!ucs_list_is_empty(&puppet->held))
        free(ucs_list_extract_head(&puppet->held, struct urom_worker_cmd_desc, entry));
    free(puppet);
    fprintf(stderr, "puppet closed\n");
}

DOCA_EXPERIMENTAL void urom_plugin_host_left(struct urom_worker_ctx *ctx, uint64_t dest_id);
DOCA_EXPERIMENTAL void urom_plugin_host_left(struct urom_worker_ctx *ctx, uint64_t dest_id)
{
    (void)dest_id;
    ++((struct puppet *)ctx->plugin_ctx)->left;
}

/* Answers a held command with SKIPPED. */
DOCA_EXPERIMENTAL void urom_plugin_cancel(
        struct urom_worker_ctx *ctx, uint64_t dest_id, uint64_t urom_context);
DOCA_EXPERIMENTAL void urom_plugin_cancel(
        struct urom_worker_ctx *ctx, uint64_t dest_id, uint64_t urom_context)
{
    struct puppet *puppet = ctx->plugin_ctx;
    struct urom_worker_cmd_desc *desc, *next;

    ++puppet->cancelled;
    ucs_list_for_each_safe(desc, next, &puppet->held, entry)
    {
        if (desc->dest_id == dest_id && desc->worker_cmd.urom_context == urom_context) {
            ucs_list_del(&desc->entry);
            echo(puppet, desc, DOCA_ERROR_SKIPPED, 0);
            free(desc);
        }
    }
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_version(uint64_t *version)
{
    *version = VERSION;
    return DOCA_SUCCESS;
}

DOCA_EXPERIMENTAL doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface)
{
    DOCA_STRUCT_PTR_CTOR(iface);
    iface->open = puppet_open;
    iface->close = puppet_close;
    iface->addr = puppet_addr;
    iface->worker_cmd = puppet_worker_cmd;
    iface->progress = puppet_progress;
    iface->notif_pack = puppet_notif_pack;
    return DOCA_SUCCESS;
}
