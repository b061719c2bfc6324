/* SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "trusted_path.h"

#define WRITABLE_BY_OTHERS 022
#define UNMAPPED 65534 /* the kernel shows it for users without a mapping in the user namespace */
#define LINKS_MAX 40   /* the limit of the kernel */
#define FOLDERS_MAX 8  /* within each other, by links */

/* A path that is being resolved, and the folders whose content is being checked. */
struct search {
    char at[PATH_MAX];   /* resolved so far, without links; empty: the root */
    char rest[PATH_MAX]; /* to be resolved */
    const char *folders[FOLDERS_MAX];
    unsigned folder_count;
    char *reason;
};

static doca_error_t check_content(struct search *search, const char *path);

static doca_error_t check_owner(
        const struct search *search, const char *path, const struct stat *status)
{
    struct stat root;

    if (status->st_uid == 0 || status->st_uid == geteuid()
            || (status->st_uid == UNMAPPED && stat("/", &root) == 0 && root.st_uid == UNMAPPED))
        return DOCA_SUCCESS;
    return fail_with(search->reason, DOCA_ERROR_NOT_PERMITTED,
            "%s belongs to user %u, who could change what the worker runs: it must be root's or "
            "user %u's",
            path, (unsigned)status->st_uid, (unsigned)geteuid());
}

/* Checks that no other user can add files to a folder, or change a file. */
static doca_error_t check_closed(
        const struct search *search, const char *path, const struct stat *status)
{
    if ((status->st_mode & WRITABLE_BY_OTHERS) == 0)
        return DOCA_SUCCESS;
    return fail_with(search->reason, DOCA_ERROR_NOT_PERMITTED,
            S_ISDIR(status->st_mode) && (status->st_mode & S_ISVTX)
                    ? "others can add files to %s, which could change what the worker runs: use "
                      "another folder"
                    : "others can write to %s and so change what the worker runs: use chmod go-w",
            path);
}

static doca_error_t check_component(
        const struct search *search, const char *path, const struct stat *status)
{
    doca_error_t checked = check_owner(search, path, status);

    if (checked == DOCA_SUCCESS && !(S_ISDIR(status->st_mode) && (status->st_mode & S_ISVTX)))
        checked = check_closed(search, path, status);
    return checked;
}

/* Puts the target of a link in front of what remains. */
static doca_error_t follow(struct search *search, const char *link, unsigned links)
{
    char target[PATH_MAX];
    ssize_t length = readlink(link, target, sizeof(target));
    size_t remaining = strlen(search->rest);

    if (length <= 0 || links > LINKS_MAX || (size_t)length + 1 + remaining >= sizeof(search->rest))
        return fail_with(
                search->reason, DOCA_ERROR_INVALID_VALUE, "the link %s cannot be followed", link);
    memmove(search->rest + length + 1, search->rest, remaining + 1);
    memcpy(search->rest, target, (size_t)length);
    search->rest[length] = '/';
    if (target[0] == '/')
        search->at[0] = '\0';
    return DOCA_SUCCESS;
}

/* Removes the next name from what remains, and appends it to a copy of the resolved path. */
static doca_error_t take_name(struct search *search, char next[PATH_MAX])
{
    const char *name = search->rest + strspn(search->rest, "/");
    size_t length = strcspn(name, "/");
    const char *after = name + length;
    int written = 0;

    if (length == 0 || (length == 1 && name[0] == '.'))
        strcpy(next, search->at);
    else if (length == 2 && strncmp(name, "..", 2) == 0)
        snprintf(next, PATH_MAX, "%.*s",
                search->at[0] == '\0' ? 0 : (int)(strrchr(search->at, '/') - search->at),
                search->at);
    else
        written = snprintf(next, PATH_MAX, "%s/%.*s", search->at, (int)length, name);
    memmove(search->rest, after, strlen(after) + 1);
    return written < PATH_MAX
            ? DOCA_SUCCESS
            : fail_with(search->reason, DOCA_ERROR_TOO_BIG, "the path %s is too long", search->at);
}

static const char *or_root(const char *path)
{
    return path[0] == '\0' ? "/" : path;
}

