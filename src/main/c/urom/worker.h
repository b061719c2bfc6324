/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The worker context's inside: worker.c (the object), worker_settings.c, worker_users.c (who
 * counts on it), worker_link.c (how it starts and stops), worker_end.c (how its process ended),
 * worker_channel.c (its channel to the worker process), worker_task.c (commands). One thread: that of
 * its progress engine.
 */
#ifndef JUROM_WORKER_H_
#define JUROM_WORKER_H_

#include <stdbool.h>
#include <stdint.h>

#include <channel/channel.h>
#include <common/buf.h>
#include <common/ctx.h>
#include <common/task.h>
#include <doca_urom.h>
#include <jurom.h>

#include "deadline.h"
#include "requests.h"
#include "service.h"
#include "session.h"

#define WORKER_DEFAULT_MAX_TASKS 64
#define WORKER_MAX_TASKS (1u << 16)

/* Somebody who counts on a worker context: a domain. Embedded in its owner; the worker's thread. */
struct worker_user {
    struct worker_user *next;
    /* The way to the worker process has ended; `for_good`: the context is destroyed. */
    void (*gone)(struct worker_user *user, bool for_good);
};

/* How far the way to the worker process has come, or how much of it is left. */
enum link_state {
    LINK_NONE,
    LINK_OPENING,   /* waits for the session */
    LINK_SPAWNING,  /* has sent SPAWN */
    LINK_ATTACHING, /* has sent ATTACH */
    LINK_UP,
    LINK_LOSING,    /* worker or service is gone: takes what was published, and hears why */
    LINK_DETACHING, /* has sent DETACH */
    LINK_RELEASING, /* has sent RELEASE */
};

/* The address of a plugin's own endpoint on the worker, for domains. */
struct worker_plugin_address {
    uint64_t plugin;
    size_t length;
    uint8_t *bytes;
};

struct doca_urom_worker {
    struct doca_ctx ctx;

    /* Settings. */
    struct doca_urom_service *service; /* a counted reference */
    uint64_t id;
    uint64_t plugins;
    uint32_t group;
    bool has_group;
    doca_cpu_set_t cpu_set;
    bool has_cpu_set;
    uint32_t max_tasks;
    char *environment; /* NUL-terminated strings, one after the other */
    size_t environment_length;
    uint32_t environment_count;

    /* The link. */
    enum link_state link;
    bool counted;                      /* among the service's workers */
    struct service_location *location; /* a counted reference */
    struct session *session;
    struct session_user session_user;
    struct request control; /* of the session: SPAWN, RELEASE and WORKER_GONE */
    struct channel *channel;
    struct channel_receiver receiver;
    struct pe_poller poller;                    /* of the channel */
    struct doca_urom_worker_cmd_task *arriving; /* whose response is on its way in, or NULL */
    struct requests requests;                   /* of the channel, but for commands */
    struct request data;                        /* ATTACH and DETACH */
    struct deadline deadline;
    unsigned asked; /* how often this start has sent SPAWN */
    bool is_new;    /* the process was made for this context */
    char *loss;     /* why the worker was lost, or NULL; kept until the next start */
    struct jurom_urom_worker_end end; /* no time: it was not lost */
    char *refusal;                    /* why the last start failed, or NULL */
    doca_error_t refused;             /* its kind; SUCCESS: it did not fail */
    uint64_t spawned_id;              /* and group: what the service made of the settings */
    bool has_spawned_group;
    uint32_t spawned_group;
    struct worker_plugin_address *addresses;
    uint32_t addresses_count;
    struct worker_user *users;

    /* Tasks: made at first start and whenever their number or size changes. */
    struct doca_urom_worker_cmd_task *tasks;
    struct doca_urom_worker_cmd_task *free_tasks;
    uint32_t tasks_count;
    uint32_t message_size;
    struct counters *counters; /* of the session; counting.h */
    bool held;                 /* commands were given to the channel and not pushed */
};

