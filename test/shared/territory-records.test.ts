/**
 * 500 random invoices of each territory by the operations of the product: their records against the published schema of the
 * registry and its simulator; and the worked numbers of the researched facts. Needs SELLO_SHARED.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { evaluate } from '../../server/accounting/returns/models/boxes.ts'
import type { Box } from '../../server/accounting/returns/models/boxes.ts'
import { draft420, kindOf420 } from '../../server/accounting/returns/drafts/xml-420.ts'
import { boxes420 } from '../../server/accounting/returns/models/igic/model-420.ts'
import { taxSystemOf } from '../../server/tax/systems/index.ts'
import { CLIENT_ADDRESS, openBooks } from '../support/books.ts'
import type { DraftInput } from '../support/books.ts'
import { schemaComplaints } from '../support/files/xmllint.ts'
import { dice } from '../support/seeded-random.ts'
import type { Dice } from '../support/seeded-random.ts'

const shared = process.env['SELLO_SHARED'] ?? ''
const schema = join(shared, 'registry/schemas/all.xsd')
const hasLinter = spawnSync('xmllint', ['--version']).status === 0
const COUNT = 500

interface Place {
  name: string
  territory: 'mainland' | 'canary' | 'ceuta_melilla'
  postalCode: string
  impuesto: string
  /** Lines without tax that the place has. */
  untaxed: readonly object[]
}

const PLACES: readonly Place[] = [
  {
    name: 'mainland',
    territory: 'mainland',
    postalCode: '28013',
    impuesto: '01',
    untaxed: [{ taxTreatment: 'S2' }, { taxTreatment: 'E1' }, { taxTreatment: 'E2', cause: 'export' }],
  },
  {
    name: 'canary',
    territory: 'canary',
    postalCode: '35002',
    impuesto: '03',
    untaxed: [
      { taxTreatment: 'S2', cause: 'reverse_igic' },
      { taxTreatment: 'E1' },
      { taxTreatment: 'E2', cause: 'export' },
      { taxTreatment: 'E5', cause: 'investment_goods' },
      { taxTreatment: 'E6', cause: 'special_zone' },
      { taxTreatment: 'E8', cause: 'igic_other' },
      { taxTreatment: 'N2', cause: 'services_third' },
    ],
  },
  ...(['51001', '52001'] as const).map((postalCode): Place => ({
    name: postalCode === '51001' ? 'ceuta' : 'melilla',
    territory: 'ceuta_melilla',
    postalCode,
    impuesto: '02',
    untaxed: [
      { taxTreatment: 'E1' },
      { taxTreatment: 'E2', cause: 'export' },
      { taxTreatment: 'N1', cause: 'trade' },
    ],
  })),
]

const NIFS = ['B35000017', 'A35000025', '12345678Z', 'B87654323']

function randomInvoice(
  random: Dice,
  { postalCode, untaxed }: Place,
  rates: readonly number[],
): Partial<DraftInput> {
  const isTicket = random.chance(0.15)
  const line = (index: number): DraftInput['lines'][number] => ({
    description: `Partida ${index + 1}`,
    quantity: 1 + random.below(9),
    unitPrice: (1 + random.below(isTicket ? 900 : 90_000)) / 100,
    ...(random.chance(0.3) ? { discountPct: random.below(60) } : {}),
    ...(random.chance(0.25) && !isTicket ? random.pick(untaxed) : { vatRate: random.pick(rates) }),
  })
  return {
    ...(isTicket
      ? { kind: 'F2', clientName: 'Venta al público', clientNif: null }
      : {
          clientName: 'Cliente <Primero> & Hijos, S.L.',
          clientNif: random.pick(NIFS),
          client: { address: { ...CLIENT_ADDRESS, postalCode } },
        }),
    lines: Array.from({ length: 1 + random.below(4) }, (_, index) => line(index)),
  }
}

const counts: Record<string, number> = {}

