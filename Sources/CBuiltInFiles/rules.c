// The rules that are built in.

#include "file.h"

static const unsigned char browser_default_json[] = {
#embed "../../Rules/browser-default.json"
};
FILE(browser_default_json)

static const unsigned char reading_yaml[] = {
#embed "../../Rules/reading.yaml"
};
FILE(reading_yaml)

static const unsigned char strict_yaml[] = {
#embed "../../Rules/strict.yaml"
};
FILE(strict_yaml)

static const unsigned char text_yaml[] = {
#embed "../../Rules/text.yaml"
};
FILE(text_yaml)

static const unsigned char universal_feed_parser_yaml[] = {
#embed "../../Rules/universal-feed-parser.yaml"
};
FILE(universal_feed_parser_yaml)
