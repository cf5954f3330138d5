// The themes, sheets, languages and the script that are built in.

#include "file.h"

static const unsigned char about_mustache[] = {
#embed "../TamisSite/Themes/about.mustache"
};
FILE(about_mustache)

static const unsigned char archive_mustache[] = {
#embed "../TamisSite/Themes/archive.mustache"
};
FILE(archive_mustache)

static const unsigned char card_mustache[] = {
#embed "../TamisSite/Themes/card.mustache"
};
FILE(card_mustache)
static const unsigned char media_mustache[] = {
#embed "../TamisSite/Themes/media.mustache"
};
FILE(media_mustache)

static const unsigned char default_css[] = {
#embed "../TamisSite/Themes/default.css"
};
FILE(default_css)

static const unsigned char feed_mustache[] = {
#embed "../TamisSite/Themes/feed.mustache"
};
FILE(feed_mustache)

static const unsigned char foot_mustache[] = {
#embed "../TamisSite/Themes/foot.mustache"
};
FILE(foot_mustache)

static const unsigned char head_mustache[] = {
#embed "../TamisSite/Themes/head.mustache"
};
FILE(head_mustache)

static const unsigned char header_mustache[] = {
#embed "../TamisSite/Themes/header.mustache"
};
FILE(header_mustache)

static const unsigned char index_mustache[] = {
#embed "../TamisSite/Themes/index.mustache"
};
FILE(index_mustache)

static const unsigned char list_mustache[] = {
#embed "../TamisSite/Themes/list.mustache"
};
FILE(list_mustache)

static const unsigned char newspaper_css[] = {
#embed "../TamisSite/Themes/newspaper.css"
};
FILE(newspaper_css)

static const unsigned char notice_mustache[] = {
#embed "../TamisSite/Themes/notice.mustache"
};
FILE(notice_mustache)

static const unsigned char plain_css[] = {
#embed "../TamisSite/Themes/plain.css"
};
FILE(plain_css)

static const unsigned char post_mustache[] = {
#embed "../TamisSite/Themes/post.mustache"
};
FILE(post_mustache)

static const unsigned char search_js[] = {
#embed "../TamisSite/Scripts/search.js"
};
FILE(search_js)

static const unsigned char search_mustache[] = {
#embed "../TamisSite/Themes/search.mustache"
};
FILE(search_mustache)

static const unsigned char status_mustache[] = {
#embed "../TamisSite/Themes/status.mustache"
};
FILE(status_mustache)

static const unsigned char article_css[] = {
#embed "../TamisSite/Sheets/article.css"
};
FILE(article_css)

static const unsigned char article_mustache[] = {
#embed "../TamisSite/Sheets/article.mustache"
};
FILE(article_mustache)

static const unsigned char sheet_mustache[] = {
#embed "../TamisSite/Sheets/sheet.mustache"
};
FILE(sheet_mustache)

static const unsigned char ar_words[] = {
#embed "../TamisSite/Languages/ar.words"
};
FILE(ar_words)

static const unsigned char de_words[] = {
#embed "../TamisSite/Languages/de.words"
};
FILE(de_words)

static const unsigned char en_words[] = {
#embed "../TamisSite/Languages/en.words"
};
FILE(en_words)

static const unsigned char es_words[] = {
#embed "../TamisSite/Languages/es.words"
};
FILE(es_words)

static const unsigned char fr_words[] = {
#embed "../TamisSite/Languages/fr.words"
};
FILE(fr_words)

static const unsigned char ja_words[] = {
#embed "../TamisSite/Languages/ja.words"
};
FILE(ja_words)
