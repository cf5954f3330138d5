#ifndef TAMIS_CCMARKGFM_SHIM_H
#define TAMIS_CCMARKGFM_SHIM_H
#include <stdlib.h>
#include <cmark-gfm.h>
#include <cmark-gfm-core-extensions.h>
#endif
