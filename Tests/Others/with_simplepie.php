<?php
// SimplePie's sanitizer for the bodies of feeds, with its defaults, which are lists of what is taken away.
require __DIR__ . "/levels.php";
require "/usr/share/php/simplepie/autoloader.php";

asked("P3");
error_reporting(E_ERROR);
$sanitizer = new SimplePie_Sanitize();
$sanitizer->set_registry(new SimplePie_Registry());
$sanitizer->pass_cache_data(false);
answer(fn ($html) => $sanitizer->sanitize($html, SIMPLEPIE_CONSTRUCT_HTML, ""));
