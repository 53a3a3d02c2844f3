"""What a server must do beyond single requests: order, waiting, limits, deadlines, endings. Each
function starts a server of its own and asserts; its name says what it shows."""

import os
import signal
import socket
import stat
import subprocess
import tempfile
import threading
import time

from servers import Echo
from wire import answers, connect, read_all, send_all, statuses, talk

GET = b"GET /a HTTP/1.1\r\nHost: x\r\n\r\n"
LAST = b"GET /a HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
POST = b"POST /a HTTP/1.1\r\nHost: x\r\n"


def get(path, last=False):
    return f"GET {path} HTTP/1.1\r\nHost: x\r\n{'Connection: close' + chr(13) + chr(10) if last else ''}\r\n".encode()


def seconds(function):
    started = time.monotonic()
    function()
    return time.monotonic() - started


def pipelined_answers_come_in_order_whichever_is_ready_first():
    with Echo() as echo:
        paths = [f"/later/{100 - n}/{n}" if n % 3 == 0 else f"/{n}" for n in range(60)]
        received, closed = talk(echo.address, b"".join(map(get, paths)) + get("/end", last=True))
        seen = [body.split()[1].decode() for _, _, body in answers(received)]
        assert seen == paths + ["/end"], seen
        assert closed


def a_write_waits_for_the_requests_before_it_and_those_after_it_wait_too():
    with Echo() as echo:
        post = b"POST /later/150 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"
        started = time.monotonic()
        received, _ = talk(echo.address, get("/later/150/a") + get("/later/150/b") + post + get("/later/150", last=True))
        took = time.monotonic() - started
        assert statuses(received) == [200] * 4
        # The two reads at once, then the write, then the last read.
        assert 0.44 < took < 0.8, took


def more_requests_than_may_wait_are_all_answered():
    with Echo() as echo:
        received, _ = talk(echo.address, get("/later/1") * 1000 + LAST, timeout=10)
        assert statuses(received) == [200] * 1001


def bytes_that_come_one_by_one_are_understood():
    with Echo() as echo, connect(echo.address) as connection:
        data = POST + b"Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n"
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for byte in data:
            connection.sendall(bytes([byte]))
            time.sleep(0.001)
        (status, _, body), = answers(read_all(connection)[0])
        assert (status, body) == (200, b"POST /a plain 3\nabc"), body


def the_body_is_asked_for_once_its_head_is_accepted():
    with Echo() as echo, connect(echo.address) as connection:
        connection.sendall(POST + b"Content-Length: 3\r\nExpect: 100-Continue\r\nConnection: close\r\n\r\n")
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(b"abc")
        received, _ = read_all(connection)
        assert received.startswith(b"HTTP/1.1 200") and received.endswith(b"abc")


def the_body_is_not_asked_for_when_it_is_too_large():
    with Echo() as echo:
        received, closed = talk(
            echo.address, POST + b"Content-Length: 999999999\r\nExpect: 100-continue\r\n\r\n")
        assert received.startswith(b"HTTP/1.1 413") and closed


def the_body_is_asked_for_after_the_answers_before_it():
    with Echo() as echo, connect(echo.address) as connection:
        connection.sendall(get("/later/100") + POST + b"Content-Length: 1\r\nExpect: 100-continue\r\n\r\n")
        time.sleep(0.3)
        first = connection.recv(1000)
        assert first.startswith(b"HTTP/1.1 200") and first.endswith(b"HTTP/1.1 100 Continue\r\n\r\n"), first


