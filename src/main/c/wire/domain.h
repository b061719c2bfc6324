/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The encoding of domains: the blocks that participants exchange while a domain starts, and the
 * body of the DOMAIN frame that is then sent to each worker. docs/wire.md has the layouts.
 *
 * A participant is a process with an index in the out-of-band exchange. Its *part* contains its
 * workers, with the addresses of their plugins, and its buffers. As in wire.h, decoding is total
 * and does not copy.
 */
#ifndef JUROM_WIRE_DOMAIN_H_
#define JUROM_WIRE_DOMAIN_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_error.h>

#include "wire.h"

#define WIRE_DOMAIN_MAGIC 0x4D4F444A /* the bytes J, D, O, M */
#define WIRE_DOMAIN_VERSION 1
#define WIRE_ANNOUNCEMENT_SIZE 32
#define WIRE_VERDICT_SIZE 8
#define WIRE_DOMAIN_HEAD_SIZE 16

/* Maximum total size in bytes of the parts of a domain, so that they fit a DOMAIN frame. */
#define WIRE_DOMAIN_PARTS_MAX (WIRE_CONTROL_MAX - WIRE_HEADER_SIZE - WIRE_DOMAIN_HEAD_SIZE)

/* The first block that is exchanged: number of participants and size of the part. */
struct wire_announcement {
    uint32_t index;        /* of this participant */
    uint32_t participants; /* that it expects */
    uint32_t workers;
    uint32_t buffers;
    uint32_t part_length; /* bytes of its part */
};

/* A plugin of a worker, identified by name because each service assigns its own ids. */
struct wire_domain_plugin {
    struct wire_bytes name;    /* a text of 1 to 47 bytes */
    struct wire_bytes address; /* not empty */
};

/* A buffer of a participant. */
struct wire_domain_buffer {
    uint64_t address;
    uint64_t length;
    struct wire_bytes memh;
    struct wire_bytes mkey;
};

/* Callbacks of a walk over parts, called in the order of the bytes. Members may be NULL. */
struct wire_domain_visitor {
    void (*part)(void *owner, uint32_t workers, uint32_t buffers);
    void (*worker)(void *owner, uint64_t id, uint32_t plugins);
    void (*plugin)(void *owner, const struct wire_domain_plugin *plugin);
    void (*buffer)(void *owner, const struct wire_domain_buffer *buffer);
};

/* The head of a DOMAIN frame's body. */
struct wire_domain_head {
    uint64_t key;   /* identifies the domain within its connection */
    uint32_t parts; /* 0: the domain has ended */
};

/* Writes an announcement of WIRE_ANNOUNCEMENT_SIZE bytes. */
void wire_put_announcement(uint8_t *data, const struct wire_announcement *announcement);

/* Reads an announcement. Returns UNSUPPORTED_VERSION or INVALID_VALUE (not an announcement). */
doca_error_t wire_get_announcement(const uint8_t *data, struct wire_announcement *announcement);

/* Writes the last block that is exchanged: SUCCESS, or why the participant aborts. */
void wire_put_verdict(uint8_t *data, doca_error_t verdict);

/* Reads a verdict of WIRE_VERDICT_SIZE bytes. Returns INVALID_VALUE if it is not a verdict. */
doca_error_t wire_get_verdict(const uint8_t *data, doca_error_t *verdict);

/*
 * These functions build a part: its head, then each worker followed by its plugins, then the
 * buffers. Each appends at `*length` of the `capacity` bytes at `data`, or only counts if `data` is
 * NULL. They return TOO_BIG if there is no room.
 */

/* Appends the head of a part. */
doca_error_t wire_add_part(
        uint8_t *data, size_t capacity, size_t *length, uint32_t workers, uint32_t buffers);

/* Appends a worker. Exactly `plugins` of its plugins must be appended next. */
doca_error_t wire_add_part_worker(
        uint8_t *data, size_t capacity, size_t *length, uint64_t id, uint32_t plugins);

/* Appends a plugin of the last worker. */
doca_error_t wire_add_part_plugin(
        uint8_t *data, size_t capacity, size_t *length, const struct wire_domain_plugin *plugin);

/* Appends a buffer of the participant. */
doca_error_t wire_add_part_buffer(
        uint8_t *data, size_t capacity, size_t *length, const struct wire_domain_buffer *buffer);

/*
 * Walks over a part that occupies all of `part`. Returns INVALID_VALUE, having visited nothing, if
 * it is malformed. Without a visitor, only validates.
 */
doca_error_t wire_walk_part(
        struct wire_bytes part, const struct wire_domain_visitor *visitor, void *owner);

/* Writes the WIRE_DOMAIN_HEAD_SIZE bytes that precede the parts in a DOMAIN frame. */
void wire_put_domain_head(uint8_t *data, const struct wire_domain_head *head);

/* Walks over the body of a DOMAIN frame. Returns INVALID_VALUE like wire_walk_part. */
doca_error_t wire_walk_domain(struct wire_bytes body, struct wire_domain_head *head,
        const struct wire_domain_visitor *visitor, void *owner);

#endif /* JUROM_WIRE_DOMAIN_H_ */
