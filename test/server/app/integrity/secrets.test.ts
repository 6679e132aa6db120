/**
 * Secrets enter through every interface that takes or gives one; the app is used extensively; none of them is stored
 * anywhere afterwards.
 */
import { createPrivateKey } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { drillWhenDue } from '../../../../server/app/backups/make/run.ts'
import { listFolder } from '../../../../server/app/backups/make/names.ts'
import type { BackupJob } from '../../../../server/app/backups/make/worker.ts'
import { NO_BOOK } from '../../../../server/context.ts'
import { loadOperations } from '../../../../server/api/operations.ts'
import { makeP12 } from '../../../support/files/certificates.ts'
import { KEYS } from '../../../support/erp/erp-server.ts'
import { exampleOf, Furnished, ROUTES, send } from '../../../support/examples/index.ts'
import { MCP_PATH, mcpRequest } from '../../../support/mcp.ts'
import { filesBelow, Planted, unpacked } from '../../../support/checks/planted-secrets.ts'
import type { Place } from '../../../support/checks/planted-secrets.ts'
import { keyOf } from '../../../support/stages/backups.ts'
import { allPages, pagesOf } from '../../../support/checks/store-pages.ts'
import { swept, sweptCount } from '../../../support/sweep.ts'
import { openWorld } from '../../../support/world.ts'
import type { Answer, World } from '../../../support/world.ts'

const operations = await loadOperations()

/**
 * Operations that would end the session or shut the window are called at the end or by hand; those that reach other
 * computers have their own tests.
 */
const LEFT_OUT =
  /^(mail\.(test|send|sendMany)|certificates\.(import|remove)|recovery\.|lock\.|session\.(lock|unlock)|company\.create$|erp\.(connect|disconnect|forget)|registry\.send)/

/** Every sixth operation; the long run calls all. */
const CALLED = swept(operations, (_, index) => index % 6 === 0)
const ROUTED = CALLED.filter(({ contract }) => contract.rest).length

/** Exports of every kind: all operations that return a file. */
const FORMATS = ['pdf', 'facturae', 'ubl', 'cii', 'ubl25', 'peppol'] as const

const planted = new Planted()
const control = new Planted()
/** Searched in answers and exports like a secret, but not one. */
const CONTROL = control.plant('control', 'control-4f1d83c9aa')

/** Every answer, except the one that returns a secret for the first time. */
const answers: Place[] = []
const printed: string[] = []
let world: World
let temporary: string
let ownTemporary: string | undefined

/** Sends a request and keeps its answer separate: it is the one that may contain the secret. */
async function born(asking: () => Promise<Answer>): Promise<Answer> {
  const before = answers.length
  const answer = await asking()
  answers.splice(before)
  if (answer.status >= 400) throw new Error(`Nothing was planted: ${answer.raw.body}`)
  return answer
}

beforeAll(async () => {
  ownTemporary = process.env.TMPDIR
  temporary = mkdtempSync(join(tmpdir(), 'sello-secrets-'))
  mkdirSync(join(temporary, 'files'))
  world = await openWorld({ shared: true })
  process.env.TMPDIR = join(temporary, 'files')
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((piece) => {
      printed.push(String(piece))
      return true
    })
  const ask = world.inject.bind(world)
  world.inject = async (options) => {
    const answer = await ask(options)
    const { rawPayload } = answer.raw
    const bytes = Buffer.concat([unpacked(rawPayload), Buffer.from(JSON.stringify(answer.headers))])
    answers.push({ name: `${options.method} ${JSON.stringify(options.url)}`, bytes })
    return answer
  }
})

