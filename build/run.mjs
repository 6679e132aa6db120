/**
 * The commands of this repository (`npm start`, `npm test`, …): installs, builds, then runs the requested command. It
 * needs only Node 20 and npm, so that it and its imports must not import anything outside Node.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const DOWNLOAD_LIMIT_MS = 300_000
const DOWNLOAD_RETRY_MS = 3_600_000
const LOCK_LIMIT_MS = 20 * 60_000
const ORPHAN_CHECK_MS = 300
/** If Electron exits sooner than this, it never showed a window. */
const ELECTRON_START_MS = 8_000

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..')
const at = (...parts) => path.join(root, ...parts)
const windows = process.platform === 'win32'

/** Text for people goes to stderr: stdout belongs to the program that is run. */
const say = (text) => process.stderr.write(`${text}\n`)
const exists = (file) => fs.existsSync(file)
const readText = (file) => (exists(file) ? fs.readFileSync(file, 'utf8') : '')
const sha256 = (data) => createHash('sha256').update(data).digest('hex')

class Stop extends Error {
  constructor(message, exitCode = 1) {
    super(message)
    this.exitCode = exitCode
  }
}

// ---------------------------------------------------------------------------------------------------------
// One at a time

const alive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Runs `work` while no other run of this script does the same; a lock left by a dead process is taken over. */
async function alone(work) {
  const lock = at('out', '.lock')
  fs.mkdirSync(path.dirname(lock), { recursive: true })
  const started = Date.now()
  for (let announced = false; ;) {
    try {
      fs.writeFileSync(lock, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const holder = Number(readText(lock))
    const ageMs = Date.now() - (fs.statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now())
    // An empty lock has just been created; its owner is about to write its process id.
    if ((holder > 0 && !alive(holder)) || (holder === 0 && ageMs > 5_000) || ageMs > LOCK_LIMIT_MS) {
      const stale = `${lock}.${process.pid}`
      try {
        fs.renameSync(lock, stale)
        fs.rmSync(stale, { force: true })
      } catch {
        // Another run took it over first.
      }
      continue
    }
    if (!announced) say('Waiting for another run that is installing or building…')
    announced = true
    if (Date.now() - started > LOCK_LIMIT_MS) throw new Stop(`Gave up waiting for process ${holder}.`)
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  try {
    return await work()
  } finally {
    if (readText(lock) === String(process.pid)) fs.rmSync(lock, { force: true })
  }
}

// ---------------------------------------------------------------------------------------------------------
// Install

const stampFile = at('node_modules', '.install-stamp')
const lockHash = () => sha256(fs.readFileSync(at('package-lock.json')))

/** Returns true if npm's record of installed packages contains every required package of package-lock.json. */
function installedByNpm() {
  try {
    const wanted = JSON.parse(readText(at('package-lock.json'))).packages
    const present = JSON.parse(readText(at('node_modules', '.package-lock.json'))).packages
    return Object.entries(wanted).every(
      ([where, item]) =>
        where === '' || item.optional || item.devOptional || present[where]?.version === item.version,
    )
  } catch {
    return false
  }
}

/** Runs npm with its output on stderr; returns its exit code. */
function npm(args) {
  const cli = process.env.npm_execpath
  const options = { cwd: root, stdio: ['ignore', 2, 2] }
  const result =
    cli && /\.[cm]?js$/.test(cli)
      ? spawnSync(process.execPath, [cli, ...args], options)
      : spawnSync(windows ? 'npm.cmd' : 'npm', args, { ...options, shell: windows })
  if (result.error) throw new Stop(`npm could not be started: ${result.error.message}`)
  return result.status ?? 1
}

const bundledNode = () => at('node_modules', 'node', 'bin', windows ? 'node.exe' : 'node')

async function install() {
  if (readText(stampFile).trim() === lockHash()) return
  await alone(() => {
    if (readText(stampFile).trim() === lockHash()) return
    if (!installedByNpm()) {
      say('Installing packages (a minute or two, once)…')
      // Install scripts are disabled: one compiles a database that is already compiled, others download unused files.
      // The only necessary one is that of `node`, which installs the runtime; it is run by name below.
      if (npm(['ci', '--ignore-scripts', '--loglevel=error']) !== 0) throw new Stop('npm ci failed.')
    }
    if (!exists(bundledNode()) && npm(['rebuild', 'node', '--loglevel=error']) !== 0) {
      say('The Node runtime of this project could not be fetched; trying the one that is running.')
    }
    fs.writeFileSync(stampFile, `${lockHash()}\n`)
  })
}

/** Returns the Node executable: the project's own, else the running one if it is new enough. */
function node() {
  if (exists(bundledNode())) return bundledNode()
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 12)) return process.execPath
  throw new Stop(
    `Sello needs Node 22.12 or newer. This is Node ${process.versions.node}, and the project's own could ` +
      'not be installed. Check the network and run "npm rebuild node", or install a newer Node.',
  )
}

const environment = (extra = {}) => ({
  ...process.env,
  // Programs started by name ("node") must use the same Node.
  PATH: `${path.dirname(node())}${path.delimiter}${process.env.PATH ?? ''}`,
  ...extra,
})

// ---------------------------------------------------------------------------------------------------------
// Build

// The build makes the pages of /docs from the guides and the changelog.
const SOURCE_FOLDERS = ['main', 'preload', 'renderer', 'server', 'build', 'docs/guides']
const SOURCE_FILES = ['electron.vite.config.ts', 'package.json', 'package-lock.json', 'docs/CHANGELOG.md']

function filesUnder(folder) {
  if (!exists(folder)) return []
  return fs
    .readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const file = path.join(folder, entry.name)
      // A bundler temporarily writes its bundled configuration next to the source.
      if (/\.config\.ts\..+\.mjs$/.test(entry.name)) return []
      return entry.isDirectory() ? filesUnder(file) : [file]
    })
    .toSorted()
}

