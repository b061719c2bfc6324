/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of the sandbox plugin, for both layouts of ucp_mem_map_params_t in UCX. */
#include "codec.h"

#include <string.h>
#include <jurom/urom_sandbox.h>

/* The layout of urom_sandbox.h with UCX up to 1.13. */
struct params_1_13 {
    uint64_t field_mask;
    void *address;
    size_t length;
    unsigned int flags;
    unsigned int prot;
    ucs_memory_type_t memory_type;
};

struct cmd_1_13 {
    uint64_t type;
    union {
        struct {
            uint64_t context;
            struct params_1_13 map_params;
            size_t exported_memh_buffer_len;
        } mem_map;
        struct urom_worker_sandbox_cmd_tag_send tag_send;
        struct urom_worker_sandbox_cmd_tag_recv tag_recv;
    };
};

/* The layout since UCX 1.14. */
struct params_1_14 {
    uint64_t field_mask;
    void *address;
    size_t length;
    unsigned int flags;
    unsigned int prot;
    ucs_memory_type_t memory_type;
    const void *exported_memh_buffer;
};

struct cmd_1_14 {
    uint64_t type;
    union {
        struct {
            uint64_t context;
            struct params_1_14 map_params;
            size_t exported_memh_buffer_len;
        } mem_map;
        struct urom_worker_sandbox_cmd_tag_send tag_send;
        struct urom_worker_sandbox_cmd_tag_recv tag_recv;
    };
};

/* The header has one of the two layouts. */
#if UCP_API_VERSION >= UCP_VERSION(1, 14)
_Static_assert(sizeof(struct urom_worker_sandbox_cmd) == sizeof(struct cmd_1_14), "UCX from 1.14");
#else
_Static_assert(sizeof(struct urom_worker_sandbox_cmd) == sizeof(struct cmd_1_13), "UCX to 1.13");
#endif

static void pack_mem_map_1_13(struct message *message)
{
    struct cmd_1_13 cmd;

    memset(&cmd, 0, sizeof(cmd));
    cmd.type = UROM_WORKER_CMD_SANDBOX_MEM_MAP;
    cmd.mem_map.context = next_u64();
    cmd.mem_map.map_params.field_mask = next_u64();
    cmd.mem_map.map_params.address = (void *)next_u64();
    cmd.mem_map.map_params.length = next_u64();
    cmd.mem_map.map_params.flags = next_u64();
    cmd.mem_map.map_params.prot = next_u64();
    cmd.mem_map.map_params.memory_type = next_s64();
    struct blob exported = next_blob();
    cmd.mem_map.exported_memh_buffer_len = exported.length;
    append(message, &cmd, sizeof(cmd));
    append(message, exported.bytes, exported.length);
}

static void pack_mem_map_1_14(struct message *message)
{
    struct cmd_1_14 cmd;

    memset(&cmd, 0, sizeof(cmd));
    cmd.type = UROM_WORKER_CMD_SANDBOX_MEM_MAP;
    cmd.mem_map.context = next_u64();
    cmd.mem_map.map_params.field_mask = next_u64();
    cmd.mem_map.map_params.address = (void *)next_u64();
    cmd.mem_map.map_params.length = next_u64();
    cmd.mem_map.map_params.flags = next_u64();
    cmd.mem_map.map_params.prot = next_u64();
    cmd.mem_map.map_params.memory_type = next_s64();
    struct blob exported = next_blob();
    cmd.mem_map.exported_memh_buffer_len = exported.length;
    append(message, &cmd, sizeof(cmd));
    append(message, exported.bytes, exported.length);
}

/* The other two commands have the same fields in both layouts and the size of the whole union. */
static void pack_tag_send(struct message *message, size_t size)
{
    struct cmd_1_14 cmd;

    memset(&cmd, 0, sizeof(cmd));
    cmd.type = UROM_WORKER_CMD_SANDBOX_TAG_SEND;
    cmd.tag_send.context = next_u64();
    cmd.tag_send.dest = next_u64();
    cmd.tag_send.buffer = next_u64();
    cmd.tag_send.count = next_u64();
    cmd.tag_send.tag = next_u64();
    cmd.tag_send.memh_id = next_u64();
    struct blob payload = next_blob();
    append(message, &cmd, size);
    append(message, payload.bytes, payload.length);
}

static void pack_tag_send_1_13(struct message *message)
{
    pack_tag_send(message, sizeof(struct cmd_1_13));
}

static void pack_tag_send_1_14(struct message *message)
{
    pack_tag_send(message, sizeof(struct cmd_1_14));
}

static void pack_tag_recv(struct message *message, size_t size)
{
    struct cmd_1_14 cmd;

    memset(&cmd, 0, sizeof(cmd));
    cmd.type = UROM_WORKER_CMD_SANDBOX_TAG_RECV;
    cmd.tag_recv.context = next_u64();
    cmd.tag_recv.buffer = next_u64();
    cmd.tag_recv.count = next_u64();
    cmd.tag_recv.tag = next_u64();
    cmd.tag_recv.tag_mask = next_u64();
    cmd.tag_recv.memh_id = next_u64();
    append(message, &cmd, size);
}

static void pack_tag_recv_1_13(struct message *message)
{
    pack_tag_recv(message, sizeof(struct cmd_1_13));
}

static void pack_tag_recv_1_14(struct message *message)
{
    pack_tag_recv(message, sizeof(struct cmd_1_14));
}

static void pack_mem_map_notification(struct message *message)
{
    struct urom_worker_notify_sandbox notify;

    memset(&notify, 0, sizeof(notify));
    notify.type = UROM_WORKER_NOTIFY_SANDBOX_MEM_MAP;
    notify.mem_map.context = next_u64();
    notify.mem_map.memh_id = next_u64();
    append(message, &notify, sizeof(notify));
}

static void pack_tag_send_notification(struct message *message)
{
    struct urom_worker_notify_sandbox notify;

    memset(&notify, 0, sizeof(notify));
    notify.type = UROM_WORKER_NOTIFY_SANDBOX_TAG_SEND;
    notify.tag_send.context = next_u64();
    notify.tag_send.status = next_s64();
    append(message, &notify, sizeof(notify));
}

static void pack_tag_recv_notification(struct message *message)
{
    struct urom_worker_notify_sandbox notify;

    memset(&notify, 0, sizeof(notify));
    notify.type = UROM_WORKER_NOTIFY_SANDBOX_TAG_RECV;
    notify.tag_recv.context = next_u64();
    notify.tag_recv.buffer = (void *)next_u64(); /* 1 when the payload is inline */
    notify.tag_recv.count = next_u64();
    notify.tag_recv.sender_tag = next_u64();
    notify.tag_recv.status = next_s64();
    struct blob payload = next_blob();
    append(message, &notify, sizeof(notify));
    append(message, payload.bytes, payload.length);
}

const struct packer sandbox_packers[] = { { "sandbox_mem_map_1_13", pack_mem_map_1_13 },
    { "sandbox_mem_map_1_14", pack_mem_map_1_14 }, { "sandbox_tag_send_1_13", pack_tag_send_1_13 },
    { "sandbox_tag_send_1_14", pack_tag_send_1_14 },
    { "sandbox_tag_recv_1_13", pack_tag_recv_1_13 },
    { "sandbox_tag_recv_1_14", pack_tag_recv_1_14 },
    { "sandbox_notify_mem_map", pack_mem_map_notification },
    { "sandbox_notify_tag_send", pack_tag_send_notification },
    { "sandbox_notify_tag_recv", pack_tag_recv_notification }, { 0 } };
