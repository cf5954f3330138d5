#include "tamis_re2.h"

#include <algorithm>
#include <re2/re2.h>
#include <re2/stringpiece.h>

struct tamis_re2 {
  re2::RE2 expression;

  tamis_re2(const re2::StringPiece &pattern, const re2::RE2::Options &options) : expression(pattern, options) {}
};

tamis_re2 *tamis_re2_compile(const char *pattern, size_t length, int64_t memory) {
  re2::RE2::Options options;
  options.set_encoding(re2::RE2::Options::EncodingUTF8);
  options.set_case_sensitive(false);
  options.set_log_errors(false);
  options.set_max_mem(memory);
  return new tamis_re2(re2::StringPiece(pattern, length), options);
}

void tamis_re2_free(tamis_re2 *expression) { delete expression; }

tamis_re2_fault tamis_re2_fault_of(const tamis_re2 *expression) {
  switch (expression->expression.error_code()) {
    case re2::RE2::NoError: return TAMIS_RE2_NONE;
    case re2::RE2::ErrorBadEscape: return TAMIS_RE2_ESCAPE;
    case re2::RE2::ErrorBadPerlOp: return TAMIS_RE2_PERL_OPERATOR;
    case re2::RE2::ErrorRepeatOp: return TAMIS_RE2_REPETITION;
    case re2::RE2::ErrorRepeatSize: return TAMIS_RE2_REPETITION_SIZE;
    case re2::RE2::ErrorRepeatArgument: return TAMIS_RE2_REPETITION_ARGUMENT;
    case re2::RE2::ErrorPatternTooLarge: return TAMIS_RE2_TOO_LARGE;
    default: return TAMIS_RE2_OTHER;
  }
}

const char *tamis_re2_message(const tamis_re2 *expression) { return expression->expression.error().c_str(); }

int tamis_re2_size(const tamis_re2 *expression) {
  // -1 says that there was no room.
  const int backwards = expression->expression.ReverseProgramSize();
  return backwards < 0 ? INT32_MAX : std::max(expression->expression.ProgramSize(), backwards);
}

bool tamis_re2_find(const tamis_re2 *expression, const char *text, size_t length, size_t *start, size_t *end) {
  const re2::StringPiece whole(text, length);
  re2::StringPiece found;
  // Without a place to find, which costs more, most texts are decided.
  if (!expression->expression.Match(whole, 0, length, re2::RE2::UNANCHORED, nullptr, 0)) return false;
  if (!expression->expression.Match(whole, 0, length, re2::RE2::UNANCHORED, &found, 1)) return false;
  *start = static_cast<size_t>(found.data() - text);
  *end = *start + found.size();
  return true;
}
