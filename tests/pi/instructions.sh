# In the machine whose clock counts instructions: what is counted.
export PYTHONPATH=/shutbox:/opt/site SHUTBOX_DEVICES=tests.pi.box
exec python3 -m tests.pi.instructions
