/* SPDX-License-Identifier: Apache-2.0 */
#include "algorithm.h"

#include <stddef.h>

const struct sha_algorithm *sha_algorithm_find(enum doca_sha_algorithm algorithm)
{
    static const struct sha_algorithm algorithms[] = {
        [DOCA_SHA_ALGORITHM_SHA1] = { EVP_sha1, 20, 64 },
        [DOCA_SHA_ALGORITHM_SHA256] = { EVP_sha256, 32, 64 },
        [DOCA_SHA_ALGORITHM_SHA512] = { EVP_sha512, 64, 128 },
    };

    if ((size_t)algorithm >= sizeof(algorithms) / sizeof(algorithms[0]))
        return NULL;
    return &algorithms[algorithm];
}
