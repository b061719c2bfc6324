/* SPDX-License-Identifier: Apache-2.0 */
/* The bodies of the frames that a worker receives from its service. */
#include "wire_private.h"

/* Decodes user and group, which must be zero without WIRE_FLAG_CHANGE_USER. */
static void decode_user(struct cursor *body, struct wire_launch *launch)
{
    launch->user_id = take_u32(body);
    launch->group_id = take_u32(body);
    launch->flags = take_u32(body);
    require(body, (launch->flags & ~(uint32_t)(WIRE_FLAG_CHANGE_USER | WIRE_FLAG_LISTEN)) == 0);
    require(body,
            (launch->flags & WIRE_FLAG_CHANGE_USER)
                    || (launch->user_id == 0 && launch->group_id == 0));
    require(body, take_u32(body) == 0);
}

/* All lengths precede the variable-length fields, which extend to the end of the body. */
static void decode_launch(struct cursor *body, struct wire_launch *launch)
{
    uint32_t environment_length;

    decode_user(body, launch);
    launch->capabilities = take_u64(body);
    launch->limit_count = take_u32(body);
    launch->socket_path.length = take_u32(body);
    launch->cgroup.length = take_u32(body);
    require(body, take_u32(body) == 0);
    launch->environment_count = take_u32(body);
    environment_length = take_u32(body);
    require(body, launch->limit_count <= WIRE_LIMITS_MAX);
    launch->limits = take(body, body->failed ? 0 : (size_t)launch->limit_count * 8);
    take_run(body, &launch->socket_path);
    take_run(body, &launch->cgroup);
    launch->environment = take_announced(body, environment_length);

    require(body,
            launch->flags & WIRE_FLAG_LISTEN ? is_path(&launch->socket_path)
                                             : launch->socket_path.length == 0);
    require(body, launch->socket_path.length <= WIRE_SOCKET_PATH_MAX);
    require(body, launch->cgroup.length == 0 || is_path(&launch->cgroup));
    require(body, is_environment(&launch->environment, launch->environment_count));
}

uint64_t wire_launch_limit(const struct wire_launch *launch, uint32_t resource)
{
    return load_u64(launch->limits + (size_t)resource * 8);
}

static void decode_configure(struct cursor *body, struct wire_configure *configure)
{
    configure->worker_id = take_u64(body);
    configure->max_message_size = take_u32(body);
    configure->flags = take_u32(body);
    require(body, (configure->flags & ~(uint32_t)WIRE_FLAG_HAS_CPU_SET) == 0);
    configure->cpu_set = take_cpu_set(body, configure->flags & WIRE_FLAG_HAS_CPU_SET);
}

/* Decodes a range of ports; two zeros let the system choose. */
static void decode_ports(struct cursor *body, struct wire_ticket *ticket)
{
    ticket->port_low = take_u32(body);
    ticket->port_high = take_u32(body);
    require(body, ticket->port_low <= ticket->port_high && ticket->port_high <= WIRE_PORT_MAX);
    require(body, ticket->port_low > 0 || ticket->port_high == 0);
}

static void decode_ticket(struct cursor *body, struct wire_ticket *ticket)
{
    uint32_t address_length;
    bool over_tcp;

    ticket->ticket = take(body, WIRE_TICKET_SIZE);
    ticket->session = take_u64(body);
    ticket->lifetime_ms = take_u32(body);
    ticket->flags = take_u32(body);
    require(body, (ticket->flags & ~(uint32_t)(WIRE_FLAG_OVER_TCP | WIRE_FLAG_OFFERS_UCX)) == 0);
    over_tcp = ticket->flags & WIRE_FLAG_OVER_TCP;
    require(body, over_tcp || !(ticket->flags & WIRE_FLAG_OFFERS_UCX));
    decode_ports(body, ticket);
    require(body, over_tcp || ticket->port_high == 0);
    address_length = take_u32(body);
    require(body, take_u32(body) == 0);
    ticket->address = take_announced(body, address_length);
    require(body, over_tcp == (address_length > 0));
    require(body, wire_is_text(ticket->address.data, ticket->address.length));
}

void decode_worker_body(struct cursor *body, struct wire_frame *frame)
{
    switch (frame->type) {
    case WIRE_LAUNCH:
        decode_launch(body, &frame->launch);
        break;
    case WIRE_CONFIGURE:
        decode_configure(body, &frame->configure);
        break;
    case WIRE_TICKET:
        decode_ticket(body, &frame->ticket);
        break;
    case WIRE_HOST_GONE:
        frame->session = take_u64(body);
        break;
    case WIRE_PING:
    case WIRE_DRAIN:
        break;
    default:
        body->failed = true;
        break; /* unknown, or for a service */
    }
}
