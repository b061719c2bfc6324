/* SPDX-License-Identifier: Apache-2.0 */
/* Conversion of UCX statuses. */
#include "status.h"

doca_error_t transport_status(ucs_status_t status)
{
    switch (status) {
    case UCS_OK:
        return DOCA_SUCCESS;
    case UCS_INPROGRESS:
        return DOCA_ERROR_IN_PROGRESS;
    case UCS_ERR_NO_MEMORY:
    case UCS_ERR_NO_RESOURCE:
        return DOCA_ERROR_NO_MEMORY;
    case UCS_ERR_INVALID_PARAM:
    case UCS_ERR_INVALID_ADDR:
        return DOCA_ERROR_INVALID_VALUE;
    case UCS_ERR_NO_ELEM:
        return DOCA_ERROR_NOT_FOUND;
    case UCS_ERR_UNREACHABLE:
    case UCS_ERR_NOT_CONNECTED:
    case UCS_ERR_NO_DEVICE:
        return DOCA_ERROR_NOT_CONNECTED;
    case UCS_ERR_TIMED_OUT:
    case UCS_ERR_ENDPOINT_TIMEOUT:
        return DOCA_ERROR_TIME_OUT;
    case UCS_ERR_CONNECTION_RESET:
        return DOCA_ERROR_CONNECTION_RESET;
    case UCS_ERR_CANCELED:
    case UCS_ERR_REJECTED:
        return DOCA_ERROR_CONNECTION_ABORTED;
    case UCS_ERR_UNSUPPORTED:
    case UCS_ERR_NOT_IMPLEMENTED:
        return DOCA_ERROR_NOT_SUPPORTED;
    case UCS_ERR_EXCEEDS_LIMIT:
        return DOCA_ERROR_FULL;
    case UCS_ERR_MESSAGE_TRUNCATED:
        return DOCA_ERROR_TOO_BIG;
    default:
        return DOCA_ERROR_IO_FAILED;
    }
}
