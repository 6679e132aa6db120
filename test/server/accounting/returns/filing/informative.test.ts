/** Informative returns that are filed in steps: whole, with wrong records, and with every step's answer lost. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { createFilingService } from '../../../../../server/accounting/returns/filing/aeat/index.ts'
import { createLiveTransport } from '../../../../../server/accounting/returns/filing/aeat/transport.ts'
import { fileWith } from '../../../../../server/accounting/returns/filing/file.ts'
import { askForBook, recoverSendings } from '../../../../../server/accounting/returns/filing/jobs.ts'
import type { HttpMessage, Transport } from '../../../../../server/accounting/returns/filing/service.ts'
import {
  createReturnsFaultControl,
  createReturnsSimulator,
  memoryReturnsState,
} from '../../../../../server/accounting/returns/simulator/index.ts'
import type {
  DeclaredReturn,
  MemoryReturnsState,
  ReturnsFault,
} from '../../../../../server/accounting/returns/simulator/index.ts'
import { startReturnsServer } from '../../../../../server/accounting/returns/simulator/server.ts'
import type { OutputOf } from '../../../../../server/api/contracts.ts'
import {
  issueClientCertificate,
  makeAuthorityCa,
} from '../../../../../server/platform/simulated-authority/certificates/certificates.ts'
import { CLIENT_ADDRESS, refused } from '../../../../support/books.ts'
import type { TestBooks } from '../../../../support/books.ts'
import {
  head,
  landlord,
  operator,
  recipient,
  rectification,
  WORKED_347,
} from '../simulator/informative-samples.ts'
import { NAME, NOW } from '../simulator/samples.ts'
import { purchase, workedQuarter } from '../worked.ts'

const FEBRUARY = '2027-02-10T10:00:00+01:00'
const YEAR = { model: '347', year: 2026 } as const
const NIF = 'B12345674'
const UNKNOWN = '99999999R'

/** The worked quarter, with what the informative returns ask besides: provinces and a telephone number. */
async function worked({ unknown = false } = {}): Promise<TestBooks> {
  const world = await workedQuarter()
  for (const [name, nif] of [
    ['Cliente Primero, S.L.', 'B87654323'],
    ['Proveedor, S.A.', 'A58818501'],
  ] as const)
    await world.run('contacts.create', { name, nif, address: CLIENT_ADDRESS })
  if (unknown) {
    await world.run('contacts.create', { name: 'Nadie, Ana', nif: UNKNOWN, address: CLIENT_ADDRESS })
    await world.run(
      'received.create',
      purchase({
        supplierName: 'Nadie, Ana',
        supplierNif: UNKNOWN,
        supplierNumber: 'N1',
        taxLines: [{ base: 5_000, vatRate: 21 }],
      }),
    )
  }
  world.setTime(FEBRUARY)
  await world.run('fiscal.setFilingSettings', {
    surnames: null,
    firstName: null,
    contactName: 'Ana Núñez',
    contactPhone: '912345678',
    iban: null,
    live: false,
  })
  return world
}

type Place = { model: '347' | '349'; year: number; quarter?: number }
type Later = { nature?: 'substitutive'; previousReceipt?: string }

async function confirmed(world: TestBooks, place: Place, later: Later = {}): Promise<string> {
  const preview = await world.run('fiscal.prepareFiling', { ...place, ...later })
  expect(preview.faults.filter(({ severity }) => severity === 'error')).toEqual([])
  if (preview.confirmationToken === null)
    throw new Error(`No token: ${JSON.stringify(preview.sendings.map(({ state, why }) => [state, why]))}`)
  return preview.confirmationToken
}

