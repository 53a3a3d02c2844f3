"""Headless Chromium loads a page from the HTTP room, and the page's fetches report back to it."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "HTTPBattery"))
from encrypted import Certificate  # noqa: E402
from servers import Echo  # noqa: E402

PAGE = """<!doctype html><script>
async function run() {
  const kind = location.protocol === "https:" ? "secure" : "plain", results = {};
  const check = async (name, test) => {
    try { results[name] = await test() ? "" : "wrong answer" } catch (error) { results[name] = String(error) }
  };
  const text = async (path, options) => (await fetch(path, options)).text();
  await check("get", async () => await text("/a?code=x|y") === `GET /a?code=x|y ${kind} 0\\n`);
  await check("put", async () =>
    await text("/a", {method: "PUT", body: "{}", headers: {"If-Match": 'W/"1"'}}) === `PUT /a ${kind} 2\\n{}`);
  await check("delete", async () => await text("/a", {method: "DELETE"}) === `DELETE /a ${kind} 0\\n`);
  await check("head", async () =>
    (await fetch("/large/12345", {method: "HEAD"})).headers.get("Content-Length") === "12345");
  await check("no content", async () => (await fetch("/status/204")).status === 204);
  await check("an error status", async () => (await fetch("/status/412")).status === 412);
  await check("a large upload", async () => {
    const body = "x".repeat(3000000);
    return await text("/a", {method: "POST", body}) === `POST /a ${kind} 3000000\\n${body}`;
  });
  await check("a large answer", async () => (await text("/large/5000000")).length === 5000000);
  await check("many at once", async () => {
    const paths = Array.from({length: 60}, (_, n) => `/later/${n % 9}/${n}`);
    const all = await Promise.all(paths.map(path => text(path)));
    return all.every((body, n) => body === `GET ${paths[n]} ${kind} 0\\n`);
  });
  await check("an answer that is given up", async () => {
    const controller = new AbortController();
    const given = fetch("/later/2000", {signal: controller.signal}).catch(error => error.name);
    setTimeout(() => controller.abort(), 50);
    return await given === "AbortError" && (await text("/a")).startsWith("GET");
  });
  await fetch(REPORT, {method: "POST", mode: "no-cors", body: JSON.stringify(results)});
}
run();
</script>"""


class Report(BaseHTTPRequestHandler):
    """Takes what the page found out."""

    results = {}
    came = threading.Event()

    def do_POST(self):
        Report.results = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(204)
        self.end_headers()
        Report.came.set()

    def log_message(self, *_):
        pass


def visit(url):
    """What each of the page's checks found wrong, by name."""
    Report.came.clear()
    folder = tempfile.mkdtemp(prefix="kiln-browser-")
    command = ["chromium", "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
               "--no-first-run", "--ignore-certificate-errors", "--no-proxy-server",
               "--disable-features=LocalNetworkAccessChecks,BlockInsecurePrivateNetworkRequests",
               f"--user-data-dir={folder}", url]
    browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        return Report.results if Report.came.wait(60) else {"the page": "never reported"}
    finally:
        browser.terminate()
        browser.wait()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    report = ThreadingHTTPServer(("127.0.0.1", 0), Report)
    threading.Thread(target=report.serve_forever, daemon=True).start()
    passed = failed = 0
    with tempfile.TemporaryDirectory() as folder, Certificate() as certificate:
        page = os.path.join(folder, "page.html")
        with open(page, "w") as file:
            file.write(PAGE.replace("REPORT", f'"http://127.0.0.1:{report.server_port}/"'))
        for arguments in ([], ["--tls", certificate.certificate, certificate.key]):
            with Echo("--page", page, *arguments) as echo:
                scheme = "https" if arguments else "http"
                for name, wrong in visit(f"{scheme}://127.0.0.1:{echo.address[1]}/page").items():
                    passed, failed = (passed, failed + 1) if wrong else (passed + 1, failed)
                    if wrong:
                        print(f"FAIL {name} over {scheme}: {wrong}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
