// The trees that find articles.

#include "file.h"

static const unsigned char article_trees[] = {
#embed "../TamisArticle/Shipped/article.trees"
};
FILE(article_trees)
