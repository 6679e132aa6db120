/** The commands of the README, run as printed, in a folder under git. */
import { execFileSync, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { swept } from '../support/sweep.ts'

const root = resolve(import.meta.dirname, '../..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** Returns the shell blocks below a heading. */
function blocks(heading: string): string[] {
  const [section = ''] = readme.slice(readme.indexOf(heading) + heading.length).split('\n## ')
  return [...section.matchAll(/```sh\n([^`]+)```/g)].map(([, block]) => block ?? '')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const { port } = server.address() as { port: number }
  await new Promise((done) => server.close(done))
  return port
}

/** The command line as `npm run sello` starts it. */
const cli = `${process.execPath} ${join(root, 'out/main/cli.js')}`

/** Runs a script as a person in a clone would, and ends its background processes. */
async function runIn(folder: string, script: string): Promise<{ code: number | null; out: string }> {
  // npm would only add the build, which is current.
  const shell = `set -e\nnpm() { shift; while [ "$1" != -- ]; do shift; done; shift; ${cli} "$@"; }\n${script}\n`
  const child = spawn('bash', ['-c', shell], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: join(folder, 'local', 'config') },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  onTestFinished(() => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // All processes have ended.
    }
  })
  let out = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece) => (out += String(piece)))
  const code = await new Promise<number | null>((done) => child.once('exit', done))
  return { code, out }
}

test.skipIf(process.platform === 'win32')(
  'create an invoice and a sandbox, and leave no files that git would add',
  { timeout: 240_000 },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sello-readme-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))
    execFileSync('git', ['init', '-q'], { cwd: folder })
    copyFileSync(join(root, '.gitignore'), join(folder, '.gitignore'))
    const port = await freePort()
    const [curl = ''] = blocks('### With curl')
    const [sandbox = ''] = blocks('## Going live')
    expect([curl, sandbox].every((block) => block.includes('npm run'))).toBe(true)
    const first = await runIn(folder, curl.replaceAll('4545', String(port)))
    expect(first.code, first.out).toBe(0)
    expect(first.out).toContain('"number":"T-F2026-0001"'.replace('2026', String(new Date().getFullYear())))
    expect(
      readFileSync(join(folder, 'local', 'invoice.pdf'))
        .subarray(0, 5)
        .toString(),
    ).toBe('%PDF-')
    const untracked = () =>
      execFileSync('git', ['status', '--porcelain', '--untracked-files=all'], { cwd: folder }).toString()
    expect(untracked()).toBe('?? .gitignore\n')
    if (!swept(['invoice', 'sandbox'], (part) => part === 'invoice').includes('sandbox')) return
    // The last command starts the app, which runs until it is closed.
    const opened = sandbox.replace(
      /npm start -- (.*)/,
      (_line, options) =>
        `${cli} serve --port 0 ${options} > local/start.log &\n` +
        'until grep -q mcpUrl local/start.log; do kill -0 $!; sleep 0.1; done\nkill $!\nwait $!\ncat local/start.log',
    )
    expect(opened).toContain('serve --port 0')
    const second = await runIn(folder, opened)
    expect(second.code, second.out).toBe(0)
    expect(second.out).toContain('"mcpUrl"')
    expect(existsSync(join(folder, 'local', 'sandbox', 'sello.db'))).toBe(true)
    expect(untracked()).toBe('?? .gitignore\n')
  },
)

test('state that no licence is given, and the obligations of third-party licences', () => {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { license?: string }
  expect(manifest.license).toBe('UNLICENSED')
  expect(readme).toMatch(/## Licence\n\nNot decided yet/)
  const list = readFileSync(join(root, 'docs/third-party.md'), 'utf8')
  const [, asked = '', packages = ''] = list.split(/## Obligations of their licences|## The packages/)
  const named = new Set([...asked.matchAll(/^\| ([\w.-]+) \| \d+ \|/gm)].map(([, licence]) => licence))
  const taken = [...packages.matchAll(/^\| `[^`]+` \| [^|]+ \| ([^|]+) \|$/gm)].map(
    ([, licence]) => licence ?? '',
  )
  expect(taken.length).toBeGreaterThan(100)
  for (const licence of new Set(taken))
    for (const one of licence
      .replace('(BSD-3-Clause OR GPL-2.0)', 'BSD-3-Clause')
      .replace('(MIT OR EUPL-1.1+)', 'MIT')
      .replaceAll(/[()]/g, '')
      .split(' AND '))
      expect(named, one).toContain(one)
})