/* Accepts a missing or unreadable file, unless other users can create it. */
static doca_error_t check_missing(const struct search *search)
{
    const char *parent = or_root(search->at);
    struct stat status;

    return lstat(parent, &status) == 0 ? check_closed(search, parent, &status) : DOCA_SUCCESS;
}

/* Resolves the path, and checks each component. `*found`: whether it exists. */
static doca_error_t resolve(struct search *search, const char *path, bool *found)
{
    doca_error_t checked = DOCA_SUCCESS;
    char next[PATH_MAX];
    struct stat status;
    unsigned links = 0;

    *found = false;
    search->at[0] = '\0';
    if (snprintf(search->rest, sizeof(search->rest), "%s", path) >= (int)sizeof(search->rest))
        return fail_with(search->reason, DOCA_ERROR_TOO_BIG, "the path %s is too long", path);
    if (lstat("/", &status) == 0)
        checked = check_component(search, "/", &status);
    while (checked == DOCA_SUCCESS && search->rest[0] != '\0') {
        checked = take_name(search, next);
        if (checked != DOCA_SUCCESS)
            return checked;
        if (lstat(or_root(next), &status) != 0)
            return check_missing(search);
        if (S_ISLNK(status.st_mode)) {
            checked = check_owner(search, next, &status);
            if (checked == DOCA_SUCCESS)
                checked = follow(search, next, ++links);
        } else {
            strcpy(search->at, next);
            checked = check_component(search, or_root(next), &status);
        }
    }
    *found = checked == DOCA_SUCCESS;
    return checked;
}

/* Returns whether the resolved path is in a folder whose content is being checked. */
static bool is_being_checked(const struct search *search)
{
    for (unsigned i = 0; i < search->folder_count; ++i) {
        size_t length = strlen(search->folders[i]);

        if (strncmp(search->at, search->folders[i], length) == 0
                && (search->at[length] == '/' || search->at[length] == '\0'))
            return true;
    }
    return false;
}

static doca_error_t check_entry(struct search *search, const FTSENT *entry)
{
    doca_error_t checked = DOCA_SUCCESS;

    switch (entry->fts_info) {
    case FTS_DP:
    case FTS_DNR: /* nothing can be loaded from it */
    case FTS_NS:
        break;
    case FTS_SL:
    case FTS_SLNONE:
        checked = check_owner(search, entry->fts_path, entry->fts_statp);
        if (checked == DOCA_SUCCESS)
            checked = check_content(search, entry->fts_path);
        break;
    default:
        checked = check_owner(search, entry->fts_path, entry->fts_statp);
        if (checked == DOCA_SUCCESS)
            checked = check_closed(search, entry->fts_path, entry->fts_statp);
    }
    return checked;
}

/* Checks the content of the resolved path, if it is a folder. */
static doca_error_t check_entries(struct search *search)
{
    char folder[PATH_MAX];
    char *roots[] = { folder, NULL };
    doca_error_t checked = DOCA_SUCCESS;
    struct stat status;
    FTSENT *entry;
    FTS *entries;

    strcpy(folder, or_root(search->at));
    if (lstat(folder, &status) != 0 || !S_ISDIR(status.st_mode) || is_being_checked(search))
        return DOCA_SUCCESS;
    entries = search->folder_count < FOLDERS_MAX ? fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL)
                                                 : NULL;
    if (entries == NULL)
        return fail_with(search->reason, DOCA_ERROR_NO_MEMORY,
                "the folder %s cannot be checked: it is reached by too many links", folder);
    search->folders[search->folder_count++] = folder;
    while (checked == DOCA_SUCCESS && (entry = fts_read(entries)) != NULL)
        checked = check_entry(search, entry);
    --search->folder_count;
    fts_close(entries);
    return checked;
}

static doca_error_t check_content(struct search *search, const char *path)
{
    bool found;
    doca_error_t checked = resolve(search, path, &found);

    return checked == DOCA_SUCCESS && found ? check_entries(search) : checked;
}

doca_error_t trusted_path_check(const char *path, char reason[REASON_MAX])
{
    struct search search = { .reason = reason };

    return check_content(&search, path);
}
