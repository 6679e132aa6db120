/** What is remembered of suppliers over REST: learned at the entry, recalled at the next reading, shown, and erased. */
import { describe, expect, test } from 'vitest'
import type { Proposal } from '../../../../server/purchases/intake/contract.ts'
import type { ReceivedInput } from '../../../../server/purchases/invoices/contract.ts'
import { learnFrom, recall } from '../../../../server/purchases/memory/index.ts'
import { readIncoming } from '../../../support/examples/incoming.ts'
import { proposalOfText } from '../../../support/stages/read-text.ts'
import { openWorld } from '../../../support/world.ts'
import type { World } from '../../../support/world.ts'

const NIF = 'B58818501'
const IBAN = 'ES9121000418450200051332'
const OTHER_IBAN = 'ES7921000813610123456789'

const letter = (number: number, day: string, iban = IBAN): string => `Ferretería Luna, S.L.
Polígono Cogullada, calle B. Zaragoza
NIF ${NIF}
Factura nº FL-2026-${number}
Fecha: ${day}
Base imponible 21% 100,00
Cuota IVA 21,00
Total a pagar 121,00 EUR
Transferencia a la cuenta ${iban}`

const PATH = '/api/v1/incoming-documents'
const base64 = (text: string): string => Buffer.from(text).toString('base64')

async function read(world: World, text: string) {
  const { id } = (await world.post(PATH, { name: 'carta.txt', content: base64(text) })).body.data
  await readIncoming(world)
  return (await world.get(`${PATH}/${id}`)).body.data
}

async function enter(world: World, text: string, changes: Partial<ReceivedInput> = {}) {
  const document = await read(world, text)
  const answer = await world.post(`${PATH}/${document.id}/enter`, {
    input: { ...document.input, ...changes },
  })
  expect(answer.status, answer.raw.body).toBe(200)
  return answer.body.data
}

const memoryOf = async (world: World, id: string) =>
  (await world.get(`/api/v1/contacts/${id}/purchase-memory`)).body.data.memory

describe('a supplier', () => {
  test('whose documents were entered twice without a correction has one that is ready', async () => {
    const world = await openWorld({ at: '2026-07-01T10:00:00+02:00' })
    const first = await read(world, letter(31, '20/06/2026'))
    expect(first).toMatchObject({ state: 'doubtful' })
    expect(first.doubts).toEqual(expect.arrayContaining(['supplierNumber', 'issueDate']))
    await enter(world, letter(32, '01/06/2026'))
    await enter(world, letter(33, '10/06/2026'))
    const known = await read(world, letter(34, '30/06/2026'))
    expect(known.reading.proposal.levels).toMatchObject({ supplierNumber: 'known', issueDate: 'known' })
    expect(known.doubts).toEqual([])
    expect(known.state).toBe('ready')
  })

  test('with a new account is not ready, and the account is told', async () => {
    const world = await openWorld({ at: '2026-07-01T10:00:00+02:00' })
    await enter(world, letter(32, '01/06/2026'))
    await enter(world, letter(33, '10/06/2026'))
    const changed = await read(world, letter(34, '30/06/2026', OTHER_IBAN))
    expect(changed.state).toBe('doubtful')
    expect(changed.reading.warnings).toEqual(
      expect.arrayContaining([expect.objectContaining({ code: 'iban_new', field: 'iban' })]),
    )
  })

  test('is shown as it is remembered, by its contact or its number, and erased', async () => {
    const world = await openWorld({ at: '2026-07-01T10:00:00+02:00' })
    const { id } = (await world.post('/api/v1/contacts', { name: 'Ferretería Luna', nif: NIF })).body.data
    expect(await memoryOf(world, id)).toBeNull()
    await enter(world, letter(32, '01/06/2026'), { concept: 'G13', account: '622' })
    await enter(world, letter(33, '10/06/2026'), { concept: 'G13', account: '622' })
    const memory = await memoryOf(world, id)
    expect(memory).toEqual(await memoryOf(world, NIF.toLowerCase()))
    expect(memory).toMatchObject({
      nif: NIF,
      documents: 2,
      ibans: [{ iban: IBAN, documents: 2 }],
      rates: [21],
    })
    expect(memory.places).toEqual(
      expect.arrayContaining([
        { field: 'supplierNumber', label: 'factura n', shapes: ['FL-####-##'], documents: 2, isSure: true },
      ]),
    )
    expect(memory.usual).toEqual(
      expect.arrayContaining([{ field: 'concept', value: 'G13', documents: 2, isSure: true }]),
    )
    const erase = () => world.delete(`/api/v1/contacts/${id}/purchase-memory`)
    expect((await erase()).body.data).toEqual({ erased: true })
    expect(await memoryOf(world, id)).toBeNull()
    expect((await erase()).body.data).toEqual({ erased: false })
    const again = await read(world, letter(35, '24/06/2026'))
    expect(again.reading.proposal.levels['supplierNumber']).toBe('read')
  })

  test('of the same name with another tax number is told', async () => {
    const world = await openWorld({ at: '2026-07-01T10:00:00+02:00' })
    await enter(world, letter(32, '01/06/2026'))
    const other = letter(7, '25/06/2026').replace(NIF, 'B87654323')
    const { reading, state } = await read(world, other)
    expect(state).toBe('doubtful')
    expect(reading.warnings).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: 'supplier_nif_new', params: { nif: 'B87654323', known: NIF } }),
      ]),
    )
  })
})

