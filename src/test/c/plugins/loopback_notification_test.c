/* SPDX-License-Identifier: Apache-2.0 */
/* Notifications of worker_graph, whose length must fit for any command. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include <doca_urom_plugin.h>
#include <jurom/urom_graph.h>

#include <cmocka_all.h>

#define ROOM 256 /* maximum message size */

static struct urom_worker_ctx ctx;

static int set_up(void **state)
{
    doca_error_t (*get_iface)(struct urom_plugin_iface * iface);
    void *library = dlopen(PLUGIN_FILE, RTLD_NOW | RTLD_LOCAL);

    if (library == NULL)
        fail_msg("%s", dlerror());
    *(void **)&get_iface = dlsym(library, "urom_plugin_get_iface");
    assert_non_null(get_iface);
    assert_int_equal(get_iface(&ctx.iface), DOCA_SUCCESS);
    assert_int_equal(ctx.iface.open(&ctx), DOCA_SUCCESS);
    *state = library;
    return 0;
}

static int tear_down(void **state)
{
    ctx.iface.close(&ctx);
    dlclose(*state);
    return 0;
}

/* Returns the notification for a command with `extra` bytes after its struct. */
static struct urom_worker_notif_desc *loop_back(size_t extra)
{
    size_t length = sizeof(struct urom_worker_graph_cmd) + extra;
    struct urom_worker_cmd_desc *desc = calloc(1, sizeof(*desc) + length);
    ucs_list_link_t list;

    assert_non_null(desc);
    desc->worker_cmd.len = length;
    memset(desc->worker_cmd.plugin_cmd + sizeof(struct urom_worker_graph_cmd), 'x', extra);
    ucs_list_head_init(&list);
    ucs_list_add_tail(&list, &desc->entry);
    assert_int_equal(ctx.iface.worker_cmd(&ctx, &list), DOCA_SUCCESS);
    assert_true(ucs_list_is_empty(&list));
    assert_int_equal(ctx.iface.progress(&ctx, &list), DOCA_SUCCESS);
    return ucs_list_extract_head(&list, struct urom_worker_notif_desc, entry);
}

static void assert_packed(size_t extra, doca_error_t status, size_t expected)
{
    struct urom_worker_notif_desc *desc = loop_back(extra);
    size_t length = ROOM;
    uint8_t *packed = malloc(ROOM);

    assert_non_null(packed);
    assert_int_equal(ctx.iface.notif_pack(&desc->worker_notif, &length, packed), DOCA_SUCCESS);
    assert_int_equal(desc->worker_notif.status, status);
    assert_int_equal(length, sizeof(struct urom_worker_notify) + expected);
    free(packed);
    free(desc);
}

static void bytes_that_fit_come_back(void **state)
{
    size_t fixed = sizeof(struct urom_worker_notify_graph);
    size_t most = ROOM - sizeof(struct urom_worker_notify) - fixed;

    (void)state;
    assert_packed(0, DOCA_SUCCESS, fixed);
    assert_packed(most, DOCA_SUCCESS, fixed + most);
}

static void bytes_that_do_not_fit_are_told_of(void **state)
{
    size_t fixed = sizeof(struct urom_worker_notify_graph);

    (void)state;
    assert_packed(ROOM - sizeof(struct urom_worker_notify) - fixed + 1, DOCA_ERROR_TOO_BIG, fixed);
    assert_packed(100000, DOCA_ERROR_TOO_BIG, fixed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(bytes_that_fit_come_back, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bytes_that_do_not_fit_are_told_of, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
