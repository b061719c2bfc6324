/* SPDX-License-Identifier: Apache-2.0 */
/* Encoded domains, as sent by hosts to their workers. */
#ifndef JUROM_TEST_DOMAIN_BODY_H_
#define JUROM_TEST_DOMAIN_BODY_H_

#include <string.h>

#include "cmocka_all.h"
#include <wire/domain.h>

#define BODY_MAX 2048

/* The body of a DOMAIN frame under construction. */
struct body {
    uint8_t data[BODY_MAX];
    size_t length;
};

static inline void begin(struct body *body, uint64_t key, uint32_t parts)
{
    wire_put_domain_head(body->data, &(struct wire_domain_head){ key, parts });
    body->length = WIRE_DOMAIN_HEAD_SIZE;
}

static inline void add_part(struct body *body, uint32_t workers, uint32_t buffers)
{
    assert_int_equal(
            wire_add_part(body->data, BODY_MAX, &body->length, workers, buffers), DOCA_SUCCESS);
}

/* Adds a worker whose plugin worker_sandbox has this address. */
static inline void add_worker(struct body *body, uint64_t id, const char *address)
{
    struct wire_domain_plugin plugin = {
        { (const uint8_t *)"worker_sandbox", 14 },
        { (const uint8_t *)address, strlen(address) + 1 },
    };

    assert_int_equal(
            wire_add_part_worker(body->data, BODY_MAX, &body->length, id, 1), DOCA_SUCCESS);
    assert_int_equal(
            wire_add_part_plugin(body->data, BODY_MAX, &body->length, &plugin), DOCA_SUCCESS);
}

static inline void add_buffer(
        struct body *body, uint64_t address, uint64_t length, const char *memh, const char *mkey)
{
    struct wire_domain_buffer buffer = {
        address,
        length,
        { (const uint8_t *)memh, strlen(memh) },
        { (const uint8_t *)mkey, strlen(mkey) },
    };

    assert_int_equal(
            wire_add_part_buffer(body->data, BODY_MAX, &body->length, &buffer), DOCA_SUCCESS);
}

#endif /* JUROM_TEST_DOMAIN_BODY_H_ */
