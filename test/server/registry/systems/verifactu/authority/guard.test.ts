/**
 * The network guard: no test reaches the authority, every way out is stopped, swallowed errors still fail the test,
 * and every test has the guard.
 */
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, afterAll, describe, expect, test } from 'vitest'
import { BREACH_FILE, breaches, connectsTried } from '../../../../../support/setup/network-guard.ts'

const ROOT = resolve(import.meta.dirname, '../../../../../..')
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sello-guard-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program with a breach file of its own, because its breaches are intended. */
async function run(args: string[], breachFile: string): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, [BREACH_FILE]: breachFile }
  return promisify(execFile)(process.execPath, args, { cwd: folder, env }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
}

test('the guard is active in this worker and in the programs that it starts', async () => {
  expect(connectsTried()).toBe(0)
  const { stdout } = await run(
    ['-p', "Object.getOwnPropertySymbols(globalThis).includes(Symbol.for('sello.network-guard'))"],
    join(folder, 'none'),
  )
  expect(stdout.trim()).toBe('true')
})

test('every way out is stopped and recorded; servers on this computer are reached', async () => {
  const file = join(folder, 'ways')
  const { stdout, stderr } = await run([join(import.meta.dirname, 'guard-child.ts')], file)
  expect(stderr).toBe('')
  const { ways, here, counted } = JSON.parse(stdout) as {
    ways: Record<string, string>
    here: string[]
    counted: boolean
  }
  expect(Object.entries(ways).filter(([, how]) => how !== 'stopped')).toEqual([])
  expect(Object.keys(ways)).toHaveLength(24)
  expect(breaches(file).length).toBeGreaterThanOrEqual(24)
  expect(here).toEqual(['here', 'here', 'here'])
  expect(counted).toBe(true)
})

test('real books are sent to the fixed hosts, by environment and kind of certificate, and the guard stops them', async () => {
  const file = join(folder, 'hosts')
  const { stdout } = await run([join(import.meta.dirname, 'hosts-child.ts')], file)
  const stopped = (host: string): string => `A test may not leave this computer: TLS for ${host}`
  expect(JSON.parse(stdout)).toEqual({
    said: {
      'production person': stopped('www1.agenciatributaria.gob.es'),
      'production representative': stopped('www1.agenciatributaria.gob.es'),
      'production seal': stopped('www10.agenciatributaria.gob.es'),
      'preproduction person': stopped('prewww1.aeat.es'),
      'preproduction representative': stopped('prewww1.aeat.es'),
      'preproduction seal': stopped('prewww10.aeat.es'),
    },
    connects: 0,
  })
  expect(breaches(file)).toHaveLength(6)
})

test("a run fails when a test swallows the guard's error, itself or in a program that it starts", async () => {
  const project = mkdtempSync(join(folder, 'run-'))
  const setup = join(ROOT, 'test/support/setup/each-file.ts')
  writeFileSync(
    join(project, 'vitest.config.mjs'),
    `export default { test: { globals: true, include: ['*.test.mjs'], setupFiles: [${JSON.stringify(setup)}] } }\n`,
  )
  const swallowing = "fetch('https://sello-guard.invalid.aeat.es/').catch(() => {})"
  writeFileSync(join(project, 'stays.test.mjs'), "test('stays', () => {})\n")
  writeFileSync(join(project, 'leaves.test.mjs'), `test('leaves', () => ${swallowing})\n`)
  writeFileSync(
    join(project, 'starts.test.mjs'),
    `import { execFileSync } from 'node:child_process'
test('starts', () => void execFileSync(process.execPath, ['-e', ${JSON.stringify(swallowing)}]))\n`,
  )
  const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
  const out = join(project, 'report.json')
  await run(
    [vitest, 'run', '--root', project, '--reporter', 'json', '--outputFile', out],
    join(folder, 'unused'),
  )
  const report = JSON.parse(readFileSync(out, 'utf8')) as {
    success: boolean
    testResults: { name: string; status: string; message: string }[]
  }
  expect(report.success).toBe(false)
  const results = report.testResults.map(({ name, status, message }) => [
    name.split('/').at(-1),
    status,
    message,
  ])
  expect(results.toSorted()).toEqual([
    ['leaves.test.mjs', 'failed', expect.stringContaining('sello-guard.invalid.aeat.es')],
    ['starts.test.mjs', 'failed', expect.stringContaining('sello-guard.invalid.aeat.es')],
    ['stays.test.mjs', 'passed', ''],
  ])
})

describe('the product', () => {
  /** Imports of modules that can open a connection. */
  const CLIENTS =
    /import\s+(?!type\b)([^'"]+?)\s+from\s+'(?:node:)?(net|tls|http|https|http2|dgram|dns|dns\/promises)'/g
  const HARMLESS =
    /^\{\s*(?:(?:type \w+|isIP|BlockList|createServer|createSecureContext|Server as TlsServer)\s*,?\s*)+\}$/
  const CALLS =
    /\bfetch\(|\bnew WebSocket\(|(?:import|getBuiltinModule)\('(?:node:)?(?:net|tls|http|https|http2|dgram|dns)'\)|import\('(?:imapflow|openid-client|nodemailer(?:\/lib\/(?!mail-composer)[\w-]+)?)'\)/

  function sourcesUnder(path: string): string[] {
    return readdirSync(join(ROOT, path), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory()
        ? sourcesUnder(`${path}/${entry.name}`)
        : /\.(?:ts|mjs)$/.test(entry.name)
          ? [`${path}/${entry.name}`]
          : [],
    )
  }

  // Worker threads of the product have modules of their own, which the guard does not cover: so this test reads the
  // source.
  test('opens connections from these files only', () => {
    const calling = ['server', 'main', 'preload'].flatMap(sourcesUnder).filter((path) => {
      const code = readFileSync(join(ROOT, path), 'utf8').replace(/^\s*(?:\/\/|\*|\/\*).*$/gm, '')
      const imports = [...code.matchAll(CLIENTS)].some((match) => !HARMLESS.test(match[1] ?? ''))
      return imports || CALLS.test(code)
    })
    expect(calling.toSorted()).toEqual(
      [
        // Runs outside Sello, inside the assistant, and calls only Sello.
        'server/app/assistants/bridge/sello-bridge.mjs',
        // The filing of returns, which a person has to allow.
        'server/accounting/returns/filing/aeat/transport.ts',
        // The directory of people that the operator of an office has named.
        'server/app/people/sign-in/firm-directory.ts',
        // Calls Sello's own address, as an assistant would.
        'server/app/assistants/check.ts',
        // The socket in the data folder.
        'server/cli/door.ts',
        'server/catalog/lookups/outgoing.ts',
        'server/documents/mail/smtp.ts',
        // Addresses that a person chose: an accounting system read on demand, receivers of webhooks.
        'server/platform/http-client/exchange.ts',
        'server/platform/http-client/mutual-tls.ts',
        // The mailbox that a person chose to read documents from.
        'server/purchases/incoming/sources/mailbox/connect.ts',
        // The script of a page, which runs on a phone and calls only the address of that page.
        'server/purchases/incoming/sources/phone/page.ts',
        'server/registry/systems/ticketbai/client/transport.ts',
        'server/registry/systems/verifactu/authority/exchange.ts',
        // The public e-invoice platform: so far only a simulated one on this computer, since no address is published.
        'server/integrations/exchange/client/transport.ts',
        // The portal of public bodies, which a person has to allow.
        'server/integrations/portal/face/transport.ts',
        // Checks whether another Sello on this computer serves the same books.
        'server/app/recovery-mode/diagnose.ts',
      ].toSorted(),
    )
  })
})