def head_tells_the_length_and_sends_no_body():
    with Echo() as echo:
        received, _ = talk(echo.address, b"HEAD /large/12345 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        (_, fields, _), = answers(received, heads=(0,))
        assert fields["content-length"] == "12345"


def answers_without_content_have_no_length():
    with Echo() as echo:
        received, _ = talk(echo.address, get("/status/204") + get("/status/304") + LAST)
        found = answers(received)
        assert [status for status, _, _ in found] == [204, 304, 200]
        assert all("content-length" not in fields for _, fields, _ in found[:2])
        assert all(fields["date"].endswith(" GMT") for _, fields, _ in found)


def a_body_of_16_MiB_is_taken_and_one_byte_more_is_not():
    with Echo() as echo:
        size = 16 * 1024 * 1024
        body = b"x" * size
        for framing in (f"Content-Length: {size}", "Transfer-Encoding: chunked"):
            data = body if framing.startswith("C") else f"{size:x}\r\n".encode() + body + b"\r\n0\r\n\r\n"
            received, _ = talk(echo.address, POST + framing.encode() + b"\r\nConnection: close\r\n\r\n" + data)
            (status, _, echoed), = answers(received)
            assert status == 200 and echoed.endswith(body), (framing, status, len(echoed))
        received, _ = talk(echo.address, POST + f"Content-Length: {size + 1}\r\n\r\n".encode() + body)
        assert statuses(received) == [413]


def the_bodies_of_all_clients_are_limited():
    with Echo("--bodies", "3000000") as echo:
        half = POST + b"Content-Length: 2000000\r\n\r\n" + b"x" * 1_500_000
        with connect(echo.address) as first:
            first.sendall(half)
            time.sleep(0.2)
            with connect(echo.address) as second:
                send_all(second, half)
                assert statuses(read_all(second)[0]) == [503]
            first.sendall(b"x" * 500_000)
            time.sleep(0.2)
            assert first.recv(12) == b"HTTP/1.1 200"
        assert statuses(talk(echo.address, half + b"x" * 500_000 + LAST)[0]) == [200, 200]


def a_body_that_came_fast_may_not_stop():
    with Echo("--fast-deadlines") as echo, connect(echo.address) as connection:
        connection.sendall(POST + b"Content-Length: 10000000\r\n\r\n" + b"x" * 5_000_000)
        started = time.monotonic()
        assert statuses(read_all(connection, 6)[0]) == [408]
        assert time.monotonic() - started < 3


def an_old_client_is_told_that_the_connection_stays():
    with Echo() as echo:
        received, closed = talk(
            echo.address, b"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n" + b"GET / HTTP/1.0\r\n\r\n")
        first, second = answers(received)
        assert first[1]["connection"] == "keep-alive" and second[1]["connection"] == "close" and closed


def a_client_that_ends_its_side_still_gets_its_answers():
    with Echo() as echo:
        received, closed = talk(echo.address, get("/later/200") * 3, end=True)
        assert statuses(received) == [200] * 3 and closed


def slow_heads_are_cut_off_in_all():
    with Echo("--fast-deadlines") as echo, connect(echo.address) as connection:
        started = time.monotonic()
        connection.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        connection.settimeout(0.3)
        received = b""
        while time.monotonic() - started < 5 and not received:
            try:
                connection.sendall(b"A: b\r\n")
                received = connection.recv(1000)
            except TimeoutError:
                pass
        assert received.startswith(b"HTTP/1.1 408"), received
        assert 0.9 < time.monotonic() - started < 2


def slow_bodies_are_cut_off():
    with Echo("--fast-deadlines") as echo, connect(echo.address) as connection:
        started = time.monotonic()
        connection.sendall(POST + b"Content-Length: 100000\r\n\r\n")
        connection.settimeout(0.2)
        received = b""
        while time.monotonic() - started < 5 and not received:
            try:
                connection.sendall(b"x" * 10)
                received = connection.recv(1000)
            except TimeoutError:
                pass
        assert received.startswith(b"HTTP/1.1 408"), received
        assert 0.9 < time.monotonic() - started < 2


def bodies_at_a_fair_rate_may_take_long():
    with Echo("--fast-deadlines") as echo, connect(echo.address) as connection:
        connection.sendall(POST + b"Content-Length: 20000\r\nConnection: close\r\n\r\n")
        for _ in range(20):
            connection.sendall(b"x" * 1000)
            time.sleep(0.1)
        assert read_all(connection)[0].startswith(b"HTTP/1.1 200")


def idle_connections_are_closed_and_busy_ones_are_not():
    with Echo("--fast-deadlines") as echo, connect(echo.address) as idle, connect(echo.address) as busy:
        started = time.monotonic()
        for _ in range(8):
            busy.sendall(GET)
            assert busy.recv(1000).startswith(b"HTTP/1.1 200")
            time.sleep(0.4)
        busy.sendall(get("/later/2500"))
        assert read_all(idle)[1]
        assert time.monotonic() - started < 4
        assert busy.recv(1000).startswith(b"HTTP/1.1 200")


def a_client_that_takes_no_answer_is_dropped():
    with Echo("--fast-deadlines") as echo, connect(echo.address) as connection:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        connection.sendall(get("/large/30000000"))
        time.sleep(3.5)
        received, closed = read_all(connection)
        assert closed and len(received) < 30_000_000, (closed, len(received))


def a_slow_reader_gets_a_large_answer_whole():
    with Echo("--fast-deadlines") as echo, connect(echo.address) as connection:
        connection.sendall(get("/large/8000000", last=True))
        received = b""
        while part := connection.recv(200_000):
            received += part
            time.sleep(0.05)
        (_, _, body), = answers(received)
        assert len(body) == 8_000_000


def answers_that_nobody_takes_stop_the_reading():
    with Echo("--loops", "1") as echo, connect(echo.address) as connection:
        before = echo.memory()
        connection.settimeout(2)
        try:
            connection.sendall(get("/large/1000000") * 200_000)
            raise AssertionError("everything was read")
        except TimeoutError:
            pass
        assert echo.memory() - before < 40_000, echo.memory()
        assert statuses(talk(echo.address, LAST)[0]) == [200]


def clients_that_vanish_do_no_harm():
    with Echo() as echo:
        for number in range(300):
            connection = connect(echo.address)
            connection.sendall((get("/large/1000000"), get("/later/20"), GET[:9], GET)[number % 4])
            if number % 2:
                # Closed with a reset.
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            connection.close()
        time.sleep(0.2)
        assert statuses(talk(echo.address, LAST)[0]) == [200]
        assert len(os.listdir(f"/proc/{echo.process.pid}/fd")) < 40


def a_waiting_server_uses_no_time():
    with Echo() as echo, connect(echo.address) as idle, connect(echo.address) as half, connect(echo.address) as ended:
        half.sendall(b"GET / HT")
        ended.sendall(get("/later/1500"))
        ended.shutdown(socket.SHUT_WR)
        time.sleep(0.2)
        before = echo.ticks()
        time.sleep(1)
        assert echo.ticks() - before <= 2
        idle.close()


def the_connections_of_all_clients_are_limited():
    with Echo("--connections", "3") as echo:
        open_ones = [connect(echo.address) for _ in range(3)]
        time.sleep(0.1)
        received, closed = talk(echo.address, LAST)
        assert statuses(received) == [503] and closed
        open_ones.pop().close()
        time.sleep(0.1)
        assert statuses(talk(echo.address, LAST)[0]) == [200]


def the_connections_of_one_address_are_limited():
    with Echo("--per-address", "3") as echo:
        held = [connect(echo.address) for _ in range(3)]
        time.sleep(0.1)
        assert statuses(talk(echo.address, LAST)[0]) == [503]
        with socket.socket() as other:
            other.bind(("127.0.0.2", 0))
            other.connect(echo.address)
            other.sendall(LAST)
            assert statuses(read_all(other)[0]) == [200]
        del held


def running_out_of_descriptors_is_survived():
    with Echo("--loops", "1", "--connections", "1000", descriptors=40) as echo:
        held = []
        for _ in range(80):
            held.append(connect(echo.address))
        time.sleep(0.3)
        before = echo.ticks()
        time.sleep(1)
        assert echo.ticks() - before <= 5, "it spins"
        for connection in held:
            connection.close()
        time.sleep(0.3)
        assert statuses(talk(echo.address, LAST)[0]) == [200]


def ending_finishes_what_is_under_way():
    with Echo() as echo, connect(echo.address) as waiting, connect(echo.address) as idle, connect(echo.address) as half:
        waiting.sendall(get("/later/600"))
        half.sendall(POST + b"Content-Length: 3\r\n\r\n")
        time.sleep(0.2)
        ended = threading.Thread(target=lambda: codes.append(echo.stop()))
        codes = []
        ended.start()
        assert read_all(idle)[1]
        try:
            connect(echo.address, 1).close()
            raise AssertionError("a connection was taken in")
        except ConnectionRefusedError:
            pass
        half.sendall(b"abc")
        for connection in (half, waiting):
            (status, fields, _), = answers(read_all(connection)[0])
            assert (status, fields["connection"]) == (200, "close")
        ended.join()
        assert codes == [0]


def ending_does_not_wait_for_ever():
    with Echo("--drain", "1") as echo, connect(echo.address) as waiting:
        waiting.sendall(get("/later/30000"))
        time.sleep(0.1)
        took = seconds(lambda: echo.stop())
        assert 0.8 < took < 2, took
        assert echo.process.returncode == 0


def a_second_signal_ends_it_at_once():
    with Echo() as echo, connect(echo.address) as waiting:
        waiting.sendall(get("/later/30000"))
        time.sleep(0.1)
        echo.process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        assert echo.process.poll() is None
        assert echo.stop(timeout=2) == -signal.SIGTERM


def a_unix_socket_is_served_to_its_owner_alone_and_removed():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "socket")
        with Echo(listen="unix:" + path) as echo:
            assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
            assert statuses(talk(path, LAST)[0]) == [200]
            second = subprocess.run(
                [Echo.executable, "--listen", "unix:" + path], capture_output=True, text=True, timeout=10)
            assert second.returncode == 1 and path in second.stderr, second.stderr
            assert statuses(talk(path, LAST)[0]) == [200]
            assert echo.stop() == 0
        assert not os.path.exists(path)


def a_stale_unix_socket_is_replaced_and_a_file_is_not():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "socket")
        with Echo(listen="unix:" + path) as echo:
            echo.stop(signal.SIGKILL)
        assert os.path.exists(path)
        with Echo(listen="unix:" + path):
            assert statuses(talk(path, LAST)[0]) == [200]
        os.remove(path)
        with open(path, "w") as file:
            file.write("kept")
        refused = subprocess.run(
            [Echo.executable, "--listen", "unix:" + path], capture_output=True, text=True, timeout=10)
        assert refused.returncode == 1 and path in refused.stderr
        assert open(path).read() == "kept"


def a_taken_port_is_named():
    with Echo() as echo:
        address = "127.0.0.1:%d" % echo.address[1]
        refused = subprocess.run([Echo.executable, "--listen", address], capture_output=True, text=True, timeout=10)
        assert refused.returncode == 1 and address in refused.stderr


ALL = [value for name, value in list(globals().items())
       if callable(value) and getattr(value, "__module__", "") == __name__ and name not in ("get", "seconds")]
