#!/bin/sh
# /usr/bin/farthing: commands are about the installation in /var/lib/farthing, from whatever folder they are given, except
# in the folder of another installation. A path as an argument begins with `/`.
[ -e farthing.toml ] || cd /var/lib/farthing 2> /dev/null || {
    echo "farthing: only its own user can do that: sudo -u farthing farthing $*" >&2
    exit 1
}
exec /var/lib/farthing/current/farthing "$@"
