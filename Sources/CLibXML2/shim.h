// libxml2's XML and HTML SAX parsers, and what Swift cannot say for itself.
#ifndef TAMIS_CLIBXML2_SHIM_H
#define TAMIS_CLIBXML2_SHIM_H

#include <libxml/HTMLparser.h>
#include <libxml/SAX2.h>
#include <libxml/encoding.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>

#endif