describe('an informative return in a test book', () => {
  test.each([
    { model: '347', year: 2026 },
    { model: '349', year: 2026, quarter: 4 },
  ] as const)(
    'of model $model is filed by its own service, once, and replaced by a later one',
    async (place) => {
      const world = await worked()
      const preview = await world.run('fiscal.prepareFiling', place)
      expect(preview).toMatchObject({ way: 'simulated', wayWhy: null, kind: null, kinds: [] })
      const input = { ...place, confirmationToken: await confirmed(world, place) }
      const sending = await world.run('fiscal.fileReturn', input)
      expect(sending).toMatchObject({ state: 'accepted', why: null, errors: [], hasDocument: true })
      expect(sending.csv).toMatch(/^[A-Z0-9]{16}$/)
      expect(sending.registerNumber).toMatch(new RegExp(`^2026${place.model}\\d{15}$`))
      // The number that record 1 of the sent file gives the declaration.
      const { bytes } = await world.run('fiscal.filedFile', { id: sending.id })
      expect(sending.receipt).toBe(Buffer.from(bytes).toString('latin1').slice(107, 120))
      expect(sending.receipt).toMatch(new RegExp(`^${place.model}\\d{10}$`))
      expect(await world.run('fiscal.fileReturn', input)).toEqual(sending)
      const first = await world.run('fiscal.prepareFiling', place)
      expect(first.faults.map(({ code }) => code)).toContain('filed_before')

      const later = { nature: 'substitutive', previousReceipt: sending.receipt ?? '' } as const
      const token = await confirmed(world, place, later)
      const replaced = await world.run('fiscal.fileReturn', { ...place, confirmationToken: token })
      expect(replaced).toMatchObject({ state: 'accepted', nature: 'substitutive', errors: [] })
      expect(replaced.receipt).not.toBe(sending.receipt)
      expect(replaced.csv).not.toBe(sending.csv)
      const { filing } = await world.run('fiscal.model', place)
      expect(filing).toMatchObject({ reference: replaced.csv })
    },
  )

  test('is refused whole while one of its records is wrong, and names the party', async () => {
    const world = await worked({ unknown: true })
    const token = await confirmed(world, YEAR)
    const sending = await world.run('fiscal.fileReturn', { ...YEAR, confirmationToken: token })
    expect(sending).toMatchObject({ state: 'refused', csv: null, receipt: null })
    expect(sending.errors).toHaveLength(1)
    expect(sending.errors[0]).toMatch(/^IDT10516 - .* \(\d+: 99999999R NADIE ANA\)$/)
    expect((await world.run('fiscal.model', YEAR)).filing).toBeNull()
    // Nothing is filed: the same return may be filed after its correction.
    await confirmed(world, YEAR)
  })

  test('is checked only while it is sent: no service validates it before', async () => {
    const world = await worked()
    const error = await refused(world.run('fiscal.validateReturn', YEAR))
    expect(error).toMatchObject({ code: 'filing_not_possible', details: { why: 'informative' } })
  })
})

const STEPS = ['InicializarEnvio', 'EnviarDatos', 'PresentarEnvio', 'RecuperarEnvio', 'ConsultaExt'] as const
type Step = (typeof STEPS)[number] | 'RecuperarErrores'

const FAULTS: readonly ReturnsFault[] = [
  { kind: 'drop_request' },
  { kind: 'drop_reply' },
  { kind: 'error_500' },
  { kind: 'error_500', processed: true },
  { kind: 'html_200' },
  { kind: 'html_200', processed: true },
  { kind: 'redirect_302' },
  { kind: 'half_body' },
  { kind: 'errors', codes: ['Z9999'] },
  { kind: 'hidden', seconds: 7_200 },
]

const stepOf = ({ path }: HttpMessage): string => path.split('?')[0]?.split('/').at(-1) ?? ''

type Sending = OutputOf<'fiscal.filings'>['items'][number]

