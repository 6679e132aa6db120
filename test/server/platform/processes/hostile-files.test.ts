/**
 * Files made to break a parser, sent to a complete running server: each is rejected or read by its own process, the
 * program with all its processes stays below 400 MB, and other requests are answered in the meantime.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { watchMemory } from '../../../support/children/memory.ts'
import { startChild } from '../../../support/children/run.ts'
import type { Child } from '../../../support/children/run.ts'
import * as hostile from '../../../support/files/hostile-files.ts'
import { EXAMPLE_COMPANY } from '../../../support/store.ts'
import { inLongRun, swept } from '../../../support/sweep.ts'

const longTest = inLongRun(test)

/** Files that stand for the others: one for each reader, and a second where it fails in another way. */
const STANDING = new Set([
  'one cell at the last address',
  'a sheet larger than declared',
  'Flate within Flate',
  'entities that multiply',
  'six thousand lines',
  'a DOCTYPE with entities that multiply',
  'ten thousand units',
  'units with NUL bytes',
  'of four hundred million pixels',
  'parts within parts',
  'lists without an end',
  'accounts within accounts',
  'five million rows',
  'a camt.053 of elements without end',
  'a Norma 43 without end',
])
const filesOf = <Make>(files: Record<string, Make>): [string, Make][] =>
  swept(Object.entries(files), ([title]) => STANDING.has(title))
/** The tables among them go to the table reader above. */
const statements = swept(
  Object.entries(hostile.statements),
  ([title]) => STANDING.has(title) && !(title in hostile.tables),
)

/** The limit is 400; the difference is the inaccuracy of sampling on a busy machine. */
const MOST_MB = 420
const P99_MS = 250
/** What the child's fixed piece of work costs where the limit holds; a slower machine gets as much more. */
const PACE_MS = 60

let child: Child
let url = ''
let windowToken = ''
let book = ''
const folder = mkdtempSync(join(tmpdir(), 'sello-hostile-'))
const report: string[] = []

async function call(name: string, input: unknown): Promise<{ status: number; body: any }> {
  const answer = await fetch(`${url}/app/call/${name}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${windowToken}`,
      'content-type': 'application/json',
      ...(book === '' ? {} : { 'sello-book': book }),
    },
    body: JSON.stringify(input),
  })
  return { status: answer.status, body: await answer.json() }
}

/** Sends a file, and checks the program's limits while it is read. Returns the answer. */
async function give(
  title: string,
  operation: string,
  input: unknown,
): Promise<{ status: number; body: any }> {
  child.process.stdin?.write('begin\n')
  await child.line()
  const memory = watchMemory(child.process.pid ?? 0)
  const answer = await call(operation, input)
  const mb = memory()
  child.process.stdin?.write('end\n')
  const { requests, workedP99, waitedP99, pace } = (await child.line()) as Record<string, number>
  const code = answer.body.error?.details?.faults?.[0]?.code ?? answer.body.error?.code ?? 'read'
  report.push(
    `${title}: ${code}, ${Math.round(mb)} MB, ${requests} requests, p99 ${Math.round(workedP99 ?? 0)} ms of work, ${Math.round(waitedP99 ?? 0)} ms by the clock, pace ${Math.round(pace ?? 0)} ms`,
  )
  expect(answer.status, JSON.stringify(answer.body)).not.toBe(500)
  expect(mb, title).toBeLessThan(MOST_MB)
  expect(requests).toBeGreaterThan(0)
  // Only the server's own thread, without the load of other programs on a busy machine, and at the machine's pace.
  expect(workedP99, title).toBeLessThan(P99_MS * Math.max(1, (pace ?? 0) / PACE_MS))
  return answer
}

const base64 = (bytes: Buffer): string => bytes.toString('base64')

