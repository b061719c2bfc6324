/* SPDX-License-Identifier: Apache-2.0 */
/* Names and descriptions of the status codes. Thread-safe: constant data. */
#include <doca_error.h>

#include <stddef.h>

struct error_text {
    const char *name;
    const char *description;
};

#define ERROR_TEXT(code, description) [code] = { #code, description }

static const struct error_text texts[] = {
    ERROR_TEXT(DOCA_SUCCESS, "Success"),
    ERROR_TEXT(DOCA_ERROR_UNKNOWN, "Unknown error"),
    ERROR_TEXT(DOCA_ERROR_NOT_PERMITTED, "Operation not permitted"),
    ERROR_TEXT(DOCA_ERROR_IN_USE, "Resource already in use"),
    ERROR_TEXT(DOCA_ERROR_NOT_SUPPORTED, "Operation not supported"),
    ERROR_TEXT(DOCA_ERROR_AGAIN, "Resource temporarily unavailable, try again"),
    ERROR_TEXT(DOCA_ERROR_INVALID_VALUE, "Invalid input"),
    ERROR_TEXT(DOCA_ERROR_NO_MEMORY, "Memory allocation failure"),
    ERROR_TEXT(DOCA_ERROR_INITIALIZATION, "Resource initialization failure"),
    ERROR_TEXT(DOCA_ERROR_TIME_OUT, "Timer expired waiting for resource"),
    ERROR_TEXT(DOCA_ERROR_SHUTDOWN, "Shut down in process or completed"),
    ERROR_TEXT(DOCA_ERROR_CONNECTION_RESET, "Connection reset by peer"),
    ERROR_TEXT(DOCA_ERROR_CONNECTION_ABORTED, "Connection aborted"),
    ERROR_TEXT(DOCA_ERROR_CONNECTION_INPROGRESS, "Connection in progress"),
    ERROR_TEXT(DOCA_ERROR_NOT_CONNECTED, "Not connected"),
    ERROR_TEXT(DOCA_ERROR_NO_LOCK, "Unable to acquire required lock"),
    ERROR_TEXT(DOCA_ERROR_NOT_FOUND, "Resource not found"),
    ERROR_TEXT(DOCA_ERROR_IO_FAILED, "Input or output operation failed"),
    ERROR_TEXT(DOCA_ERROR_BAD_STATE, "Bad state"),
    ERROR_TEXT(DOCA_ERROR_UNSUPPORTED_VERSION, "Unsupported version"),
    ERROR_TEXT(DOCA_ERROR_OPERATING_SYSTEM, "Operating system call failure"),
    ERROR_TEXT(DOCA_ERROR_DRIVER, "Driver call failure"),
    ERROR_TEXT(DOCA_ERROR_UNEXPECTED, "An unexpected scenario was detected"),
    ERROR_TEXT(DOCA_ERROR_ALREADY_EXIST, "Resource already exists"),
    ERROR_TEXT(DOCA_ERROR_FULL, "No more space in resource"),
    ERROR_TEXT(DOCA_ERROR_EMPTY, "No entry is available in resource"),
    ERROR_TEXT(DOCA_ERROR_IN_PROGRESS, "Operation is in progress"),
    ERROR_TEXT(DOCA_ERROR_TOO_BIG, "Requested operation is too big to be contained"),
    ERROR_TEXT(DOCA_ERROR_AUTHENTICATION, "Authentication failure"),
    ERROR_TEXT(DOCA_ERROR_BAD_CONFIG, "Configuration is not valid"),
    ERROR_TEXT(DOCA_ERROR_SKIPPED, "Result is valid, but data was dropped or skipped"),
};

static const struct error_text *find_text(doca_error_t error)
{
    static const struct error_text unknown = { "DOCA_ERROR_<unknown code>", "Unknown error code" };

    return (size_t)error < sizeof(texts) / sizeof(texts[0]) ? &texts[error] : &unknown;
}

const char *doca_error_get_descr(doca_error_t error)
{
    return find_text(error)->description;
}

const char *doca_error_get_name(doca_error_t error)
{
    return find_text(error)->name;
}
