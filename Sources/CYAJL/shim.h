// yajl, which parses JSON as it comes.
#ifndef TAMIS_CYAJL_SHIM_H
#define TAMIS_CYAJL_SHIM_H

// pkg-config names the folder itself on some systems and the one around it on others.
#if __has_include(<yajl/yajl_parse.h>)
#include <yajl/yajl_parse.h>
#else
#include <yajl_parse.h>
#endif

#endif