describe.skipIf(shared === '' || !hasLinter)('records of the territories', () => {
  test.each(PLACES.map((place) => [place.name, place] as const))(
    `%s: ${COUNT} random invoices are valid and accepted`,
    async (name, place) => {
      const day = '2026-11-21'
      const world = await openBooks({
        at: `${day}T10:00:00+01:00`,
        company: {
          territory: place.territory,
          address: { street: 'Calle Real, 1', postalCode: place.postalCode, city: 'Ciudad', country: 'ES' },
        },
      })
      const rates = taxSystemOf(place.territory)
        .ratesAt(day)
        .map(({ rateBp }) => rateBp / 100)
      const random = dice(33)
      const records: string[] = []
      for (let made = 0; made < COUNT; made++) {
        const invoice = await world.invoice(randomInvoice(random, place, rates))
        const { registrations = [] } = (await world.run('registry.status', { invoiceId: invoice.id })) as {
          registrations?: { xml?: string }[]
        }
        records.push(registrations.at(-1)?.xml ?? '')
      }
      expect(records.every((xml) => xml.includes(`<sf:Impuesto>${place.impuesto}<`))).toBe(true)
      expect(schemaComplaints(schema, records)).toBe('')
      let minute = 0
      while ((await world.send()) > 0)
        world.setTime(
          `${day}T1${1 + Math.floor(minute / 60)}:${String(minute++ % 60).padStart(2, '0')}:00+01:00`,
        )
      const states = await world.test.db
        .selectFrom('invoices')
        .select(({ fn }) => ['registry_status', fn.countAll<number>().as('count')])
        .where('state', '=', 'issued')
        .where('book_id', '=', world.test.book.id)
        .groupBy('registry_status')
        .execute()
      expect(states.map(({ registry_status: status, count }) => [status, Number(count)])).toEqual([
        ['accepted', COUNT],
      ])
      counts[name] = COUNT
    },
    600_000,
  )

  afterAll(() => console.log('records valid and accepted:', JSON.stringify(counts)))
})

describe.skipIf(shared === '')('worked numbers of the facts', () => {
  const vectors = JSON.parse(
    existsSync(join(shared, 'territories/vectors.json'))
      ? readFileSync(join(shared, 'territories/vectors.json'), 'utf8')
      : '{}',
  ) as {
    igic_420: { quarter: Record<string, string>; result: Record<string, string>; xml: Record<string, string> }
  }
  const cents = (euros: string) => Math.round(Number(euros) * 100)

  test('the quarter of IGIC: its sums and the amounts of its XML', () => {
    const { quarter, result, xml } = vectors.igic_420
    const given = new Map(Object.entries(quarter).map(([box, euros]) => [box, cents(euros)]))
    const boxes = boxes420([]).map((box): Box => {
      const { from: _from, ...rest } = box
      return given.has(box.box) ? rest : box
    })
    const values = evaluate(boxes, [], given)
    const box = (number: string) => values.find((value) => value.box.box === number)?.value ?? 0
    let reproduced = 0
    for (const [number, euros] of Object.entries(result)) {
      expect(box(number), number).toBe(cents(euros))
      reproduced += 1
    }
    const none = { baseCents: 0, taxCents: 0, rateBp: null }
    const text = Buffer.from(
      draft420({
        year: 2026,
        quarter: 2,
        completes: null,
        filer: { nif: 'B35000017', name: 'Guanche, S.L.', postalCode: '35001', country: 'ES', email: null },
        isCash: false,
        lines: [],
        asBuyer: none,
        corrections: none,
        box,
        kind: kindOf420(box, 'offset', 2),
      }),
    ).toString('latin1')
    for (const [path, value] of Object.entries(xml)) {
      const [element = '', attribute = ''] = path.split('/@')
      expect(new RegExp(`<${element}[^>]* ${attribute}="([^"]*)"`).exec(text)?.[1], path).toBe(value)
      reproduced += 1
    }
    expect(reproduced).toBe(Object.keys(result).length + Object.keys(xml).length)
    console.log(`vectors of IGIC reproduced: ${reproduced}`)
  })

  test('no group of the vectors is without its test', () => {
    const all = JSON.parse(readFileSync(join(shared, 'territories/vectors.json'), 'utf8')) as Record<
      string,
      unknown
    >
    // `igic_420` above; all others in ticketbai.test.ts.
    expect(Object.keys(all).toSorted()).toEqual(
      ['chain', 'crc8', 'identifier', 'igic_420', 'qr', 'signature', 'vat_check_of_samples'].toSorted(),
    )
    const {
      crc8,
      identifier,
      qr,
      vat_check_of_samples: samples,
    } = all as Record<string, unknown[]> & {
      crc8: { cases: unknown[] }
    }
    const counts = {
      crc8: crc8.cases.length + 1,
      identifier: identifier!.length,
      qr: qr!.length,
      samples: samples!.length,
    }
    expect(Object.values(counts).every((count) => count > 1)).toBe(true)
    console.log(
      'vectors reproduced by ticketbai.test.ts:',
      JSON.stringify({ ...counts, chain: 1, signature: 3 }),
    )
  })
})
