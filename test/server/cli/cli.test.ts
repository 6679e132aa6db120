/** The command line as a program uses it: one JSON object on the last line of stdout, and exit codes. */
import { embedded } from '../../../server/db/embedded/port.ts'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSello } from '../../../server/api/application.ts'
import { runCommand } from '../../../server/cli/main.ts'
import { english } from '../../../server/domain/errors/messages/en.ts'
import { unpackFixture } from '../../support/fixtures.ts'
import { EXAMPLE_COMPANY } from '../../support/store.ts'
import { inLongRun } from '../../support/sweep.ts'

const longTest = inLongRun(test)

interface Ran {
  code: number
  /** The last line of stdout, parsed. */
  answer: any
  lines: string[]
  said: string
}

interface Terminal {
  folder: string
  data: string
  keyFile: string
  run: (...argv: string[]) => Promise<Ran>
  file: (name: string, content: string) => string
  /** Starts `serve`; `stop` sends the signal. */
  serve: (...argv: string[]) => Promise<{ answer: any; stop: () => Promise<number> }>
}

function terminal(): Terminal {
  const folder = mkdtempSync(join(tmpdir(), 'sello-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const data = join(folder, 'data')
  const keyFile = join(folder, 'master.key')
  const start = (
    argv: string[],
    untilStopped: () => Promise<void>,
    onAnswer: (line: string) => void = () => {},
  ) => {
    const lines: string[] = []
    const said: string[] = []
    const code = runCommand(argv, {
      env: { SELLO_DATA: data, SELLO_KEY_FILE: keyFile },
      answer: (line) => {
        lines.push(line)
        onAnswer(line)
      },
      say: (text) => said.push(text),
      untilStopped,
    })
    return { code, lines, said }
  }
  return {
    folder,
    data,
    keyFile,
    run: async (...argv) => {
      const { code, lines, said } = start(argv, async () => {})
      const exit = await code
      return {
        code: exit,
        answer: JSON.parse(lines.at(-1) ?? 'null') as unknown,
        lines,
        said: said.join('\n'),
      }
    },
    file: (name, content) => {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    },
    serve: async (...argv) => {
      let stopped = (): void => {}
      const until = new Promise<void>((resolve) => (stopped = resolve))
      let code: Promise<number> = Promise.resolve(-1)
      const line = await new Promise<string>((resolve) => {
        code = start(['serve', ...argv], () => until, resolve).code
      })
      return {
        answer: JSON.parse(line) as unknown,
        stop: () => {
          stopped()
          return code
        },
      }
    },
  }
}

async function withCompany(): Promise<Terminal> {
  const at = terminal()
  const made = await at.run('init', '--company', at.file('company.json', JSON.stringify(EXAMPLE_COMPANY)))
  expect([made.code, made.said]).toEqual([0, ''])
  return at
}

test('init creates a company with a live and a test book', async () => {
  const at = terminal()
  const made = await at.run('init', '--company', at.file('company.json', JSON.stringify(EXAMPLE_COMPANY)))
  expect(made.code).toBe(0)
  expect(made.lines).toHaveLength(1)
  expect(made.answer).toEqual({
    companyId: expect.stringMatching(/^com_/),
    books: [
      { id: expect.stringMatching(/^book_/), mode: 'live' },
      { id: expect.stringMatching(/^book_/), mode: 'test' },
    ],
  })
  const again = await at.run('init', '--company', join(at.folder, 'company.json'))
  expect([again.code, again.answer.error.code]).toEqual([1, 'company_exists'])
})

test('init takes the company from stdin, also in a folder that exists', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sello-cli-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  let given: string | null = JSON.stringify(EXAMPLE_COMPANY)
  const said: string[] = []
  const code = await runCommand(['init', '--company', '-', '--data', folder], {
    env: { SELLO_KEY_FILE: join(folder, 'key') },
    answer: (line) => said.push(line),
    say: (line) => said.push(line),
    untilStopped: async () => {},
    // A stream has an end: a second attempt to read it gives nothing.
    stdin: () => {
      const text = given ?? ''
      given = null
      return text
    },
  })
  expect([code, said]).toEqual([0, [expect.stringContaining('"companyId":"com_')]])
})

test('a mistake in the company file leaves no books behind', async () => {
  const at = terminal()
  for (const [content, code] of [
    ['{"legalName":"x"', 'validation_failed'],
    [JSON.stringify({ ...EXAMPLE_COMPANY, colour: 'red' }), 'validation_failed'],
    [JSON.stringify({ nif: 'B12345674' }), 'validation_failed'],
  ] as const) {
    const ran = await at.run('init', '--company', at.file('company.json', content))
    expect([ran.code, ran.answer.error.code]).toEqual([1, code])
    expect((await at.run('verify')).answer.error.code).toBe('store_missing')
  }
  expect((await at.run('init', '--company', join(at.folder, 'absent.json'))).answer.error).toMatchObject({
    code: 'validation_failed',
    field: 'company',
  })
})

test('an unusable folder or key file is named as the cause', async () => {
  const at = await withCompany()
  const company = join(at.folder, 'company.json')
  const inTheWay = at.file('in-the-way', 'x')
  for (const data of [inTheWay, join(inTheWay, 'below')])
    expect((await at.run('init', '--company', company, '--data', data)).answer.error).toMatchObject({
      code: 'validation_failed',
      field: 'data',
    })
  expect((await at.run('key', 'list', '--key-file', at.folder)).answer.error).toMatchObject({
    code: 'validation_failed',
    field: 'key-file',
  })
  const badJson = await at.run('init', '--company', at.file('bad.json', '{'))
  expect([badJson.code, badJson.answer.error.field]).toEqual([1, 'company'])
  expect((await at.run('key', 'list')).code).toBe(0)
})

test('a sandbox is created as one or never', async () => {
  const at = terminal()
  const company = at.file('company.json', JSON.stringify(EXAMPLE_COMPANY))
  expect((await at.run('init', '--company', company, '--sandbox')).code).toBe(0)
  const sello = await openSello({ dataDir: at.data, keyFile: at.keyFile })
  expect(sello.env.sandbox).toBe(true)
  await sello.close()

  const real = await withCompany()
  const ran = await real.run(
    'init',
    '--sandbox',
    '--company',
    real.file('other.json', JSON.stringify({ ...EXAMPLE_COMPANY, nif: '12345678Z' })),
  )
  expect(ran.answer.error).toMatchObject({ code: 'validation_failed', field: 'sandbox' })
})

test('keys are created, listed and revoked', async () => {
  const at = await withCompany()
  const made = await at.run('key', 'create', '--mode', 'test', '--name', 'robot', '--scopes', 'all')
  expect(made.answer).toEqual({
    id: expect.stringMatching(/^key_/),
    key: expect.stringMatching(/^svc_test_/),
  })
  const live = await at.run(
    'key',
    'create',
    '--mode',
    'live',
    '--name',
    'ayuda',
    '--scopes',
    'all',
    '--assistant',
  )
  expect(live.answer.key).toMatch(/^svc_live_/)
  const never = await at.run(
    'key',
    'create',
    '--mode',
    'test',
    '--name',
    'cron',
    '--scopes',
    'invoices.read,invoices.issue',
    '--approval',
    'never',
  )
  expect(never.code).toBe(0)

  const listed = await at.run('key', 'list')
  const byName = Object.fromEntries(listed.answer.items.map((key: { name: string }) => [key.name, key]))
  expect(byName.robot).toMatchObject({ mode: 'test', approval: 'always', assistant: false })
  expect(byName.ayuda).toMatchObject({ mode: 'live', assistant: true })
  expect(byName.ayuda.scopes).not.toContain('keys.write')
  expect(byName.cron).toMatchObject({ approval: 'never', scopes: ['invoices.read', 'invoices.issue'] })
  expect(JSON.stringify(listed.answer)).not.toContain(made.answer.key)

  expect((await at.run('key', 'revoke', '--id', made.answer.id)).answer).toEqual({
    revoked: true,
    alsoRevoked: [],
  })
  expect((await at.run('key', 'revoke', '--id', made.answer.id)).answer.error.code).toBe('not_found')
  expect((await at.run('key', 'list')).answer.items).toHaveLength(2)
})

test('a webhook to an address of this computer needs an explicit option', async () => {
  const at = await withCompany()
  const create = (...more: string[]) =>
    at.run(
      'webhook',
      'create',
      '--url',
      'http://127.0.0.1:8080/hook',
      '--events',
      'invoice.issued, registry.*',
      ...more,
    )
  const refused = await create()
  expect([refused.code, refused.answer.error.code]).toEqual([1, 'webhook_address_refused'])
  const made = await create('--allow-local')
  expect(made.code).toBe(0)
  expect(made.answer).toMatchObject({
    id: expect.stringMatching(/^whk_/),
    events: ['invoice.issued', 'registry.*'],
    allowLocal: true,
    secret: expect.stringMatching(/^whsec_/),
  })
  expect(made.said).not.toContain('whsec_')
  expect((await create('--allow-local', '--mode', 'live')).code).toBe(0)
  expect((await at.run('webhook', 'remove')).answer.error).toMatchObject({ code: 'command_unknown' })
})

test('a missing or invalid option is named', async () => {
  const at = await withCompany()
  const create = (...argv: string[]) => at.run('key', 'create', ...argv)
  expect((await create('--name', 'a', '--scopes', 'all')).answer.error.field).toBe('mode')
  expect((await create('--mode', 'real', '--name', 'a', '--scopes', 'all')).answer.error.field).toBe('mode')
  expect((await create('--mode', 'test', '--scopes', 'all')).answer.error.field).toBe('name')
  expect((await create('--mode', 'test', '--name', 'a')).answer.error.field).toBe('scopes')
  expect((await create('--mode', 'test', '--name', 'a', '--scopes', 'everything')).answer.error.field).toBe(
    'scopes[0]',
  )
  expect((await at.run('serve', '--port', '99999')).answer.error.field).toBe('port')
  const faultOf = async (...argv: string[]) => (await at.run(...argv)).answer.error.details.faults[0]
  expect(await faultOf('recover')).toMatchObject({ code: 'required', field: 'code-file' })
  expect(await faultOf('restore')).toMatchObject({ code: 'required', field: 'FILE' })
  expect(await faultOf('restore', join(at.folder, 'no.sellobak'))).toMatchObject({
    code: 'not_readable',
    field: 'FILE',
  })
})

test('with several companies the book has to be named', async () => {
  const at = await withCompany()
  const second = await at.run(
    'init',
    '--company',
    at.file('second.json', JSON.stringify({ legalName: 'Ana Ruiz Gil', nif: '12345678Z' })),
  )
  const book = second.answer.books.find((one: { mode: string }) => one.mode === 'test').id as string
  const unclear = await at.run('key', 'create', '--mode', 'test', '--name', 'a', '--scopes', 'all')
  expect(unclear.answer.error.field).toBe('book')
  expect((await at.run('key', 'create', '--book', book, '--name', 'a', '--scopes', 'all')).code).toBe(0)
})

test('unknown commands and options are rejected', async () => {
  const at = terminal()
  for (const argv of [
    ['explode'],
    ['key'],
    ['key', 'explode'],
    ['constructor'],
    ['verify', '--fast'],
    ['verify', 'now'],
    ['serve', '--port'],
  ]) {
    const ran = await at.run(...argv)
    expect([ran.code, ran.answer.error.code], argv.join(' ')).toEqual([2, 'command_unknown'])
    expect(ran.answer.error.next).toBe(english.command_unknown.next)
  }
  const helped = await at.run('help')
  expect(helped.code).toBe(0)
  for (const command of helped.answer.commands as string[]) expect(helped.lines[0]).toContain(command)
})

test('serve prints its addresses, rejects other users, and ends without output', async () => {
  const at = await withCompany()
  const { key } = (await at.run('key', 'create', '--mode', 'test', '--name', 'robot', '--scopes', 'all'))
    .answer as { key: string }
  const { answer, stop } = await at.serve('--port', '0')
  expect(answer).toEqual({
    url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    uiUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#link=[\w-]{43}$/),
    mcpUrl: `${answer.url}/api/mcp/svc`,
    pid: process.pid,
  })
  const response = await fetch(`${answer.url}/api/v1/companies/current`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect(response.status).toBe(200)
  for (const argv of [
    ['serve', '--port', '0'],
    ['restore', at.keyFile],
  ]) {
    const ran = await at.run(...argv)
    expect([ran.code, ran.answer.error.code]).toEqual([3, 'store_in_use'])
  }
  expect(await stop()).toBe(0)
  expect((await at.run('verify')).answer.ok).toBe(true)
})

test('serve for a person finds the running one, and stays up if the books cannot be opened', async () => {
  const at = await withCompany()
  const first = await at.serve('--port', '0', '--window')
  const second = await at.run('serve', '--port', '0', '--window')
  // The output of a second start gives no access.
  expect([second.code, second.answer]).toEqual([
    0,
    { ...first.answer, uiUrl: `${first.answer.url}/`, alreadyOpen: true },
  ])
  expect(await first.stop()).toBe(0)
  rmSync(at.keyFile)
  const shut = await at.serve('--port', '0', '--window')
  expect(shut.answer.trouble).toBe('key_missing')
  expect((await fetch(`${shut.answer.url}/healthz`)).status).toBe(503)
  expect(await shut.stop()).toBe(0)
  expect((await at.run('serve', '--port', '0')).answer.error.code).toBe('keychain_locked')
})

test('serve for a person creates no books in a missing named folder; for a program it does', async () => {
  const at = terminal()
  const shown = await at.serve('--port', '0', '--window')
  expect([shown.answer.trouble, existsSync(at.data)]).toEqual(['folder_missing', false])
  expect(await shown.stop()).toBe(0)
  const served = await at.serve('--port', '0')
  expect([served.answer.trouble, existsSync(join(at.data, 'sello.db'))]).toEqual([undefined, true])
  expect(await served.stop()).toBe(0)
})

/** Checks of verify for each book. */
const BOOK_CHECKS = [
  ...[
    'chain',
    'audit',
    'numbering',
    'mark',
    'totals',
    'documents',
    'queue',
    'installation',
    'confirmations',
    'apart',
    'keys',
    'events',
  ],
  ...['sealed', 'ledger', 'payments'],
]

longTest('books of an earlier version are upgraded, with one message', async () => {
  const at = terminal()
  mkdirSync(at.data)
  unpackFixture(1, at.data)
  cpSync(join(at.data, 'master.key'), at.keyFile)
  const told = 'Upgrading the books to this version, after a backup: very large books take some minutes.'
  const first = await at.run('verify')
  expect([first.code, first.said.split('\n')[0]]).toEqual([0, told])
  const second = await at.run('verify')
  expect([second.code, second.said.includes(told)]).toEqual([0, false])
})

test('verify prints its checks, and fails if the books were tampered with', async () => {
  const at = await withCompany()
  const whole = await at.run('verify')
  expect([whole.code, whole.answer.ok]).toEqual([0, true])
  expect(whole.answer.checks.map((check: { name: string }) => check.name)).toEqual([
    ...['integrity', 'references', 'durability', 'schema', 'writable', 'files', 'sealed', 'replies'],
    ...BOOK_CHECKS,
    // Of the live book, which the console shows.
    'summaries',
    ...BOOK_CHECKS,
  ])

  const sello = await openSello({ dataDir: at.data, keyFile: at.keyFile })
  // A number that was assigned but is on no invoice.
  await sello.env.store.transaction(null, (db) =>
    db
      .updateTable('series')
      .set({ next_number: 3 })
      .where('code', '=', `T-F${new Date().getFullYear()}`)
      .execute(),
  )
  await sello.close()
  const broken = await at.run('verify')
  expect([broken.code, broken.answer.ok]).toEqual([1, false])
  expect(
    broken.answer.checks
      .filter((check: { ok: boolean }) => !check.ok)
      .map((check: { name: string }) => check.name),
  ).toEqual(['numbering'])
})

test('demo fills a test book that passes every check, and never a live one', async () => {
  const at = await withCompany()
  const filled = await at.run('demo', '--invoices', '30')
  expect([filled.code, filled.answer.invoices]).toEqual([0, 30])
  expect((await at.run('verify')).answer.ok).toBe(true)
  const live = (await at.run('key', 'create', '--mode', 'live', '--name', 'x', '--scopes', 'all')).code
  expect(live).toBe(0)
  const { items } = (await at.run('key', 'list')).answer as { items: { book: string }[] }
  expect((await at.run('demo', '--book', items[0]?.book ?? '')).answer.error.code).toBe('not_found')
  for (const count of ['0', '-1', 'many', '1e3'])
    expect((await at.run('demo', `--invoices=${count}`)).answer.error.field).toBe('invoices')
}, 60_000)

test('the recovery code restores a lost key, and no other text does', async () => {
  const at = await withCompany()
  const sello = await openSello({ dataDir: at.data, keyFile: at.keyFile })
  const fresh = embedded(sello.env.store).newRecoveryCode()
  fresh.confirm()
  await sello.close()
  const lost = readFileSync(at.keyFile, 'utf8')
  rmSync(at.keyFile)
  expect((await at.run('verify')).answer.error.code).toBe('keychain_locked')

  const wrong = await at.run(
    'recover',
    '--code-file',
    at.file('wrong.txt', 'AAAA-BBBB-CCCC-DDDD-EEEE-FFFF-GGGG'),
  )
  expect([wrong.code, wrong.answer.error.code]).toEqual([1, 'recovery_code_wrong'])
  const right = await at.run('recover', '--code-file', at.file('code.txt', `${fresh.code.toLowerCase()}\n`))
  expect([right.code, right.answer]).toEqual([0, { recovered: true, protection: 'external' }])
  expect(readFileSync(at.keyFile, 'utf8')).toBe(lost)
  if (process.platform !== 'win32') expect(statSync(at.keyFile).mode & 0o777).toBe(0o600)
  expect((await at.run('verify')).answer.ok).toBe(true)
  expect(JSON.stringify(right)).not.toContain(fresh.code)
})
