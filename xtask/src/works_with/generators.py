# Validators of the OpenAPI document, and clients made from it. Arguments: the folder of npm packages, and the programs
# of the clients of openapi-fetch, and of openapi-generator for fetch and in Python.

PACKAGES, TYPESCRIPT, FETCH, PYTHON = map(Path, sys.argv[3:])
PROGRAMS = PACKAGES / "node_modules/.bin"

document = FOLDER / "openapi.json"
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
document.write_bytes(opener.open(ADDRESS + "/api/openapi.json").read())


def version(package):
    return json.loads((PACKAGES / "node_modules" / package / "package.json").read_text())["version"]


def of_rules(rules):
    """Words for the rules that warn."""
    return f"warnings of {', '.join(f'`{rule}`' for rule in rules)}" if rules else "no warning"


def swagger_parser():
    script = "require('@apidevtools/swagger-parser').validate(process.argv[1]).catch((e) => { console.error(e); process.exit(1) })"
    run("node", "-e", script, document, cwd=PACKAGES)
    row("@apidevtools/swagger-parser", version("@apidevtools/swagger-parser"), "valid")


def redocly():
    words = [PROGRAMS / "redocly", "lint", "--extends=recommended", "--format=json", document]
    found = json.loads(run(*words, cwd=FOLDER))
    expect(found["totals"]["errors"] == 0, f"redocly: {found['problems']}")
    rules = sorted({one["ruleId"] for one in found["problems"]})
    row("@redocly/cli, `recommended`", version("@redocly/cli"), f"valid; {of_rules(rules)}")


def spectral():
    (FOLDER / ".spectral.yaml").write_text("extends: spectral:oas\n")
    words = [PROGRAMS / "spectral", "lint", "--format=json", "--fail-severity=error", "--quiet", document]
    found = json.loads(run(*words, cwd=FOLDER) or "[]")
    rules = sorted({one["code"] for one in found})
    expect(not [one for one in found if one["severity"] == 0], f"spectral: {found}")
    row("@stoplight/spectral-cli, `spectral:oas`", version("@stoplight/spectral-cli"), f"valid; {of_rules(rules)}")


def run_typescript(folder, client, modules):
    """Checks the types of a client, whose other files are in the folder, and runs it."""
    (folder / "client.ts").write_text(client.read_text())
    (folder / "checks.ts").write_text(client.with_name("checks.ts").read_text())
    options = {"strict": True, "target": "es2022", "skipLibCheck": True, "types": [], "lib": ["es2022", "dom", "dom.iterable"]}
    (folder / "tsconfig.json").write_text(json.dumps({"compilerOptions": options | modules, "files": ["client.ts", "node.d.ts"]}))
    (folder / "node.d.ts").write_text("declare const process: { argv: string[]; exit(code: number): never };\n")
    run(PROGRAMS / "tsc", "--project", folder, cwd=folder)
    run("node", folder / "client.js", ADDRESS, "ada@example.org", PASSWORD)


def typescript():
    folder = FOLDER / "typescript"
    folder.mkdir()
    (folder / "node_modules").symlink_to(PACKAGES / "node_modules")
    run(PROGRAMS / "openapi-typescript", document, "--output", folder / "schema.d.ts")
    (folder / "package.json").write_text('{"type": "module"}')
    run_typescript(folder, TYPESCRIPT, {"module": "nodenext"})
    names = f"openapi-typescript with openapi-fetch, checked by TypeScript {version('typescript')}"
    seen = "all of it. The caller keeps the cookies and names `application/merge-patch+json`"
    row(names, f"{version('openapi-typescript')}, {version('openapi-fetch')}", seen)


def generate(language, folder):
    run(Path(sys.executable).parent / "openapi-generator-cli", "generate", "-g", language, "-i", document, "-o", folder)
    return importlib.metadata.version("openapi-generator-cli")


def openapi_generator_for_fetch():
    folder = FOLDER / "fetch"
    folder.mkdir()
    version = generate("typescript-fetch", folder / "generated")
    run_typescript(folder, FETCH, {"module": "commonjs"})
    row("openapi-generator, `typescript-fetch`", version, "all of it. The caller keeps the cookies, by a middleware")


def openapi_generator_in_python():
    client = FOLDER / "python"
    version = generate("python", client)
    exec(compile(PYTHON.read_text(), PYTHON, "exec"), dict(globals(), CLIENT=str(client)))
    seen = "all of it. Of the two cookies of a sign-in its `headers` have the last one only: the caller takes them from " \
        "`login_without_preload_content`"
    row("openapi-generator, `python`", version, seen)


swagger_parser()
redocly()
spectral()
typescript()
openapi_generator_for_fetch()
openapi_generator_in_python()
