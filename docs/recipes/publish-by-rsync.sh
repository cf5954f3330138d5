#!/bin/sh
# Builds a planet here and brings its site to a web server. For cron or a CI job that keeps the folder of the planet.
#
#   publish-by-rsync.sh PLANET-FOLDER user@host:/srv/www/planet/
set -eu
cd "$1"
# Exit code 1: some feeds failed, and the site says which. All else that is not 0 leaves the server as it is.
tamis build || test $? -eq 1
# All files are brought before the first is put in its place, and what is gone is deleted last.
rsync --recursive --times --delay-updates --delete-after site/ "$2"
