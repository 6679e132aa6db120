/**
 * Access to the window: for the browser with a link, once, or for the owner; never for a program with the owner's
 * files.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addressOfOther, startSelloWithRecovery } from '../../../../server/api/application.ts'
import { openDoor, runCommand } from '../../../../server/cli/main.ts'
import { WindowSessions } from '../../../../server/api/http/index.ts'
import { COMPANY } from '../../../support/browser/prepared-books.ts'
import { makeP12 } from '../../../support/files/certificates.ts'

const CODE = 'tres gatos pardos'
vi.setConfig({ testTimeout: 120_000 })

interface Answer {
  status: number
  data: never
  error: { code: string; details?: Record<string, unknown> }
  headers: Headers
}

const logged: string[] = []

async function served() {
  const folder = mkdtempSync(join(tmpdir(), 'sello-entry-'))
  // With the mode that a careless `mkdir` gives.
  const running = await startSelloWithRecovery({
    dataDir: folder,
    port: 0,
    uiDir: null,
    keychain: null,
    cacheKib: 2048,
    shareWindow: true,
    create: true,
    sandbox: true,
    log: (line) => void logged.push(line),
    openDoor,
  })
  onTestFinished(async () => {
    await running.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await fetch(`${running.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const said = (await answer.json()) as { data: never; error: Answer['error'] }
    return { status: answer.status, headers: answer.headers, data: said.data, error: said.error }
  }
  const enter = async (
    proof: object,
  ): Promise<{ answer: Answer; headers: { cookie: string; authorization: string } }> => {
    const answer = await post('/app/session', proof)
    if (answer.status !== 200) return { answer, headers: { cookie: '', authorization: '' } }
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    const { pass } = answer.data as { pass: string }
    return { answer, headers: { cookie, authorization: `Bearer ${pass}` } }
  }
  const link = new URL(running.uiUrl).hash.replace('#link=', '')
  return { folder, running, post, enter, link }
}

test('a link admits one browser, with a cookie hidden from scripts and a pass that is useless alone', async () => {
  const { post, enter, link, running } = await served()
  const { answer, headers } = await enter({ link })
  expect(answer.headers.get('set-cookie')).toMatch(
    new RegExp(`^sello_${running.port}=[\\w-]{43}; Path=/app; HttpOnly; SameSite=Strict$`),
  )
  const get = (given: Record<string, string>) => post('/app/call/session.get', {}, given)
  expect((await get(headers)).status).toBe(200)
  const { cookie, authorization } = headers
  expect((await get({ cookie })).status).toBe(401)
  expect((await get({ authorization })).status).toBe(401)
  expect((await get({ cookie: cookie.replace(/=.*/, '=x'), authorization })).status).toBe(401)
  const again = await enter({ link })
  expect([again.answer.status, again.answer.error.code]).toEqual([401, 'window_link_spent'])
  // Without a code and a recovery code no other way admits a browser.
  expect((await post('/app/session', {})).data).toEqual({ kind: null, recovery: false })
  expect((await enter({ code: 'x' })).answer.status).not.toBe(200)
  expect((await enter({ recoveryCode: 'x' })).answer.status).not.toBe(200)
})

test('a link expires, and an invalid one is rate-limited like an invalid key', async () => {
  let now = 0
  const sessions = new WindowSessions(() => now)
  const link = sessions.newLink()
  now = 10 * 60_000
  expect(sessions.spend(link)).toBe(false)
  const { enter } = await served()
  const codes: string[] = []
  for (let tries = 0; tries < 22; tries += 1) codes.push((await enter({ link: 'x' })).answer.error.code)
  expect(codes[0]).toBe('window_link_spent')
  expect(codes.at(-1)).toBe('rate_limited')
})