/** A worked quarter beside an agency whose answers can be spoiled step by step. */
async function beside(options?: { unknown: boolean }) {
  const world = await worked(options)
  const { env, book } = world.test
  const faults = createReturnsFaultControl()
  let state: MemoryReturnsState = memoryReturnsState()
  let simulator = createReturnsSimulator({ state, now: () => env.now(), faults })
  const armed = new Map<string, ReturnsFault>()
  const messages: HttpMessage[] = []
  let dying: Step | null = null
  const transport: Transport = async (message) => {
    messages.push(message)
    const step = stepOf(message)
    if (step === dying) throw new Error('died')
    const fault = armed.get(step)
    armed.delete(step)
    if (fault) faults.next(fault, { on: step === 'ConsultaExt' ? 'query' : 'informative' })
    const headers = Object.entries(message.headers).map(([name, value]) => [name.toLowerCase(), value])
    const answer = await simulator.handle({
      method: message.method,
      path: message.path,
      headers: { host: 'localhost', ...Object.fromEntries(headers) },
      body: message.body,
      callers: message.certificate ? [NIF] : null,
    })
    return answer.kind === 'dropped' ? { kind: 'no_answer', detail: 'dropped' } : answer
  }
  const service = createFilingService(transport)
  let now = Date.parse(FEBRUARY)
  const goOn = (ms: number): void => {
    now += ms
    world.setTime(new Date(now).toISOString())
  }
  return {
    world,
    armed,
    messages,
    service,
    goOn,
    state: () => state,
    /** Starts again with nothing filed. */
    async reset() {
      for (const table of ['filing_sendings', 'filing_confirmations', 'filings'])
        await world.tamper(`delete from ${table}`)
      state = memoryReturnsState()
      simulator = createReturnsSimulator({ state, now: () => env.now(), faults })
      armed.clear()
      faults.clear()
      messages.length = 0
      now = Date.parse(FEBRUARY)
      goOn(0)
    },
    async file(later: Later = {}): Promise<Sending> {
      const confirmationToken = await confirmed(world, YEAR, later)
      const input = { ...YEAR, quarter: undefined, confirmationToken, withoutValidation: false }
      return fileWith(world.test, input, {
        service,
        signer: { nif: NIF, name: 'Talleres Ejemplo, S.L.', representation: null },
      })
    },
    /** From now on the program dies before it sends this step. */
    dieAt(step: Step) {
      dying = step
    },
    /** Starts the program again. */
    async restart() {
      dying = null
      const rows = await world.test.db
        .selectFrom('filing_sendings')
        .selectAll()
        .where('state', 'in', ['preparing', 'sent'])
        .execute()
      await recoverSendings(world.test, rows)
    },
    async ask(): Promise<void> {
      await askForBook(env, book, { serviceOf: async () => service })
    },
    /** Asks for half a day, without new faults. */
    async quiet(): Promise<void> {
      armed.clear()
      faults.clear()
      for (let at = 0; at < 14; at++) {
        goOn(50 * 60_000)
        await askForBook(env, book, { serviceOf: async () => service })
      }
    },
    sendings: async (): Promise<Sending[]> => (await world.run('fiscal.filings', { year: 2026 })).items,
  }
}

type Beside = Awaited<ReturnType<typeof beside>>

/** The same returns here and at the agency, each with its number; nothing left open. */
async function expectOnce(at: Beside, count: number, about: string): Promise<void> {
  const declared = at.state().allDeclared()
  const sendings = await at.sendings()
  const accepted = sendings.filter(({ state }) => state === 'accepted')
  expect(declared, about).toHaveLength(count)
  const facts = (list: readonly { csv: string | null; receipt: string | null }[]) =>
    list.map(({ csv, receipt }) => `${csv} ${receipt}`).toSorted()
  expect(facts(accepted), about).toEqual(facts(declared))
  const open = sendings.filter(({ state }) => ['preparing', 'sent', 'unknown'].includes(state))
  expect(open, about).toEqual([])
  expect(new Set(declared.map(({ receipt }) => receipt)).size, about).toBe(count)
}

