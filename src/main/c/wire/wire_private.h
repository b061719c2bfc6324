/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The private header of this folder.
 *
 * A bounds-checked cursor over the body of a frame. A read past the end marks the cursor as failed
 * and returns zeros. A body is valid if no read failed and no bytes are left.
 */
#ifndef JUROM_WIRE_PRIVATE_H_
#define JUROM_WIRE_PRIVATE_H_

#include "bytes.h"
#include "wire.h"

/* The unread part of a body. */
struct cursor {
    const uint8_t *next;
    size_t left;
    bool failed;
};

/* Returns the next `length` bytes, or zeros (at most 128) after a failure. */
static inline const uint8_t *take(struct cursor *cursor, size_t length)
{
    /* The result of a failed read; its size is that of the longest fixed-length field. */
    static const uint8_t nothing[WIRE_CPU_SET_SIZE];
    const uint8_t *data = cursor->next;

    if (length > cursor->left) {
        cursor->failed = true;
        cursor->left = 0;
        return nothing;
    }
    cursor->next += length;
    cursor->left -= length;
    return data;
}

/* Reads 4 bytes. */
static inline uint32_t take_u32(struct cursor *cursor)
{
    return load_u32(take(cursor, 4));
}

/* Reads 8 bytes. */
static inline uint64_t take_u64(struct cursor *cursor)
{
    return load_u64(take(cursor, 8));
}

/* Reads all remaining bytes. */
static inline struct wire_bytes take_rest(struct cursor *cursor)
{
    struct wire_bytes rest = { cursor->next, cursor->left };

    take(cursor, cursor->left);
    return rest;
}

/* Reads all remaining bytes, which must be `length`. */
static inline struct wire_bytes take_announced(struct cursor *cursor, size_t length)
{
    if (length != cursor->left)
        cursor->failed = true;
    return take_rest(cursor);
}

/* Reads `run->length` bytes into `run`, which becomes empty after a failure. */
static inline void take_run(struct cursor *cursor, struct wire_bytes *run)
{
    run->data = take(cursor, run->length);
    if (cursor->failed)
        run->length = 0;
}

/* Marks the cursor as failed unless `condition` holds. */
static inline void require(struct cursor *cursor, bool condition)
{
    if (!condition)
        cursor->failed = true;
}

/* Returns whether all `length` bytes are zero. */
static inline bool is_zero(const uint8_t *data, size_t length)
{
    size_t i;

    for (i = 0; i < length; ++i) {
        if (data[i] != 0)
            return false;
    }
    return true;
}

/* Reads a CPU set, which must be all zeros without its flag. */
static inline const uint8_t *take_cpu_set(struct cursor *cursor, bool announced)
{
    const uint8_t *cpu_set = take(cursor, WIRE_CPU_SET_SIZE);

    require(cursor, announced || is_zero(cpu_set, WIRE_CPU_SET_SIZE));
    return cpu_set;
}

/* Reads a group, which must be zero without its flag. */
static inline uint32_t take_group(struct cursor *cursor, bool announced)
{
    uint32_t group = take_u32(cursor);

    require(cursor, announced || group == 0);
    return group;
}

/* Returns whether this is the number of an error. */
static inline bool is_error(uint32_t status)
{
    return status >= DOCA_ERROR_UNKNOWN && status <= DOCA_ERROR_SKIPPED;
}

struct writer;

/* Adds the body of a frame, the same each time. */
typedef void body_writer(struct writer *writer, const struct wire_frame *frame);

/*
 * encode.c: encodes a frame with the given body as wire_encode() does. Checks no field, only that
 * the frame has at most the length of its type.
 */
doca_error_t encode_frame(const struct wire_frame *frame, body_writer *write_body, uint8_t *data,
        size_t capacity, size_t *length);

/* text.c: returns whether this field of `size` bytes is a non-empty text, padded with NULs. */
bool is_name(const uint8_t *name, size_t size);

/* text.c: returns whether these are exactly `count` NUL-terminated strings `NAME=value`. */
bool is_environment(const struct wire_bytes *strings, uint32_t count);

/* text.c: returns whether this is an absolute path in valid UTF-8. */
bool is_path(const struct wire_bytes *path);

/*
 * decode.c: decodes the header at `data` into `frame`; the frame has `length` bytes. Returns the
 * errors of wire_decode().
 */
doca_error_t decode_header(
        const uint8_t *data, size_t length, size_t max_message_size, struct wire_frame *frame);

/*
 * decode_service.c: decodes the body of a frame from service to host into `frame`, whose type
 * is set.
 */
void decode_service_body(struct cursor *body, struct wire_frame *frame);

/* decode_worker.c: the same for a frame from service to worker. */
void decode_worker_body(struct cursor *body, struct wire_frame *frame);

/* decode_host.c: the same for a frame between host and worker. */
void decode_host_body(struct cursor *body, struct wire_frame *frame);

/*
 * decode_host.c: decodes the body of a command or notification, whose first 8 bytes are at
 * `fields`.
 */
doca_error_t decode_host_prefix(
        const uint8_t *fields, struct wire_bytes payload, struct wire_frame *frame);

#endif /* JUROM_WIRE_PRIVATE_H_ */
