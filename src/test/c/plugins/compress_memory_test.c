/* SPDX-License-Identifier: Apache-2.0 */
/* A block whose output cannot be allocated. The plugin is compiled with exhaustible_malloc as malloc. */
#include <stdlib.h>
#include <string.h>

#include <jurom/urom_compress.h>
#include <testing/assertions.h>

#include "compress_host.h"

#include <cmocka_all.h>

#define BLOCK 1000

doca_error_t urom_plugin_get_iface(struct urom_plugin_iface *iface);
void *exhaustible_malloc(size_t size);

static bool exhausted;

void *exhaustible_malloc(size_t size)
{
    return exhausted ? NULL : malloc(size);
}

/* Returns a command that the plugin frees. */
static struct urom_worker_cmd_desc *command_new(const struct urom_worker_compress_cmd *fields)
{
    size_t length = sizeof(*fields) + fields->data_length;
    struct urom_worker_cmd_desc *desc = calloc(1, sizeof(*desc) + length);

    assert_non_null(desc);
    desc->dest_id = HOST;
    desc->worker_cmd.urom_context = 1;
    desc->worker_cmd.len = length;
    memcpy(desc->worker_cmd.plugin_cmd, fields, sizeof(*fields));
    compress_fill(desc->worker_cmd.plugin_cmd + sizeof(*fields), fields->data_length);
    return desc;
}

static void a_block_is_answered_without_memory(void **state)
{
    struct urom_worker_compress_cmd fields = {
        .type = UROM_WORKER_CMD_COMPRESS,
        .format = UROM_COMPRESS_ZSTD,
        .level = 1,
        .capacity = 2 * BLOCK,
        .data_length = BLOCK,
    };
    struct urom_worker_cmd_desc *command = command_new(&fields);
    const struct urom_worker_notify_compress *notify;
    struct urom_worker_notif_desc *answer;
    struct urom_worker_ctx ctx = { 0 };
    ucs_list_link_t commands, answers;

    (void)state;
    ucs_list_head_init(&commands);
    ucs_list_head_init(&answers);
    assert_success(urom_plugin_get_iface(&ctx.iface));
    assert_success(ctx.iface.open(&ctx));
    ucs_list_add_tail(&commands, &command->entry);
    assert_success(ctx.iface.worker_cmd(&ctx, &commands));

    exhausted = true;
    assert_success(ctx.iface.progress(&ctx, &answers));
    exhausted = false;

    assert_false(ucs_list_is_empty(&answers));
    answer = ucs_list_extract_head(&answers, struct urom_worker_notif_desc, entry);
    notify = (const void *)answer->worker_notif.plugin_notif;
    assert_int_equal(answer->dest_id, HOST);
    assert_int_equal(answer->worker_notif.urom_context, 1);
    assert_int_equal(answer->worker_notif.status, DOCA_ERROR_FULL);
    assert_int_equal(answer->worker_notif.len, sizeof(*notify));
    assert_int_equal(notify->result, UROM_COMPRESS_MEMORY);
    free(answer);
    ctx.iface.close(&ctx);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_is_answered_without_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