/** Files with spoiled answers, asks, and files again what is not filed, as a person would. */
async function filedDespite(at: Beside, spoiled: readonly [Step, ReturnsFault][], later: Later = {}) {
  for (const [step, fault] of spoiled) at.armed.set(step, fault)
  const before = at.state().allDeclared().length
  const sending = await at.file(later)
  const isFiled = at.state().allDeclared().length > before
  // What is certain is right at once.
  if (sending.state === 'accepted') expect(isFiled).toBe(true)
  else if (sending.state !== 'unknown') expect(isFiled, `${sending.state} ${sending.why}`).toBe(false)
  await at.quiet()
  const latest = (await at.sendings())[0]
  if (latest?.state !== 'accepted') {
    await at.file(later)
    await at.quiet()
  }
  return sending
}

describe('an answer that is spoiled leaves an informative return filed once', () => {
  test('at each step of a first return', { timeout: 300_000 }, async () => {
    const at = await beside()
    const states = new Map<string, number>()
    for (const step of STEPS)
      for (const fault of FAULTS) {
        await at.reset()
        const sending = await filedDespite(at, [[step, fault]])
        await expectOnce(at, 1, `${step} ${JSON.stringify(fault)}`)
        const isLast = step === 'PresentarEnvio'
        // Before the last step every failure is certain.
        if (!isLast) expect(sending.state, `${step} ${fault.kind}`).not.toBe('unknown')
        else if (!['errors', 'hidden'].includes(fault.kind)) expect(sending.state).toBe('unknown')
        // Nothing leaves while one of the two questions before has no readable answer.
        if (step === 'RecuperarEnvio' || step === 'ConsultaExt')
          if (['drop_request', 'drop_reply', 'error_500', 'html_200', 'redirect_302'].includes(fault.kind))
            expect(sending).toMatchObject({ state: 'not_sent', why: 'query_unavailable' })
        states.set(sending.state, (states.get(sending.state) ?? 0) + 1)
      }
    expect([...states.values()].reduce((sum, each) => sum + each, 0)).toBe(STEPS.length * FAULTS.length)
    expect(states.get('unknown')).toBe(8)
    expect(states.get('not_sent')).toBeGreaterThan(0)
    expect(states.get('refused')).toBe(3)
  })

  test('at each step of one that replaces it', { timeout: 300_000 }, async () => {
    const at = await beside()
    for (const step of STEPS)
      for (const fault of FAULTS) {
        await at.reset()
        const first = await at.file()
        at.goOn(3 * 3_600_000)
        const later = { nature: 'substitutive', previousReceipt: first.receipt ?? '' } as const
        await filedDespite(at, [[step, fault]], later)
        await expectOnce(at, 2, `${step} ${JSON.stringify(fault)}`)
      }
  })

  test('with the answers to the first questions spoiled as well', { timeout: 300_000 }, async () => {
    const at = await beside()
    for (const question of ['RecuperarEnvio', 'ConsultaExt'] as const)
      for (const fault of FAULTS)
        for (const lost of [{ kind: 'drop_reply' }, { kind: 'drop_request' }] as const) {
          await at.reset()
          at.armed.set('PresentarEnvio', lost)
          const sending = await at.file()
          expect(sending).toMatchObject({ state: 'unknown', why: 'answer_lost', csv: null })
          for (let times = 0; times < 3; times++) {
            at.armed.set(question, fault)
            at.goOn(10 * 60_000)
            await at.ask()
          }
          await at.quiet()
          if ((await at.sendings())[0]?.state !== 'accepted') await at.file()
          await at.quiet()
          await expectOnce(at, 1, `${question} ${JSON.stringify(fault)} ${lost.kind}`)
        }
  })

  test('and a refusal for its records, whatever becomes of their errors', { timeout: 120_000 }, async () => {
    const at = await beside({ unknown: true })
    for (const fault of FAULTS) {
      await at.reset()
      at.armed.set('RecuperarErrores', fault)
      const sending = await at.file()
      expect(sending, fault.kind).toMatchObject({ state: 'refused', csv: null })
      expect(sending.errors.length, fault.kind).toBeGreaterThan(0)
      expect(at.state().allDeclared()).toEqual([])
      expect(at.messages.map(stepOf)).not.toContain('PresentarEnvio')
    }
  })
})

