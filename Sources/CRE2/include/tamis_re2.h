// RE2, the engine of regular expressions, behind functions of C: Swift imports no C++ here.
//
// An expression is compiled once and matched by any number of threads. Time is linear in the text, and the memory of an
// expression has a bound.
#ifndef TAMIS_RE2_H
#define TAMIS_RE2_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// An expression, compiled or refused.
typedef struct tamis_re2 tamis_re2;

/// Why an expression is refused, as far as users can be told what to do.
typedef enum {
  TAMIS_RE2_NONE,
  TAMIS_RE2_ESCAPE,
  TAMIS_RE2_PERL_OPERATOR,
  TAMIS_RE2_REPETITION,
  TAMIS_RE2_REPETITION_SIZE,
  TAMIS_RE2_REPETITION_ARGUMENT,
  TAMIS_RE2_TOO_LARGE,
  TAMIS_RE2_OTHER
} tamis_re2_fault;

/// Compiles an expression of UTF-8 that ignores case, with a bound of its memory in bytes.
tamis_re2 *tamis_re2_compile(const char *pattern, size_t length, int64_t memory);
void tamis_re2_free(tamis_re2 *expression);

/// The fault of an expression, and its description in RE2's words, which is valid as long as the expression.
tamis_re2_fault tamis_re2_fault_of(const tamis_re2 *expression);
const char *tamis_re2_message(const tamis_re2 *expression);

/// The number of instructions that it is compiled to, with those for matching backwards.
int tamis_re2_size(const tamis_re2 *expression);

/// Finds the first match; of those that begin there, the one that Perl finds.
bool tamis_re2_find(const tamis_re2 *expression, const char *text, size_t length, size_t *start, size_t *end);

#ifdef __cplusplus
}
#endif

#endif
