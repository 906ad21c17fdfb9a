/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Preloaded into a process (Linux, glibc), it makes one change of the file system end badly: the N-th that touches
   anything below a folder, counted over all processes that share the counter.

   FAILING_BELOW    the folder, an absolute path; unset: nothing is counted
   FAILING_COUNTER  a file of SIZE bytes, mapped: how many changes there were (uint32), then a letter for each:
                    o open for writing, w write, t truncate, s sync, r rename, m make a folder, u remove, c permissions
   FAILING_AT       N, from 1; 0: none
   FAILING_HOW      kill: the process dies before the change, in the midst of a write; stop: it stops before the change,
                    until SIGCONT; a number: the change fails with this errno, a write in its midst
   FAILING_STAYS    set: every later change fails too
   FAILING_KINDS    letters: others are counted, and done

   The environment is read at every change: a copy (fork) of a process sets its own. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SIZE = 1 << 16 };

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int is_below(const char *path)
{
    const char *folder = getenv("FAILING_BELOW");
    if (folder == NULL || path == NULL)
        return 0;
    char whole[2 * PATH_MAX];
    if (path[0] != '/') {
        if (getcwd(whole, PATH_MAX) == NULL)
            return 0;
        size_t length = strlen(whole);
        snprintf(whole + length, sizeof whole - length, "/%s", path);
        path = whole;
    }
    size_t length = strlen(folder);
    return strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int is_open_below(int file)
{
    if (getenv("FAILING_BELOW") == NULL)
        return 0;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0)
        return 0;
    path[length] = 0;
    return path[0] == '/' && is_below(path); /* no pipe */
}

/* Whether there is something to remove or a place for a folder: what cannot change anything is not counted. */
static int is_there(const char *path)
{
    struct stat found;
    return is_below(path) && lstat(path, &found) == 0;
}

static int is_free(const char *path)
{
    struct stat found;
    return is_below(path) && lstat(path, &found) != 0;
}

static uint32_t counted(char kind)
{
    static char *counter;
    if (counter == NULL) {
        const char *name = getenv("FAILING_COUNTER");
        int file = name ? REAL(open)(name, O_RDWR | O_CLOEXEC) : -1;
        if (file < 0)
            abort();
        counter = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (counter == MAP_FAILED)
            abort();
        close(file);
    }
    uint32_t number = __atomic_add_fetch((uint32_t *)counter, 1, __ATOMIC_SEQ_CST);
    if (number + sizeof number <= SIZE)
        counter[sizeof number + number - 1] = kind;
    return number;
}

/* Return 0 where the change is to be done, else the errno that it fails with; -1: to die in its midst. */
static int fate_of(char kind)
{
    uint32_t number = counted(kind);
    const char *text = getenv("FAILING_AT"), *how = getenv("FAILING_HOW"), *kinds = getenv("FAILING_KINDS");
    uint32_t at = text ? (uint32_t)strtoul(text, NULL, 10) : 0;
    if (at == 0 || how == NULL || number < at || (number > at && getenv("FAILING_STAYS") == NULL))
        return 0;
    if (kinds != NULL && kinds[0] != 0 && strchr(kinds, kind) == NULL)
        return 0;
    if (strcmp(how, "stop") == 0) {
        kill(getpid(), SIGSTOP);
        return 0;
    }
    return strcmp(how, "kill") == 0 ? -1 : atoi(how);
}

static int failed(int fate)
{
    if (fate < 0)
        kill(getpid(), SIGKILL);
    errno = fate;
    return -1;
}

#define CHANGE(kind, below, real)                  \
    do {                                           \
        int fate = (below) ? fate_of(kind) : 0;    \
        return fate ? failed(fate) : (real);       \
    } while (0)

#define OPEN(name, parameters, path, ...)                                              \
    int name parameters                                                                \
    {                                                                                  \
        va_list rest;                                                                  \
        va_start(rest, flags);                                                         \
        mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(rest, mode_t) : 0;      \
        va_end(rest);                                                                  \
        int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)); \
        CHANGE('o', writes && is_below(path), REAL(name)(__VA_ARGS__, flags, mode));   \
    }

OPEN(open, (const char *path, int flags, ...), path, path)
OPEN(open64, (const char *path, int flags, ...), path, path)
OPEN(openat, (int folder, const char *path, int flags, ...), path, folder, path)
OPEN(openat64, (int folder, const char *path, int flags, ...), path, folder, path)

#define WRITE(name, parameters, half, ...)                      \
    ssize_t name parameters                                     \
    {                                                           \
        int fate = is_open_below(file) ? fate_of('w') : 0;      \
        if (fate == 0)                                          \
            return REAL(name)(__VA_ARGS__);                     \
        ssize_t done = half;                                    \
        (void)done;                                             \
        return failed(fate);                                    \
    }

WRITE(write, (int file, const void *data, size_t size), REAL(write)(file, data, size / 2), file, data, size)
WRITE(pwrite, (int file, const void *data, size_t size, off_t at), REAL(pwrite)(file, data, size / 2, at), file, data,
      size, at)
WRITE(pwrite64, (int file, const void *data, size_t size, off64_t at), REAL(pwrite64)(file, data, size / 2, at), file,
      data, size, at)
WRITE(writev, (int file, const struct iovec *parts, int count), REAL(writev)(file, parts, count / 2), file, parts,
      count)

#define ONE(kind, name, parameters, below, ...)                 \
    int name parameters                                         \
    {                                                           \
        CHANGE(kind, below, REAL(name)(__VA_ARGS__));           \
    }

ONE('s', fsync, (int file), is_open_below(file), file)
ONE('s', fdatasync, (int file), is_open_below(file), file)
ONE('t', ftruncate, (int file, off_t size), is_open_below(file), file, size)
ONE('t', ftruncate64, (int file, off64_t size), is_open_below(file), file, size)
ONE('r', rename, (const char *from, const char *to), is_below(to), from, to)
ONE('r', renameat, (int a, const char *from, int b, const char *to), is_below(to), a, from, b, to)
ONE('r', link, (const char *from, const char *to), is_below(to), from, to)
ONE('m', mkdir, (const char *path, mode_t mode), is_free(path), path, mode)
ONE('m', mkdirat, (int folder, const char *path, mode_t mode), is_free(path), folder, path, mode)
ONE('u', unlink, (const char *path), is_there(path), path)
ONE('u', unlinkat, (int folder, const char *path, int flags), is_there(path), folder, path, flags)
ONE('u', rmdir, (const char *path), is_there(path), path)
ONE('c', chmod, (const char *path, mode_t mode), is_below(path), path, mode)
ONE('c', fchmod, (int file, mode_t mode), is_open_below(file), file, mode)
ONE('c', fchmodat, (int folder, const char *path, mode_t mode, int flags), is_below(path), folder, path, mode, flags)
