/** The command line while Sello runs: the running process executes the commands, and they do not bypass its owner. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import manifest from '../../../package.json' with { type: 'json' }
import { runCommand } from '../../../server/cli/main.ts'
import { makeP12 } from '../../support/files/certificates.ts'
import { EXAMPLE_COMPANY } from '../../support/store.ts'

interface Ran {
  code: number
  answer: any
  lines: string[]
  said: string
}

interface Terminal {
  folder: string
  data: string
  run: (...argv: string[]) => Promise<Ran>
  /** Starts `serve`; resolves with its answer and a function that stops it. */
  serve: (...argv: string[]) => Promise<{ answer: any; stop: () => Promise<number> }>
}

function terminal(data?: string): Terminal {
  const folder = mkdtempSync(join(tmpdir(), 'sello-door-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const dataDir = data ?? join(folder, 'data')
  const start = (
    argv: string[],
    untilStopped: () => Promise<void>,
    onAnswer: (line: string) => void = () => {},
  ) => {
    const lines: string[] = []
    const said: string[] = []
    const code = runCommand(argv, {
      env: { SELLO_DATA: dataDir, SELLO_KEY_FILE: join(folder, 'sello.key') },
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
    data: dataDir,
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
    serve: async (...argv) => {
      let stopped = (): void => {}
      const until = new Promise<void>((resolve) => (stopped = resolve))
      let code: Promise<number> = Promise.resolve(-1)
      const line = await new Promise<string>((resolve) => {
        code = start(['serve', '--port', '0', ...argv], () => until, resolve).code
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

async function served(at = terminal()) {
  const company = join(at.folder, 'company.json')
  writeFileSync(company, JSON.stringify(EXAMPLE_COMPANY))
  expect((await at.run('init', '--company', company)).code).toBe(0)
  const server = await at.serve()
  onTestFinished(() => server.stop().then(() => undefined))
  return { ...at, server }
}

test(
  'the running Sello lists, creates and revokes keys, makes backups, verifies and exports',
  { timeout: 120_000 },
  async () => {
    const { folder, run, server } = await served()
    const made = await run('key', 'create', '--mode', 'test', '--name', 'robot', '--scopes', 'all')
    expect([made.code, made.said]).toEqual([0, ''])
    // The key belongs to the open books: the server accepts it at once.
    const asked = () =>
      fetch(`${server.answer.url as string}/api/v1/invoices`, {
        headers: { authorization: `Bearer ${made.answer.key as string}` },
      })
    expect((await asked()).status).toBe(200)
    const list = await run('key', 'list')
    expect(list.answer.items).toMatchObject([{ id: made.answer.id, name: 'robot' }])
    expect((await run('key', 'revoke', '--id', made.answer.id)).code).toBe(0)
    expect((await asked()).status).toBe(401)
    const hook = await run(
      'webhook',
      'create',
      '--url',
      'https://example.com/hook',
      '--events',
      'invoice.issued',
    )
    expect(hook.answer).toMatchObject({ secret: expect.stringMatching(/^whsec_/) })
    expect((await run('backup')).answer).toMatchObject({ newest: { reason: 'manual' }, fault: null })
    const code = await run('recovery-code', 'create')
    expect([code.code, code.answer.replaced]).toEqual([0, false])
    const portable = join(folder, 'all.sellobak')
    expect((await run('backup', '--portable', portable)).code).toBe(0)
    expect(existsSync(portable)).toBe(true)
    const verified = await run('verify')
    expect([verified.code, verified.answer.ok]).toEqual([0, true])
    expect(verified.said).toMatch(/^ok {5}I2 integrity/)
    // Paths are relative to the terminal's folder, wherever the server was started.
    expect((await run('export', '--to', join(folder, 'export'))).code).toBe(0)
    expect(existsSync(join(folder, 'export'))).toBe(true)
    const password = 'contraseña'
    writeFileSync(join(folder, 'a.p12'), makeP12({ password }).p12)
    writeFileSync(join(folder, 'password.txt'), `${password}\n`)
    const files = ['--file', join(folder, 'a.p12'), '--password-file', join(folder, 'password.txt')]
    expect((await run('certificate', 'import', ...files)).code).toBe(0)
    // Failures are those of the command as well.
    const wrong = await run('key', 'revoke', '--id', 'key_none')
    expect([wrong.code, wrong.answer.error.code]).toEqual([1, 'not_found'])
    expect((await run('restore', portable)).answer.error.code).toBe('store_in_use')
  },
)

/** A live key that issues without approval. */
const UNASKED = 'key create --mode live --name n --scopes all --approval never'.split(' ')

test('the channel does not bypass the owner: no live key without approval, no approval, no code that opens the lock', async () => {
  const { data, run } = await served()
  const never = await run(...UNASKED)
  expect([never.code, never.answer.error.code]).toEqual([1, 'identity_needed'])
  expect(
    (await run('key', 'create', '--mode', 'test', '--name', 'n', '--scopes', 'all', '--approval', 'never'))
      .code,
  ).toBe(0)
  // Whatever a program writes to the socket, only commands are run.
  const address = readFileSync(join(data, 'cli', 'address'), 'utf8').trim()
  const send = (text: string): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(address)
      let answer = ''
      socket.on('data', (piece) => (answer += String(piece)))
      socket.on('error', () => resolve(answer))
      socket.on('close', () => resolve(answer))
      socket.write(text)
    })
  const request = (command: string, values = {}) =>
    `${JSON.stringify({ version: 1, command, values, stdin: null })}\n`
  for (const command of [
    'inbox.approve',
    'approvals.decide',
    'keys.createByPerson',
    'constructor',
    'serve',
    'restore',
    'recover',
  ])
    expect(await send(request(command)), command).toContain('command_unknown')
  expect(await send(request('key list', { data: '/elsewhere' }))).toContain('command_unknown')
  expect(await send(request('key list', { constructor: 'x' }))).toContain('command_unknown')
  for (const nonsense of ['nonsense\n', '{"version":2}\n', 'null\n', `${'x'.repeat(300_000)}`])
    expect(await send(nonsense)).toBe('')
  expect((await run('key', 'list')).code).toBe(0)
})

test(
  'with the app lock on, a recovery code and a live key without approval need its code, also while Sello runs',
  { timeout: 60_000 },
  async () => {
    const { folder, run, server } = await served()
    expect((await run('recovery-code', 'create')).code).toBe(0)
    await server.stop()
    const { openSello } = await import('../../../server/api/application.ts')
    const { confirmRecovery, revealRecovery } = await import('../../../server/app/session/index.ts')
    const { setLock } = await import('../../../server/app/app-lock/index.ts')
    const { NO_BOOK } = await import('../../../server/context.ts')
    const sello = await openSello({
      dataDir: join(folder, 'data'),
      keyFile: join(folder, 'sello.key'),
      cacheKib: 1024,
    })
    // A recovery code of the command line counts as the owner's only after the owner has seen it: another one must be
    // created first.
    await expect(setLock(sello.ctx(NO_BOOK), { code: '482915' })).rejects.toMatchObject({
      code: 'lock_needs_recovery',
    })
    const { groups } = await revealRecovery(sello.ctx(NO_BOOK), {})
    const typed = [0, 1].map((index) => ({ index, text: groups[index]! }))
    await confirmRecovery(sello.ctx(NO_BOOK), { groups: typed })
    await setLock(sello.ctx(NO_BOOK), { code: '482915' })
    await sello.close()
    writeFileSync(join(folder, 'wrong.txt'), '000000\n')
    writeFileSync(join(folder, 'right.txt'), '482915\n')
    const answers = async () => [
      (await run('recovery-code', 'create')).answer.error?.code,
      (await run('recovery-code', 'create', '--lock-code-file', join(folder, 'wrong.txt'))).answer.error
        ?.code,
      (await run('recovery-code', 'create', '--lock-code-file', join(folder, 'right.txt'))).code,
    ]
    const keys = async (name: string) => {
      const unasked = (file: string) => run(...UNASKED, '--code-file', join(folder, file), '--name', name)
      return [
        (await run(...UNASKED)).answer.error?.code,
        (await unasked('wrong.txt')).answer.error?.code,
        (await unasked('right.txt')).code,
      ]
    }
    const wanted = ['identity_needed', 'lock_code_wrong', 0]
    expect(await answers()).toEqual(wanted)
    expect(await keys('closed')).toEqual(wanted)
    const again = await terminalServe(folder)
    expect(await answers()).toEqual(wanted)
    expect(await keys('running')).toEqual(wanted)
    await again()
  },
)

async function terminalServe(folder: string): Promise<() => Promise<unknown>> {
  let stopped = (): void => {}
  const until = new Promise<void>((resolve) => (stopped = resolve))
  let code: Promise<number> = Promise.resolve(-1)
  await new Promise<string>((resolve) => {
    code = runCommand(['serve', '--port', '0'], {
      env: { SELLO_DATA: join(folder, 'data'), SELLO_KEY_FILE: join(folder, 'sello.key') },
      answer: resolve,
      say: () => {},
      untilStopped: () => until,
    })
  })
  return () => {
    stopped()
    return code
  }
}

test.skipIf(process.platform === 'win32')(
  'the socket is for its owner only, also in an open folder and under a long path, and is removed afterwards',
  async () => {
    for (const name of ['data', 'x'.repeat(120)]) {
      const within = mkdtempSync(join(tmpdir(), 'sello-open-'))
      onTestFinished(() => rmSync(within, { recursive: true, force: true }))
      const data = join(within, name)
      mkdirSync(data)
      chmodSync(data, 0o755)
      const { run, server } = await served(terminal(data))
      expect(statSync(join(data, 'cli')).mode & 0o777).toBe(0o700)
      const address = readFileSync(join(data, 'cli', 'address'), 'utf8').trim()
      expect(Buffer.byteLength(address)).toBeLessThan(104)
      expect(statSync(address).mode & 0o777).toBe(0o600)
      expect(statSync(join(address, '..')).mode & 0o777).toBe(0o700)
      expect((await run('key', 'list')).code).toBe(0)
      expect(await server.stop()).toBe(0)
      expect([existsSync(address), existsSync(join(data, 'cli'))]).toEqual([false, false])
      // The leftover of a killed run does not mislead the next command.
      mkdirSync(join(data, 'cli'))
      writeFileSync(join(data, 'cli', 'address'), `${address}\n`)
      expect((await run('key', 'list')).code).toBe(0)
    }
  },
)

test('help and the version are on stdout, for each command as well; mistakes are explained to people', async () => {
  const at = terminal()
  const all = await at.run('--help')
  expect([all.code, all.said]).toEqual([0, ''])
  for (const command of all.answer.commands as string[]) {
    expect(all.lines[0]).toContain(command)
    for (const argv of [
      [...command.split(' '), '--help'],
      ['help', ...command.split(' ')],
    ].filter((words) => words.join(' ') !== 'help --help')) {
      const one = await at.run(...argv)
      expect([one.code, one.said], argv.join(' ')).toEqual([0, ''])
      expect(one.lines[0], argv.join(' ')).toContain(`Usage: sello ${command}`)
    }
  }
  expect((await at.run('key', '--help')).answer.commands).toEqual(['key create', 'key list', 'key revoke'])
  for (const argv of [['--version'], ['version'], ['-V']])
    expect((await at.run(...argv)).lines).toEqual([
      `sello ${manifest.version}\nbuild none: Sello runs from its sources`,
      JSON.stringify({ version: manifest.version, build: null }),
    ])
  for (const [argv, told] of [
    [['explode'], '"explode" is not a command.'],
    [
      ['key', 'explode'],
      '"key explode" is not a command. Commands of this group: key create, key list, key revoke.',
    ],
    [['verify', '--fast'], '--fast is not an option of verify.'],
    [['backup', '--portabel', 'x'], '--portabel is not an option of backup.'],
    [['serve', '--port'], '--port'],
    [['verify', 'now'], 'too many arguments'],
  ] as const) {
    const ran = await at.run(...argv)
    expect([ran.code, ran.answer.error.code], argv.join(' ')).toEqual([2, 'command_unknown'])
    expect(ran.said, argv.join(' ')).toContain(told)
  }
})
