/* SPDX-License-Identifier: Apache-2.0 */
/*
 * libFuzzer target: a channel between machines from its opening, as worker (even first byte) or
 * as host, with or without UCX. TLS is replaced by an implementation without encryption, and UCX
 * by a stub that returns pieces of the input, so that the input determines the hello, address,
 * frames and close of the peer: a script of the pieces that the peer sends and the operations of
 * the owner of the channel.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <channel/channel.h>
#include <channel/libraries.h>
#include <channel/libraries.h>

#include "frames.h"

#define MESSAGE_MAX 2048
#define STEPS_MAX 200
#define AS_HOST 1
#define WITH_UCX 2

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);
extern const struct tls_library jurom_channel_tls;

struct ucx_link {
    uint8_t *piece; /* that has arrived, or NULL */
    size_t length;
    uint64_t arrived, sent;
};

static struct channel_ticket ticket = { { 1 }, { 2 } };
static struct sockaddr_in service;
static int listener;
static struct ucx_link *the_link; /* the link of the channel, if any */
static struct channel *channel;
static int peer;
static bool offers_ucx;

/* Replaces the function that opens the libraries. */
const struct tls_library *tls_library_load(char *reason, size_t capacity)
{
    (void)reason;
    (void)capacity;
    return &jurom_channel_tls;
}

/* The stub of UCX. */

static doca_error_t ucx_open_link(const char *devices, const char *interface,
        struct ucx_link **made, char reason[UCX_REASON_MAX])
{
    (void)devices;
    (void)interface;
    (void)reason;
    *made = the_link = calloc(1, sizeof(*the_link));
    return the_link == NULL ? DOCA_ERROR_NO_MEMORY : DOCA_SUCCESS;
}

static const void *ucx_address(const struct ucx_link *of, size_t *length)
{
    (void)of;
    *length = 8;
    return "address";
}

/* Reads the complete address, so that the sanitizer checks it. */
static doca_error_t ucx_connect(
        struct ucx_link *of, const void *address, size_t length, char reason[UCX_REASON_MAX])
{
    uint8_t sum = 0;

    (void)of;
    require(length > 0 && length <= UCX_ADDRESS_MAX);
    for (size_t i = 0; i < length; ++i)
        sum ^= ((const uint8_t *)address)[i];
    reason[0] = '\0';
    return sum == 77 ? DOCA_ERROR_INVALID_VALUE : DOCA_SUCCESS;
}

static bool ucx_is_up(const struct ucx_link *of)
{
    (void)of;
    return true;
}

static unsigned ucx_progress(struct ucx_link *of)
{
    (void)of;
    return 0;
}

static size_t ucx_put(struct ucx_link *of, const uint8_t *data, size_t length)
{
    (void)data;
    of->sent += length + UCX_PIECE_COST;
    return length;
}

static const uint8_t *ucx_look(const struct ucx_link *of, size_t *length)
{
    *length = of->length;
    return of->piece;
}

static void ucx_take(struct ucx_link *of)
{
    free(of->piece);
    of->piece = NULL;
}

static uint64_t ucx_sent(const struct ucx_link *of)
{
    return of->sent;
}

static uint64_t ucx_arrived(const struct ucx_link *of)
{
    return of->arrived;
}

static int ucx_descriptor(const struct ucx_link *of)
{
    (void)of;
    return listener;
}

static bool ucx_arm(struct ucx_link *of)
{
    return of->piece == NULL;
}

static const char *ucx_failure(const struct ucx_link *of)
{
    (void)of;
    return NULL;
}

static void ucx_close(struct ucx_link *of, bool flush)
{
    (void)flush;
    free(of->piece);
    free(of);
    the_link = NULL;
}

static const struct ucx_library ucx = {
    .open = ucx_open_link,
    .address = ucx_address,
    .connect = ucx_connect,
    .is_up = ucx_is_up,
    .progress = ucx_progress,
    .put = ucx_put,
    .peek = ucx_look,
    .take = ucx_take,
    .sent = ucx_sent,
    .arrived = ucx_arrived,
    .descriptor = ucx_descriptor,
    .arm = ucx_arm,
    .failure = ucx_failure,
    .close = ucx_close,
};

const struct ucx_library *ucx_library_load(char *reason, size_t capacity)
{
    (void)reason;
    (void)capacity;
    return &ucx;
}

/* The owner of the channel. */

static void *begin_payload(
        struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length)
{
    (void)receiver;
    require(length >= WIRE_PREFIX_SIZE && length <= MESSAGE_MAX);
    return prefix[8] % 8 == 7 ? NULL : malloc(length - WIRE_PREFIX_SIZE + 1);
}

static void end_payload(struct channel_receiver *receiver, const uint8_t prefix[WIRE_PREFIX_SIZE],
        size_t length, void *payload)
{
    (void)receiver;
    (void)prefix;
    (void)length;
    free(payload);
}

static void abandon_payload(struct channel_receiver *receiver, void *payload)
{
    (void)receiver;
    free(payload);
}

static void receive(struct channel_receiver *receiver, const uint8_t *frame, size_t length)
{
    size_t whole = 0;

    (void)receiver;
    require(wire_frame_length(frame, MESSAGE_MAX, &whole) == DOCA_SUCCESS && whole == length);
}

