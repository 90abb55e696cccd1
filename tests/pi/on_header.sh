# In the machine with a header and a bus of its own: the firmware's tests on both; with only=guard+or+lamp some of them.
export PYTHONPATH=/shutbox:/opt/site SHUTBOX_DEVICES=tests.pi.box
mount -t tracefs none /sys/kernel/tracing
exec python3 -m pytest -v --tb=short --color=no --durations=0 --durations-min=0.5 -p no:cacheprovider -p no:hypothesispytest \
  -p no:schemathesis -W error::pytest.PytestUnhandledThreadExceptionWarning -o addopts= \
  tests/kernel/on_device.py tests/pi/on_header.py -k "$(echo "${only-test}" | tr + " ")"
