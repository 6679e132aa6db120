/** Setting up companies: what is created, what is rejected and what only causes a warning. */
import { describe, expect, test } from 'vitest'
import { listAudit, verifyAudit } from '../../../server/platform/audit/index.ts'
import {
  createCompany,
  currentCompany,
  environmentOf,
  findCompany,
  issuerFacts,
  listCompanies,
  updateCompany,
} from '../../../server/company/index.ts'
import { booksOfCompany, listBooks, loadBook } from '../../../server/platform/books/index.ts'
import { findChain } from '../../../server/registry/chain/rows.ts'
import { readIban } from '../../../server/domain/iban.ts'
import { Company } from '../../../server/company/contract.ts'
import { companyInput, openTestStore } from '../../support/store.ts'

describe('setting up a company', () => {
  test('creates a live and a test book, each with its chain, its installation number and the series of the year', async () => {
    const world = await openTestStore({ at: '2026-11-21T10:00:00Z' })
    const books = await world.company()
    expect([books.live.mode, books.test.mode]).toEqual(['live', 'test'])
    const live = await currentCompany(world.ctx(books.live), {})
    const trial = await currentCompany(world.ctx(books.test), {})
    expect(live.series).toEqual([
      { code: 'F2026', kind: 'ordinary', nextNumber: 1, nextPrintedNumber: 'F2026-0001' },
      { code: 'S2026', kind: 'simplified', nextNumber: 1, nextPrintedNumber: 'S2026-0001' },
    ])
    expect(trial.series.map((series) => series.nextPrintedNumber)).toEqual(['T-F2026-0001', 'T-S2026-0001'])
    const chains = await world
      .ctx(books.live)
      .db.selectFrom('registry_chains')
      .select(['book_id', 'installation', 'first_sequence', 'records', 'head_hash'])
      .orderBy('book_id')
      .execute()
    const empty = { first_sequence: 1, records: 0, head_hash: null }
    expect(chains).toEqual([
      { book_id: books.live.id, installation: '20261121100000-0001', ...empty },
      { book_id: books.test.id, installation: '20261121100000-0002', ...empty },
    ])
  })

  test('is recorded in the history of both books, and the history is verified', async () => {
    const world = await openTestStore()
    const books = await world.company()
    for (const book of [books.live, books.test]) {
      const { items } = await listAudit(world.ctx(book), {})
      expect(items.map((event) => event.action)).toEqual([
        'series.created',
        'series.created',
        'company.created',
      ])
      expect(await verifyAudit(world.ctx(book), {})).toMatchObject({ ok: true, events: 3 })
    }
    expect(world.wakes).toContain('events')
  })

  test('takes the kind of the company from its NIF, whatever was entered', async () => {
    const world = await openTestStore()
    const answer = await createCompany(
      world.bookless(),
      companyInput({ legalName: 'Ana Pérez', nif: '12345678-z', kind: 'legal' }),
    )
    expect(answer.warnings.map((warning) => warning.code)).toEqual(['kind_from_nif'])
    const book = (await listBooks(world.env.store.reader))[0]!
    expect(await findCompany(world.ctx(book))).toMatchObject({ nif: '12345678Z', kind: 'natural' })
  })

  test.each([
    ['a wrong letter of a person', '12345678A'],
    ['a foreigner with a wrong letter', 'X1234567A'],
    ['something that is no NIF', 'HELLO'],
    ['a foreign VAT number', 'DE123456789'],
  ])('with %s is rejected', async (_case, nif) => {
    const world = await openTestStore()
    await expect(createCompany(world.bookless(), companyInput({ nif }))).rejects.toMatchObject({
      code: 'validation_failed',
      field: 'nif',
      details: { faults: [{ code: 'nif_invalid' }] },
    })
    expect(await listCompanies(world.env.store.reader)).toEqual([])
  })

  test("with an entity's unusual control digit only causes a warning", async () => {
    const world = await openTestStore()
    const answer = await createCompany(world.bookless(), companyInput({ nif: 'B12345678' }))
    expect(answer.warnings).toMatchObject([{ code: 'nif_doubtful', params: { expected: '4' } }])
    expect(answer.books).toHaveLength(2)
  })

  test.each(['navarre'] as const)('in the territory %s is rejected', async (territory) => {
    const world = await openTestStore()
    await expect(createCompany(world.bookless(), companyInput({ territory }))).rejects.toMatchObject({
      code: 'territory_not_supported',
      // With the reason, and the day on which it was last looked up.
      details: {
        territory,
        reason: expect.stringMatching(/\w/),
        lookedUpOn: expect.stringMatching(/^\d{4}-/),
      },
    })
  })

  test.each([
    ['canary', '35002'],
    ['ceuta_melilla', '51001'],
    ['basque', '48001'],
  ] as const)('in the territory %s is created, by name or by postal code', async (territory, postalCode) => {
    const address = { street: 'Calle Real, 1', postalCode, city: 'Ciudad', country: 'ES' }
    for (const named of [{ territory }, {}]) {
      const world = await openTestStore()
      const answer = await createCompany(world.bookless(), companyInput({ address, ...named }))
      expect(answer.warnings).toEqual([])
      const book = (await listBooks(world.env.store.reader))[0]!
      expect(await findCompany(world.ctx(book))).toMatchObject({ territory, vat_regime: 'general' })
    }
  })

  test.each([
    ['canary', '28013', 'mainland'],
    ['mainland', '35002', 'canary'],
    ['canary', '51001', 'ceuta_melilla'],
  ] as const)('in %s with the postal code %s causes a warning', async (territory, postalCode, likely) => {
    const world = await openTestStore()
    const address = { street: 'Calle Real, 1', postalCode, city: 'Ciudad', country: 'ES' }
    const { warnings } = await createCompany(world.bookless(), companyInput({ address, territory }))
    expect(warnings).toMatchObject([
      { code: 'territory_doubtful', params: { territory: likely, chosen: territory } },
    ])
  })

  test.each([
    ['canary', 'surcharge'],
    ['canary', 'simplified'],
    ['ceuta_melilla', 'cash'],
    ['mainland', 'retailer'],
    ['mainland', 'small_business'],
  ] as const)('in %s cannot be under the scheme %s', async (territory, vatRegime) => {
    const world = await openTestStore()
    await expect(
      createCompany(world.bookless(), companyInput({ territory, vatRegime })),
    ).rejects.toMatchObject({
      code: 'validation_failed',
      field: 'vatRegime',
      details: { faults: [{ code: 'regime_not_of_territory' }] },
    })
  })

  test('under SII is rejected', async () => {
    const world = await openTestStore()
    await expect(createCompany(world.bookless(), companyInput({ sii: true }))).rejects.toMatchObject({
      code: 'sii_not_supported',
      details: {
        reason: expect.stringMatching(/SII/),
        lookedUpOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      },
    })
  })

  test('in Navarre is rejected with the reason and the day of the last look', async () => {
    const world = await openTestStore()
    const work = createCompany(world.bookless(), companyInput({ territory: 'navarre' }))
    await expect(work).rejects.toMatchObject({
      code: 'territory_not_supported',
      details: {
        reason: expect.stringMatching(/NaTicket/),
        lookedUpOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      },
    })
  })

  test('with a postal code of another territory only causes a warning', async () => {
    const world = await openTestStore()
    const address = { street: 'Estafeta, 1', postalCode: '31001', city: 'Pamplona' }
    const { warnings } = await createCompany(world.bookless(), companyInput({ address }))
    expect(warnings).toMatchObject([{ code: 'territory_doubtful', params: { territory: 'navarre' } }])
  })

  test('with the same NIF twice is rejected, and the second attempt leaves nothing behind', async () => {
    const world = await openTestStore()
    await world.company()
    await expect(
      createCompany(world.bookless(), companyInput({ nif: 'b-12.345.674' })),
    ).rejects.toMatchObject({ code: 'company_exists' })
    expect(await listBooks(world.env.store.reader)).toHaveLength(2)
  })

  test('twice in the same second gives different installation numbers', async () => {
    const world = await openTestStore()
    const companies = [
      await world.company(),
      await world.company({ nif: '12345678Z', legalName: 'Ana Pérez' }),
    ]
    const installations = new Set<string>()
    for (const { live } of companies)
      for (const book of await booksOfCompany(world.ctx(live).db, live.companyId)) {
        const chain = await findChain(world.ctx(book))
        installations.add(chain.installation)
      }
    expect(installations.size).toBe(4)
    expect((await listCompanies(world.env.store.reader)).map((company) => company.books.length)).toEqual([
      2, 2,
    ])
  })

  test('with an IBAN of wrong check digits is rejected and creates nothing', async () => {
    const world = await openTestStore()
    await expect(
      createCompany(world.bookless(), companyInput({ iban: 'ES91 2100 0418 4502 0005 1333' })),
    ).rejects.toMatchObject({
      code: 'validation_failed',
      field: 'iban',
    })
    expect(await listBooks(world.env.store.reader)).toEqual([])
  })
})

