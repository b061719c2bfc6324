/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames between host, service and worker. docs/wire.md has the layouts.
 *
 * Decoding is total: any byte string yields a frame or an error, and no byte past its end is read.
 * Decoded frames point into their input and own nothing. The functions do no I/O, keep no state and
 * are thread-safe.
 */
#ifndef JUROM_WIRE_H_
#define JUROM_WIRE_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#define WIRE_MAGIC 0x554A
#define WIRE_VERSION 3
#define JUROM_RELEASE "0.1.0" /* informational, sent in HELLO */
#define WIRE_HEADER_SIZE 16

/* The first 4 bytes of a frame of this type, as a u32: magic, version, type. */
#define WIRE_START(type) (WIRE_MAGIC | WIRE_VERSION << 16 | (uint32_t)(type) << 24)
#define WIRE_CONTROL_MAX 1048576 /* maximum bytes of frames other than commands and notifications */
#define WIRE_TICKET_ID_SIZE 16
#define WIRE_TICKET_KEY_SIZE 32
#define WIRE_TICKET_SIZE (WIRE_TICKET_ID_SIZE + WIRE_TICKET_KEY_SIZE) /* the id, then the key */
#define WIRE_CPU_SET_SIZE 128
#define WIRE_PLUGIN_NAME_SIZE 48
#define WIRE_RELEASE_SIZE 16
#define WIRE_PLUGIN_SIZE 64      /* a plugin in WELCOME: id, version, name */
#define WIRE_PREFIX_SIZE 24      /* of a command or notification, before its payload */
#define WIRE_DEADLINE_SIZE 8     /* of COMMAND_UNTIL, behind its payload */
#define WIRE_SOCKET_PATH_MAX 106 /* maximum bytes of a Unix socket's path that Java can bind */
#define WIRE_LIMITS_MAX 16       /* resources of setrlimit() */
#define WIRE_PORT_MAX 65535

enum wire_type {
    WIRE_HELLO = 1,
    WIRE_WELCOME = 4,
    WIRE_ERROR = 5,
    WIRE_SPAWN = 6,
    WIRE_SPAWNED = 7,
    WIRE_RELEASE = 8,
    WIRE_RELEASED = 9,
    WIRE_WORKER_GONE = 10,
    WIRE_GET_GROUP = 11,
    WIRE_GROUP = 12,
    WIRE_LAUNCH = 19,
    WIRE_CONFIGURE = 20,
    WIRE_READY = 21,
    WIRE_TICKET = 22,
    WIRE_LISTENING = 23,
    WIRE_HOST_GONE = 24,
    WIRE_PING = 25,
    WIRE_PONG = 26,
    WIRE_DRAIN = 27,
    WIRE_ATTACH = 30,
    WIRE_ATTACHED = 31,
    WIRE_COMMAND = 32,
    WIRE_NOTIFICATION = 33,
    WIRE_DETACH = 34,
    WIRE_DETACHED = 35,
    WIRE_DOMAIN = 36,
    WIRE_DOMAIN_READY = 37,
    WIRE_COMMAND_UNTIL = 38,
    WIRE_CANCEL = 39,
};

enum wire_flag {
    WIRE_FLAG_HAS_GROUP = 1,
    WIRE_FLAG_HAS_CPU_SET = 2, /* SPAWN and CONFIGURE */
    WIRE_FLAG_NEW_PROCESS = 2, /* SPAWNED */
    WIRE_FLAG_HAS_ENVIRONMENT = 4,
    WIRE_FLAG_CHANGE_USER = 1,  /* LAUNCH */
    WIRE_FLAG_LISTEN = 2,       /* LAUNCH */
    WIRE_FLAG_OVER_TCP = 1,     /* TICKET */
    WIRE_FLAG_OFFERS_UCX = 4,   /* SPAWNED and TICKET */
    WIRE_FLAG_UNRESPONSIVE = 1, /* WORKER_GONE */
    WIRE_FLAG_DEADLINES = 1,    /* ATTACHED: COMMAND_UNTIL and CANCEL are accepted */
};

/* A run of bytes inside the decoded frame. */
struct wire_bytes {
    const uint8_t *data;
    size_t length;
};

struct wire_hello {
    uint32_t max_message_size;
    const char *release; /* NUL-terminated, within WIRE_RELEASE_SIZE bytes; not empty */
};

struct wire_welcome {
    uint32_t max_message_size;
    uint32_t core_count;
    uint32_t plugin_count;
    const uint8_t *cpu_set;
    struct wire_bytes plugins; /* plugin_count records, see wire_welcome_plugin() */
};

struct wire_plugin {
    uint64_t id;
    uint64_t version;
    const char *name; /* NUL-terminated, within WIRE_PLUGIN_NAME_SIZE bytes */
};