/**
 * Returns one hash over every file that a build reads. Based on content, because clones and clocks make file times
 * unreliable.
 */
function sourceHash() {
  const hash = createHash('sha256')
  const files = [
    ...SOURCE_FOLDERS.flatMap((folder) => filesUnder(at(folder))),
    ...SOURCE_FILES.map((f) => at(f)),
  ]
  for (const file of files) {
    if (file === fileURLToPath(import.meta.url)) continue
    let content
    try {
      content = fs.readFileSync(file)
    } catch {
      continue // Deleted while reading.
    }
    hash.update(`${path.relative(root, file)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

const buildStamp = at('out', '.build-stamp')

/**
 * Moves the files of a finished build over the previous one, the entries last, so that a program started at any time
 * finds a complete build.
 */
function publish(from, to) {
  const isEntry = (file) => /(^|[\\/])(index\.html|index\.c?js|cli\.js|[a-z-]*worker\.js)$/.test(file)
  const fresh = filesUnder(from).map((file) => path.relative(from, file))
  // The list identifies the build: it is replaced when all of its files are in place.
  const isList = (file) => file === 'SHA256SUMS'
  const order = [
    ...fresh.filter((file) => !isEntry(file) && !isList(file)),
    ...fresh.filter(isEntry),
    ...fresh.filter(isList),
  ]
  for (const file of order) {
    fs.mkdirSync(path.dirname(path.join(to, file)), { recursive: true })
    fs.renameSync(path.join(from, file), path.join(to, file))
  }
  const keep = new Set(fresh)
  for (const part of ['main', 'preload', 'renderer']) {
    for (const file of filesUnder(path.join(to, part))) {
      if (!keep.has(path.relative(to, file))) fs.rmSync(file, { force: true })
    }
  }
}

async function build() {
  const current = () => readText(buildStamp).trim() === sourceHash() && exists(at('out', 'SHA256SUMS'))
  if (current()) return
  await alone(() => {
    if (current()) return
    const wanted = sourceHash()
    const started = Date.now()
    for (const left of fs.readdirSync(at('out'))) {
      if (left.startsWith('.next-')) fs.rmSync(at('out', left), { recursive: true, force: true })
    }
    const next = at('out', `.next-${process.pid}`)
    const result = spawnSync(
      node(),
      [
        at('node_modules', 'electron-vite', 'bin', 'electron-vite.js'),
        'build',
        ...['--config', 'electron.vite.config.ts', '--outDir', next, '--logLevel', 'warn'],
      ],
      { cwd: root, env: environment(), encoding: 'utf8', maxBuffer: 1 << 26 },
    )
    if (result.status !== 0) {
      fs.rmSync(next, { recursive: true, force: true })
      throw new Stop(`${result.stdout ?? ''}${result.stderr ?? ''}\nThe build failed.`)
    }
    if (process.env.SELLO_BUILD_VERBOSE) say(`${result.stdout}${result.stderr}`)
    const listed = spawnSync(node(), [at('build', 'bundling', 'file-list.ts'), next], {
      cwd: root,
      env: environment(),
      stdio: ['ignore', 2, 2],
    })
    if (listed.status !== 0) {
      fs.rmSync(next, { recursive: true, force: true })
      throw new Stop('The list of the built files could not be written.')
    }
    publish(next, at('out'))
    fs.rmSync(next, { recursive: true, force: true })
    fs.writeFileSync(buildStamp, `${wanted}\n`)
    say(`Built in ${((Date.now() - started) / 1000).toFixed(1)} s.`)
  })
}

// ---------------------------------------------------------------------------------------------------------
// Running programs

/**
 * Runs a program to its end and returns its exit code (128 + signal if killed). A stop request is passed on and
 * awaited, so that the store is closed before this process ends.
 */
function run(command, args, { env = environment(), stdio = 'inherit' } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: process.cwd(), env, stdio })
    const pass = (signal) => {
      // Ctrl+C in a terminal reaches the whole process group; passing it on would send it twice.
      if (signal === 'SIGINT' && process.stdin.isTTY) return
      child.kill(signal)
    }
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, pass)
    // npm started through a shell does not pass on a stop request: the shell just ends. Losing the original parent
    // process means the same.
    const parent = process.ppid
    const orphaned = () => process.ppid !== parent && child.kill('SIGTERM')
    const watch = process.env.npm_lifecycle_event ? setInterval(orphaned, ORPHAN_CHECK_MS) : undefined
    const done = () => {
      clearInterval(watch)
      for (const signal of signals) process.off(signal, pass)
    }
    child.on('error', (error) => {
      done()
      reject(new Stop(`${command} could not be started: ${error.message}`))
    })
    child.on('close', (code, signal) => {
      done()
      resolve(code ?? 128 + (os.constants.signals[signal] ?? 0))
    })
  })
}

const runNode = (args, options) => run(node(), args, options)
/** Runs the built program as in production: the options in build/runtime.json keep its memory use small. */
function runSello(args, options) {
  const { nodeFlags, environment: variables } = JSON.parse(readText(at('build', 'runtime.json')))
  const command = [...nodeFlags, at('out', 'main', 'cli.js'), ...args]
  return runNode(command, { env: { ...variables, ...environment() }, ...options })
}
const bin = (name, file) => at('node_modules', name, file)

// ---------------------------------------------------------------------------------------------------------
// start

/** Returns the Electron executable if it is installed, else null. Never loads the package: that starts a download. */
function electronPath() {
  if (process.env.ELECTRON_EXEC_PATH) return process.env.ELECTRON_EXEC_PATH
  const name = readText(at('node_modules', 'electron', 'path.txt')).trim()
  if (!name) return null
  const file = path.join(
    process.env.ELECTRON_OVERRIDE_DIST_PATH ?? at('node_modules', 'electron', 'dist'),
    name,
  )
  return exists(file) ? file : null
}

/** Returns the reason why no window can be shown here, or null. */
function noWindowReason() {
  if (process.platform !== 'linux') return null
  if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) return 'there is no display'
  if (process.getuid() === 0) return 'the desktop window does not run as root'
  return null
}

async function findElectron() {
  const reason = noWindowReason()
  return reason ? { reason } : fetchElectron()
}

/** Returns the Electron executable, downloading it if necessary; otherwise the reason why there is none. */
async function fetchElectron() {
  const present = electronPath()
  if (present) return { electron: present }
  const failed = at('node_modules', '.electron-failed')
  const failedMs = fs.statSync(failed, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const reasonFailed = 'Electron could not be downloaded (tried again after an hour)'
  if (Date.now() - failedMs < DOWNLOAD_RETRY_MS) return { reason: reasonFailed }
  return alone(() => {
    const meanwhile = electronPath()
    if (meanwhile) return { electron: meanwhile }
    say('Fetching Electron (once, about 100 MB)…')
    const result = spawnSync(node(), [at('node_modules', 'electron', 'install.js')], {
      cwd: root,
      env: environment(),
      stdio: ['ignore', 2, 'ignore'],
      timeout: DOWNLOAD_LIMIT_MS,
      killSignal: 'SIGKILL',
    })
    const fetched = result.status === 0 ? electronPath() : null
    if (fetched) return { electron: fetched }
    fs.writeFileSync(failed, '')
    return { reason: reasonFailed }
  })
}

/** Runs only the server, and opens its page if a person is at a terminal. */
function serve(args, { headless }) {
  // Headless, no person can read a page that shows the fault: the exit code reports it.
  if (headless) return runSello(['serve', ...args])
  const browse = process.stdout.isTTY && !process.env.CI
  return runSello([...(browse ? ['open'] : ['serve', '--window']), ...args])
}

async function start(args) {
  await prepare()
  const headless = args.includes('--headless')
  const rest = args.filter((arg) => arg !== '--headless')
  if (headless) return serve(rest, { headless })
  const { electron, reason } = await findElectron()
  if (electron) {
    const started = Date.now()
    const code = await run(electron, [root, ...rest], {
      env: environment({ ELECTRON_RUN_AS_NODE: undefined }),
    })
    // Killed by a signal immediately: a missing library or a forbidden sandbox, not a request of the user.
    const died = code === 127 || [4, 5, 6, 11].includes(code - 128)
    if (!died || Date.now() - started > ELECTRON_START_MS) return code
    say('The desktop window could not start on this system; opening Sello in the browser instead.')
  } else {
    say(`No desktop window: ${reason}. Serving the same app to the browser.`)
  }
  return serve(rest, { headless })
}

// ---------------------------------------------------------------------------------------------------------
// dist

/**
 * Builds the installers of this system in dist/ (docs/packaging.md). Options are passed to electron-builder: `--dir`,
 * `--arm64`, …
 */
async function dist(args) {
  await prepare()
  // electron-builder searches for Electron for most of a minute before it reports that there is none.
  const { reason } = process.env.SELLO_ELECTRON_DIST ? {} : await fetchElectron()
  if (reason)
    throw new Stop(
      `No installers: ${reason}. They need the network, or SELLO_ELECTRON_DIST naming a folder with Electron's files.`,
    )
  return runNode([
    bin('electron-builder', 'cli.js'),
    ...['--config', 'build/electron-builder.ts', '--publish', 'never', ...args],
  ])
}

/** Builds the Debian package in dist/ (docs/packaging.md); it needs the tools of dpkg-dev, and no Electron. */
async function packageDeb(args) {
  await prepare()
  // npm removes what an install script of a package installed itself, such as the licence of the runtime.
  const licence = at('node_modules', 'node', 'node_modules', `node-linux-${process.arch}`, 'LICENSE')
  if (!exists(licence) && npm(['rebuild', 'node', '--loglevel=error']) !== 0)
    throw new Stop('The licence of the Node runtime could not be fetched.')
  return runNode([at('build', 'packaging', 'debian', 'package.ts'), ...args])
}

// ---------------------------------------------------------------------------------------------------------
// test and check

/** Space needed at once by the stores, browsers and backups of a whole run. */
const TEMPORARY_BYTES = 4 * 1024 ** 3
const MEMORY_FOLDER = '/dev/shm'

/**
 * Returns the folder for temporary files of tests: in memory if there is enough space, since thousands of small
 * stores mostly wait for the disk. `TMPDIR` in the environment takes precedence.
 */
function temporaryFolder() {
  if (process.env.TMPDIR || process.platform !== 'linux') return os.tmpdir()
  try {
    const { bavail, bsize } = fs.statfsSync(MEMORY_FOLDER)
    return bavail * bsize >= TEMPORARY_BYTES ? MEMORY_FOLDER : os.tmpdir()
  } catch {
    return os.tmpdir()
  }
}

/**
 * Runs a group of tests and prints `N passed, N failed, N skipped` as the last line. With `SELLO_REQUIRE_ALL=1` a
 * skipped test fails the run.
 */
async function test(group, args) {
  await prepare()
  // The folder of this run, removed with all leftovers of failed tests; folders of killed runs are removed by the
  // next run.
  const parent = temporaryFolder()
  for (const name of fs.readdirSync(parent)) {
    const owner = /^sello-tests-(\d+)-\w+$/.exec(name)?.[1]
    if (owner && !alive(Number(owner))) fs.rmSync(path.join(parent, name), { recursive: true, force: true })
  }
  const temporary = fs.mkdtempSync(path.join(parent, `sello-tests-${process.pid}-`))
  // PostgreSQL refuses to run as root, and then runs as a user that must reach its folder in this one.
  fs.chmodSync(temporary, 0o711)
  const report = path.join(temporary, 'report.json')
  const code = await runNode(
    [bin('vitest', 'vitest.mjs'), 'run', '--config', at('build', 'vitest.config.ts'), ...args],
    {
      env: environment({
        SELLO_TESTS: group,
        SELLO_TEST_REPORT: report,
        TMPDIR: temporary,
        NODE_ENV: 'test',
      }),
    },
  )
  let counts = { passed: 0, failed: 0, skipped: 0, skippedNames: [] }
  try {
    counts = JSON.parse(fs.readFileSync(report, 'utf8'))
  } catch {
    // The test runner ended before it could count.
  }
  fs.rmSync(temporary, { recursive: true, force: true })
  // An error outside a test (a leaked error, a broken runner) fails the run; the count must show it too.
  if (code !== 0 && counts.failed === 0) counts.failed = 1
  const refused = process.env.SELLO_REQUIRE_ALL === '1' && counts.skipped > 0
  if (counts.skipped > 0) say(`Skipped:\n${counts.skippedNames.map((name) => `  ${name}`).join('\n')}`)
  if (refused) say('SELLO_REQUIRE_ALL=1: nothing may be skipped.')
  const line = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`
  return { code: code !== 0 ? code : refused || counts.failed > 0 ? 1 : 0, line }
}

async function printTest(group, args) {
  const { code, line } = await test(group, args)
  process.stdout.write(`${line}\n`)
  return code
}

const hasSources = (folder, extension) => filesUnder(at(folder)).some((file) => file.endsWith(extension))

const typed = (project) => [bin('vue-tsc', 'bin/vue-tsc.js'), '--noEmit', '-p', project]
/**
 * The native compiler needs a third of the time, but cannot read the components of the page. Each of its threads checks
 * shared types again: on few cores one thread takes half of the processor time.
 */
const typedNatively = (project) => [
  bin('typescript-native', 'bin/tsc'),
  '--noEmit',
  ...(os.availableParallelism() > 2 ? [] : ['--singleThreaded']),
  '-p',
  project,
]
/** The comparison project of `peer.typeorm`, if its packages are installed. */
const PEER = path.join('bench', 'peers', 'typeorm')

/** The checks that are not tests: name and program. */
const CHECKS = {
  types: async () => {
    let worst = 0
    for (const part of ['node', 'web', 'test']) {
      if (part === 'web' && !hasSources('renderer', '.ts')) continue
      const compiler = part === 'web' ? typed : typedNatively
      worst ||= await runNode(compiler(at('build', `tsconfig.${part}.json`)))
    }
    // It has its own packages: without them it cannot be checked.
    if (exists(at(PEER, 'node_modules'))) worst ||= await runNode(typed(at(PEER, 'tsconfig.json')))
    return worst
  },
  lint: async () =>
    (await runNode([bin('oxlint', 'bin/oxlint'), '.'])) ||
    // oxlint cannot read the templates of the page.
    runNode([
      bin('eslint', 'bin/eslint.js'),
      '-c',
      'build/eslint.config.mjs',
      '--max-warnings',
      '0',
      'renderer',
    ]),
  format: () => runNode([bin('oxfmt', 'bin/oxfmt'), '--check', '.']),
  generated: () => runNode([at('build', 'generate.ts'), '--check']),
}

/** Runs all checks, or the named ones; without names also the tests. */
async function check(args) {
  await prepare()
  const names = args.length > 0 ? args : Object.keys(CHECKS)
  const failed = []
  for (const name of names) {
    if (!CHECKS[name])
      throw new Stop(`No check is called ${name}. There are: ${Object.keys(CHECKS).join(', ')}.`, 2)
    const code = await CHECKS[name]()
    say(`${name}: ${code === 0 ? 'ok' : 'FAILED'}`)
    if (code !== 0) failed.push(name)
  }
  if (args.length > 0) return failed.length > 0 ? 1 : 0
  const { code, line } = await test('default', [])
  if (code !== 0) failed.push('tests')
  if (failed.length > 0) say(`Failed: ${failed.join(', ')}.`)
  process.stdout.write(`${line}\n`)
  return failed.length > 0 ? 1 : 0
}

// ---------------------------------------------------------------------------------------------------------

async function prepare() {
  await install()
  process.chdir(root)
  await build()
}

async function script(file, args) {
  await prepare()
  if (!exists(at(file))) throw new Stop(`${file} is not part of this version.`, 2)
  return runNode([at(file), ...args])
}

const COMMANDS = {
  start,
  test: (args) => printTest('default', args),
  'test:long': (args) => printTest('long', args),
  'test:electron': (args) => printTest('electron', args),
  'test:shared': (args) => printTest('shared', args),
  check,
  sello: async (args) => {
    // The caller's folder remains the current one: `--company file.json` is relative to it.
    const viaNpm = process.env.npm_lifecycle_event === 'sello' ? process.env.INIT_CWD : undefined
    const here = viaNpm && exists(viaNpm) ? viaNpm : process.cwd()
    await prepare()
    process.chdir(here)
    return runSello(args)
  },
  build: async () => {
    await prepare()
    return 0
  },
  // The list of shipped packages is read from the build.
  generate: async (args) => {
    await prepare()
    return runNode([at('build', 'generate.ts'), ...args])
  },
  bundle: async (args) => {
    await install()
    return runNode([at('build', 'mcpb.ts'), ...args])
  },
  icons: async (args) => {
    await install()
    return runNode([at('build', 'icons.ts'), ...args])
  },
  dist,
  'package:deb': packageDeb,
  format: async (args) => {
    await install()
    process.chdir(root)
    return runNode([bin('oxfmt', 'bin/oxfmt'), ...(args.length > 0 ? args : ['.'])])
  },
  bench: (args) => script('bench/run.ts', args),
  gallery: (args) => script('test/gallery/run.ts', args),
  fixture: (args) => script('test/fixtures/make.ts', args),
}

async function main([command, ...args]) {
  const known = COMMANDS[command]
  if (!known) throw new Stop(`Commands: ${Object.keys(COMMANDS).join(', ')}.`, 2)
  return known(args)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  say(error instanceof Stop ? error.message : (error.stack ?? String(error)))
  process.exitCode = error instanceof Stop ? error.exitCode : 1
}
