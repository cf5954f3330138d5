/*
  Files that are part of the program.

  C takes a file in as it is, and a change of one compiles this target only; Swift's compiler takes a sixth of a
  millisecond for each byte of an array.
*/
#include <stddef.h>

/* The bytes are constant. */
struct __attribute__((swift_attr("@Sendable"))) tamis_file {
  const unsigned char *bytes;
  size_t count;
};

/* rules.c: the rules that are built in. */
extern const struct tamis_file tamis_browser_default_json;
extern const struct tamis_file tamis_reading_yaml;
extern const struct tamis_file tamis_strict_yaml;
extern const struct tamis_file tamis_text_yaml;
extern const struct tamis_file tamis_universal_feed_parser_yaml;

/* trees.c: the trees that find articles. */
extern const struct tamis_file tamis_article_trees;

/* site.c: the themes, sheets, languages and the script that are built in. */
extern const struct tamis_file tamis_about_mustache;
extern const struct tamis_file tamis_archive_mustache;
extern const struct tamis_file tamis_card_mustache;
extern const struct tamis_file tamis_media_mustache;
extern const struct tamis_file tamis_default_css;
extern const struct tamis_file tamis_feed_mustache;
extern const struct tamis_file tamis_foot_mustache;
extern const struct tamis_file tamis_head_mustache;
extern const struct tamis_file tamis_header_mustache;
extern const struct tamis_file tamis_index_mustache;
extern const struct tamis_file tamis_list_mustache;
extern const struct tamis_file tamis_newspaper_css;
extern const struct tamis_file tamis_notice_mustache;
extern const struct tamis_file tamis_plain_css;
extern const struct tamis_file tamis_post_mustache;
extern const struct tamis_file tamis_search_js;
extern const struct tamis_file tamis_search_mustache;
extern const struct tamis_file tamis_status_mustache;
extern const struct tamis_file tamis_article_css;
extern const struct tamis_file tamis_article_mustache;
extern const struct tamis_file tamis_sheet_mustache;
extern const struct tamis_file tamis_ar_words;
extern const struct tamis_file tamis_de_words;
extern const struct tamis_file tamis_en_words;
extern const struct tamis_file tamis_es_words;
extern const struct tamis_file tamis_fr_words;
extern const struct tamis_file tamis_ja_words;