struct wire_error {
    doca_error_t status;
    struct wire_bytes text; /* not NUL-terminated */
};

struct wire_spawn {
    uint64_t worker_id;
    uint64_t plugins;
    uint32_t flags;
    uint32_t group;         /* 0 without its flag */
    const uint8_t *cpu_set; /* zeros without its flag */
    uint32_t environment_count;
    struct wire_bytes environment; /* consecutive NUL-terminated strings */
};

struct wire_spawned {
    uint64_t worker_id;
    uint32_t process_id;
    uint32_t flags;
    uint32_t group;            /* 0 without its flag */
    const uint8_t *ticket;     /* WIRE_TICKET_SIZE bytes, of which the key is a secret */
    struct wire_bytes address; /* a text, not empty: unix:PATH or tcp:PORT */
};

struct wire_worker_gone {
    uint64_t worker_id;
    uint32_t exit_status; /* exit code, or 128 + signal */
    uint32_t flags;
    struct wire_bytes text; /* the reason; may be empty */
};

struct wire_group {
    uint32_t count;
    const uint8_t *worker_ids; /* count unaligned u64, see wire_group_worker() */
};

/* The settings that a forked process applies before it executes the worker. */
struct wire_launch {
    uint32_t user_id;  /* 0 without WIRE_FLAG_CHANGE_USER */
    uint32_t group_id; /* 0 without WIRE_FLAG_CHANGE_USER */
    uint32_t flags;
    uint64_t capabilities;         /* bit set of those that the worker may keep */
    uint32_t limit_count;          /* at most WIRE_LIMITS_MAX */
    const uint8_t *limits;         /* hard limits by resource, see wire_launch_limit() */
    struct wire_bytes socket_path; /* absolute; empty without WIRE_FLAG_LISTEN */
    struct wire_bytes cgroup;      /* directories of its cgroups, one a line; absolute, or empty */
    uint32_t environment_count;
    struct wire_bytes environment; /* complete; consecutive NUL-terminated strings */
};

struct wire_configure {
    uint64_t worker_id;
    uint32_t max_message_size;
    uint32_t flags;
    const uint8_t *cpu_set; /* zeros without its flag */
};

struct wire_ready {
    uint32_t process_id;
};

/* A ticket, which admits one host to a worker once. */
struct wire_ticket {
    const uint8_t *ticket; /* WIRE_TICKET_SIZE bytes, of which the key is a secret */
    uint64_t session;      /* the service's number of the host's session */
    uint32_t lifetime_ms;
    uint32_t flags;
    uint32_t port_low;         /* 0 to WIRE_PORT_MAX; both 0: any port, or not over TCP */
    uint32_t port_high;        /* port_low to WIRE_PORT_MAX */
    struct wire_bytes address; /* a numeric IP address to bind; empty without its flag */
};

struct wire_listening {
    uint32_t port; /* 1 to WIRE_PORT_MAX */
};

struct wire_attach {
    uint32_t max_tasks;
};

struct wire_attached {
    uint64_t connection; /* serial number of the connection in its worker */
    uint32_t plugin_count;
    uint32_t flags;
    uint64_t clock;            /* ns of the worker's monotonic clock; 0 without its flag */
    struct wire_bytes plugins; /* records, walked with wire_next_plugin_address() */
};

struct wire_plugin_address {
    uint64_t plugin;
    struct wire_bytes address;
};

struct wire_command {
    uint64_t plugin;
    struct wire_bytes payload;
    uint64_t deadline; /* COMMAND_UNTIL: ns of the worker's monotonic clock */
};

struct wire_notification {
    doca_error_t status; /* as returned by the plugin: any value */
    struct wire_bytes payload;
};

/* A frame. `type` selects the valid member of the union. */
struct wire_frame {
    enum wire_type type;
    uint64_t request_id;
    union {
        struct wire_hello hello;
        struct wire_welcome welcome;
        struct wire_error error;
        struct wire_spawn spawn;
        struct wire_spawned spawned;
        uint64_t worker_id; /* RELEASE, RELEASED */
        struct wire_worker_gone worker_gone;
        uint32_t get_group; /* GET_GROUP: the group id */
        struct wire_group group;
        struct wire_launch launch;
        struct wire_configure configure;
        struct wire_ready ready;
        struct wire_ticket ticket;
        struct wire_listening listening;
        uint64_t session; /* HOST_GONE */
        struct wire_attach attach;
        struct wire_attached attached;
        struct wire_command command;
        struct wire_notification notification;
        struct wire_bytes domain; /* DOMAIN: its table, decoded by domain.h */
    };
};

