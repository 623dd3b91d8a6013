# PgBouncer before a PostgreSQL, in each of its modes. Arguments: the program of Farthing, and the root of the file system in
# which PgBouncer is installed. The environment has the address of the PostgreSQL.

import os
import socket
import urllib.parse

import psycopg

FARTHING, ROOT, ADDRESS_OF_ALL = sys.argv[3], Path(sys.argv[4]), os.environ["FARTHING_TEST_POSTGRES"]
POSTGRES = urllib.parse.urlparse(ADDRESS_OF_ALL)


def in_mode(mode):
    """Starts a server on a database of its own, and returns its log once it listens or has ended."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    name = f"pooled_{mode}"
    with psycopg.connect(ADDRESS_OF_ALL, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    (ROOT / "tmp/users").write_text(f'"{POSTGRES.username}" ""\n')
    settings = ROOT / "tmp/pgbouncer.ini"
    settings.write_text(
        f"[databases]\n{name} = host=127.0.0.1 port={POSTGRES.port} dbname={name}\n"
        f"postgres = host=127.0.0.1 port={POSTGRES.port} dbname=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"
        f"listen_port = {port}\nunix_socket_dir =\nauth_type = trust\nauth_file = /tmp/users\npool_mode = {mode}\n"
        "ignore_startup_parameters = extra_float_digits,options\n"
    )
    settings.chmod(0o644)
    log = FOLDER / f"{mode}.log"
    with open(FOLDER / "pgbouncer.log", "wb") as file:
        words = ["chroot", ROOT, "pgbouncer", "-u", "nobody", "/tmp/pgbouncer.ini"]
        pooler = subprocess.Popen(words, stdout=file, stderr=file)

    def is_up():
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    words = [FARTHING, "serve", "--demo", "--listen=127.0.0.1:0", "--rate-limits=off", f"--data-dir={FOLDER}/{mode}"]
    words.append(f"--database-url=postgres://{POSTGRES.username}@127.0.0.1:{port}/{name}")
    server = None
    try:
        until(is_up, "PgBouncer")
        with open(log, "wb") as file:
            server = subprocess.Popen(words, stdout=file, stderr=file, cwd=FOLDER)
        until(lambda: "listening on http://" in log.read_text() or server.poll() is not None, "server")
        return log.read_text()
    finally:
        for process in filter(None, [server, pooler]):
            process.kill()
            process.wait()


version = run("chroot", ROOT, "dpkg-query", "--show", "--showformat=${Version}", "pgbouncer").rsplit("-", 1)[0]
said = in_mode("session")
expect("listening on http://" in said, f"in session mode: {said}")
row("PgBouncer, `pool_mode = session`", version, "works, with `ignore_startup_parameters = extra_float_digits,options`")
said = in_mode("transaction")
expect("use its session mode" in said, f"in transaction mode: {said}")
row("PgBouncer, `pool_mode = transaction`", version, "refuses the start, as documented, with the advice to use session mode")