static struct channel_receiver receiver = { begin_payload, end_payload, abandon_payload, receive };

static const struct channel_ticket *find(
        struct channel_authenticator *authenticator, const uint8_t id[WIRE_TICKET_ID_SIZE])
{
    (void)authenticator;
    return memcmp(id, ticket.id, WIRE_TICKET_ID_SIZE) == 0 ? &ticket : NULL;
}

static bool is_offered(
        struct channel_authenticator *authenticator, const uint8_t id[WIRE_TICKET_ID_SIZE])
{
    (void)authenticator;
    (void)id;
    return offers_ucx;
}

static struct channel_authenticator authenticator = { find, is_offered };

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    socklen_t length = sizeof(service);

    (void)argc;
    (void)argv;
    service.sin_family = AF_INET;
    service.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    require(bind(listener, (struct sockaddr *)&service, sizeof(service)) == 0);
    require(listen(listener, 16) == 0);
    require(getsockname(listener, (struct sockaddr *)&service, &length) == 0);
    return 0;
}

/* The peer resets the connection, so that the port does not stay in TIME_WAIT. */
static void leave(void)
{
    const struct linger at_once = { 1, 0 };

    if (peer < 0)
        return;
    (void)setsockopt(peer, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
    close(peer);
    peer = -1;
}

static void open_channel(bool as_host)
{
    struct channel_settings settings = { .receiver = &receiver,
        .max_message_size = MESSAGE_MAX,
        .data = offers_ucx ? CHANNEL_DATA_UCX : CHANNEL_DATA_TLS };
    struct channel_address address = { .socket_length = sizeof(service) };
    int sockets[2];

    if (as_host) {
        memcpy(&address.socket, &service, sizeof(service));
        require(channel_connect_worker(&address, &ticket, &settings, &channel) == DOCA_SUCCESS);
        (void)channel_poll(channel, 0);
        peer = accept4(listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    } else {
        require(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, sockets) == 0);
        peer = sockets[0];
        require(channel_accept(sockets[1], false, &authenticator, &settings, &channel)
                == DOCA_SUCCESS);
        (void)!send(peer, &ticket, sizeof(ticket), MSG_NOSIGNAL);
    }
    /* The handshake transfers a byte per poll. */
    for (unsigned i = 0; i < sizeof(ticket) + 4; ++i)
        (void)channel_poll(channel, 1);
}

static size_t take_bytes_of_peer(struct input *input, uint8_t bytes[FRAME_MAX])
{
    static const enum wire_type types[] = { WIRE_COMMAND, WIRE_NOTIFICATION, WIRE_ATTACH,
        WIRE_ATTACHED, WIRE_DETACH, WIRE_COMMAND_UNTIL };
    static const uint8_t no_ticket[WIRE_TICKET_SIZE];
    const struct frame_names names = { 1, 1, no_ticket, "unix:/x" };
    size_t length;

    if (take_number(input, 1) % 4 != 0)
        return make_frame(input, types, sizeof(types) / sizeof(*types), &names, bytes);
    length = take_number(input, 1);
    take_bytes(input, bytes, length);
    return length;
}

static void peer_sends(struct input *input)
{
    uint8_t bytes[FRAME_MAX];
    size_t length = take_bytes_of_peer(input, bytes);

    if (peer >= 0)
        (void)!send(peer, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
}

static void peer_greets(struct input *input)
{
    uint32_t length = (uint32_t)take_length(input);

    if (peer < 0)
        return;
    (void)!send(peer, &length, sizeof(length), MSG_NOSIGNAL | MSG_DONTWAIT);
    peer_sends(input);
}

static void piece_arrives(struct input *input)
{
    uint8_t bytes[FRAME_MAX];
    size_t length;

    if (the_link == NULL || the_link->piece != NULL)
        return;
    length = take_bytes_of_peer(input, bytes);
    if (length == 0)
        return;
    the_link->piece = malloc(length);
    require(the_link->piece != NULL);
    memcpy(the_link->piece, bytes, length);
    the_link->length = length;
    the_link->arrived += length + UCX_PIECE_COST;
}

static void answer(struct input *input)
{
    struct wire_frame frame = { .type = WIRE_DETACHED, .request_id = take_number(input, 1) };

    (void)channel_send_frame(channel, &frame);
}

static void step(struct input *input)
{
    switch (take_number(input, 1) % 8) {
    case 0:
        peer_greets(input);
        break;
    case 1:
        piece_arrives(input);
        break;
    case 2:
        answer(input);
        break;
    case 3:
        (void)channel_arm(channel, take_number(input, 1) % 2);
        break;
    case 4:
        if (take_number(input, 1) % 8 == 0)
            leave();
        break;
    case 5:
        peer_sends(input);
        break;
    default:
        (void)channel_poll(channel, (unsigned)take_number(input, 1) % 8);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = { data, size };
    unsigned kind = (unsigned)take_number(&input, 1);

    offers_ucx = kind & WITH_UCX;
    open_channel(kind & AS_HOST);
    for (unsigned i = 0; i < STEPS_MAX && input.left > 0; ++i)
        step(&input);
    channel_close(channel);
    leave();
    require(the_link == NULL);
    return 0;
}
