/* SPDX-License-Identifier: Apache-2.0 */
/* libFuzzer target: any PEM key file results in an identity or an error with a message. */
#include <string.h>

#include <channel_tls/tls_identity.h>

#include "input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tls_identity *identity = NULL;
    char reason[TLS_REASON_MAX];
    doca_error_t status;

    memset(reason, 'x', sizeof(reason));
    reason[0] = '\0';
    status = tls_identity_read((const char *)data, size, &identity, reason);
    require((status == DOCA_SUCCESS) == (identity != NULL));
    require(memchr(reason, '\0', sizeof(reason)) != NULL);
    require(status == DOCA_SUCCESS || reason[0] != '\0');
    tls_identity_free(identity);
    return 0;
}
