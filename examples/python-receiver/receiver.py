"""A webhook receiver with Python's standard library alone.

    SITEPUB_WEBHOOK_SECRET=… python3 receiver.py 8080
"""

import hashlib
import hmac
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ["SITEPUB_WEBHOOK_SECRET"].encode()
LONGEST = 1_000_000


def is_signed(body: bytes, given: str) -> bool:
    # Bytes, since compare_digest accepts only ASCII text.
    wanted = "sha256=" + hmac.new(SECRET, body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(given.encode("latin-1", "replace"), wanted.encode())


def read_event(body: bytes) -> dict | None:
    try:
        event = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return event if isinstance(event, dict) and isinstance(event.get("event"), str) else None


class Receiver(BaseHTTPRequestHandler):
    # A sender that stops half-way is not waited for any longer than this.
    timeout = 10

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            return self.answer(411)
        if int(length) > LONGEST:
            return self.answer(413)
        # The signature covers the received bytes: verify first, parse later.
        body = self.rfile.read(int(length))
        if not is_signed(body, self.headers.get("X-Webhook-Signature", "")):
            return self.answer(401)
        event = read_event(body)
        if event is None:
            return self.answer(400)
        # Slow work belongs after the answer. The same body may arrive twice.
        print(event["event"], event.get("site_name"), flush=True)
        self.answer(204)

    def answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    # How many connections may wait to be taken; the default is five.
    request_queue_size = 256


if __name__ == "__main__":
    server = Server(("127.0.0.1", int(sys.argv[1])), Receiver)
    print(f"listening on http://127.0.0.1:{server.server_port}/", flush=True)
    server.serve_forever()
