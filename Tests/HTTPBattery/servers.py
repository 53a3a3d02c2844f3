"""The servers that the battery talks to: the HTTP room under a handler that echoes, and Debian's nginx."""

import os
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))


def echo_executable():
    """Builds HTTPEcho and returns its path. HTTP_ECHO names one that is built already."""
    if os.environ.get("HTTP_ECHO"):
        return os.environ["HTTP_ECHO"]
    command = ["swift", "build", "--product", "HTTPEcho"]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    where = subprocess.run(["swift", "build", "--show-bin-path"], cwd=ROOT, check=True, capture_output=True, text=True)
    return os.path.join(where.stdout.strip(), "HTTPEcho")


class Echo:
    executable = None

    def __init__(self, *arguments, listen="127.0.0.1:0", descriptors=None):
        Echo.executable = Echo.executable or echo_executable()
        command = [Echo.executable, "--listen", listen, *arguments]
        if descriptors:
            command = ["sh", "-c", f'ulimit -n {descriptors}; exec "$@"', "sh", *command]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        said = self.process.stderr.readline()
        found = re.search(r"://(?:127\.0\.0\.1:(\d+)|unix:(.*))", said)
        if not found:
            raise RuntimeError("HTTPEcho said: " + said)
        self.address = ("127.0.0.1", int(found.group(1))) if found.group(1) else found.group(2)

    def stop(self, how=signal.SIGTERM, timeout=20):
        """Ends it and returns its exit code."""
        self.process.send_signal(how)
        try:
            return self.process.wait(timeout)
        finally:
            self.process.stderr.close()

    def memory(self):
        """Resident kB."""
        with open(f"/proc/{self.process.pid}/status") as status:
            return int(re.search(r"VmRSS:\s+(\d+)", status.read()).group(1))

    def ticks(self):
        """CPU time in hundredths of a second."""
        with open(f"/proc/{self.process.pid}/stat") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return int(fields[11]) + int(fields[12])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


NGINX = """
daemon off; master_process off; pid {folder}/pid; error_log /dev/null;
events {{ worker_connections 512; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  client_max_body_size 16m;
  # The body is read to its end before it is handed on, so that a wrong one is refused.
  server {{ listen 127.0.0.1:{port}; location / {{ proxy_pass http://unix:{folder}/back; }} }}
  server {{ listen unix:{folder}/back; return 200 "ok"; }}
}}
"""


class Nginx:
    def __init__(self):
        self.folder = tempfile.mkdtemp(prefix="kiln-nginx-")
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.address = probe.getsockname()
        path = os.path.join(self.folder, "nginx.conf")
        with open(path, "w") as file:
            file.write(NGINX.format(folder=self.folder, port=self.address[1]))
        executable = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if not executable:
            raise RuntimeError("nginx is not installed")
        self.process = subprocess.Popen(
            [executable, "-p", self.folder, "-c", path], stderr=subprocess.DEVNULL)
        for _ in range(100):
            try:
                socket.create_connection(self.address, 1).close()
                return
            except OSError:
                time.sleep(0.05)
        raise RuntimeError("nginx does not answer")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
