/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The domain context: the object and its settings. Used only by the thread of its progress engine,
 * which is also that of its workers.
 */
#ifndef JUROM_DOMAIN_CONTEXT_H_
#define JUROM_DOMAIN_CONTEXT_H_

#include <stdbool.h>
#include <stdint.h>

#include <common/ctx.h>
#include <doca_urom.h>
#include <wire/domain.h>

#include "deadline.h"
#include "exchange.h"
#include "worker_context.h"

/* The phases of a start. */
enum domain_phase {
    DOMAIN_IDLE,       /* not starting; the exchange of a stopped start may be incomplete */
    DOMAIN_BEGINNING,  /* the next progress call begins */
    DOMAIN_ANNOUNCING, /* all-gather of the announcements */
    DOMAIN_SHARING,    /* all-gather of the parts */
    DOMAIN_SENDING,    /* sends the domain to this participant's workers */
    DOMAIN_AGREEING,   /* all-gather of the verdicts */
};

/* A worker of this participant. */
struct domain_member {
    struct doca_urom_domain *domain;
    struct doca_urom_worker *worker; /* NULL: destroyed */
    uint64_t id;
    struct worker_observer observer;
    struct request request; /* DOMAIN, while starting; of the worker's channel */
    bool pending;           /* has not answered yet */
    bool has_domain;        /* was sent the domain, and not its end */
};

struct doca_urom_domain {
    struct doca_ctx ctx;

    /* Settings. */
    struct doca_urom_domain_oob_coll oob;
    bool has_oob;
    struct domain_member *members;
    uint32_t member_count;
    struct wire_domain_buffer *buffers; /* the packed handles and keys are copies */
    size_t buffer_capacity;
    size_t buffer_count;
    bool has_buffer_capacity;

    /* A start. */
    enum domain_phase phase;
    struct pe_poller poller;
    bool polling;
    struct exchange exchange;
    struct deadline deadline;
    uint64_t key;  /* identifies the domain at its workers */
    uint8_t *part; /* of this participant */
    size_t part_length;
    uint32_t *part_lengths; /* of all participants */
    uint8_t *body;          /* of the DOMAIN frame */
    size_t body_length;
    doca_error_t verdict; /* why this participant aborts the start; SUCCESS: it does not */
};

#endif /* JUROM_DOMAIN_CONTEXT_H_ */
