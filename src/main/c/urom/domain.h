/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The domain context's inside, in three files: domain.c (the object and its settings),
 * domain_start.c (how the participants and their workers come to know each other), domain_part.c
 * (what this participant says about itself, and what it makes of the others). One thread: that of
 * its progress engine, to which its workers belong too.
 */
#ifndef JUROM_DOMAIN_H_
#define JUROM_DOMAIN_H_

#include <stdbool.h>
#include <stdint.h>

#include <common/ctx.h>
#include <doca_urom.h>
#include <wire/domain.h>

#include "deadline.h"
#include "exchange.h"
#include "worker.h"

/* How far a start has come. */
enum domain_phase {
    DOMAIN_RESTING,    /* no start is under way; an exchange of a stopped one may be */
    DOMAIN_BEGINNING,  /* the next progress call begins */
    DOMAIN_ANNOUNCING, /* all-gather of the announcements */
    DOMAIN_SHARING,    /* all-gather of the parts */
    DOMAIN_TELLING,    /* this participant's workers get the domain */
    DOMAIN_AGREEING,   /* all-gather of the verdicts */
};

/* A worker of this participant. */
struct domain_member {
    struct doca_urom_domain *domain;
    struct doca_urom_worker *worker; /* NULL: destroyed */
    uint64_t id;
    struct worker_user user;
    struct request request; /* DOMAIN, while starting; of the worker's channel */
    bool awaited;           /* has not answered yet */
    bool told;              /* has been sent the domain, and not that it is over */
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
    uint64_t key;  /* names the domain to its workers */
    uint8_t *part; /* of this participant */
    size_t part_length;
    uint32_t *part_lengths; /* of every participant's */
    uint8_t *body;          /* of the DOMAIN frame */
    size_t body_length;
    doca_error_t verdict; /* why this participant cannot go on */
};

/* domain_start.c: the context's start and stop. */
doca_error_t domain_start(struct doca_ctx *ctx);
doca_error_t domain_stop(struct doca_ctx *ctx);

/* domain_part.c: puts this participant's part together. TOO_BIG, NO_MEMORY. */
doca_error_t domain_make_part(struct doca_urom_domain *domain);

/* domain_part.c: sorts `ids`. INVALID_VALUE: one of them is there twice, which is logged. */
doca_error_t domain_check_ids(uint64_t *ids, size_t count);

/*
 * domain_part.c: what all participants announced, in the exchange. Takes the lengths of their parts
 * and gives the longest. An error is logged, and is the same at every participant.
 */
doca_error_t domain_take_announcements(struct doca_urom_domain *domain, size_t *longest);

/* domain_part.c: makes the DOMAIN frame's body of the parts in the exchange. Errors are logged. */
doca_error_t domain_take_parts(struct doca_urom_domain *domain);

#endif /* JUROM_DOMAIN_H_ */
