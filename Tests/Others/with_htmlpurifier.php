<?php
// HTML Purifier. It knows no elements newer than XHTML 1.0: of the lists of P1 and P2 it takes what it knows.
require __DIR__ . "/levels.php";
require ".build/others/debian/php-htmlpurifier/HTMLPurifier.auto.php";

$level = asked();
$config = HTMLPurifier_Config::createDefault();
$config->set("Cache.DefinitionImpl", null);
if ($level->name == "P3") {
    $config->set("Attr.EnableID", true);
} else {
    $config->set("HTML.AllowedElements", array_fill_keys($level->tags, true));
    $names = [];
    foreach ($level->attributes as $tag => $attributes) {
        foreach ($attributes as $attribute) $names["$tag.$attribute"] = true;
    }
    $config->set("HTML.AllowedAttributes", $names);
    $config->set("URI.AllowedSchemes", array_fill_keys($level->schemes, true));
    $config->set("Attr.EnableID", $level->name == "P2");
}
// Elements that it does not know are warnings.
error_reporting(E_ERROR);
$purifier = new HTMLPurifier($config);
answer(fn ($html) => $purifier->purify($html));
