<?php
// htmLawed with its setting `safe`; at P3 with the elements and attributes that this leaves, styles among them.
require __DIR__ . "/levels.php";
require "/usr/share/php/php-htmlawed/htmLawed.php";

$level = asked("P1", "P2", "P3");
$config = ["safe" => 1, "schemes" => "*:" . implode(",", $level->schemes)];
if ($level->name != "P3") {
    $config["elements"] = implode(",", $level->tags);
    $names = array_unique(array_merge(...array_values($level->attributes)));
    $config["deny_attribute"] = "* -" . implode(" -", $names);
}
answer(fn ($html) => htmLawed($html, $config));
