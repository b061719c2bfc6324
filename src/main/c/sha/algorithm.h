/* SPDX-License-Identifier: Apache-2.0 */
/* Hash algorithms of the SHA engine. */
#ifndef JUROM_SHA_ALGORITHM_H_
#define JUROM_SHA_ALGORITHM_H_

#include <stdint.h>

#include <openssl/evp.h>

#include <doca_sha.h>

struct sha_algorithm {
    const EVP_MD *(*method)(void);
    uint32_t digest_size; /* bytes */
    uint32_t block_size;  /* bytes; each part of a partial hash but the last is a multiple of it */
};

/* Returns the algorithm, or NULL for an invalid value. */
const struct sha_algorithm *sha_algorithm_find(enum doca_sha_algorithm algorithm);

#endif /* JUROM_SHA_ALGORITHM_H_ */
