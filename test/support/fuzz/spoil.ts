/** Malicious requests: values that break parsers, invalid JSON, and matching addresses and headers. */
import type { Dice } from '../seeded-random.ts'
import type { Drawer, Schema } from './drawn.ts'

/** JSON that JSON.stringify would not write. */
class Verbatim {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** Serializes a value as JSON. */
export function written(value: unknown): string {
  if (value instanceof Verbatim) return value.text
  if (Array.isArray(value)) return `[${Array.from(value, written).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  return `{${Object.entries(value)
    .map(([name, member]) => `${JSON.stringify(name)}:${written(member)}`)
    .join(',')}}`
}

/** Values of the wrong kind. */
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

/** As written in an address, including escapes. */
export const ODD_VALUES = [
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
  ...[
    '%E2%80%AE',
    '2026',
    '4',
    '12',
    '99999999999999999999',
    '_',
    '(',
    '%F0%9F%98%80',
    'a=b',
    '%C0%80',
    '++',
  ],
]

/** Replacements of an identifier. A `/` or `..` would give another, undescribed address; sockets.test.ts sends those. */
export const ODD_IDS = [
  ...['nope', 'a%2Fb', '%00', '%', '%zz', '%ff', '%27', '%20', '%0d%0a', '__proto__', 'constructor', '%23'],
  ...['x'.repeat(81), 'x'.repeat(500), '%F0%9F%98%80', ';x', '%2e%2e%2f', 'a%2500', '%3F'],
]

const ODD_NAMES = ['extra', 'constructor', 'toString', 'ID', 'id', '', 'a.b', '$ref']

const BROKEN_BODIES: readonly string[] = [
  ...['{', 'null', '[]', '"x"', '1', '{"a":1,}', '\ufeff{}', '{} {}', '{"a":NaN}', '{"a":'.repeat(100)],
  ...['{"a":'.repeat(60) + '1' + '}'.repeat(60), "{'a':1}", '{"a":1', ' ', '\u0000', '{"a":01}', '// x\n{}'],
]

/** Returns a body that cannot be read as intended, or at all. */
export function broken(body: object | undefined, { chance, pick }: Dice): string | Buffer {
  const [member] = Object.entries(body ?? {})
  if (member && chance(0.3)) {
    const text = written(body)
    const again = `${JSON.stringify(member[0])}:${written(pick([member[1], null, 'x']))}`
    return pick([`${text.slice(0, -1)},${again}}`, text.slice(0, -1), `${text},`, `[${text}]`])
  }
  if (chance(0.1))
    return pick([Buffer.from([0xff, 0xfe, 0x7b, 0x7d]), Buffer.from([0x7b, 0x22, 0xc0, 0x80, 0x22])])
  // Larger than any body without a file.
  if (chance(0.03)) return `{"notes":"${'x'.repeat(1_100_000)}"}`
  return pick(BROKEN_BODIES)
}

interface Place {
  holder: Record<string, unknown>
  name: string
  schema: Schema | undefined
}

/** Returns the schema of a member, in whichever alternative it is named. */
function memberSchema(drawer: Drawer, schema: Schema | undefined, name: string): Schema | undefined {
  if (!schema) return undefined
  const { properties, items, anyOf } = drawer.whole(schema)
  if (properties && Object.hasOwn(properties, name)) return properties[name]
  if (items && /^\d+$/.test(name)) return items
  for (const choice of (anyOf ?? []) as Schema[]) {
    const found = memberSchema(drawer, choice, name)
    if (found) return found
  }
  return undefined
}

function placesIn(drawer: Drawer, value: unknown, schema: Schema | undefined, places: Place[] = []): Place[] {
  if (typeof value !== 'object' || value === null) return places
  for (const [name, member] of Object.entries(value)) {
    const inner = memberSchema(drawer, schema, name)
    places.push({ holder: value as Record<string, unknown>, name, schema: inner })
    placesIn(drawer, member, inner, places)
  }
  return places
}

/** Returns a body with one to three changes: a member with another value, slightly out of range, missing, or added. */
export function spoilt(good: object, schema: Schema | undefined, drawer: Drawer, random: Dice): object {
  const { below, chance, pick } = random
  const body = structuredClone(good) as Record<string, unknown>
  const places = placesIn(drawer, body, schema)
  for (let times = 1 + below(3); times > 0; times -= 1) {
    // An empty body can only get an extra member.
    const place = places.length > 0 ? pick(places) : { holder: body, name: 'extra', schema: undefined }
    const { holder, name } = place
    if (place.schema && chance(0.4)) holder[name] = drawer.beyond(place.schema)
    else if (chance(0.6)) holder[name] = pick(NASTY)
    else if (chance(0.5)) delete holder[name]
    else holder[pick(ODD_NAMES)] = pick(NASTY)
  }
  return body
}

/** A name that an attacker bound to this computer. */
export const FOREIGN_NAME = 'evil.example'

/** Headers that belong to no request here, each of which is ignored or rejected. */
export const ODD_HEADERS: readonly Readonly<Record<string, string>>[] = [
  { accept: 'text/html' },
  { 'accept-encoding': 'gzip, br' },
  { 'accept-language': 'x'.repeat(4_000) },
  { 'content-encoding': 'gzip' },
  { cookie: 'key=1; key=2' },
  { connection: 'close' },
  { 'if-none-match': '*' },
  { 'if-match': '"nothing"' },
  { 'if-modified-since': 'never' },
  { host: FOREIGN_NAME },
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { range: 'bytes=0-1' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sello-book': 'book_0' },
  { 'transfer-encoding': 'chunked' },
  { 'x-forwarded-for': '8.8.8.8' },
  { 'x-http-method-override': 'DELETE' },
  { 'x-odd': '\u00f1\u00ff' },
]

export const ODD_TYPES = [
  ...[
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
  ],
  ...['application/json; charset=latin1', 'application/json; charset=utf-16', 'APPLICATION/JSON', 'json', ''],
  ...[
    'application/json;charset="UTF-8"',
    'application/merge-patch+json',
    'application/json, text/plain',
    '*/*',
  ],
]

/** Values of `Idempotency-Key`: most are invalid. */
export const ODD_KEYS = [
  'a',
  'same',
  ' ',
  'x'.repeat(255),
  'x'.repeat(256),
  'x'.repeat(2_000),
  'ñ',
  '\u00a0',
  'a,b',
]
