/** Purchases of the accounting system that may be an incoming document, over each of its interfaces. */
import { expect, test } from 'vitest'
import type { Contact, Doc, Line } from '../../../../support/erp/book.ts'
import { FACES, openStage } from '../../../../support/erp/erp-stage.ts'
import type { Stage } from '../../../../support/erp/erp-stage.ts'
import { readIncoming } from '../../../../support/examples/incoming.ts'
import { swept } from '../../../../support/sweep.ts'

const PATH = '/api/v1/incoming-documents'
const NAME = 'Ferretería Luna, S.L.'
const NIF = 'B58818501'

const LETTER = `${NAME}
NIF ${NIF}
Factura nº FL-2026-31
Fecha: 20/06/2026
Base imponible 21% 100,00
Cuota IVA 21,00
Total a pagar 121,00 EUR`

const line = (priceCents: number): Line => ({
  name: 'Tornillos',
  units: 1,
  priceCents,
  discountPct: 0,
  vatPct: 21,
  surcharge: false,
  withholdingPct: 0,
  reverseCharge: false,
})

/** A small company whose supplier 1 is that of the letter; none of its purchases is, until one is changed. */
async function openErp(): Promise<Stage> {
  const stage = await openStage(
    { contacts: 4, issued: 2, received: 12, items: 1 },
    { at: '2026-07-01T10:00:00+02:00' },
  )
  const { book } = stage.erp
  stage.erp.edit<Contact>(book.contact(1).id, (contact) => {
    Object.assign(contact, { name: NAME, taxId: NIF, isPerson: false, archived: false })
  })
  for (const { id } of book.heads('received'))
    stage.erp.edit(id, (doc) => {
      Object.assign(doc, { contact: 2, contactName: book.contact(2).name })
    })
  return stage
}

/** Makes a purchase one of the letter's supplier, with its total and day, and these changes. */
function change(stage: Stage, index: number, changes: Partial<Doc>): string {
  const { id } = stage.erp.book.doc('received', index)
  stage.erp.edit(id, (doc) => {
    Object.assign(doc, {
      kind: 'purchase',
      state: 'approved',
      date: '2026-06-20',
      contact: 1,
      contactName: NAME,
      currency: 'EUR',
      rate: 1,
      lines: [line(10_000)],
      ...changes,
    })
  })
  return id
}

async function matchesOf({ world }: Stage, letter = LETTER) {
  const { id } = (
    await world.post(PATH, { name: 'carta.txt', content: Buffer.from(letter).toString('base64') })
  ).body.data
  await readIncoming(world)
  return (await world.get(`${PATH}/${id}`)).body.data.matches
}

/** Returns where a match of the accounting system leads. */
const externalIdOf = async ({ world }: Stage, id: string): Promise<string> =>
  (
    await world
      .ctx()
      .db.selectFrom('erp_documents')
      .select('external_id')
      .where('public_id', '=', id)
      .executeTakeFirstOrThrow()
  ).external_id

test.each(swept(FACES, (face) => face !== 'v1'))(
  'a document matches the purchase of its supplier with its number, and then one with its total (%s)',
  async (face) => {
    const stage = await openErp()
    const same = change(stage, 0, { number: 'FL-2026-31' })
    change(stage, 1, { number: 'OTRO-7', date: '2026-06-01' })
    change(stage, 2, { number: 'FL-2026-31', contact: 2, contactName: stage.erp.book.contact(2).name })
    change(stage, 3, { number: 'OTRO-8', lines: [line(10_001)] })
    await stage.connect(face)
    await stage.sync()
    const matches = await matchesOf(stage)
    expect(matches).toMatchObject([
      {
        type: 'erp',
        label: `FL-2026-31 · ${NAME}`,
        date: '2026-06-20',
        amount: 121,
        because: ['amount', 'date', 'number', 'name'],
      },
      { type: 'erp', label: `OTRO-7 · ${NAME}`, date: '2026-06-01', because: ['amount', 'name'] },
    ])
    expect(matches).toHaveLength(2)
    if (face !== 'odoo') expect(await externalIdOf(stage, matches[0].id)).toBe(same)
    expect(await stage.world.run('erp.document', { id: matches[0].id })).toMatchObject({
      number: 'FL-2026-31',
    })
  },
)

test('with a withholding it is found by its number, and by what is paid, which the accounting system calls its total', async () => {
  const stage = await openErp()
  change(stage, 0, { number: 'fl-2026-31', lines: [{ ...line(10_000), withholdingPct: 15 }] })
  await stage.connect()
  await stage.sync()
  expect(await matchesOf(stage)).toMatchObject([{ type: 'erp', because: ['date', 'number', 'name'] }])
  const withheld = `${LETTER.replace('Total a pagar 121,00 EUR', 'Retención IRPF 15% -15,00\nTotal a pagar 106,00 EUR')}`
  expect(await matchesOf(stage, withheld.replace('FL-2026-31', 'FL-2026-37'))).toMatchObject([
    { type: 'erp', amount: 106, because: ['amount', 'date', 'name'] },
  ])
})

test('a cancelled or removed purchase, an old one, or one in another currency with the same figure is none', async () => {
  const stage = await openErp()
  change(stage, 0, { number: 'FL-2026-31', state: 'cancelled' })
  change(stage, 1, { number: 'FL-2026-31', date: '2026-03-01' })
  change(stage, 2, { number: 'X-1', currency: 'USD', rate: 1.1 })
  const removed = change(stage, 3, { number: 'FL-2026-31' })
  await stage.connect()
  await stage.sync()
  expect(await matchesOf(stage)).toHaveLength(1)
  stage.erp.remove(removed)
  await stage.sync({ mode: 'full', force: true })
  const [{ id }] = (await stage.world.get(PATH)).body.data.items
  expect((await stage.world.get(`${PATH}/${id}`)).body.data.matches).toEqual([])
})

test('what was read of an accounting system is of its own book', async () => {
  const stage = await openErp()
  change(stage, 0, { number: 'FL-2026-31' })
  await stage.connect()
  await stage.sync()
  const { world } = stage
  const live = world.ctx({ book: 'live' })
  const facts = {
    supplierName: NAME,
    nif: NIF,
    number: 'FL-2026-31',
    issueDate: '2026-06-20',
    totalCents: 12_100,
    payableCents: 12_100,
    currency: 'EUR',
    iban: null,
  }
  expect(await world.env.related.erp(world.ctx(), facts)).toHaveLength(1)
  expect(await world.env.related.erp(live, facts)).toEqual([])
})
