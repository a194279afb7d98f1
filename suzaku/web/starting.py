"""The page that answers while the server is not ready: it shows how far the first start is, and then becomes the table.

It listens with the socket that the server takes over, so a browser may come as early as it likes.
"""

import json
import socket
import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PROGRESS = "/starting.json"  # not there once the server itself answers: the page loads itself anew then

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Suzaku</title>
<style>
body { font: 1.1rem/1.5 system-ui, sans-serif; display: grid; place-content: center; min-height: 90vh; margin: 1rem }
main { max-width: 32rem }
progress { width: 100%; accent-color: #c0392b }
</style>
</head>
<body>
<main>
<h1>Suzaku</h1>
<p id="text">Compiling for this machine. This happens once, and the table opens by itself.</p>
<progress id="bar" max="1" aria-labelledby="text"></progress>
</main>
<script>
const texts = {
  ja: "初回のみ、このコンピューター用に準備しています。終わると卓が自動で開きます。",
  zh: "首次启动，正在为本机编译。完成后牌桌会自动打开。",
};
const language = (navigator.language || "en").slice(0, 2);
if (texts[language]) {
  document.documentElement.lang = language;
  document.getElementById("text").textContent = texts[language];
}
async function look() {
  try {
    const answer = await fetch("/starting.json", { cache: "no-store" });
    if (!answer.ok) return location.reload();
    document.getElementById("bar").value = (await answer.json()).done;
  } catch {
    // the server is about to take over
  }
  setTimeout(look, 500);
}
look();
</script>
</body>
</html>
"""


class Starting:
    """Answers at a listening socket until it is stopped. The socket stays open."""

    def __init__(self, listener: socket.socket) -> None:
        self.done = 0.0
        starting = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                if self.path == PROGRESS:
                    self._answer(200, "application/json", json.dumps({"done": round(starting.done, 3)}))
                else:
                    self._answer(503, "text/html; charset=utf-8", PAGE)

            def do_POST(self) -> None:
                self._answer(503, "application/json", json.dumps({"detail": "the server is starting"}))

            def _answer(self, code: int, media_type: str, text: str) -> None:
                body = text.encode()
                self.send_response(code)
                self.send_header("Content-Type", media_type)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Cache-Control", "no-store")
                self.send_header("X-Content-Type-Options", "nosniff")
                if code == 503:
                    self.send_header("Retry-After", "5")
                self.end_headers()
                with suppress(OSError):
                    self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                pass

        self._server = ThreadingHTTPServer(listener.getsockname(), Handler, bind_and_activate=False)
        self._server.socket.close()
        self._server.socket = listener
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.1,), daemon=True)
        self._thread.start()

    def tell(self, done: float) -> None:
        """How much is ready, from 0 to 1."""
        self.done = done

    def stop(self) -> None:
        """Answer no more. Who comes now is answered by whoever listens next."""
        self._server.shutdown()
        self._thread.join()
