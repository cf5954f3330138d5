// iconv, which converts encodings, and uchardet, which guesses them.
#ifndef TAMIS_CENCODING_SHIM_H
#define TAMIS_CENCODING_SHIM_H

#include <errno.h>
#include <iconv.h>
#if __has_include(<uchardet/uchardet.h>)
#include <uchardet/uchardet.h>
#else
#include <uchardet.h>
#endif

// errno is a macro, which Swift does not see.
static inline int tamis_errno(void) { return errno; }

#endif