/** Returns everything of 16 characters or more that could be a secret, in every file below a folder. */
function findings(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap(
      (entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1').match(/[\w-]{16,100}/g) ?? [],
    )
}

test("a program with the owner's files cannot approve its own request; the owner can, with one code", async () => {
  const { folder, running, post, enter, link } = await served()
  const owner = (await enter({ link })).headers
  let book = ''
  const call = async (name: string, input: unknown, headers: Record<string, string> = owner) => {
    const answer = await post(`/app/call/${name}`, input, { ...headers, 'sello-book': book })
    return answer
  }
  const done = async (name: string, input: unknown): Promise<never> => {
    const answer = await call(name, input)
    if (answer.status >= 300) throw new Error(JSON.stringify([answer.error, logged.at(-1), logged.at(-2)]))
    return answer.data
  }
  const made: { books: { id: string; mode: string }[] } = await done('company.create', COMPANY)
  book = made.books.find(({ mode }) => mode === 'live')!.id
  const { p12 } = makeP12({ password: 'clave' })
  await done('certificates.import', { file: p12.toString('base64'), password: 'clave' })
  const key: { key: string } = await done('keys.createByPerson', {
    name: 'asistente',
    scopes: ['invoices.read', 'invoices.write', 'invoices.issue'],
    assistant: true,
  })
  // Only the owner may create a live key without approvals, and no code identifies the owner yet.
  const unasked = { name: 'cron', scopes: ['invoices.issue'], approval: 'never' }
  expect((await call('keys.createByPerson', unasked)).error).toMatchObject({
    code: 'identity_needed',
    details: { kind: null },
  })

  const program = { authorization: `Bearer ${key.key}` }
  const draft = await post(
    '/api/v1/invoices',
    {
      clientName: 'Cliente S.L.',
      clientNif: 'B87654323',
      lines: [{ description: 'Horas', quantity: 1, unitPrice: 100, vatRate: 21 }],
    },
    { ...program, 'idempotency-key': 'a' },
  )
  const { id } = draft.data as { id: string }
  const validated = await post(`/api/v1/invoices/${id}/validate`, {}, { ...program, 'idempotency-key': 'b' })
  expect(validated.status).toBe(200)
  const waiting: { waiting: { approvalId: string; contentHash: string }[] } = await done('approvals.list', {})
  const { approvalId, contentHash } = waiting.waiting[0]!
  const yes = { id: approvalId, decision: 'approve', contentHash }

  // The program has: every file of the folder, the page's address of a second start, and its output.
  const second = await addressOfOther(folder)
  expect(second?.uiUrl).toBe(`${running.url}/`)
  writeFileSync(join(folder, 'second-start.json'), JSON.stringify(second))
  const found = [...new Set(findings(folder)), key.key, link]
  expect(found.length).toBeGreaterThan(5)
  expect(found).not.toContain(running.windowToken)
  const tried = found.slice(0, 200)
  for (const secret of tried) {
    const cookie = `sello_${running.port}=${secret}`
    const answer = await call('approvals.decide', yes, { authorization: `Bearer ${secret}`, cookie })
    expect([401, 429]).toContain(answer.status)
    expect([401, 429]).toContain((await enter({ link: secret })).answer.status)
  }
  // Even with a session, an approval needs a secret of the person, and none has been set yet.
  expect((await call('approvals.decide', yes)).error).toMatchObject({
    code: 'identity_needed',
    details: { kind: null },
  })
  expect((await call('approvals.decide', { ...yes, code: CODE })).error.code).toBe('identity_needed')

  // The owner has: a recovery code on paper, a memorized code, and then one action.
  const shown: { code: string; groups: string[] } = await done('recovery.reveal', {})
  await done('recovery.confirm', { groups: [0, 1].map((index) => ({ index, text: shown.groups[index] })) })
  await done('lock.set', { code: CODE })
  expect((await call('approvals.decide', yes)).error).toMatchObject({
    code: 'identity_needed',
    details: { kind: 'passphrase' },
  })
  expect((await call('approvals.decide', { ...yes, code: 'otra cosa' })).error.code).toBe('lock_code_wrong')
  const approved: { status: string } = await done('approvals.decide', { ...yes, code: CODE })
  expect(approved.status).toBe('approved')

  // Another browser is admitted with the code, or with the recovery code, and with nothing else.
  expect((await enter({ code: 'otra cosa' })).answer.error.code).toBe('lock_code_wrong')
  for (const proof of [{ code: CODE }, { recoveryCode: shown.code }]) {
    const { headers } = await enter(proof)
    expect((await call('session.get', {}, headers)).status).toBe(200)
  }
  expect((await call('keys.createByPerson', unasked)).error.code).toBe('identity_needed')
  expect((await call('keys.createByPerson', { ...unasked, code: CODE })).status).toBe(200)
})

test('a recovery code created on the command line while Sello runs admits no browser', async () => {
  const { folder, post, enter, link } = await served()
  const { headers } = await enter({ link })
  await post('/app/call/company.create', COMPANY, headers)
  const lines: string[] = []
  const exit = await runCommand(['recovery-code', 'create'], {
    env: { SELLO_DATA: folder },
    answer: (line) => lines.push(line),
    say: () => {},
    untilStopped: async () => {},
  })
  expect(exit).toBe(0)
  // The command may have been run by the requesting program: with a session it would set the lock code, and
  // approve with it.
  const { code } = JSON.parse(lines.at(-1)!) as { code: string }
  expect((await enter({ recoveryCode: code })).answer.error?.code).toBe('window_link_spent')
  expect((await post('/app/session', {})).data).toEqual({ kind: null, recovery: false })
  // A code that the owner creates in the window belongs to the owner.
  const shown = (await post('/app/call/recovery.reveal', {}, headers)).data as {
    code: string
    groups: string[]
  }
  const groups = [0, 1].map((index) => ({ index, text: shown.groups[index] }))
  expect((await post('/app/call/recovery.confirm', { groups }, headers)).status).toBe(200)
  expect((await enter({ recoveryCode: shown.code })).answer.status).toBe(200)
})

test.skipIf(process.platform === 'win32')(
  'the books and the files beside them are accessible to this user only',
  async () => {
    const { folder } = await served()
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    const open = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .filter((entry) => (statSync(join(entry.parentPath, entry.name)).mode & 0o077) !== 0)
    expect(open.map((entry) => entry.name)).toEqual([])
  },
)
