# Makes a manual page that man's tools accept of one that ArgumentParser writes: the name of a command of two words has a hyphen where
# the page is listed or referred to, and a space where it is called; the summary has no quotation marks and no full stop; paragraphs are
# separated by a macro, unless an item follows.
/^\.Sh / { section = $2 }
/^\.Dt / { gsub(/\./, "-", $2); print ".Dt " $2, $3; next }
/^\.Xr / { gsub(/\./, "-", $2) }
section == "NAME" && /^\.Nm / { command = $0; gsub(/"/, ""); name = substr($0, 5); gsub(/ /, "-", name); print ".Nm " name; next }
section == "NAME" && /^\.Nd / { sub(/^\.Nd "/, ".Nd "); sub(/"$/, ""); sub(/\.$/, "") }
section == "SYNOPSIS" && $0 == ".Nm" { print command; next }
/^(\.Pp)?$/ { isBetween = 1; next }
isBetween { isBetween = 0; if (!/^\.(It|El|Sh)/) print ".Pp" }
{ print }
