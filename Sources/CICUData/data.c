/*
  An empty table in place of ICU's data: locales, calendars, time zones and names in all languages, 34 MB.

  Foundation brings ICU along, and the command asks it for none of this (a house test sees to that). ICU looks for its
  data by this symbol, and its own object with the data is linked only when nobody has defined it. The form is that of a
  "table of contents with pointers" (ToCP) of no entries, as ICU describes it for programs that have no data; what asks
  for data then gets U_MISSING_RESOURCE_ERROR. The number is ICU's version. Where a toolchain has another, its data is
  linked as before; `make check-products` says so by the size of the command.
*/
#include <stdint.h>

struct table {
  uint16_t header_size;
  uint8_t magic[2];
  uint16_t info_size;
  uint16_t reserved_word;
  uint8_t is_big_endian;
  uint8_t charset_family;
  uint8_t character_size;
  uint8_t reserved_byte;
  uint8_t format[4];
  uint8_t format_version[4];
  uint8_t data_version[4];
  uint8_t padding[8];
  uint32_t count;
  uint32_t reserved;
  /* An entry, though the count says that there is none. */
  const void *entry[2];
};

_Alignas(16) const struct table icudt76_dat = {
    .header_size = 32,
    .magic = {0xDA, 0x27},
    .info_size = 20,
    .is_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
    .character_size = 2,
    .format = {'T', 'o', 'C', 'P'},
    .format_version = {1},
};