describe('what the agency says of an informative return', () => {
  test('that is presented and not listed yet is not known, and never filed again meanwhile', async () => {
    const at = await beside()
    at.armed.set('PresentarEnvio', { kind: 'drop_reply' })
    await at.file()
    for (let hours = 0; hours < 5; hours++) {
      at.armed.set('ConsultaExt', { kind: 'hidden', seconds: 86_400 })
      at.goOn(3_600_000)
      await at.ask()
    }
    const [sending] = await at.sendings()
    expect(sending).toMatchObject({ state: 'unknown', why: 'presented_not_shown' })
    const preview = await at.world.run('fiscal.prepareFiling', YEAR)
    expect(preview.confirmationToken).toBeNull()
    await at.quiet()
    await expectOnce(at, 1, 'shown at last')
  })

  test('that replaces one which is listed: it is asked for as long as the last sending is presented', async () => {
    const at = await beside()
    const first = await at.file()
    at.goOn(86_400_000)
    at.armed.set('PresentarEnvio', { kind: 'drop_reply' })
    await at.file({ nature: 'substitutive', previousReceipt: first.receipt ?? '' })
    for (let hours = 0; hours < 8; hours++) {
      at.armed.set('ConsultaExt', { kind: 'hidden', seconds: 60_000 })
      at.goOn(3_600_000)
      await at.ask()
    }
    const [sending] = await at.sendings()
    expect(sending).toMatchObject({ state: 'unknown', why: 'presented_not_shown' })
    at.goOn(86_400_000)
    await at.quiet()
    await expectOnce(at, 2, 'shown at last')
  })

  test('that is not presented, beside a sending of the earlier return: the usual rule decides', async () => {
    const at = await beside()
    const first = await at.file()
    at.goOn(86_400_000)
    const later = { nature: 'substitutive', previousReceipt: first.receipt ?? '' } as const
    // The program dies after it has written that the return leaves, and before it does.
    at.dieAt('InicializarEnvio')
    await expect(at.file(later)).rejects.toThrow('died')
    await at.restart()
    expect((await at.sendings())[0]).toMatchObject({ state: 'unknown', why: 'interrupted' })
    at.goOn(10 * 60_000)
    await at.ask()
    expect((await at.sendings())[0]).toMatchObject({ state: 'unknown', why: 'not_shown' })
    await at.quiet()
    expect((await at.sendings())[0]).toMatchObject({ state: 'not_found' })
    expect((await at.file(later)).state).toBe('accepted')
    expect(at.state().allDeclared()).toHaveLength(2)
  })

  test('whose answer was lost keeps its own sending in mind, also for the return after it', async () => {
    const at = await beside()
    at.armed.set('PresentarEnvio', { kind: 'drop_reply' })
    expect(await at.file()).toMatchObject({ state: 'unknown' })
    at.goOn(3_600_000)
    await at.ask()
    const [first] = await at.sendings()
    expect(first).toMatchObject({ state: 'accepted', why: 'found_by_query' })
    at.goOn(86_400_000)
    at.dieAt('InicializarEnvio')
    const later = { nature: 'substitutive', previousReceipt: first?.receipt ?? '' } as const
    await expect(at.file(later)).rejects.toThrow('died')
    await at.restart()
    await at.quiet()
    expect((await at.sendings())[0]).toMatchObject({ state: 'not_found' })
  })

  test('whose last sending is of somebody else stays unknown, however often it is asked for', async () => {
    const at = await beside()
    const first = await at.file()
    at.goOn(86_400_000)
    at.dieAt('InicializarEnvio')
    const later = { nature: 'substitutive', previousReceipt: first.receipt ?? '' } as const
    await expect(at.file(later)).rejects.toThrow('died')
    await at.restart()
    // Another program presents: its sending is the last one, and its return is not shown yet.
    const own = at.state().allSendings()[0]!
    const id = `${own.id.slice(0, -1)}${own.id.endsWith('9') ? '8' : '9'}`
    await at.state().putSending({ ...own, id, serial: own.serial + 1 })
    await at.quiet()
    expect((await at.sendings())[0]).toMatchObject({ state: 'unknown', why: 'presented_not_shown' })
  })

  test('8888 at the start: another stands, and nothing was sent', async () => {
    const at = await beside()
    at.armed.set('InicializarEnvio', { kind: 'errors', codes: ['8888'] })
    const sending = await at.file()
    expect(sending).toMatchObject({ state: 'not_sent', why: 'stands_already' })
    expect(sending.detail).toMatch(/^8888 - /)
    expect(at.messages.map(stepOf)).toEqual(['RecuperarEnvio', 'ConsultaExt', 'InicializarEnvio'])
  })

  test('one filed elsewhere is found before anything leaves', async () => {
    const at = await beside()
    await at.file()
    for (const table of ['filing_sendings', 'filing_confirmations', 'filings'])
      await at.world.tamper(`delete from ${table}`)
    at.messages.length = 0
    expect(await at.file()).toMatchObject({ state: 'not_sent', why: 'filed_elsewhere' })
    expect(at.messages.map(stepOf)).toEqual(['RecuperarEnvio', 'ConsultaExt'])
    await at.world.tamper('delete from filing_sendings')
    at.armed.set('ConsultaExt', { kind: 'hidden', seconds: 86_400 })
    expect(await at.file()).toMatchObject({ state: 'not_sent', why: 'presented_not_shown' })
  })

  test('a second return with the number of the first does not leave', async () => {
    const at = await beside()
    const first = await at.file()
    const second = { nature: 'substitutive', previousReceipt: first.receipt ?? '' } as const
    expect((await at.file(second)).state).toBe('accepted')
    expect(await at.file(second)).toMatchObject({ state: 'not_sent', why: 'number_used' })
    expect(at.state().allDeclared()).toHaveLength(2)
  })

  test('under another number is not ours; the number tells which of several is', async () => {
    const at = await beside()
    const other = (csv: string, receipt: string): DeclaredReturn => ({
      nif: NIF,
      model: '347',
      year: 2026,
      period: '0A',
      nature: 'first',
      kind: '',
      csv,
      receipt,
      file: '2026347000000000000999',
      presentedAt: Date.parse(FEBRUARY) + 60_000,
      resultCents: 0,
      presenterNif: NIF,
      presenterName: 'OTRO PROGRAMA',
      presenterAs: '',
      name: 'OTRO PROGRAMA',
      text: '',
    })
    at.armed.set('PresentarEnvio', { kind: 'drop_request' })
    await at.file()
    await at.state().add(other('AAAABBBBCCCCDDDD', '3472026990001'))
    at.goOn(3_600_000)
    await at.ask()
    expect((await at.sendings())[0]).toMatchObject({ state: 'unknown', why: 'filed_elsewhere', csv: null })

    await at.reset()
    at.armed.set('PresentarEnvio', { kind: 'drop_reply' })
    await at.file()
    const [ours] = at.state().allDeclared()
    await at.state().add(other('AAAABBBBCCCCDDDD', '3472026990001'))
    at.goOn(3_600_000)
    await at.ask()
    expect((await at.sendings())[0]).toMatchObject({
      state: 'accepted',
      why: 'found_by_query',
      csv: ours?.csv,
      receipt: ours?.receipt,
    })
  })
})

