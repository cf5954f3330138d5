<?php
// The sanitizer of Roundcube's mail reader, as it is called for the body of a message, with pictures of other servers allowed.
require __DIR__ . "/levels.php";
define("RCUBE_CHARSET", "UTF-8");
require "Masterminds/HTML5/autoload.php";
spl_autoload_register(function ($class) {
    $file = ".build/others/debian/roundcube-core/usr/share/roundcube/program/lib/Roundcube/$class.php";
    if (is_file($file)) require $file;
});

asked("P3");
error_reporting(E_ERROR);
answer(function ($html) {
    $washer = new rcube_washtml(["allow_remote" => true, "charset" => "UTF-8", "show_washed" => false, "add_comments" => false]);
    return $washer->wash("<html><head><meta charset=\"UTF-8\"></head><body>$html</body></html>");
});
