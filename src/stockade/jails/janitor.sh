# Waits for the end of a server and clears its control groups away: sh janitor.sh DIRECTORY...
#
# A line on the input means that the server ends in order and has done so itself. The end of the
# input without one means that it was killed.

trap '' HUP INT TERM
read -r _ && exit 0
exec 2>/dev/null

tries=0
while [ "$tries" -lt 200 ]; do
    left=
    for server; do
        [ -d "$server" ] || continue
        left=yes
        # Where the kernel kills a whole group by itself, that is the surest.
        [ -e "$server/cgroup.kill" ] && echo 1 >"$server/cgroup.kill"
        for jail in "$server"/*/; do
            [ -d "$jail" ] || continue
            while read -r pid; do
                # 0 is what another pid namespace's processes are called, and would be ourselves.
                [ "$pid" = 0 ] || kill -9 "$pid"
            done <"$jail/cgroup.procs"
            rmdir "$jail"
        done
        rmdir "$server"
    done
    [ -n "$left" ] || exit 0
    tries=$((tries + 1))
    sleep 0.02
done
exit 1