describe('an IBAN', () => {
  test('is stored in capitals without blanks', () => {
    expect(readIban('es91 2100 0418 4502 0005 1332')).toBe('ES9121000418450200051332')
    expect(readIban('GB82 WEST 1234 5698 7654 32')).toBe('GB82WEST12345698765432')
  })
  test.each(['ES9121000418450200051333', 'ES912100041845020005133', 'ES', '', 'GB82WEST12345698765431'])(
    'is not valid as %j',
    (text) => {
      expect(readIban(text)).toBeNull()
    },
  )
})

describe('the active company', () => {
  test('is returned as its contract promises, on a store with nothing but the company', async () => {
    const world = await openTestStore()
    const books = await world.company({
      iban: 'ES91 2100 0418 4502 0005 1332',
      email: 'hola@example.com',
      tradeName: ' Talleres ',
    })
    const company = await currentCompany(world.ctx(books.test), {})
    expect(Company.parse(company)).toEqual(company)
    expect(company).toMatchObject({
      tradeName: 'Talleres',
      iban: 'ES9121000418450200051332',
      mode: 'test',
      registry: { system: 'verifactu', environment: 'simulated' },
      readiness: [],
      today: '2026-11-21',
      version: 1,
    })
    expect(company.key).toBeUndefined()
    expect(company.vatRates.map((rate) => [rate.rate, rate.surcharge])).toEqual([
      [21, 5.2],
      [10, 1.4],
      [4, 0.5],
      [0, null],
    ])
  })

  test('needs a producer and a certificate for a live book, and an address for every book', async () => {
    const world = await openTestStore()
    const books = await world.company({ address: null })
    const codes = async (book: typeof books.live) =>
      (await currentCompany(world.ctx(book), {})).readiness.map((missing) => missing.code)
    expect(await codes(books.live)).toEqual([
      'producer_missing',
      'certificate_missing',
      'issuer_address_missing',
    ])
    expect(await codes(books.test)).toEqual(['issuer_address_missing'])
    world.env.producer = { name: 'Ejemplo', nif: 'B12345674', address: 'Calle Mayor, 1', systemId: 'S1' }
    expect(await codes(books.live)).toEqual(['certificate_missing', 'issuer_address_missing'])
  })

  test('sends the records of a live book to the authority, unless the store is a sandbox', async () => {
    const world = await openTestStore()
    const books = await world.company()
    expect(environmentOf(world.ctx(books.live))).toBe('production')
    world.env.sandbox = true
    expect(environmentOf(world.ctx(books.live))).toBe('sandbox')
    expect(environmentOf(world.ctx(books.test))).toBe('simulated')
  })

  test('is returned to a key with its own name and scopes', async () => {
    const world = await openTestStore()
    const books = await world.company()
    const actor = {
      kind: 'key',
      companyId: 1,
      rowId: 1,
      id: 'key_1',
      rootId: 'key_1',
      name: 'Asistente',
      prefix: 'svc_test_abc',
      scopes: ['company.read'],
      approval: 'always',
      assistant: true,
      expiresAt: null,
      perDay: null,
      centsPerDay: null,
    } as const
    expect((await currentCompany(world.ctx(books.test, actor), {})).key).toEqual({
      name: 'Asistente',
      mode: 'test',
      scopes: ['company.read'],
    })
  })

  test('of an unknown book does not exist', async () => {
    const world = await openTestStore()
    expect(await loadBook(world.env.store.reader, 'book_nothing')).toBeNull()
    await expect(currentCompany(world.bookless(), {})).rejects.toMatchObject({ code: 'not_found' })
  })
})

