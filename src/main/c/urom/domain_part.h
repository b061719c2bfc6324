/* SPDX-License-Identifier: Apache-2.0 */
/* The data that the participants of a domain exchange. All errors except NO_MEMORY are logged. */
#ifndef JUROM_DOMAIN_PART_H_
#define JUROM_DOMAIN_PART_H_

#include <stddef.h>
#include <stdint.h>

#include <doca_urom.h>

/* Encodes this participant's part. Returns TOO_BIG or NO_MEMORY. */
doca_error_t domain_make_part(struct doca_urom_domain *domain);

/* Sorts `ids`. Returns INVALID_VALUE if an id occurs twice. */
doca_error_t domain_check_ids(uint64_t *ids, size_t count);

/*
 * Reads the announcements of all participants from the exchange: stores the lengths of their parts,
 * and returns the longest. An error is the same at every participant.
 */
doca_error_t domain_take_announcements(struct doca_urom_domain *domain, size_t *longest);

/* Builds the body of the DOMAIN frame from the parts in the exchange. */
doca_error_t domain_take_parts(struct doca_urom_domain *domain);

#endif /* JUROM_DOMAIN_PART_H_ */