const SAMPLES = [
  { period: '0A', ...WORKED_347 },
  {
    period: '1T',
    head: head({ model: '349', totals: [1, 100_000, 1, 50_000] }),
    records: [operator(), rectification()],
  },
  { period: '0A', head: head({ model: '190', totals: [1, 100_000, 15_000] }), records: [recipient()] },
  { period: '0A', head: head({ model: '180', totals: [1, 100_000, 19_000] }), records: [landlord()] },
]

test('each informative model is filed over the real transport', async () => {
  const dates = { from: new Date('2026-01-01T00:00:00Z'), to: new Date('2036-01-01T00:00:00Z') }
  const ca = await makeAuthorityCa({ ...dates, name: 'AC DE CLIENTES' })
  const certificate = await issueClientCertificate({ ca, ...dates, kind: 'seal', nif: NIF, name: NAME })
  const server = await startReturnsServer({ now: () => NOW })
  onTestFinished(() => server.close())
  const transport = createLiveTransport({
    environment: 'preproduction',
    credential: { keyPem: certificate.keyPem, chainPem: certificate.certPem },
    version: '1.0.0',
    standIn: { url: server.url, caPem: server.caPem },
  })
  const service = createFilingService(transport)
  const own = { nif: NIF, name: NAME }
  for (const { period, head: first, records } of SAMPLES) {
    const [model, year] = [first.slice(1, 4), Number(first.slice(4, 8))]
    const of = { model, year, period }
    expect(await service.query({ ...of, nif: NIF, name: NAME })).toEqual({ kind: 'none' })
    const text = [first, ...records].map((record) => `${record}\r\n`).join('')
    const answer = await service.file({ ...of, text }, { filer: own, signer: own }, null)
    expect(answer, model).toMatchObject({
      kind: 'accepted',
      receipt: { receipt: first.slice(107, 120), notices: [] },
    })
    expect(await service.query({ ...of, nif: NIF, name: NAME }), model).toMatchObject({
      kind: 'found',
      declared: [{ receipt: first.slice(107, 120) }],
    })
  }
  expect(server.state?.allDeclared().map(({ model }) => model)).toEqual(['347', '349', '190', '180'])
})

