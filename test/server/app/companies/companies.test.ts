/** Many companies: what the window gets at start, the searched list, a person's order, marks, and the archive. */
import { expect, test } from 'vitest'
import { archiveCompany, restoreCompany } from '../../../../server/app/companies/archive.ts'
import { setFavourite, setGroup, setMark } from '../../../../server/app/companies/arrange.ts'
import { checkNewNif, partsOfAddress } from '../../../../server/app/companies/check-nif.ts'
import { listCompanies } from '../../../../server/app/companies/list.ts'
import { companiesAtStart } from '../../../../server/app/companies/start.ts'
import { runCalendar } from '../../../../server/app/calendar.ts'
import { savePreferences } from '../../../../server/app/session/save-preferences.ts'
import { loadBook } from '../../../../server/platform/books/index.ts'
import { listAudit } from '../../../../server/platform/audit/index.ts'
import { COMPANY_COLOURS, companyColour, companyMark } from '../../../../server/domain/company-mark.ts'
import { loadOperation } from '../../../../server/api/operations.ts'
import { runOperation } from '../../../../server/api/run.ts'
import { createDraft, listInvoices } from '../../../../server/sales/invoices/index.ts'
import type { Book, Mode } from '../../../../server/context.ts'
import { personalNif } from '../../../support/nif.ts'
import { openTestStore } from '../../../support/store.ts'
import type { TestStore } from '../../../support/store.ts'

interface Made {
  id: string
  books: Record<Mode, Book>
}

async function make(world: TestStore, nth: number, legalName: string, tradeName?: string): Promise<Made> {
  const books = await world.company({ nif: personalNif(nth), legalName, ...(tradeName ? { tradeName } : {}) })
  const { id } = await world.env.store.reader
    .selectFrom('companies')
    .select('public_id as id')
    .where('id', '=', books.live.companyId)
    .executeTakeFirstOrThrow()
  return { id, books }
}

async function names(world: TestStore, input: Parameters<typeof listCompanies>[1] = {}): Promise<string[]> {
  return (await listCompanies(world.bookless(), input)).items.map(({ legalName }) => legalName)
}

test('the list finds names and numbers without accents, in the order of the person', async () => {
  const world = await openTestStore()
  const bar = await make(world, 1, 'Bar Núñez, S.L.', 'La Peña')
  const abogados = await make(world, 2, 'Ábaco Abogados, S.L.P.')
  const taller = await make(world, 3, 'Talleres Zeta, S.L.')
  expect(await names(world)).toEqual(['Ábaco Abogados, S.L.P.', 'Bar Núñez, S.L.', 'Talleres Zeta, S.L.'])
  expect(await names(world, { text: 'nunez' })).toEqual(['Bar Núñez, S.L.'])
  expect(await names(world, { text: 'PENA  bar' })).toEqual(['Bar Núñez, S.L.'])
  expect(await names(world, { text: personalNif(3).toLowerCase() })).toEqual(['Talleres Zeta, S.L.'])
  expect(await names(world, { text: 'abaco talleres' })).toEqual([])
  expect(await names(world, { text: '%' })).toEqual([])

  await setFavourite(world.bookless(), { companyId: taller.id, favourite: true })
  await setGroup(world.bookless(), { companyIds: [abogados.id, bar.id], group: 'Centro' })
  await savePreferences(world.bookless(), { activeBook: bar.books.live.publicId })
  const list = await listCompanies(world.bookless(), {})
  expect(list.items.map(({ id, section, group }) => [id, section, group])).toEqual([
    [taller.id, 'favourite', null],
    [bar.id, 'recent', 'Centro'],
    [abogados.id, 'group', 'Centro'],
  ])
  expect(list.groups).toEqual(['Centro'])
  expect(await names(world, { group: 'Centro' })).toHaveLength(2)
  expect(await names(world, { favourite: true })).toEqual(['Talleres Zeta, S.L.'])
  await setGroup(world.bookless(), { companyIds: [abogados.id, bar.id], group: null })
  expect((await listCompanies(world.bookless(), {})).groups).toEqual([])
  await expect(setFavourite(world.bookless(), { companyId: 'com_x', favourite: true })).rejects.toMatchObject(
    {
      code: 'not_found',
    },
  )
}, 60_000)