describe('changing the company', () => {
  test('sets the named fields, clears those that are null, and leaves the rest, in both books', async () => {
    const world = await openTestStore()
    const books = await world.company({ email: 'hola@example.com', phone: '600 000 000' })
    const after = await updateCompany(world.ctx(books.test), {
      tradeName: 'Talleres',
      phone: null,
      defaults: { withholdingPct: 15 },
      expectedVersion: 1,
    })
    expect(after).toMatchObject({
      tradeName: 'Talleres',
      email: 'hola@example.com',
      version: 2,
      defaults: { withholdingPct: 15, paymentDays: 30 },
    })
    expect(after.phone).toBeUndefined()
    expect(after).toEqual(await currentCompany(world.ctx(books.test), {}))
    for (const book of [books.live, books.test])
      expect((await listAudit(world.ctx(book), { action: 'company.updated' })).items).toHaveLength(1)
    expect(issuerFacts(await findCompany(world.ctx(books.live)))).toMatchObject({
      name: 'Talleres Ejemplo, S.L.',
      tradeName: 'Talleres',
      phone: null,
    })
  })

  test('is rejected when another change was made since the data were read', async () => {
    const world = await openTestStore()
    const books = await world.company()
    await updateCompany(world.ctx(books.live), { legalName: 'Talleres Nuevos, S.L.' })
    await expect(
      updateCompany(world.ctx(books.test), { legalName: 'Otra, S.L.', expectedVersion: 1 }),
    ).rejects.toMatchObject({
      code: 'version_conflict',
      details: { version: 2 },
    })
    expect((await currentCompany(world.ctx(books.test), {})).legalName).toBe('Talleres Nuevos, S.L.')
  })

  test('without any field changes nothing', async () => {
    const world = await openTestStore()
    const books = await world.company()
    expect((await updateCompany(world.ctx(books.test), {})).version).toBe(1)
  })
})
