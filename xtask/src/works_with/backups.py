# Programs that copy the database or keep backups, while bids are placed. Arguments: the program of Farthing, and the data of
# the demo: its database, and its folder.

import os
import shutil
import sqlite3
import threading

FARTHING, DATABASE, DATA = sys.argv[3], Path(sys.argv[4]), Path(sys.argv[5])

owner = User()
auction = owner.auction()
item, currency = owner.lot_of_another(auction)
accepted = 0
is_over = threading.Event()


def bid_on():
    global accepted
    while not is_over.is_set():
        body = {"amount": str(1_000_000 + 1000 * (accepted + 1)), "currencyProfileId": currency}
        owner.post(f"{auction}/items/{item['id']}/bids", body)
        accepted += 1


def is_whole(copy, least):
    """Whether a database is whole, and has the bids that were accepted before the copy began."""
    with sqlite3.connect(copy) as connection:
        found = connection.execute("PRAGMA integrity_check").fetchone()[0]
        bids = connection.execute("SELECT COUNT(*) FROM bids").fetchone()[0]
    expect(found == "ok", f"{copy}: {found}")
    expect(bids >= least, f"{copy} has {bids} bids, and {least} were accepted before")


def copies(name, version, make):
    """Makes a copy while bids are placed."""
    before = accepted
    until(lambda: accepted > before + 20, "bid")
    with sqlite3.connect(DATABASE) as connection:
        least = connection.execute("SELECT COUNT(*) FROM bids").fetchone()[0]
    copy = FOLDER / f"{name.split()[0]}-{len(os.listdir(FOLDER))}.db"
    make(copy)
    is_whole(copy, least)
    row(name, version, "the copy is whole, and has every bid that was accepted before")


def keeps(name, version, store, restore):
    """Keeps a backup of Farthing's, and gives it back."""
    environment = {"FARTHING_DATABASE_URL": f"sqlite://{DATABASE}", "FARTHING_DATA_DIR": str(DATA)}
    environment |= {"PATH": os.environ["PATH"], "DATABASE_URL": f"sqlite://{DATABASE}"}
    made = run(FARTHING, "backup", env=environment, cwd=DATA.parent).splitlines()[-1]
    backup = Path(DATA.parent, made)
    store(backup)
    there = FOLDER / f"restored-{name}"
    restore(backup, there)
    found = next(path for path in there.rglob(backup.name))
    run(FARTHING, "verify", found, env=environment, cwd=DATA.parent)
    row(name, version, "gives back a backup that `farthing verify` finds whole")


threading.Thread(target=bid_on, daemon=True).start()
sqlite = debian_version("sqlite3")
copies("sqlite3, `.backup`", sqlite, lambda copy: run("sqlite3", DATABASE, f".backup {copy}"))
copies("sqlite3, `VACUUM INTO`", sqlite, lambda copy: run("sqlite3", DATABASE, f"VACUUM INTO '{copy}'"))

secret = dict(os.environ) | {"RESTIC_PASSWORD": "x", "BORG_PASSPHRASE": "x", "HOME": str(FOLDER)}
secret |= {"BORG_UNKNOWN_UNENCRYPTED_REPO_ACCESS_IS_OK": "yes", "BORG_RELOCATED_REPO_ACCESS_IS_OK": "yes"}
restic, borg = FOLDER / "restic", FOLDER / "borg"


def with_restic(backup):
    run("restic", "-r", restic, "init", env=secret)
    run("restic", "-r", restic, "backup", backup.parent, env=secret)


def with_borg(backup):
    run("borg", "init", "--encryption=none", borg, env=secret)
    run("borg", "create", f"{borg}::one", backup.parent, env=secret)


def from_borg(_, there):
    there.mkdir()
    run("borg", "extract", f"{borg}::one", env=secret, cwd=there)


keeps("restic", debian_version("restic"), with_restic, lambda _, there: run("restic", "-r", restic, "restore", "latest", "--target", there, env=secret))
keeps("borgbackup", debian_version("borgbackup"), with_borg, from_borg)
keeps(
    "rsync",
    debian_version("rsync"),
    lambda backup: run("rsync", "--archive", f"{backup.parent}/", FOLDER / "mirror"),
    lambda _, there: shutil.copytree(FOLDER / "mirror", there, symlinks=True),
)
is_over.set()
