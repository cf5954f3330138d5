# Makes a manual page that man's tools accept of one that ArgumentParser writes: the name of a command of two words has a hyphen where
# the page is listed, and a space where it is called; paragraphs are separated by a macro.
/^\.Sh / { section = $2 }
/^\.Dt / { gsub(/\./, "-", $2); print ".Dt " $2, $3; next }
section == "NAME" && /^\.Nm / { command = $0; gsub(/"/, ""); name = substr($0, 5); gsub(/ /, "-", name); print ".Nm " name; next }
section == "SYNOPSIS" && $0 == ".Nm" { print command; next }
/^$/ { print ".Pp"; next }
{ print }
