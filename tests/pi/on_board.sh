# In the emulated Raspberry Pi 4: what of a Pi Linux finds there, and what the program says of it.
#
# Each answer stands between "asked: NAME" and "status: NUMBER"; asks=wiring of the kernel's command line asks only that.
unset PYTHONPYCACHEPREFIX # the installed program has its byte code beside it
python="/opt/shutbox/current/bin/python -P"

ask() {
  case "+${asks:-$1}+" in *"+$1+"*) ;; *) return ;; esac
  echo "asked: $1"
  shift
  "$@" 2>&1
  echo "status: $?"
}

model() { tr '\000' '\n' </proc/device-tree/model; }

header() {
  $python -c '
import gpiod
from firmware.pi.pins import find_header_chip
print(gpiod.Chip(f"/dev/gpiochip{find_header_chip()}").get_info().label)'
}

# It is ended once it guards and Linux has told who holds the line of /OE, GPIO22.
guard() {
  $python -c '
import subprocess, sys, gpiod
call = [sys.executable, "-P", "-m", "controller.box.guard"]
guard = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
for line in guard.stdout:
    print(line, end="")
    if "guarding" in line:
        info = gpiod.Chip("/dev/gpiochip0").get_line_info(22)
        print("/OE is held:", info.used, info.direction.name)
        guard.terminate()
exit(guard.wait())'
}

ask model model
ask header header
ask devices ls /dev/i2c-1 /dev/watchdog0
ask version shutbox --version
ask guard guard
ask wiring shutbox wiring --check --json