/* The command task. */
struct doca_urom_worker_cmd_task {
    struct doca_task base;
    struct doca_urom_worker *worker;
    uint64_t id; /* of the command: the task's place in the pool, and a generation */
    struct channel_message message;
    bool sending;  /* the payload waits to be sent */
    bool answered; /* status is known; completes when the payload has been sent */
    uint64_t plugin;
    doca_urom_worker_cmd_task_completion_cb_t callback;
    _Alignas(16) uint8_t user_data[32];
    struct doca_buf payload;
    struct doca_buf response;
    uint8_t *memory; /* of both buffers, made at first use */
    bool allocated;
    struct doca_urom_worker_cmd_task *next_free;
};

/* Whether every CPU of `inner` is in `outer`. */
static inline bool cpu_set_is_subset(const doca_cpu_set_t *inner, const doca_cpu_set_t *outer)
{
    for (size_t i = 0; i < sizeof(inner->ucs_bits) / sizeof(inner->ucs_bits[0]); ++i) {
        if ((inner->ucs_bits[i] & ~outer->ucs_bits[i]) != 0)
            return false;
    }
    return true;
}

/*
 * worker_settings.c: checks the settings before a start, against what the service offers, and
 * counts the worker among its service's.
 */
doca_error_t worker_admit(struct doca_urom_worker *worker, const struct service_offer *offer);

/* worker_link.c: the context's start and stop. */
doca_error_t worker_start(struct doca_ctx *ctx);
doca_error_t worker_stop(struct doca_ctx *ctx);

/*
 * worker_end.c: how the process ended: as a channel or the service tells; the first reason stays.
 * `why` is the end of a sentence that `verb` begins.
 */
void worker_note_loss(
        struct doca_urom_worker *worker, const char *verb, const char *why, size_t length);
void worker_note_end(struct doca_urom_worker *worker, const struct wire_worker_gone *gone);
const char *worker_loss(const struct doca_urom_worker *worker);

/* worker_end.c: keeps why a start fails, as a sentence, and returns `error`; the first stays. */
doca_error_t worker_refuse(struct doca_urom_worker *worker, doca_error_t error, const char *format,
        ...) __attribute__((format(printf, 3, 4)));

/* The same for a reason that this side has found: logs it. */
#define WORKER_REFUSE(worker, error, ...) \
    (SDK_LOG_ERR(__VA_ARGS__), worker_refuse(worker, error, __VA_ARGS__))

/* worker_end.c: forgets how the process ended, and why the last start failed. */
void worker_forget_end(struct doca_urom_worker *worker);

/*
 * worker_channel.c: connects to the worker that was spawned; the poller's functions are the caller's.
 * Disconnecting is harmless when there is no connection; not inside the channel's own poll.
 */
doca_error_t worker_connect(struct doca_urom_worker *worker, const struct wire_spawned *spawned);
void worker_disconnect(struct doca_urom_worker *worker);

/* worker_channel.c: keeps copies of the plugins' addresses, or frees them. */
doca_error_t worker_take_addresses(
        struct doca_urom_worker *worker, const struct wire_attached *attached);
void worker_forget_addresses(struct doca_urom_worker *worker);

/* worker_users.c: adds a user, or takes it away again; and tells all users that the worker is gone. */
void worker_join(struct doca_urom_worker *worker, struct worker_user *user);
void worker_leave(struct doca_urom_worker *worker, struct worker_user *user);
void worker_tell_gone(struct doca_urom_worker *worker, bool for_good);

/* worker_task.c: the pool of tasks. */
doca_error_t worker_make_tasks(struct doca_urom_worker *worker, uint32_t message_size);
void worker_free_tasks(struct doca_urom_worker *worker);

/* worker_task.c: where the answer to a command goes, and that it is there. For the receiver. */
void *worker_place_answer(
        struct doca_urom_worker *worker, const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length);
void worker_answer_placed(struct doca_urom_worker *worker);

/* Sends the commands that were held back. */
void worker_push(struct doca_urom_worker *worker);

/* Completes all tasks that are in flight with `status`; what answers them later is dropped. */
void worker_fail_tasks(struct doca_urom_worker *worker, doca_error_t status);

/* The channel is closed: nothing waits to be sent over it any more. */
void worker_forget_sends(struct doca_urom_worker *worker);

#endif /* JUROM_WORKER_H_ */
