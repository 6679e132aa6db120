/** A hostile caller and a demanding one, both drawn from a fixed seed: nothing they send is our fault, and what we call valid is accepted. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AnyContract, RestBinding } from '../../../server/core/contract.ts'
import { ERRORS } from '../../../server/core/errors.ts'
import { setRegistryStatus } from '../../../server/invoices/index.ts'
import { openApiDocument } from '../../../server/openapi.ts'
import { sendBook } from '../../../server/registry/index.ts'
import { checkBooks } from '../../../server/self-check.ts'
import { dice } from '../../support/dice.ts'
import type { Dice } from '../../support/dice.ts'
import { exampleOf, Furnished, ROUTES } from '../../support/examples.ts'
import type { Example } from '../../support/examples.ts'
import { openWorld } from '../../support/world.ts'
import type { Answer, World } from '../../support/world.ts'

const REQUESTS = 1_500
const DRAFTS = 150

let world: World
beforeAll(async () => {
  world = await openWorld({ shared: true, at: '2026-07-01T10:00:00+02:00' })
})
afterAll(() => world.close())

/** JSON that JSON.stringify would not write. */
class Verbatim {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

function written(value: unknown): string {
  if (value instanceof Verbatim) return value.text
  if (Array.isArray(value)) return `[${Array.from(value, written).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`)
    .join(',')}}`
}

const NASTY: readonly unknown[] = [
  ...[null, true, 0, -1, 1.5, 0.1 + 0.2, 2 ** 53, 1e21, -(2 ** 63), '', ' ', [], {}, [[]], [null], { a: 1 }],
  ...[
    '1e400',
    '-1e400',
    '-0',
    '1e308',
    '5e-324',
    '"\\ud800"',
    '"\\udc00x"',
    '{"a":1,"a":2}',
    '{"__proto__":{"x":1}}',
  ].map((text) => new Verbatim(text)),
  new Verbatim('['.repeat(40) + ']'.repeat(40)),
  ...[
    '\u0000',
    'a\u0000b',
    '\u202eabc',
    '\ufeffx',
    'x\ufffe',
    '\uffff',
    '\ufdd0',
    '\u0085',
    '\u00a0',
    '\u{10ffff}',
    '\u{e0041}',
  ],
  ...[
    '😀',
    'ñ'.repeat(501),
    '\u0958'.repeat(35),
    '\u0958'.repeat(60),
    '\u0958'.repeat(80),
    '\u0958'.repeat(120),
    '\u0958'.repeat(160),
    'x'.repeat(5_000),
    'a\nb',
    'a\tb',
    ']]>',
    '<a b="c">',
    '%00',
    '../..',
    "' or 1=1 --",
  ],
  ...[
    '2026-02-30',
    '0000-00-00',
    '9999-12-31',
    '2012-08-31',
    '2026-07-01',
    'F1',
    'F2',
    'S2',
    'E5',
    'ES',
    'XX',
    '07',
    '12345678Z',
  ],
]

const ODD_VALUES = [
  ...[
    '',
    '0',
    '-1',
    '1.5',
    '101',
    '25',
    '1e3',
    'true',
    'TRUE',
    'null',
    '%00',
    '%',
    '%zz',
    '%ff',
    '%27',
    '+',
    '*',
    '%22',
    '%5B%5D',
  ],
  ...[
    'issued',
    'draft',
    '2026-01-01',
    '2026-02-30',
    '9999-12-31',
    '-issueDate',
    'total',
    'x'.repeat(500),
    'WyJhIl0',
    'eyJ2IjoxfQ',
  ],
  ...['%E2%80%AE', '2026', '4', '12', '99999999999999999999', '_', '(', '%F0%9F%98%80'],
]

const ODD_IDS = [
  ...[
    'nope',
    '..',
    '.',
    '%2e%2e',
    'a%2Fb',
    '%00',
    '%',
    '%zz',
    '%ff',
    '%27',
    '%20',
    '%0d%0a',
    '__proto__',
    'constructor',
    '%23',
  ],
  ...['x'.repeat(81), 'x'.repeat(500), '%F0%9F%98%80', ';x'],
]

const LINE = { description: 'Obra', quantity: 1, unitPrice: 10 }
const DRAFT = {
  clientName: 'Ana',
  clientNif: '12345678Z',
  client: {
    country: 'ES',
    idType: null,
    email: null,
    address: { street: 'a', postalCode: '28001', city: 'Madrid', country: 'ES' },
  },
  lines: [
    LINE,
    { ...LINE, discountPct: 10, vatRate: 10, taxTreatment: 'S1', unit: 'h', surcharge: 1.4, regimeKey: '01' },
  ],
  kind: 'F1',
  operationDate: null,
  dueDate: null,
  withholdingPct: 15,
  priceMode: 'net',
  notes: 'x',
  externalRef: 'r',
}
/** Beyond what an example sends: bodies with every field there is. */
const BODIES: Readonly<Record<string, object>> = {
  'invoices.create': DRAFT,
  'invoices.update': { ...DRAFT, expectedVersion: 1 },
  'invoices.validate': { action: 'issue', expectedVersion: 1 },
  'invoices.cancel': { confirmationToken: 'svct_x', reason: 'x' },
  'quotes.create': { ...DRAFT, kind: undefined, operationDate: undefined, dueDate: undefined },
  'keys.create': {
    name: 'n',
    scopes: ['invoices.read'],
    expiresAt: '2027-01-01T00:00:00Z',
    limits: { perDay: 5, eurPerDay: 10 },
  },
}
const BROKEN_BODIES = [
  '{',
  'null',
  '[]',
  '"x"',
  '1',
  '{"a":1,}',
  '\ufeff{}',
  '{} {}',
  '{"a":NaN}',
  '{"a":'.repeat(100),
]

/** A body that works, spoilt in one to three places. */
function spoilt(good: object, { below, chance, pick }: Dice): string {
  const body = structuredClone(good)
  const places: [Record<string, unknown>, string][] = []
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [name, member] of Object.entries(value)) {
      places.push([value as Record<string, unknown>, name])
      walk(member)
    }
  }
  walk(body)
  for (let times = 1 + below(3); times > 0; times -= 1) {
    // Of an empty body there is nothing to spoil but itself.
    const [holder, name] = places.length > 0 ? pick(places) : [body as Record<string, unknown>, 'extra']
    if (chance(0.75)) holder[name] = pick(NASTY)
    else if (chance(0.5)) delete holder[name]
    else holder[pick(['extra', 'constructor', 'toString', 'ID', 'id', ''])] = pick(NASTY)
  }
  return written(body)
}

const documented = openApiDocument('0') as {
  paths: Record<string, Record<string, { responses: Record<string, { content?: object }> }>>
}

/** What every answer promises: the envelope, a status the reference names, and data of the shape it describes. */
function complaintAbout(
  contract: AnyContract,
  rest: RestBinding,
  { status, headers, body }: Answer,
): string | null {
  if (status >= 500) return `answers ${status}`
  const path = `/api/v1${rest.path.replace(/:(\w+)/g, '{$1}')}`
  const described = documented.paths[path]?.[rest.method.toLowerCase()]?.responses[String(status)]
  if (!described) return `answers ${status}, which the reference does not name`
  if (contract.media && status === 200)
    return String(headers['content-type']) in (described.content ?? {})
      ? null
      : `answers ${String(headers['content-type'])}, which the reference does not name`
  if (!/^req_/.test(body?.meta?.requestId)) return 'answers outside the envelope'
  if (status >= 400) {
    const spec = ERRORS[body.error?.code as keyof typeof ERRORS]
    return spec?.status === status && body.error.next === spec.next
      ? null
      : 'answers an error outside the catalogue'
  }
  const read = contract.output.safeParse(body.data)
  return body.ok === true && read.success ? null : `answers another shape: ${read.error?.message}`
}

test('whatever is sent, the answer is one the reference describes', { timeout: 60_000 }, async () => {
  const random = dice(20_260_701)
  const { below, chance, pick } = random
  const made = await new Furnished(world).open()
  const authorization = `Bearer ${await world.key()}`
  const examples = new Map<string, Example>()
  const identifiers = new Set<string>()
  for (let count = 0; count < REQUESTS; count += 1) {
    const { name, contract, rest } = pick(ROUTES)
    // Now and then a new one: what an earlier request deleted or settled takes no more.
    if (!examples.has(name) || chance(0.15)) examples.set(name, await exampleOf(name, made))
    const example = examples.get(name) ?? {}
    for (const id of Object.values(example.params ?? {})) identifiers.add(id)
    // A `..` or `/` would be another address, which the reference does not describe; sockets.test.ts asks for those.
    const oddId = (): string =>
      chance(0.5) ? pick([...identifiers]) : pick(ODD_IDS.filter((odd) => !/^\.+$|^%2e/.test(odd)))
    const path = rest.path.replace(/:(\w+)/g, (_, field: string) =>
      chance(0.7) ? (example.params?.[field] ?? '') : oddId(),
    )
    const fields = Object.keys((contract.input as unknown as { shape: object }).shape)
    const odd = Array.from(
      { length: chance(0.5) ? below(4) : 0 },
      () => `${chance(0.9) ? pick(fields) : 'a[b]'}=${pick(ODD_VALUES)}`,
    )
    const usual = Object.entries(example.query ?? {}).flatMap(([field, value]) =>
      chance(0.85) ? [`${field}=${value}`] : [],
    )
    const query = [...(rest.method === 'GET' || rest.method === 'DELETE' ? usual : []), ...odd]
    const url = `/api/v1${path}${query.length > 0 ? `?${query.join('&')}` : ''}`
    const good = chance(0.5) ? (BODIES[name] ?? example.body) : example.body
    const payload = good
      ? chance(0.93)
        ? spoilt(good, random)
        : pick(BROKEN_BODIES)
      : chance(0.05) && rest.method === 'DELETE'
        ? pick(BROKEN_BODIES)
        : undefined
    const answer = await world.inject({
      method: rest.method,
      url,
      headers: {
        authorization,
        ...(payload === undefined
          ? {}
          : {
              'content-type': pick([
                'application/json',
                'application/json',
                'application/json; charset=utf-8',
                chance(0.1) ? 'text/plain' : 'application/json',
              ]),
            }),
        ...(chance(0.05) ? { 'idempotency-key': pick(['a', 'same', ' ', 'x'.repeat(300), 'ñ']) } : {}),
      },
      ...(payload === undefined ? {} : { payload }),
    })
    const complaint = complaintAbout(contract, rest, answer)
    expect(
      complaint,
      `${rest.method} ${url.slice(0, 300)} ${payload?.slice(0, 1_500)} -> ${answer.raw.body.slice(0, 500)}`,
    ).toBeNull()
  }
  expect(world.logged.filter((line) => line.includes('"bug"'))).toEqual([])
  // Records, figures, entries and balances still tell one story.
  const { checks } = await checkBooks(world.env, (book) => world.ctx({ book }))
  expect(checks.filter(({ ok }) => !ok)).toEqual([])
})

const TEXTS = [
  'Obra',
  'M & <p> "A"',
  'a\tb',
  'a\nb',
  '😀'.repeat(250),
  ']]>',
  'x'.repeat(500),
  '\u0344'.repeat(500),
  '&#0;',
  '\u{10fffd}',
]
const AMOUNTS = [1, 2, 3, 0.5, 0.333333, 1.005, 0.29, 100, 1234.5678, 0, -1, 0.000001, 99_999.99]
const FOREIGN_IDS = [
  'DE123456789',
  'FR12345678901',
  'IE1234567FA',
  'GB123456789',
  'XX123',
  'AB1234',
  "O'1",
  '<1>',
  'ñ12',
  '漢字',
  '12345678Z',
]

/** Any draft over the whole input space, most of them with something that does not fit. */
function anyDraft({ below, chance, pick }: Dice): object {
  const treated = (): object => {
    const taxTreatment = pick(['S1', 'S1', 'S1', 'S2', 'N1', 'N2', 'E1', 'E2', 'E3', 'E4', 'E5', 'E6'])
    const rate = pick([21, 10, 4])
    return {
      taxTreatment,
      ...(taxTreatment === 'S1' && chance(0.6) ? { vatRate: chance(0.9) ? rate : pick([0, 5, 7.5, 3]) } : {}),
      ...(taxTreatment === 'S1' && chance(0.15)
        ? { vatRate: rate, surcharge: { 21: 5.2, 10: 1.4, 4: 0.5 }[rate] }
        : {}),
      ...(chance(0.2)
        ? { regimeKey: pick('01 02 03 04 05 06 07 08 09 10 11 14 15 17 18 19 20'.split(' ')) }
        : {}),
    }
  }
  const foreign = {
    clientNif: pick(FOREIGN_IDS),
    client: {
      idType: pick(['02', '03', '04', '05', '06', '07']),
      country: pick(['DE', 'FR', 'US', 'GB', 'ES', 'XX', 'CH']),
    },
  }
  return {
    clientName: pick(['Ana Ruiz', "O'Neil & <Co>", '\u0958'.repeat(60)]),
    ...(chance(0.5)
      ? { clientNif: pick(['12345678Z', 'B12345674', 'X1234567L', 'P2807900B', 'b-12345674']) }
      : foreign),
    ...(chance(0.2) ? { kind: 'F2' } : {}),
    ...(chance(0.25) ? { priceMode: 'gross' } : {}),
    ...(chance(0.15) ? { discountPct: pick([5, 33.33, 100]) } : {}),
    ...(chance(0.1) ? { discountAmount: pick([0.05, 20, 99_999]) } : {}),
    ...(chance(0.15)
      ? { currency: pick(['USD', 'GBP', 'JPY', 'XXX']), fxRate: pick([1.0845, 162.35, 0.5]) }
      : {}),
    ...(chance(0.05) ? { simplifiedArt7273: true } : {}),
    ...(chance(0.2) ? { withholdingPct: pick([15, 7, 1, 50]) } : {}),
    ...(chance(0.15)
      ? {
          operationDate: pick([
            '2024-12-31',
            '2022-08-01',
            '2010-01-01',
            '2026-07-02',
            '2027-06-30',
            '2006-07-01',
          ]),
        }
      : {}),
    lines: Array.from({ length: 1 + below(4) }, () => ({
      description: pick(TEXTS),
      quantity: pick(AMOUNTS),
      unitPrice: chance(0.7) ? below(100_000) / 100 : pick(AMOUNTS),
      ...treated(),
      ...(chance(0.15) ? { discountPct: pick([10, 33.33, 100]) } : {}),
      ...(chance(0.1) ? { discountAmount: pick([0.01, 5, 1_000]) } : {}),
      ...(chance(0.08) ? { cost: pick([1, 50, 0, -1]), regimeKey: pick(['03', '05', '01']) } : {}),
      ...(chance(0.05) ? { isDisbursement: true } : {}),
    })),
  }
}

test('what validation calls valid, the authority accepts', { timeout: 60_000 }, async () => {
  const random = dice(7)
  const issued = new Map<string, object>()
  for (let count = 0; count < DRAFTS; count += 1) {
    const input = anyDraft(random)
    const made = await world.post('/api/v1/invoices', input)
    if (made.status === 422) continue
    const { id } = made.body.data
    const { body } = await world.post(`/api/v1/invoices/${id}/validate`, {})
    if (!body.data.valid) {
      expect(body.data.issues.some((issue: { severity: string }) => issue.severity === 'error')).toBe(true)
      continue
    }
    const { confirmationToken } = body.data.confirmation
    const answer = await world.post(`/api/v1/invoices/${id}/issue`, { confirmationToken })
    expect([answer.status, answer.body.error], JSON.stringify(input)).toEqual([200, undefined])
    issued.set(id, input)
  }
  expect(issued.size).toBeGreaterThan(DRAFTS / 6)
  await sendBook(world.env, world.books.test, setRegistryStatus)
  for (const [id, input] of issued) {
    const { registry } = (await world.get(`/api/v1/invoices/${id}`)).body.data
    // A customer the census does not know (07) is accepted with a remark.
    expect(registry.status, `${JSON.stringify(input)} ${JSON.stringify(registry.errors)}`).toMatch(
      /^accepted(_with_errors)?$/,
    )
    if (registry.status === 'accepted_with_errors') expect(input).toMatchObject({ client: { idType: '07' } })
  }
})

test('text the registry cannot hold is refused when it is written, not when it is issued', async () => {
  for (const character of ['\ufffe', '\uffff', '\ufdd0', '\u{1ffff}']) {
    const answer = await world.post('/api/v1/invoices', {
      ...DRAFT,
      lines: [{ ...LINE, description: `x${character}` }],
    })
    expect([answer.status, answer.body.error.details.faults[0].code]).toEqual([422, 'broken_unicode'])
  }
})

test('a day before the table of rates does not make a reduced rate the general one', async () => {
  const draft = await world.createDraft({ operationDate: '2010-01-01' })
  expect(draft.lines[0]?.vatRate).toBe(21)
  const { body } = await world.post(`/api/v1/invoices/${draft.id}/validate`, {})
  expect(body.data.valid).toBe(false)
  expect(body.data.issues).toContainEqual(expect.objectContaining({ code: 'vat_rate_unknown' }))
})

test.each([
  ['bases', { vatRate: 10 }, {}],
  ['disbursements', { isDisbursement: true }, { priceMode: 'gross' }],
  ['withholding', { withholdable: false }, { withholdingPct: 15 }],
] as const)(
  '%s beyond what can be kept are refused even when the total is small',
  async (_what, other, more) => {
    const big = { description: 'x', quantity: 999_999_999, unitPrice: 1_000 }
    const lines = [big, big, ...[1, 2].map(() => ({ ...big, quantity: -big.quantity, ...other }))]
    const answer = await world.post('/api/v1/invoices', { ...DRAFT, withholdingPct: null, ...more, lines })
    expect([answer.status, answer.body.error?.details.faults[0].code]).toEqual([422, 'amount_too_large'])
  },
)