// The memory of a process tree is read from /proc.
describe.skipIf(process.platform !== 'linux')('a hostile file', { timeout: 300_000 }, () => {
  async function open(): Promise<void> {
    const runtime = JSON.parse(
      readFileSync(new URL('../../../../build/runtime.json', import.meta.url), 'utf8'),
    ) as {
      nodeFlags: string[]
      environment: Record<string, string>
    }
    child = startShared(runtime)
    ;({ url, windowToken } = (await child.line()) as { url: string; windowToken: string })
  }
  beforeAll(async () => {
    await open()
    const made = await call('company.create', EXAMPLE_COMPANY)
    book = made.body.data.books.find(({ mode }: { mode: string }) => mode === 'test').id
  }, 60_000)
  afterAll(async () => {
    await child.kill()
    rmSync(folder, { recursive: true, force: true })
    console.log(report.join('\n'))
  })

  function startShared({
    nodeFlags,
    environment,
  }: {
    nodeFlags: string[]
    environment: Record<string, string>
  }): Child {
    return startChild('hostile', [folder], {
      nodeFlags,
      env: { ...process.env, ...environment },
      shared: true,
    })
  }

  const codeOf = (answer: { body: any }): string =>
    answer.body.error?.details?.faults?.[0]?.code ?? answer.body.error?.code ?? 'read'

  test.each(filesOf(hostile.spreadsheets))('spreadsheet: %s', async (title, make) => {
    const answer = await give(title, 'imports.upload', {
      kind: 'contacts',
      fileName: 'a.xlsx',
      content: base64(make()),
    })
    if (title === 'one cell far to the right') expect(answer.body.data.run.rows).toBe(1)
    else {
      expect(codeOf(answer)).toMatch(/^import_(file_|too_)/)
      expect(answer.body.error.details.faults[0]).toMatchObject({ field: 'content', fix: expect.any(String) })
    }
  })

  test.each([...filesOf(hostile.spreadsheets), ...filesOf(hostile.tables)])(
    'directory of public bodies: %s',
    async (title, make) => {
      const answer = await give(`directory: ${title}`, 'portal.importDirectory', {
        name: 'a.xlsx',
        content: base64(make()),
      })
      expect(codeOf(answer)).toMatch(/^(import_(file_|too_)|directory_unknown$)/)
      expect((await call('portal.settings', {})).body.data.directory).toBeNull()
      expect((await call('portal.units', {})).body.data.items).toEqual([])
    },
  )

  test.each(filesOf(hostile.directories))('list of public bodies: %s', async (title, make) => {
    const answer = await give(`list: ${title}`, 'portal.importDirectory', {
      name: 'a.csv',
      content: base64(make()),
    })
    // The first and the last are lists; the others change nothing of what is there.
    const { directory } = (await call('portal.settings', {})).body.data
    expect(directory).toMatchObject({ rows: title === 'a list of one line' ? 1 : 10_000 })
    if (title === 'ten thousand units') expect(answer.body.data).toMatchObject({ added: 10_000, faulty: 0 })
    else if (answer.status === 200) expect(answer.body.data).toMatchObject({ added: 0 })
    else expect(codeOf(answer)).toMatch(/^(import_|directory_|validation_failed|payload_too_large)/)
  })

  test.each([
    ...filesOf(hostile.pdfs).map(([title, make]) => ['PDF', title, make] as const),
    ...filesOf(hostile.xmls).map(([title, make]) => ['XML', title, make] as const),
    ...filesOf(hostile.pictures).map(([title, make]) => ['picture', title, make] as const),
    ...filesOf(hostile.mails).map(([title, make]) => ['mail', title, make] as const),
  ])('%s: %s', async (kind, title, make) => {
    const answer = await give(`${kind}: ${title}`, 'received.read', { name: 'a', content: base64(make()) })
    if (answer.status !== 200)
      expect(answer.body.error).toMatchObject({
        code: 'file_unreadable',
        field: 'content',
        next: expect.any(String),
        details: { why: expect.stringMatching(/^(too_large|too_deep|doctype|broken)$/) },
      })
  })

  test.each(filesOf({ ...hostile.xmls, ...hostile.exchanges }))(
    'file of the platform: %s',
    async (title, make) => {
      const answer = await give(`platform: ${title}`, 'exchange.importFile', {
        name: 'a.xml',
        content: base64(make()),
      })
      const followed = (await call('exchange.list', {})).body.data.items.map((one: any) => one.number)
      if (title === 'six thousand lines') {
        expect(answer.body.data).toMatchObject({ kind: 'invoice', documents: [{ state: 'open' }] })
        const { id } = answer.body.data.documents[0]
        expect((await call('exchange.get', { id })).body.data).toMatchObject({ hasFile: true })
        expect(followed).toEqual(['A-1'])
      } else {
        expect(codeOf(answer)).toMatch(/^(exchange_file_unreadable|attachment_type|payload_too_large)$/)
        expect(followed).not.toContain('H-1')
      }
    },
  )

  test.each(filesOf(hostile.pictures))('logo %s', async (title, make) => {
    const answer = await give(`logo ${title}`, 'company.setDesign', { logo: base64(make()) })
    expect(answer.status).toBe(422)
    expect((await call('company.design', {})).body.data.logo).toBeNull()
  })

  test.each(filesOf(hostile.certificates))('certificate: %s', async (title, make) => {
    const answer = await give(`certificate: ${title}`, 'certificates.import', {
      file: base64(make()),
      password: 'x',
    })
    expect(answer.body.error).toMatchObject({ code: 'certificate_invalid', field: 'file' })
  })

  test.each(filesOf(hostile.balances))('balances: %s', async (title, make) => {
    const answer = await give(`balances: ${title}`, 'ledger.openBalances', {
      date: '2026-01-01',
      csv: make(),
      write: false,
    })
    expect(answer.status).toBe(200)
    // Read in time, and refused for its size.
    expect(answer.body.data.issues[0]).toMatchObject({ code: 'opening_too_many_accounts', field: 'csv' })
  })

  test('the server is started again', async () => {
    // It releases the memory of large requests late, and the largest ones follow.
    await child.kill()
    await open()
    expect((await call('imports.list', { limit: 1 })).status).toBe(200)
  })

  test.each(filesOf(hostile.tables))('table of %s', async (title, make) => {
    const answer = await give(title, 'imports.upload', {
      kind: 'contacts',
      fileName: 'a.csv',
      content: base64(make()),
    })
    expect(codeOf(answer)).toMatch(/^(import_|read)/)
  })

  test.each(statements)('bank file: %s', async (title, make) => {
    const answer = await give(title, 'bank.preview', { fileName: 'a.txt', content: base64(make()) })
    expect(answer.status).toBe(422)
    expect(answer.body.error.details.faults[0]).toMatchObject({ field: 'content' })
  })

  longTest('a table of two hundred thousand rows with a dozen columns is read', async () => {
    const lines = Array.from(
      { length: 200_000 },
      (_, n) => `Cliente ${n};;Calle Mayor;${n};28013;Madrid;a;b;c;d;e;f`,
    )
    const content = base64(
      Buffer.from(`nombre;nif;calle;numero;cp;ciudad;g;h;i;j;k;l\n${lines.join('\n')}\n`),
    )
    const memory = watchMemory(child.process.pid ?? 0)
    const answer = await call('imports.upload', { kind: 'contacts', fileName: 'a.csv', content })
    const mb = memory()
    report.push(`200,000 rows: ${Math.round(mb)} MB`)
    expect(mb).toBeLessThan(MOST_MB)
    expect(answer.body.data.run.rows).toBe(200_000)
  })
})