/*
 * Reads the length of a frame, including its header, from `header`. For readers of byte streams.
 * Returns UNSUPPORTED_VERSION, TOO_BIG (over the limit) or INVALID_VALUE (not a frame).
 */
doca_error_t wire_frame_length(
        const uint8_t header[WIRE_HEADER_SIZE], size_t max_message_size, size_t *length);

/*
 * Decodes the `length` bytes at `data`, a frame that hosts or workers receive. A command or notification may have at most
 * `max_message_size` bytes, and a deadline besides. Returns UNSUPPORTED_VERSION, TOO_BIG (over the limit) or INVALID_VALUE
 * (not a frame).
 */
doca_error_t wire_decode(
        const uint8_t *data, size_t length, size_t max_message_size, struct wire_frame *frame);

/*
 * Returns whether this is the beginning of a COMMAND, NOTIFICATION or COMMAND_UNTIL of `length`
 * bytes. Checks only the header.
 */
bool wire_is_message(
        const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length, size_t max_message_size);

/*
 * Decodes a COMMAND, NOTIFICATION or COMMAND_UNTIL of `length` bytes from its first
 * WIRE_PREFIX_SIZE bytes, with the checks of wire_decode, for receivers that copy the payload
 * directly to its destination. The payload in `frame` is at NULL, and the deadline of COMMAND_UNTIL,
 * which arrives behind it, is 0. Returns INVALID_VALUE also for other types of frames.
 */
doca_error_t wire_decode_prefix(const uint8_t prefix[WIRE_PREFIX_SIZE], size_t length,
        size_t max_message_size, struct wire_frame *frame);

/*
 * Encodes `frame`, which hosts or workers send, into the `capacity` bytes at `data` and sets `*length` to the bytes required,
 * also when it returns TOO_BIG, in which case nothing is written. Returns INVALID_VALUE if a field
 * is out of range. Fields without their flag are written as zeros and may be NULL.
 */
doca_error_t wire_encode(
        const struct wire_frame *frame, uint8_t *data, size_t capacity, size_t *length);

/* Writes the 24-byte prefix of a command with `payload` bytes of payload. */
void wire_put_command(uint8_t *prefix, uint64_t request_id, uint64_t plugin, size_t payload);

/*
 * Writes the prefix of a command with a deadline, and the deadline behind its payload, which begins
 * at `prefix + WIRE_PREFIX_SIZE`.
 */
void wire_put_command_until(
        uint8_t *prefix, uint64_t request_id, uint64_t plugin, size_t payload, uint64_t deadline);

/* Returns the deadline in the last 8 of the `length` bytes that follow the prefix of its command. */
uint64_t wire_command_deadline(const uint8_t *body, size_t length);

/* Returns whether frames of this type have a prefix and a payload. */
static inline bool wire_has_payload(uint8_t type)
{
    return type == WIRE_COMMAND || type == WIRE_NOTIFICATION || type == WIRE_COMMAND_UNTIL;
}

/* Returns the maximum length of a frame of such a type. */
static inline size_t wire_message_max(uint8_t type, size_t max_message_size)
{
    return type == WIRE_COMMAND_UNTIL && max_message_size < SIZE_MAX - WIRE_DEADLINE_SIZE
            ? max_message_size + WIRE_DEADLINE_SIZE
            : max_message_size;
}

/* Writes the 24-byte prefix of a notification with `payload` bytes of payload. */
void wire_put_notification(
        uint8_t *prefix, uint64_t request_id, doca_error_t status, size_t payload);

/* Returns whether this is well-formed UTF-8 (shortest forms, no surrogates) without NUL. */
bool wire_is_text(const uint8_t *data, size_t length);

/* Compares `length` bytes of two secrets in constant time. */
bool wire_equal(const uint8_t *a, const uint8_t *b, size_t length);

/* Reads plugin `index` of a welcome. Returns false past the end. */
bool wire_welcome_plugin(
        const struct wire_welcome *welcome, uint32_t index, struct wire_plugin *plugin);

/* Returns worker id `index` of a group. `index` must be less than its count. */
uint64_t wire_group_worker(const struct wire_group *group, uint32_t index);

/* Returns the hard limit of `resource`, which must be less than limit_count; UINT64_MAX: none. */
uint64_t wire_launch_limit(const struct wire_launch *launch, uint32_t resource);

/* Reads the plugin address at `*offset`, initially 0, and advances it. Returns false at the end. */
bool wire_next_plugin_address(
        const struct wire_attached *attached, size_t *offset, struct wire_plugin_address *address);

/* Appends a plugin's record at `*length` of `capacity` bytes. Returns TOO_BIG if it is full. */
doca_error_t wire_add_plugin_address(
        uint8_t *data, size_t capacity, size_t *length, const struct wire_plugin_address *address);

#endif /* JUROM_WIRE_H_ */