const INPUT: ReceivedInput = {
  supplierName: 'Ferretería Luna, S.L.',
  issueDate: '2026-06-20',
  taxLines: [{ base: 100, vatRate: 21 }],
}

describe('learning', () => {
  test('is undone with the entry that fails, and of one book only', async () => {
    const world = await openWorld()
    const ctx = world.ctx()
    const lesson = { nif: NIF, reading: null, input: INPUT }
    await expect(
      ctx.transaction(async (tx) => {
        await learnFrom(tx, lesson)
        throw new Error('The entry failed.')
      }),
    ).rejects.toThrow('The entry failed.')
    expect(await memoryOf(world, NIF)).toBeNull()
    await ctx.transaction((tx) => learnFrom(tx, lesson))
    expect(await memoryOf(world, NIF)).toMatchObject({ documents: 1 })
    const live = world.ctx({ book: 'live' })
    const { rows } = await live.db
      .selectFrom('supplier_memory')
      .select('book_id')
      .execute()
      .then((all) => ({ rows: all }))
    expect(rows.map(({ book_id: id }) => id)).toEqual([ctx.book.id])
  })

  test('takes nothing from the paper of another supplier, and needs a tax number', async () => {
    const world = await openWorld()
    const ctx = world.ctx()
    const proposal: Proposal = proposalOfText(letter(31, '20/06/2026'))
    await ctx.transaction((tx) => learnFrom(tx, { nif: 'B87654323', reading: { proposal }, input: INPUT }))
    expect(await memoryOf(world, 'B87654323')).toMatchObject({ places: [], ibans: [], documents: 1 })
    await ctx.transaction((tx) => learnFrom(tx, { nif: null, reading: { proposal }, input: INPUT }))
    expect(await memoryOf(world, NIF)).toBeNull()
  })

  test('of several suppliers proposes the concept of a new one by its words, as a guess', async () => {
    const world = await openWorld()
    const ctx = world.ctx()
    const text = (name: string, nif: string): string =>
      `${name}\nNIF ${nif}\nFactura nº 7\nFecha: 20/06/2026\nAfilado de sierras y fresas\nRectificado de cuchillas\nTotal 121,00 EUR`
    const taught = [
      ['Afilados Norte, S.L.', 'B58818501'],
      ['Afilados Sur, S.L.', 'B87654323'],
      ['Filo Vivo, S.L.', 'B15388457'],
    ] as const
    for (const [name, nif] of taught)
      await ctx.transaction((tx) =>
        learnFrom(tx, {
          nif,
          reading: { proposal: proposalOfText(text(name, nif)) },
          input: { ...INPUT, supplierName: name, concept: 'G13' },
        }),
      )
    const { proposal } = await recall(ctx, proposalOfText(text('Sierras Ebro, S.L.', 'B46111084')))
    expect(proposal).toMatchObject({ concept: 'G13', levels: { concept: 'guess' } })
  })
})
