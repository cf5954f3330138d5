#include <stdlib.h>
#include <unicase.h>
#include <uninorm.h>
#include <unictype.h>
#include <unistring/version.h>

// The forms are macros, which Swift does not import.
static inline uint32_t *tamis_unicode_nfkd(const uint32_t *text, size_t count, uint32_t *buffer, size_t *length) {
  return u32_normalize(UNINORM_NFKD, text, count, buffer, length);
}

static inline uint32_t *tamis_unicode_nfc(const uint32_t *text, size_t count, uint32_t *buffer, size_t *length) {
  return u32_normalize(UNINORM_NFC, text, count, buffer, length);
}

// Lower case without the rules of a language, composed.
static inline uint32_t *tamis_unicode_lower(const uint32_t *text, size_t count, uint32_t *buffer, size_t *length) {
  return u32_tolower(text, count, NULL, UNINORM_NFC, buffer, length);
}

// Case folding without the rules of a language.
static inline uint32_t *tamis_unicode_fold(const uint32_t *text, size_t count, uint32_t *buffer, size_t *length) {
  return u32_casefold(text, count, NULL, NULL, buffer, length);
}

static inline bool tamis_unicode_is_nonspacing_mark(ucs4_t scalar) {
  return uc_is_general_category_withtable(scalar, UC_CATEGORY_MASK_Mn);
}

static inline bool tamis_unicode_is_spacing_mark(ucs4_t scalar) {
  return uc_is_general_category_withtable(scalar, UC_CATEGORY_MASK_Mc);
}

static inline bool tamis_unicode_is_number(ucs4_t scalar) { return uc_numeric_value(scalar).denominator != 0; }
