<?php
// What the levels of the suite allow, from levels.json, and the loop that every adapter in PHP runs.
const NAMES = ["P0", "P1", "P2", "P3"];

function words(string $text): array {
    return preg_split("/ /", $text, -1, PREG_SPLIT_NO_EMPTY);
}

// The level that the command names. Ends with exit code 64 when the program cannot be set to it.
function asked(string ...$possible): object {
    $possible = $possible ?: NAMES;
    $name = $GLOBALS["argv"][count($GLOBALS["argv"]) - 1];
    if (!in_array($name, $possible)) {
        fwrite(STDERR, "it can be set to " . implode(", ", $possible) . ", not to $name\n");
        exit(64);
    }
    $lists = json_decode(file_get_contents(__DIR__ . "/levels.json"), true);
    $level = (object) ["name" => $name, "tags" => [], "attributes" => [], "schemes" => []];
    foreach (array_slice(NAMES, 1, array_search($name, NAMES)) as $lower) {
        $level->tags = array_merge($level->tags, words($lists[$lower]["tags"]));
        $level->schemes = array_merge($level->schemes, words($lists[$lower]["schemes"] ?? ""));
        foreach ($lists[$lower]["attributes"] as $tag => $names) {
            $level->attributes[$tag] = array_merge($level->attributes[$tag] ?? [], words($names));
        }
    }
    return $level;
}

// Gives each fragment to `clean`: a line of JSON in, a line out. What it throws is an error of that fragment alone.
function answer(callable $clean): void {
    ini_set("display_errors", "stderr");
    ini_set("memory_limit", "2G");
    ini_set("pcre.backtrack_limit", "100000000");
    while (($line = fgets(STDIN)) !== false) {
        $fragment = json_decode($line, true);
        try {
            $reply = ["html" => $clean($fragment["html"])];
        } catch (Throwable $error) {
            $reply = ["error" => get_class($error) . ": " . $error->getMessage()];
        }
        $flags = JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE;
        echo json_encode(["id" => $fragment["id"] ?? null] + $reply, $flags), "\n";
    }
}
