/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How bodies are read: through a cursor that never passes the end. A read that finds too little
 * marks the cursor as failed and gives zeros. A body is valid when nothing failed and nothing is
 * left. Private to wire.
 */
#ifndef JUROM_WIRE_CURSOR_H_
#define JUROM_WIRE_CURSOR_H_

#include "bytes.h"
#include "wire.h"

/* The part of a body that is still to be read. */
struct cursor {
    const uint8_t *next;
    size_t left;
    bool failed;
};

/* The next `length` bytes, or zeros (128 at most) after a failure. */
static inline const uint8_t *take(struct cursor *cursor, size_t length)
{
    /* What a failed read points to: as long as the longest field of fixed length. */
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

/* The next 4 bytes. */
static inline uint32_t take_u32(struct cursor *cursor)
{
    return load_u32(take(cursor, 4));
}

/* The next 8 bytes. */
static inline uint64_t take_u64(struct cursor *cursor)
{
    return load_u64(take(cursor, 8));
}

/* All that is left. */
static inline struct wire_bytes take_rest(struct cursor *cursor)
{
    struct wire_bytes rest = {cursor->next, cursor->left};

    take(cursor, cursor->left);
    return rest;
}

/* The rest of the frame, whose length was announced as `length`. */
static inline struct wire_bytes take_announced(struct cursor *cursor, size_t length)
{
    if (length != cursor->left)
        cursor->failed = true;
    return take_rest(cursor);
}

/* As many bytes as `run` has, which is put to where they are, or left empty after a failure. */
static inline void take_run(struct cursor *cursor, struct wire_bytes *run)
{
    run->data = take(cursor, run->length);
    if (cursor->failed)
        run->length = 0;
}

/* The body is no good unless `condition` holds. */
static inline void require(struct cursor *cursor, bool condition)
{
    if (!condition)
        cursor->failed = true;
}

/* Whether all `length` bytes are zero. */
static inline bool is_zero(const uint8_t *data, size_t length)
{
    size_t i;

    for (i = 0; i < length; i++) {
        if (data[i] != 0)
            return false;
    }
    return true;
}

/* A CPU set is all zeros when its flag does not announce it. */
static inline const uint8_t *take_cpu_set(struct cursor *cursor, bool announced)
{
    const uint8_t *cpu_set = take(cursor, WIRE_CPU_SET_SIZE);

    require(cursor, announced || is_zero(cpu_set, WIRE_CPU_SET_SIZE));
    return cpu_set;
}

/* A group is zero when its flag does not announce it. */
static inline uint32_t take_group(struct cursor *cursor, bool announced)
{
    uint32_t group = take_u32(cursor);

    require(cursor, announced || group == 0);
    return group;
}

/* Whether these are exactly `count` strings `NAME=value`, each with its NUL. */
bool is_environment(const struct wire_bytes *strings, uint32_t count);

/* Whether this is the text of an absolute path. */
bool is_path(const struct wire_bytes *path);

/* Reads the body of a frame between host and service into `frame`, whose type is filled in. */
void decode_service_body(struct cursor *body, struct wire_frame *frame);

/* The same for a frame between service and worker. */
void decode_worker_body(struct cursor *body, struct wire_frame *frame);

/* The same for a frame between host and worker. */
void decode_host_body(struct cursor *body, struct wire_frame *frame);

/* The body of a command or notification: its first 8 bytes are at `fields`. */
doca_error_t decode_host_prefix(const uint8_t *fields, struct wire_bytes payload,
        struct wire_frame *frame);

#endif /* JUROM_WIRE_CURSOR_H_ */
