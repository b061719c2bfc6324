/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs a plugin in the process of the test as a worker does: loads and opens it, passes commands,
 * progresses it and packs its notifications. All instances are members of one domain.
 */
#ifndef JUROM_TEST_PLUGIN_INSTANCE_H_
#define JUROM_TEST_PLUGIN_INSTANCE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_urom_plugin.h>
#include <testing/assertions.h>

#define PROGRESS_MS 20000
#define INSTANCES_MAX 4
#define PLUGIN_ID 4      /* plugin id that the service would assign */
#define NOTIFY_MAX 65536 /* maximum message size */

struct instance {
    struct urom_worker_ctx ctx;
    void *library;
    doca_error_t (*arm)(struct urom_worker_ctx *ctx, int *fd);
    void (*host_left)(struct urom_worker_ctx *ctx, uint64_t dest_id);
    uint64_t id; /* in the domain */
    uint8_t *address;
    ucs_list_link_t notifications; /* notifications that the test has not taken */
    uint64_t last_context;
};

/* A notification as its host receives it. */
struct notification {
    uint64_t dest_id;
    uint64_t context;
    doca_error_t status;
    size_t length; /* of the plugin's bytes */
    uint8_t bytes[NOTIFY_MAX];
};

/* Loads and opens the plugin in `file`, as worker `id` of the domain. */
void instance_open(struct instance *instance, const char *file, uint64_t id);

/*
 * Closes the instance and drops its notifications. Fails if a plugin has logged an error: hosts and
 * peers must not cause any, because they could fill a worker's log.
 */
void instance_close(struct instance *instance);

/*
 * Passes a command of `length` bytes from the host `dest_id` to the plugin, in its own block as in
 * a worker. Sets `*context` to the urom_context of its notification.
 */
doca_error_t instance_command(struct instance *instance, uint64_t dest_id, const void *bytes,
        size_t length, uint64_t *context);

/* Progresses all open instances and the UCX worker of the test. Returns whether work was done. */
bool progress_all(void);

/* Sets a function that progress_all also calls; NULL: none. */
void progress_with(unsigned (*progress)(void));

/*
 * Progresses until no work was done for a while. Call it before a close: UCX fails if it is closed
 * while this side or a peer is connecting.
 */
void progress_until_quiet(void);

/* Progresses until the notification for `context` arrives, and takes it. Fails at a deadline. */
void await_notification(
        struct instance *instance, uint64_t context, struct notification *notification);

/* Returns whether the notification for `context` has arrived. */
bool has_notification(struct instance *instance, uint64_t context);

/*
 * Progresses until `condition` holds, or fails at a deadline. It yields the processor only after many
 * polls without effect, since a yield may take milliseconds on a busy machine.
 */
#define await_progress(condition) \
    do { \
        uint64_t await_end_ = deadline_in(PROGRESS_MS); \
        unsigned await_idle_ = 0; \
        while (!(condition)) { \
            if (!progress_all()) \
                give_way_when_idle(&await_idle_); \
            if (deadline_has_passed(await_end_)) \
                fail_msg("not within %d ms of progress: %s", PROGRESS_MS, #condition); \
        } \
    } while (0)

#endif /* JUROM_TEST_PLUGIN_INSTANCE_H_ */