const HEAD = `13472026${NIF}`.padEnd(107).concat('3472026000001').padEnd(500)

/** A service that answers each step with these headers, in turn. */
function scripted(answers: readonly Record<string, string>[], signerNif = NIF) {
  const messages: HttpMessage[] = []
  const transport: Transport = async (message) => {
    messages.push(message)
    const headers = answers[messages.length - 1] ?? {}
    return { kind: 'answered', status: 200, headers, body: new Uint8Array() }
  }
  const file = (records: number) =>
    createFilingService(transport).file(
      {
        model: '347',
        year: 2026,
        period: '0A',
        text: `${HEAD}\r\n${`${'2'.padEnd(500)}\r\n`.repeat(records)}`,
      },
      { filer: { nif: NIF, name: NAME }, signer: { nif: signerNif, name: 'Núñez Žižek, S.L.' } },
      null,
    )
  return { messages, file }
}

const OPENED = {
  IdEnvio: 'E1',
  Codigo: '0',
  'Set-Cookie': 'A=1; Path=/; Expires=Mon, 01 Mar 2027 00:00:00 GMT\nB=2; Secure',
}
const PRESENTED = {
  IDENVIO: 'E1',
  CODIGO: '0',
  ESTADO: 'PRESENTADO',
  CSV: 'ABCD1234EFGH5678',
  EXPEDIENTE: '2026347000000000000001',
}

