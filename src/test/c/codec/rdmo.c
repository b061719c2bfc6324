/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of the RDMO plugin: commands, notifications, and the requests of its clients. */
#include "codec.h"

#include <string.h>
#include <jurom/urom_rdmo.h>

static void pack_client_init(struct message *message)
{
    struct urom_worker_rdmo_cmd cmd;

    memset(&cmd, 0, sizeof(cmd));
    cmd.type = UROM_WORKER_CMD_RDMO_CLIENT_INIT;
    cmd.client_init.id = next_u64();
    struct blob addr = next_blob();
    cmd.client_init.addr_len = addr.length;
    append(message, &cmd, sizeof(cmd));
    append(message, addr.bytes, addr.length);
}

static void pack_rq_create(struct message *message)
{
    struct urom_worker_rdmo_cmd cmd;

    memset(&cmd, 0, sizeof(cmd));
    cmd.type = UROM_WORKER_CMD_RDMO_RQ_CREATE;
    struct blob addr = next_blob();
    cmd.rq_create.addr_len = addr.length;
    append(message, &cmd, sizeof(cmd));
    append(message, addr.bytes, addr.length);
}

static void pack_rq_destroy(struct message *message)
{
    struct urom_worker_rdmo_cmd cmd;

    memset(&cmd, 0, sizeof(cmd));
    cmd.type = UROM_WORKER_CMD_RDMO_RQ_DESTROY;
    cmd.rq_destroy.rq_id = next_u64();
    append(message, &cmd, sizeof(cmd));
}

static void pack_mr_reg(struct message *message)
{
    struct urom_worker_rdmo_cmd cmd;

    memset(&cmd, 0, sizeof(cmd));
    cmd.type = UROM_WORKER_CMD_RDMO_MR_REG;
    cmd.mr_reg.va = next_u64();
    cmd.mr_reg.len = next_u64();
    struct blob rkey = next_blob();
    struct blob memh = next_blob();
    cmd.mr_reg.packed_rkey_len = rkey.length;
    cmd.mr_reg.packed_memh_len = memh.length;
    append(message, &cmd, sizeof(cmd));
    append(message, rkey.bytes, rkey.length);
    append(message, memh.bytes, memh.length);
}

static void pack_mr_dereg(struct message *message)
{
    struct urom_worker_rdmo_cmd cmd;

    memset(&cmd, 0, sizeof(cmd));
    cmd.type = UROM_WORKER_CMD_RDMO_MR_DEREG;
    cmd.mr_dereg.rkey = next_u64();
    append(message, &cmd, sizeof(cmd));
}

static void pack_client_init_notification(struct message *message)
{
    struct urom_worker_notify_rdmo notify;

    memset(&notify, 0, sizeof(notify));
    notify.type = UROM_WORKER_NOTIFY_RDMO_CLIENT_INIT;
    struct blob addr = next_blob();
    notify.client_init.addr_len = addr.length;
    append(message, &notify, sizeof(notify));
    append(message, addr.bytes, addr.length);
}

static void pack_rq_create_notification(struct message *message)
{
    struct urom_worker_notify_rdmo notify;

    memset(&notify, 0, sizeof(notify));
    notify.type = UROM_WORKER_NOTIFY_RDMO_RQ_CREATE;
    notify.rq_create.rq_id = next_u64();
    append(message, &notify, sizeof(notify));
}

static void pack_rq_destroy_notification(struct message *message)
{
    struct urom_worker_notify_rdmo notify;

    memset(&notify, 0, sizeof(notify));
    notify.type = UROM_WORKER_NOTIFY_RDMO_RQ_DESTROY;
    notify.rq_destroy.rq_id = next_u64();
    append(message, &notify, sizeof(notify));
}

static void pack_mr_reg_notification(struct message *message)
{
    struct urom_worker_notify_rdmo notify;

    memset(&notify, 0, sizeof(notify));
    notify.type = UROM_WORKER_NOTIFY_RDMO_MR_REG;
    notify.mr_reg.rkey = next_u64();
    append(message, &notify, sizeof(notify));
}

static void pack_mr_dereg_notification(struct message *message)
{
    struct urom_worker_notify_rdmo notify;

    memset(&notify, 0, sizeof(notify));
    notify.type = UROM_WORKER_NOTIFY_RDMO_MR_DEREG;
    notify.mr_dereg.rkey = next_u64();
    append(message, &notify, sizeof(notify));
}

static void append_request_header(struct message *message, uint32_t op_id)
{
    struct urom_rdmo_hdr header;

    memset(&header, 0, sizeof(header));
    header.op_id = op_id;
    header.id = next_u64();
    header.flags = next_u64();
    append(message, &header, sizeof(header));
}

static void pack_flush(struct message *message)
{
    struct urom_rdmo_flush_hdr flush;

    append_request_header(message, UROM_RDMO_OP_FLUSH);
    flush.flush_id = next_u64();
    append(message, &flush, sizeof(flush));
}

static void pack_append(struct message *message)
{
    struct urom_rdmo_append_hdr header;

    append_request_header(message, UROM_RDMO_OP_APPEND);
    header.ptr_addr = next_u64();
    header.ptr_rkey = next_u64();
    header.data_rkey = next_u64();
    append(message, &header, sizeof(header));
}

static void pack_scatter(struct message *message)
{
    struct urom_rdmo_scatter_hdr scatter;

    append_request_header(message, UROM_RDMO_OP_SCATTER);
    scatter.count = next_u64();
    append(message, &scatter, sizeof(scatter));
}

static void pack_scatter_vectors(struct message *message)
{
    uint64_t count = next_u64();

    for (uint64_t i = 0; i < count; ++i) {
        struct urom_rdmo_scatter_iov iov;

        memset(&iov, 0, sizeof(iov));
        iov.addr = next_u64();
        iov.rkey = next_u64();
        struct blob data = next_blob();
        iov.len = data.length;
        append(message, &iov, sizeof(iov));
        append(message, data.bytes, data.length);
    }
}

static void pack_flush_response(struct message *message)
{
    struct urom_rdmo_rsp_hdr response = { .rsp_id = UROM_RDMO_RSP_FLUSH };
    struct urom_rdmo_flush_rsp_hdr flush;

    flush.flush_id = next_u64();
    append(message, &response, sizeof(response));
    append(message, &flush, sizeof(flush));
}

const struct packer rdmo_packers[] = { { "rdmo_client_init", pack_client_init },
    { "rdmo_rq_create", pack_rq_create }, { "rdmo_rq_destroy", pack_rq_destroy },
    { "rdmo_mr_reg", pack_mr_reg }, { "rdmo_mr_dereg", pack_mr_dereg },
    { "rdmo_notify_client_init", pack_client_init_notification },
    { "rdmo_notify_rq_create", pack_rq_create_notification },
    { "rdmo_notify_rq_destroy", pack_rq_destroy_notification },
    { "rdmo_notify_mr_reg", pack_mr_reg_notification },
    { "rdmo_notify_mr_dereg", pack_mr_dereg_notification }, { "rdmo_flush", pack_flush },
    { "rdmo_append", pack_append }, { "rdmo_scatter", pack_scatter },
    { "rdmo_scatter_vectors", pack_scatter_vectors },
    { "rdmo_flush_response", pack_flush_response }, { 0 } };
