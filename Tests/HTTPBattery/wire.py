"""Raw sockets, and the answers that come back over them."""

import socket


def connect(address, timeout=5):
    family = socket.AF_UNIX if isinstance(address, str) else socket.AF_INET
    connection = socket.socket(family)
    connection.settimeout(timeout)
    connection.connect(address)
    return connection


def send_all(connection, data):
    """Sends as far as the other side takes it: one that refuses early closes before the end."""
    try:
        connection.sendall(data)
    except OSError:
        pass


def read_all(connection, timeout=3):
    """(bytes, closed): until the other side closes or is silent for that long."""
    connection.settimeout(timeout)
    data = b""
    while True:
        try:
            part = connection.recv(65536)
        except TimeoutError:
            return data, False
        except OSError:
            return data, True
        if not part:
            return data, True
        data += part


def answers(data, heads=()):
    """The answers in `data` as (status, fields, body); `heads` are the numbers of those to HEAD."""
    found = []
    while data:
        head, end, rest = data.partition(b"\r\n\r\n")
        if not end:
            raise ValueError(f"half an answer: {data[:80]!r}")
        lines = head.decode("latin-1").split("\r\n")
        status = int(lines[0].split(" ")[1])
        fields = {}
        for line in lines[1:]:
            name, _, value = line.partition(":")
            fields[name.lower()] = value.strip()
        length = int(fields.get("content-length", 0))
        if len(found) in heads or status in (204, 304):
            length = 0
        if len(rest) < length:
            raise ValueError("a body is cut short")
        found.append((status, fields, rest[:length]))
        data = rest[length:]
    return found


def talk(address, data, timeout=3, heads=(), end=False):
    """Sends `data` and, if `end`, tells that nothing follows; (the bytes that came back, closed)."""
    with connect(address) as connection:
        send_all(connection, data)
        if end:
            try:
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass
        return read_all(connection, timeout)


def statuses(data, heads=()):
    """The statuses of the answers, without 100 Continue."""
    return [status for status, _, _ in answers(data, heads) if status != 100]
