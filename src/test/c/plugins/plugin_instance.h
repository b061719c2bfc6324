/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A plugin as a worker runs it, in the test's own process: loaded, opened, given commands,
 * progressed and asked for its packed notifications. All instances are in one domain, each under
 * its number.
 */
#ifndef JUROM_TEST_PLUGIN_INSTANCE_H_
#define JUROM_TEST_PLUGIN_INSTANCE_H_

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_urom_plugin.h>
#include <testing/assertions.h>

#define PROGRESS_MS 20000
#define INSTANCES_MAX 4
#define PLUGIN_ID 4      /* what the service gave out, in a test */
#define NOTIFY_MAX 65536 /* maximum message size */

struct instance {
    struct urom_worker_ctx ctx;
    void *library;
    doca_error_t (*arm)(struct urom_worker_ctx *ctx, int *fd);
    void (*host_left)(struct urom_worker_ctx *ctx, uint64_t dest_id);
    uint64_t id; /* in the domain */
    uint8_t *address;
    ucs_list_link_t notifications; /* that no test has taken yet */
    uint64_t last_context;
};

/* A notification as its host gets it. */
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
 * Closes it; what it has not said is dropped. Fails if a plugin has logged an error: what hosts and
 * peers do is no reason for one, or they could fill a worker's log.
 */
void instance_close(struct instance *instance);

/*
 * Gives the plugin a command of `length` bytes from the host `dest_id`, in a block of its own as
 * the worker does. The value that its notification will have as urom_context is left in `*context`.
 */
doca_error_t instance_command(struct instance *instance, uint64_t dest_id, const void *bytes,
        size_t length, uint64_t *context);

/*
 * Progresses all open instances, and the test's own UCX worker. False: nobody had anything to do.
 */
bool progress_all(void);

/* What progress_all calls beside the instances, until the next call; NULL: nothing. */
void progress_with(unsigned (*progress)(void));

/*
 * Progresses until nobody has had anything to do for a while. To be called before something is
 * closed: UCX does not like to be closed while it is about to connect, or by a peer that is.
 */
void progress_until_quiet(void);

/* Progresses until the notification for `context` is there, and takes it. Fails past a deadline. */
void await_notification(
        struct instance *instance, uint64_t context, struct notification *notification);

/* Whether the notification for `context` is there already. */
bool has_notification(struct instance *instance, uint64_t context);

/*
 * Progresses until `condition` holds, and fails when it does not in time. Without the naps of
 * await(): all that is waited for happens in this thread.
 */
#define await_progress(condition) \
    do { \
        uint64_t await_end_ = deadline_in(PROGRESS_MS); \
        while (!(condition)) { \
            progress_all(); \
            sched_yield(); \
            if (deadline_has_passed(await_end_)) \
                fail_msg("not within %d ms of progress: %s", PROGRESS_MS, #condition); \
        } \
    } while (0)

#endif /* JUROM_TEST_PLUGIN_INSTANCE_H_ */