afterAll(async () => {
  vi.restoreAllMocks()
  if (ownTemporary === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = ownTemporary
  await world.close()
  rmSync(temporary, { recursive: true, force: true })
})

/** Data that the first requests need. */
interface Entry {
  key: string
  /** Of the draft that is issued with it. */
  token: string
  issued: string
}

/** Plants every secret through its interface; wrong codes that users type are secrets too. */
async function plantAll(made: Furnished): Promise<Entry> {
  planted.plant('master key', readFileSync(join(world.folder, 'master.key'), 'utf8').trim())
  planted.plant('window token', world.windowToken)
  const first = await born(() =>
    world.call('keys.createByPerson', {
      name: 'Primera',
      scopes: ['invoices.read', 'invoices.write', 'invoices.issue'],
    }),
  )
  const key = planted.plant('API key', first.body.data.key as string)
  const idempotent = { headers: { 'idempotency-key': planted.plant('idempotency key', 'once-9b1e7f60d2c4') } }
  const wish = (await exampleOf('keys.create', made)).body
  const second = await born(() => world.post('/api/v1/keys', wish, idempotent))
  planted.plant('API key over REST', second.body.data.key as string)

  const webhook = await born(async () =>
    send(world, restOf('webhooks.create'), await exampleOf('webhooks.create', made)),
  )
  planted.plant('webhook secret', webhook.body.data.secret as string)
  const rotated = await born(() => world.post(`/api/v1/webhooks/${webhook.body.data.id}/rotate-secret`))
  planted.plant('webhook secret after rotation', rotated.body.data.secret as string)

  planted.plant('ERP key', KEYS.v2)
  await born(() => world.call('erp.connect', { erpApiKey: KEYS.v2 }))

  const password = planted.plant('certificate password', 'Contraseña-c0ffee-7741')
  const file = makeP12({ password, freshKey: true })
  // Only the scalar: the other half of the key is public and part of the certificate.
  const { d = '' } = createPrivateKey(file.keyPem).export({ format: 'jwk' })
  planted.plant('certificate key', d, Buffer.from(d, 'base64url'))
  planted.plant('certificate file', file.p12.subarray(120, 168).toString('base64'))
  await born(() => world.call('certificates.import', { file: file.p12.toString('base64'), password }))

  await born(() =>
    world.call('mail.saveAccount', {
      ...{ channel: 'smtp', host: 'smtp.example.com', port: 465, security: 'tls', user: 'ana' },
      ...{ password: planted.plant('SMTP password', 'smtp-pa55-51ce09ab'), fromAddress: 'ana@example.com' },
    }),
  )

  const recovery = await born(() => world.call('recovery.reveal', {}, { book: null }))
  const { code, groups } = recovery.body.data as { code: string; groups: string[] }
  planted.plant('recovery code', code, groups.join(''), groups.join(' '))
  const typed = [0, 3].map((index) => ({ index, text: groups[index] }))
  await born(() => world.call('recovery.confirm', { groups: typed }, { book: null }))
  await born(() =>
    world.call('lock.set', { code: planted.plant('lock code', 'candado-71f3-e0b8') }, { book: null }),
  )

  const draft = await world.createDraft({}, { key })
  const validated = await born(() => world.post(`/api/v1/invoices/${draft.id}/validate`, {}, { key }))
  const token = planted.plant(
    'confirmation token',
    validated.body.data.confirmation.confirmationToken as string,
  )
  return { key, token, issued: draft.id }
}

function restOf(name: string) {
  const route = ROUTES.find((one) => one.name === name)
  if (!route) throw new Error(`${name} has no address.`)
  return route.rest
}

/** Sends invalid requests that would echo their input, if anything does. */
async function provoke({ key, token, issued }: Entry): Promise<number> {
  const wrongKey = planted.plant('mistyped API key', `${key.slice(0, -8)}zzzzzzzz`)
  const wrongCode = planted.plant('wrong lock code', 'candado-equivocado-33')
  const wrongPassword = planted.plant('wrong certificate password', 'otra-c0ntra-8814')
  const json = { 'content-type': 'application/json' }
  const other = (await world.createDraft()).id
  const wrong = [
    await world.get('/api/v1/invoices', { key: wrongKey }),
    await world.post(`/api/v1/invoices/${other}/issue`, { confirmationToken: token }, { key }),
    await world.post(`/api/v1/invoices/${issued}/issue`, { confirmationToken: [token] }, { key }),
    await world.post(`/api/v1/invoices/${issued}/issue`, `{"confirmationToken": "${token}"`, {
      key,
      headers: json,
    }),
    await world.post('/api/v1/invoices', { lines: token, clientName: 3 }, { key }),
    await world.call('lock.set', { code: 'x', current: wrongCode }, { book: null }),
    await world.call('session.unlock', { code: [wrongCode] }, { book: null }),
    await world.call('certificates.import', { file: 'AAAA', password: wrongPassword }),
    await world.call('certificates.import', { file: wrongPassword, password: 7 }),
    await world.call('mail.saveAccount', { channel: 'smtp', password: { text: 'smtp-pa55-51ce09ab' } }),
    await world.call('erp.connect', { erpApiKey: [KEYS.v2] }),
    await world.call('erp.connect', { erpApiKey: planted.plant('wrong ERP key', 'pat_wrong-77c1e0d94b') }),
    await world.inject({
      method: 'POST',
      url: '/app/call/company.get',
      headers: { authorization: `Bearer ${wrongKey}` },
    }),
  ]
  return wrong.filter(({ status }) => status >= 400 && status < 500).length
}

/** Calls every operation over every interface with a valid example; files wait until they exist. */
async function useAll(made: Furnished): Promise<{ rest: number; window: number; tools: number }> {
  const count = { rest: 0, window: 0, tools: 0 }
  for (const { contract } of CALLED) {
    const { name, rest, tool } = contract
    if (LEFT_OUT.test(name)) continue
    const example = rest ? await exampleOf(name, made) : {}
    if (rest && (await send(world, rest, example)).status < 400) count.rest += 1
    // Over the window's interface it never ends, as intended.
    if (name === 'events.stream') continue
    const again = rest ? await exampleOf(name, made) : {}
    const input = { ...again.query, ...again.body, ...again.params }
    if ((await world.call(name, input)).status < 400) count.window += 1
    if (!tool) continue
    const { headers, body } = mcpRequest('2026', 'tools/call', { name: tool, arguments: input })
    if ((await world.post(MCP_PATH, body, { headers })).status < 400) count.tools += 1
  }
  return count
}

async function exportAll(made: Furnished): Promise<number> {
  await made.issued({ clientName: `Cliente ${CONTROL}` })
  let files = 0
  for (const format of FORMATS) {
    const asked = await world.post('/api/v1/exports', { filter: { text: CONTROL }, format })
    const path = String(asked.headers.location)
    await expect
      .poll(async () => (await world.get(path)).body.data.state, { interval: 50, timeout: 30_000 })
      .toBe('ready')
    if ((await world.get(`${path}/file`)).status === 200) files += 1
  }
  return files
}

/** Starts a backup job in its thread and ends it as soon as a file of a name has content, which stays behind. */
async function cutShort(job: BackupJob, folder: string, name: RegExp): Promise<Place> {
  const { TMPDIR } = process.env
  const worker = new Worker(new URL('../../../../server/app/backups/make/worker.ts', import.meta.url), {
    workerData: { thread: 'backup', given: job },
    env: { TMPDIR },
  })
  let ended = false
  worker.once('exit', () => (ended = true))
  try {
    for (;;) {
      if (ended) throw new Error('It was over before it could be cut short.')
      const [left] = filesBelow(folder).filter((file) => name.test(file.name) && file.bytes.length > 8192)
      if (left) return left
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
  } finally {
    await worker.terminate()
  }
}

/** Makes backups in both places, a drill of one, and an interrupted one of each; returns every copy of the books. */
async function backUpAll(): Promise<Place[]> {
  const own = join(temporary, 'files', 'second')
  mkdirSync(own)
  await world.run('backups.settings', { folder: own }, { book: NO_BOOK })
  await world.run('backups.make', {}, { book: NO_BOOK })
  await drillWhenDue(world.env)
  const { folder } = world
  const backups = join(folder, 'backups')
  const [newest] = listFolder(backups)
  if (!newest) throw new Error('There is no backup.')
  const masterKey = (): Buffer => keyOf(folder)
  const cut = [
    await cutShort(
      { kind: 'make', folder, to: backups, masterKey: masterKey(), reason: 'manual', at: Date.now() },
      backups,
      /^making\.part$/,
    ),
    await cutShort(
      { kind: 'try', from: backups, name: newest.name, masterKey: masterKey() },
      join(temporary, 'files'),
      /sello-drill-/,
    ),
  ]
  const kept = [...filesBelow(backups), ...filesBelow(own)].filter(({ name }) => name.endsWith('.db'))
  expect(kept.length).toBeGreaterThanOrEqual(2)
  return [...kept, ...cut]
}

test(
  'no planted secret is in logs, answers, exports, the store or a temporary file',
  { timeout: 300_000 },
  async () => {
    const made = await new Furnished(world).open()
    const entry = await plantAll(made)
    expect(planted.names.length).toBeGreaterThanOrEqual(12)
    expect(
      (await world.post(`/api/v1/invoices/${entry.issued}/issue`, { confirmationToken: entry.token }, entry))
        .status,
    ).toBe(200)
    expect(await provoke(entry)).toBe(13)
    const used = await useAll(made)
    // Most requests succeeded: a search of rejections alone would find nothing.
    expect(used.rest).toBeGreaterThan(ROUTED * 0.9)
    // Path and query parameters are text and are rejected where the window sends numbers and lists.
    expect(used.window).toBeGreaterThan(ROUTED * 0.6)
    expect(used.tools).toBeGreaterThanOrEqual(sweptCount(9, 2))
    expect(await exportAll(made)).toBe(FORMATS.length)
    const copies = await backUpAll()
    world.env.report('a provoked fault', new Error(`with ${CONTROL} in its words`))
    writeFileSync(join(temporary, 'files', 'control'), CONTROL)
    writeFileSync(join(world.folder, 'control'), CONTROL)
    process.stdout.write(CONTROL)

    const places = (): Record<string, Place[]> => ({
      answers,
      logs: [{ name: 'the log', bytes: Buffer.from(world.logged.join('\n')) }],
      output: [{ name: 'the output', bytes: Buffer.from(printed.join('')) }],
      temporary: filesBelow(join(temporary, 'files')),
      // The only file with the only secret stored in clear text, when there is no keychain.
      files: filesBelow(world.folder).filter(({ name }) => name !== 'master.key'),
      // As a holder of the key reads them: pages in use, free pages, and the log of the store.
      pages: [{ name: 'the pages of the store', bytes: allPages(world.folder) }],
      copies: copies.map(({ bytes }) => ({
        name: 'the pages of a copy',
        bytes: pagesOf(bytes, keyOf(world.folder)),
      })),
    })
    // The caller's Idempotency-Key is returned to it, so it is stored unchanged.
    const allowed = ['idempotency key in the pages of the store', 'idempotency key in the pages of a copy']
    for (const [kind, found] of Object.entries(places())) {
      expect(
        planted.hits(found).filter((hit) => !allowed.includes(hit)),
        kind,
      ).toEqual([])
      // The same search finds text that is there.
      expect(control.hits(found), kind).not.toEqual([])
    }
    expect(control.hits(answers.filter(({ name }) => name.includes('/file'))).length).toBeGreaterThanOrEqual(
      2,
    )
    expect(filesBelow(world.folder).map(({ name }) => name)).toContain('sello.db-wal')
  },
)