test('pages join to the whole list, and the start stays small', async () => {
  const world = await openTestStore()
  const made: Made[] = []
  for (let nth = 0; nth < 30; nth++) made.push(await make(world, nth, `Empresa ${nth}`))
  const paged: string[] = []
  for (let cursor: string | undefined; ;) {
    const page = await listCompanies(world.bookless(), { limit: 7, ...(cursor ? { cursor } : {}) })
    expect(page.total).toBe(30)
    paged.push(...page.items.map(({ legalName }) => legalName))
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  expect(paged).toEqual(made.map((_, nth) => `Empresa ${nth}`))
  await expect(listCompanies(world.bookless(), { cursor: 'x' })).rejects.toMatchObject({
    code: 'validation_failed',
  })

  const last = made[29]
  const starred = made[27]
  if (!last || !starred) throw new Error('They were not made.')
  await setFavourite(world.bookless(), { companyId: starred.id, favourite: true })
  const { companies, companyCount } = await companiesAtStart(world.bookless(), last.books.test.publicId)
  expect(companyCount).toBe(30)
  expect(companies).toHaveLength(21)
  const ids = companies.map(({ id }) => id)
  expect(ids).toContain(last.id)
  expect(ids).toContain(starred.id)
  expect(ids).toContain(made[0]?.id)
  expect(companies.find(({ id }) => id === last.id)?.books.map(({ mode }) => mode)).toEqual(['live', 'test'])
}, 120_000)

test('colour and letters follow from the company until somebody chooses them', async () => {
  const world = await openTestStore()
  const { id, books } = await make(world, 1, 'Bar Núñez, S.L.')
  const [before] = (await listCompanies(world.bookless(), {})).items
  expect(before).toMatchObject({ colour: companyColour(id, null), mark: 'BN' })
  expect(await setMark(world.ctx(books.live), { colour: 4, mark: 'ñ' })).toEqual({ colour: 4, mark: 'Ñ' })
  const [after] = (await listCompanies(world.bookless(), {})).items
  expect(after).toMatchObject({ colour: 4, mark: 'Ñ' })
  expect((await listAudit(world.ctx(books.test), { action: 'company.updated' })).items).toHaveLength(1)
  await setMark(world.ctx(books.live), { colour: null, mark: null })
  expect((await listCompanies(world.bookless(), {})).items[0]).toMatchObject({
    colour: before?.colour,
    mark: 'BN',
  })

  const spread = new Map<number, number>()
  for (let nth = 0; nth < 1000; nth++) {
    const colour = companyColour(`com_01${nth}`, null)
    spread.set(colour, (spread.get(colour) ?? 0) + 1)
  }
  expect(spread.size).toBe(COMPANY_COLOURS)
  expect(Math.min(...spread.values())).toBeGreaterThan(50)
  expect(companyMark('«3D» Impresión', null)).toBe('I')
  expect(companyMark('…', null)).toBe('?')
})

test('an archived company leaves the lists, gets no new documents, and comes back', async () => {
  const world = await openTestStore()
  const one = await make(world, 1, 'Una, S.L.')
  const other = await make(world, 2, 'Otra, S.L.')
  await runOperation(await loadOperation('recurring.create'), world.ctx(one.books.test), {
    name: 'Cuota',
    rule: { freq: 'monthly', start: '2026-11-20', byMonthDay: 20 },
    invoice: {
      clientName: 'Cliente',
      clientNif: '12345678Z',
      lines: [{ description: 'Cuota', quantity: 1, unitPrice: 50 }],
    },
  })
  expect(await archiveCompany(world.ctx(one.books.test), {})).toEqual({ archived: true })
  expect(await archiveCompany(world.ctx(one.books.test), {})).toEqual({ archived: true })
  expect(await names(world)).toEqual(['Otra, S.L.'])
  expect(await names(world, { archived: 'only' })).toEqual(['Una, S.L.'])
  expect((await listCompanies(world.bookless(), { archived: 'also' })).items.at(-1)).toMatchObject({
    id: one.id,
    section: 'archived',
  })
  const atStart = await companiesAtStart(world.bookless(), other.books.test.publicId)
  expect(atStart.companies.map(({ id }) => id)).toEqual([other.id])
  expect(atStart.companyCount).toBe(2)
  // The one that is open stays at hand.
  expect(
    (await companiesAtStart(world.bookless(), one.books.test.publicId)).companies.map(({ id }) => id),
  ).toEqual([one.id, other.id])

  const archived = await loadBook(world.env.store.reader, one.books.test.publicId)
  if (!archived) throw new Error('The book is gone.')
  const create = await loadOperation('invoices.create')
  const draft = { clientName: 'Cliente', lines: [{ description: 'Hora', quantity: 1, unitPrice: 50 }] }
  await expect(runOperation(create, world.ctx(archived), draft)).rejects.toMatchObject({
    code: 'company_archived',
  })
  world.setTime('2026-12-21T10:00:00+01:00')
  await runCalendar(world.env, [archived], (line) => expect(line).toBe(''))
  expect((await listInvoices(world.ctx(archived), {})).items).toEqual([])

  await restoreCompany(world.ctx(one.books.test), {})
  const back = await loadBook(world.env.store.reader, one.books.test.publicId)
  if (!back) throw new Error('The book is gone.')
  await runOperation(create, world.ctx(back), draft)
  await runCalendar(world.env, [back], (line) => expect(line).toBe(''))
  expect((await listInvoices(world.ctx(back), {})).items).toHaveLength(2)
  for (const action of ['company.archived', 'company.restored'])
    for (const book of [one.books.live, one.books.test])
      expect((await listAudit(world.ctx(book), { action })).items, action).toHaveLength(1)
  expect(await createDraft(world.ctx(other.books.test), draft)).toMatchObject({ state: 'draft' })
}, 60_000)

test('the check of a NIF says what is known, from whom, and stops nothing', async () => {
  const world = await openTestStore({ environment: { sandbox: true } })
  const { id, books } = await make(world, 1, 'Bar Núñez, S.L.')
  const ask = (input: Parameters<typeof checkNewNif>[1]) => checkNewNif(world.bookless(), input)
  expect(await ask({ nif: personalNif(1) })).toMatchObject({
    existing: { companyId: id, name: 'Bar Núñez, S.L.', bookId: books.live.publicId },
    census: { state: 'not_asked' },
  })
  const known = await ask({ nif: 'B12345674', name: 'Talleres Ejemplo SL', bookId: books.test.publicId })
  expect(known).toMatchObject({
    existing: null,
    census: { state: 'identified', name: 'TALLERES EJEMPLO SL' },
    vies: { state: 'valid', name: 'EMPRESA DE PRUEBA ESB12345674' },
    nameDiffers: false,
    simulated: true,
  })
  // Without a book there is no certificate: VIES alone is asked, and has another name.
  expect(await ask({ nif: 'B12345674', name: 'Talleres Ejemplo SL' })).toMatchObject({
    census: { state: 'not_asked', name: null },
    nameDiffers: true,
  })
  expect(await ask({ nif: 'B12345674', name: 'Desconocido SL', bookId: books.live.publicId })).toMatchObject({
    census: { state: 'not_identified', name: null },
  })
  for (const nif of ['B1234567', '12345678A', 'hola'])
    await expect(ask({ nif }), nif).rejects.toMatchObject({ code: 'validation_failed' })
})

test('the address of a register becomes the fields of the form', () => {
  expect(partsOfAddress('CALLE MAYOR 1\n28013 MADRID\nMADRID')).toEqual({
    street: 'CALLE MAYOR 1',
    postalCode: '28013',
    city: 'MADRID',
    province: 'MADRID',
  })
  expect(partsOfAddress('CL REAL 3, 41001 SEVILLA')).toEqual({
    street: 'CL REAL 3',
    postalCode: '41001',
    city: 'SEVILLA',
  })
  expect(partsOfAddress('SIN CODIGO 4')).toEqual({ street: 'SIN CODIGO 4' })
  expect(partsOfAddress(null)).toBeNull()
})