describe('the messages of an informative return', () => {
  test('carry 40,000 records in a block, the cookies of the first answer, and a name in plain capitals', async () => {
    const { messages, file } = scripted([
      OPENED,
      { CODIGO: '0', ESTADO: 'CREADO' },
      { CODIGO: '0', ESTADO: 'FINALIZADO', TOTALT2OK: '40001', TOTALT2KO: '0' },
      { ...PRESENTED, NUMEROREGISTROS: '40000' },
    ])
    const answer = await file(40_001)
    expect(answer).toMatchObject({
      kind: 'accepted',
      receipt: { csv: 'ABCD1234EFGH5678', receipt: '3472026000001', presentedAt: null },
    })
    // The agency counts one less: it is said, not hidden.
    expect(answer.kind === 'accepted' && answer.receipt.notices).toEqual(['NUMEROREGISTROS: 40000 (40001)'])
    expect(messages.map(stepOf)).toEqual(['InicializarEnvio', 'EnviarDatos', 'EnviarDatos', 'PresentarEnvio'])
    const [opened, first, second, last] = messages
    expect(opened?.headers).toMatchObject({ NDC: NIF, NUMBLOQUES: '2', CODIFICACION: 'ISO-8859-1' })
    expect(Buffer.from(opened!.body).toString('latin1')).toBe(HEAD)
    expect([first?.body.length, second?.body.length]).toEqual([40_000 * 500, 500])
    expect(second?.headers).toMatchObject({ NUMBLOQUE: '2', IDENVIO: 'E1', cookie: 'A=1; B=2' })
    expect(last?.headers).toMatchObject({
      FIR: 'FirmaBasica',
      FIRNIF: NIF,
      FIRNOMBRE: 'NUÑEZ ZIZEK SL',
      cookie: 'A=1; B=2',
    })
  })

  test.each([
    ['no code', {}],
    ['another sending', { ...PRESENTED, IDENVIO: 'E2' }],
    ['no CSV', { ...PRESENTED, CSV: '' }],
    ['half a CSV', { ...PRESENTED, CSV: 'ABCD1234' }],
    ['another state', { ...PRESENTED, ESTADO: 'FINALIZADO' }],
  ])('an answer to the last step with %s leaves it unknown', async (_what, answer) => {
    const { file } = scripted([
      OPENED,
      { CODIGO: '0', ESTADO: 'FINALIZADO', TOTALT2OK: '1', TOTALT2KO: '0' },
      answer,
    ])
    expect(await file(1)).toMatchObject({ kind: 'unknown' })
  })

  test.each([
    ['no totals', { CODIGO: '0', ESTADO: 'FINALIZADO' }],
    ['fewer records', { CODIGO: '0', ESTADO: 'FINALIZADO', TOTALT2OK: '1', TOTALT2KO: '0' }],
    ['an open state', { CODIGO: '0', ESTADO: 'CREADO', TOTALT2OK: '2', TOTALT2KO: '0' }],
  ])('after an answer to the records with %s nothing is presented', async (_what, answer) => {
    const { file, messages } = scripted([OPENED, answer, PRESENTED])
    expect(await file(2)).toMatchObject({ kind: 'not_sent', reason: 'step_failed' })
    expect(messages).toHaveLength(2)
  })

  test('name the filer as declarant and the holder of the certificate as signer', async () => {
    const { messages, file } = scripted(
      [
        OPENED,
        { CODIGO: '0', ESTADO: 'FINALIZADO', TOTALT2OK: '1', TOTALT2KO: '0' },
        { ...PRESENTED, NUMEROREGISTROS: '1' },
      ],
      '12345678Z',
    )
    expect(await file(1)).toMatchObject({ kind: 'accepted', receipt: { exchangeId: 'E1', presented: null } })
    expect(messages[0]?.headers).toMatchObject({ NDC: NIF })
    expect(messages[2]?.headers).toMatchObject({ FIRNIF: '12345678Z', FIRNOMBRE: 'NUÑEZ ZIZEK SL' })
  })

  test('do not begin for more records than half an hour allows', async () => {
    const { file, messages } = scripted([])
    expect(await file(200_001)).toMatchObject({ kind: 'not_sent', reason: 'too_many_records' })
    expect(messages).toEqual([])
  })
})
