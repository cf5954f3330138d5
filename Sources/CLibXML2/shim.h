// libxml2's XML and HTML SAX parsers, and what Swift cannot say for itself.
#ifndef TAMIS_CLIBXML2_SHIM_H
#define TAMIS_CLIBXML2_SHIM_H

// ICU's types would come along, which Foundation has too, in another version: the compiler refuses to see both. Nothing here uses
// them; what they are in is made and read by libxml2 alone.
#include <libxml/xmlversion.h>
#undef LIBXML_ICU_ENABLED

#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

// The version that runs: a macro of libxml2's.
static inline const char *tamis_libxml2_version(void) { return xmlParserVersion; }

#endif
