/** Drafts: what three fields are enough for, what is inferred and told, and how they change and go. */
import { describe, expect, test } from 'vitest'
import type { InputOf } from '../../../../../server/api/contracts.ts'
import {
  CLIENT_ADDRESS,
  faultsOfRefusal,
  openBooks,
  refusal,
  refused,
  THREE_FIELDS,
} from '../../../../support/books.ts'
import type { DraftInput } from '../../../../support/books.ts'

const line = (changes: Partial<DraftInput['lines'][number]> = {}): DraftInput['lines'][number] => ({
  description: 'Trabajo',
  quantity: 1,
  unitPrice: 100,
  ...changes,
})

describe('figures left for later', () => {
  const later = (missing: ('quantity' | 'unitPrice')[]) => [line({ unitPrice: 0, quantity: 0, missing })]

  test('a draft keeps an empty price as empty, and validation asks for it', async () => {
    const world = await openBooks()
    const draft = await world.draft({ lines: [line({ unitPrice: 0, missing: ['unitPrice'] })] })
    expect(draft.lines[0]).toMatchObject({ quantity: 1, unitPrice: 0, missing: ['unitPrice'] })
    const again = await world.run('invoices.get', { id: draft.id })
    expect(again.lines[0]?.missing).toEqual(['unitPrice'])
    const { issues, valid } = await world.run('invoices.validate', { id: draft.id })
    expect(valid).toBe(false)
    expect(issues).toContainEqual(
      expect.objectContaining({ code: 'price_missing', field: 'lines[0].unitPrice', severity: 'error' }),
    )
    // Another change keeps it; giving the price clears it.
    await world.run('invoices.update', { id: draft.id, notes: 'Nota' })
    expect((await world.run('invoices.get', { id: draft.id })).lines[0]?.missing).toEqual(['unitPrice'])
    const given = await world.run('invoices.update', { id: draft.id, lines: [line()] })
    expect(given.lines[0]?.missing).toBeUndefined()
    expect((await world.run('invoices.validate', { id: draft.id })).valid).toBe(true)
  })

  test('a price of 0 that was given is no missing one', async () => {
    const world = await openBooks()
    const draft = await world.draft({ lines: [line(), line({ unitPrice: 0 })] })
    expect((await world.run('invoices.validate', { id: draft.id })).valid).toBe(true)
  })

  test('also of a disbursement, and of the quantity', async () => {
    const world = await openBooks()
    const draft = await world.draft({
      lines: [line(), line({ isDisbursement: true, missing: ['quantity', 'unitPrice'] })],
    })
    const { issues } = await world.run('invoices.validate', { id: draft.id })
    expect(issues.map(({ code, field }) => [code, field])).toEqual(
      expect.arrayContaining([
        ['quantity_missing', 'lines[1].quantity'],
        ['price_missing', 'lines[1].unitPrice'],
      ]),
    )
  })

  test('a quote and a recurring invoice need them at once; a template does not', async () => {
    const world = await openBooks()
    const lines = later(['unitPrice'])
    const quote = { ...THREE_FIELDS, lines, kind: 'quote' as const }
    expect(await faultsOfRefusal(world.run('quotes.create', quote))).toEqual([
      'lines[0].unitPrice: price_missing',
    ])
    expect(
      await faultsOfRefusal(
        world.run('recurring.create', {
          name: 'Cuota',
          invoice: { ...THREE_FIELDS, lines },
          rule: { freq: 'monthly', interval: 1, start: '2026-12-01' },
        } as InputOf<'recurring.create'>),
      ),
    ).toEqual([expect.stringContaining('lines[0].unitPrice: price_missing')])
    const template = await world.run('templates.create', { name: 'Sin precio', invoice: { lines } })
    const draft = await world.run('templates.use', { id: template.id, ...THREE_FIELDS_CLIENT })
    expect(draft.lines[0]?.missing).toEqual(['unitPrice'])
  })
})

const THREE_FIELDS_CLIENT = { clientName: THREE_FIELDS.clientName, clientNif: THREE_FIELDS.clientNif }

describe('a new draft', () => {
  test('a name, a NIF and a line are enough; what was inferred is told', async () => {
    const world = await openBooks()
    const draft = await world.draft()
    expect(draft).toMatchObject({
      number: null,
      state: 'draft',
      kind: 'F1',
      issueDate: null,
      clientName: THREE_FIELDS.clientName,
      clientNif: THREE_FIELDS.clientNif,
      base: 500,
      tax: 105,
      total: 605,
      amountDue: 605,
      version: 1,
      registry: { status: 'not_issued', simulated: true, errors: [] },
      payment: { status: 'draft' },
      language: 'es',
      pdf: { status: 'none' },
      history: [{ action: 'invoice.drafted', actor: { kind: 'user' }, outcome: 'ok' }],
      assumptions: [{ field: 'lines[0].vatRate', value: 21, why: expect.any(String) }],
    })
    expect(draft.lines).toEqual([
      {
        description: 'Servicios de consultoría',
        quantity: 10,
        unitPrice: 50,
        discountPct: 0,
        vatRate: 21,
        taxTreatment: 'S1',
        regimeKey: '01',
        surcharge: null,
        withholdable: true,
        isDisbursement: false,
        net: 500,
      },
    ])
    expect(await world.run('invoices.get', { id: draft.id })).toEqual({
      ...draft,
      assumptions: undefined,
      nextStep: undefined,
    })
    expect(await world.run('registry.status', {})).toMatchObject({
      chain: { records: 0 },
      queue: { pending: 0 },
    })
  })

  test('texts and numbers are tidied: NFC, bare NIF, outer blanks', async () => {
    const world = await openBooks()
    const draft = await world.draft({
      clientName: '  Pen\u0303a S.L. ',
      clientNif: 'es b-87.654.323',
      notes: ' a\r\nb ',
      externalRef: ' X1 ',
      lines: [line({ description: ' Uno\r\ndos ', unit: ' h ' })],
    })
    expect(draft).toMatchObject({
      clientName: 'Peña S.L.',
      clientNif: 'B87654323',
      notes: 'a\nb',
      externalRef: 'X1',
      lines: [{ description: 'Uno\ndos', unit: 'h' }],
    })
  })

  test('a known customer brings its surcharge, withholding, language and data', async () => {
    const world = await openBooks()
    const contact = await world.run('contacts.create', {
      name: 'Tienda',
      nif: '12345678Z',
      surcharge: true,
      withholdingPct: 15,
      language: 'en',
      address: CLIENT_ADDRESS,
      email: 'tienda@example.com',
    })
    const draft = await world.draft({
      clientName: 'Tienda de Ana',
      clientNif: '12345678-z',
      lines: [line(), line({ vatRate: 10 }), line({ taxTreatment: 'E1' })],
    })
    expect(draft).toMatchObject({
      clientId: contact.id,
      clientName: 'Tienda de Ana',
      language: 'en',
      client: { address: CLIENT_ADDRESS, email: 'tienda@example.com' },
      withholding: { rate: 15, base: 300, amount: 45 },
      surcharge: 6.6,
    })
    expect(draft.lines.map((each) => each.surcharge)).toEqual([5.2, 1.4, null])
    expect(draft.assumptions?.map((assumption) => [assumption.field, assumption.value])).toEqual([
      ['clientId', contact.id],
      ['withholdingPct', 15],
      ['lines[0].vatRate', 21],
      ['lines[0].surcharge', 5.2],
      ['lines[1].surcharge', 1.4],
    ])
    const explicit = await world.draft({
      clientNif: '12345678Z',
      clientId: null,
      withholdingPct: null,
      language: 'es',
      lines: [line({ vatRate: 21 })],
    })
    expect(explicit).toMatchObject({ clientId: null, language: 'es', surcharge: 0, assumptions: [] })
    expect(explicit.withholding).toBeUndefined()
  })

  test('lines that say nothing of their tax have the usual VAT of a contact', async () => {
    const world = await openBooks()
    await world.run('contacts.create', {
      name: 'Müller GmbH',
      nif: 'DE123456789',
      idType: '02',
      vatDefault: { taxTreatment: 'E5', cause: null },
      address: { ...CLIENT_ADDRESS, country: 'DE' },
    })
    const item = await world.run('items.create', { name: 'Silla', unitPrice: 10, vatRate: 10 })
    const draft = await world.draft({
      clientName: 'Müller GmbH',
      clientNif: 'DE123456789',
      lines: [
        line(),
        line({ vatRate: 21 }),
        line({ taxTreatment: 'N2' }),
        line({ itemId: item.id }),
        line({ isDisbursement: true }),
      ],
    })
    expect(draft.lines.map((each) => each.taxTreatment)).toEqual(['E5', 'S1', 'N2', 'S1', 'S1'])
    expect(draft.lines[0]).toMatchObject({ regimeKey: '01', vatRate: null, surcharge: null })
    expect(draft.assumptions).toContainEqual({
      field: 'lines[0].taxTreatment',
      value: 'E5',
      why: 'How sales to the customer are usually taxed.',
    })
  })

  test('the rate is that of the day of the operation', async () => {
    const world = await openBooks()
    const contact = await world.run('contacts.create', {
      name: 'Tienda',
      nif: '12345678Z',
      surcharge: true,
    })
    const draft = await world.draft({
      clientId: contact.id,
      operationDate: '2024-11-05',
      lines: [line({ vatRate: 7.5 })],
    })
    expect(draft.lines[0]).toMatchObject({ vatRate: 7.5, surcharge: 1 })
  })

  test.each<[string, Partial<DraftInput['lines'][number]>, object]>([
    ['exempt', { taxTreatment: 'E1' }, { vatRate: null, regimeKey: '01' }],
    ['export', { taxTreatment: 'E2' }, { vatRate: null, regimeKey: '02' }],
    ['reverse charge', { taxTreatment: 'S2' }, { vatRate: 0 }],
    ['not subject', { taxTreatment: 'N2' }, { vatRate: null }],
    ['disbursement', { isDisbursement: true }, { vatRate: null, withholdable: false }],
    ['zero rate', { vatRate: 0 }, { vatRate: 0 }],
  ])('an %s line', async (_name, changes, expected) => {
    const world = await openBooks()
    expect((await world.draft({ lines: [line(changes)] })).lines[0]).toMatchObject(expected)
  })

  test('a series is one of the book and of the right kind; the T- of a test book may be left out', async () => {
    const world = await openBooks()
    await world.run('series.create', { code: 'OBRA', kind: 'ordinary' })
    expect((await world.draft({ series: 'OBRA' })).series).toBe('T-OBRA')
    expect((await world.draft({ series: 'T-OBRA' })).series).toBe('T-OBRA')
    expect(await faultsOfRefusal(world.draft({ series: 'NADA' }))).toEqual(['series: series_unknown'])
    expect(await faultsOfRefusal(world.draft({ series: 'OBRA', kind: 'F2' }))).toEqual([
      'series: series_wrong_kind',
    ])
    expect(await faultsOfRefusal(world.draft({ series: 'OBRA' }, world.live))).toEqual([
      'series: series_unknown',
    ])
  })

  test('amounts that no invoice can hold are refused by their place', async () => {
    const world = await openBooks()
    const huge = line({ quantity: 999_999_999, unitPrice: 999_999_999 })
    expect(await faultsOfRefusal(world.draft({ lines: [line(), huge, line(), huge] }))).toEqual([
      'lines[1]: amount_too_large',
      'lines[3]: amount_too_large',
    ])
    const large = line({ quantity: 1_000, unitPrice: 999_999_999, taxTreatment: 'E1' })
    expect(await faultsOfRefusal(world.draft({ lines: [large, large] }))).toEqual(['lines: amount_too_large'])
    expect((await world.draft({ lines: [large] })).total).toBe(999_999_999_000)
    expect(
      await faultsOfRefusal(
        world.draft({ lines: [line({ quantity: -999_999_999, unitPrice: 999_999_999 })] }),
      ),
    ).toEqual(['lines[0]: amount_too_large'])
  })

  test.each<[string, object, string[]]>([
    ['no lines', { lines: [] }, ['lines: too_small']],
    [
      'a third decimal of percent',
      { lines: [line({ vatRate: 21.005 })] },
      ['lines[0].vatRate: too_many_decimals'],
    ],
    [
      'a seventh decimal of a price',
      { lines: [line({ unitPrice: 0.000_000_1 })] },
      ['lines[0].unitPrice: too_many_decimals'],
    ],
    ['a blank name', { clientName: '   ' }, ['clientName: too_small']],
    ['a day that is none', { issueDate: '2026-02-30' }, ['issueDate: not_a_date']],
    ['an unknown field', { clientNIF: 'x' }, ['clientNIF: unknown_field']],
    ['an unknown contact', { clientId: 'con_0000000000000000' }, ['clientId: not_found']],
    ['hidden characters', { clientName: 'a\u202eb' }, ['clientName: hidden_character']],
    ['a number as text', { lines: [{ ...line(), quantity: '1' }] }, ['lines[0].quantity: wrong_type']],
  ])('%s', async (_name, changes, faults) => {
    const world = await openBooks()
    expect(await faultsOfRefusal(world.draft(changes as Partial<DraftInput>))).toEqual(faults)
    expect((await world.run('invoices.list', {})).items).toEqual([])
  })
})

test('a surcharge of 0 means none, and stays none when the draft is changed', async () => {
  const books = await openBooks()
  await books.run('contacts.create', { name: 'Mercería Olga', nif: '50123456Q', surcharge: true })
  const line = { description: 'Hilo', quantity: 1, unitPrice: 10 }
  const draft = await books.run('invoices.create', {
    clientName: 'Mercería Olga',
    clientNif: '50123456Q',
    lines: [{ ...line, surcharge: 0 }, line],
  })
  expect(draft.lines.map((each) => each.surcharge)).toEqual([null, 5.2])
  const changed = await books.run('invoices.update', { id: draft.id, notes: 'Gracias' })
  expect(changed.lines.map((each) => each.surcharge)).toEqual([null, 5.2])
})

describe('changing a draft', () => {
  const update = (world: Awaited<ReturnType<typeof openBooks>>, input: InputOf<'invoices.update'>) =>
    world.run('invoices.update', input)

  test('fields given replace, others stay, and the version grows', async () => {
    const world = await openBooks()
    const draft = await world.draft({
      notes: 'Vieja',
      dueDate: '2026-12-20',
      withholdingPct: 15,
      client: { address: CLIENT_ADDRESS },
      paymentMethod: 'transfer',
    })
    const changed = await update(world, { id: draft.id, notes: 'Nueva', lines: [line({ unitPrice: 10 })] })
    expect(changed).toMatchObject({
      notes: 'Nueva',
      dueDate: '2026-12-20',
      base: 10,
      total: 12.1,
      withholding: { amount: 1.5 },
      version: 2,
      paymentMethod: 'transfer',
      client: { address: CLIENT_ADDRESS },
    })
    expect(changed.contentHash).not.toBe(draft.contentHash)
    expect(changed.history.map((event) => event.action)).toEqual(['invoice.drafted', 'invoice.changed'])
  })

  test('a change of nothing keeps the content to the last hash', async () => {
    const world = await openBooks()
    const draft = await world.draft({
      clientNif: 'DE123456789',
      client: { country: 'DE', idType: '02', email: 'a@example.de' },
      lines: [
        line({
          quantity: 0.333_333,
          unitPrice: 12.345_678,
          discountPct: 12.34,
          unit: 'h',
          withholdable: false,
        }),
        line({ taxTreatment: 'E5' }),
        line({ isDisbursement: true }),
      ],
      priceMode: 'gross',
      issueDate: '2026-11-20',
      operationDate: '2026-11-19',
      language: 'en',
      externalRef: 'R1',
    })
    const same = await update(world, { id: draft.id })
    expect({ ...same, version: 1, history: draft.history, assumptions: undefined }).toEqual({
      ...draft,
      assumptions: undefined,
      nextStep: undefined,
    })
  })

  test('null clears what may be cleared', async () => {
    const world = await openBooks()
    const draft = await world.draft({
      notes: 'x',
      dueDate: '2026-12-20',
      operationDate: '2026-11-01',
      issueDate: '2026-11-20',
      withholdingPct: 15,
      paymentMethod: 'cash',
      externalRef: 'x',
      client: { address: CLIENT_ADDRESS, email: 'a@example.com' },
    })
    const cleared = await update(world, {
      id: draft.id,
      notes: null,
      dueDate: null,
      operationDate: null,
      issueDate: null,
      withholdingPct: null,
      paymentMethod: null,
      externalRef: null,
      clientNif: null,
      client: { address: null, email: null },
    })
    expect(cleared).toMatchObject({
      notes: null,
      dueDate: null,
      operationDate: null,
      issueDate: null,
      paymentMethod: null,
      externalRef: null,
      clientNif: null,
    })
    expect(cleared.withholding).toBeUndefined()
    expect(cleared.client).toEqual({ name: THREE_FIELDS.clientName, nif: null, country: 'ES' })
  })

  test('a new customer replaces the old one whole', async () => {
    const world = await openBooks()
    const contact = await world.run('contacts.create', {
      name: 'Nuevo',
      nif: '12345678Z',
      email: 'nuevo@example.com',
    })
    const draft = await world.draft({ client: { address: CLIENT_ADDRESS, email: 'viejo@example.com' } })
    const changed = await update(world, { id: draft.id, clientId: contact.id, clientName: 'Nuevo' })
    expect(changed.client).toEqual({
      name: 'Nuevo',
      nif: '12345678Z',
      country: 'ES',
      email: 'nuevo@example.com',
    })
  })

  test("part of the customer's data leaves the rest", async () => {
    const world = await openBooks()
    const draft = await world.draft({ client: { address: CLIENT_ADDRESS, email: 'a@example.com' } })
    expect((await update(world, { id: draft.id, client: { email: 'b@example.com' } })).client).toMatchObject({
      email: 'b@example.com',
      address: CLIENT_ADDRESS,
    })
  })

  test("a change over somebody else's is refused, by the version it was made from", async () => {
    const world = await openBooks()
    const { id } = await world.draft()
    await update(world, { id, notes: 'uno', expectedVersion: 1 })
    expect((await refused(update(world, { id, notes: 'dos', expectedVersion: 1 }))).toBody()).toMatchObject({
      code: 'version_conflict',
      field: 'expectedVersion',
      details: { expectedVersion: 1, version: 2 },
    })
    expect((await world.run('invoices.get', { id })).notes).toBe('uno')
  })

  test('a refused change leaves the draft as it was', async () => {
    const world = await openBooks()
    const draft = await world.draft()
    expect(
      await faultsOfRefusal(
        update(world, {
          id: draft.id,
          notes: 'x',
          lines: [line({ quantity: 999_999_999, unitPrice: 999_999_999 })],
        }),
      ),
    ).toEqual(['lines[0]: amount_too_large'])
    expect(await world.run('invoices.get', { id: draft.id })).toEqual({
      ...draft,
      assumptions: undefined,
      nextStep: undefined,
    })
  })

  test('what is issued is neither changed nor deleted nor validated again', async () => {
    const world = await openBooks()
    const { id, number } = await world.invoice()
    for (const work of [
      update(world, { id, notes: 'x' }),
      world.run('invoices.delete', { id }),
      world.run('invoices.validate', { id }),
    ])
      expect((await refused(work)).toBody()).toMatchObject({ code: 'invoice_not_draft', details: { number } })
  })
})

describe('deleting a draft', () => {
  test("takes it away with its lines and its customer's data, but not the history", async () => {
    const world = await openBooks()
    const kept = await world.draft({ clientName: 'Se queda' })
    const { id } = await world.draft({ clientName: 'Se va' })
    expect(await world.run('invoices.delete', { id, expectedVersion: 1 })).toEqual({ deleted: true })
    expect(await refusal(world.run('invoices.get', { id }))).toBe('not_found')
    expect(await refusal(world.run('invoices.delete', { id }))).toBe('not_found')
    const reader = world.ctx(world.books.test).db
    expect((await reader.selectFrom('parties').select('name').execute()).map((row) => row.name)).toEqual([
      'Se queda',
    ])
    expect(await reader.selectFrom('invoice_lines').selectAll().execute()).toHaveLength(1)
    const events = (await world.run('audit.list', { invoiceId: id })).items.map((event) => event.action)
    expect(events).toEqual(['invoice.deleted', 'invoice.drafted'])
    expect((await world.run('invoices.list', {})).items.map((item) => item.id)).toEqual([kept.id])
  })

  test('customers that another invoice shows stay', async () => {
    const world = await openBooks()
    const issued = await world.invoice()
    const { id } = await world.draft()
    await world.run('invoices.delete', { id })
    expect((await world.run('invoices.get', { id: issued.id })).client.name).toBe(THREE_FIELDS.clientName)
  })

  test('is guarded by the version', async () => {
    const world = await openBooks()
    const { id } = await world.draft()
    expect(await refusal(world.run('invoices.delete', { id, expectedVersion: 2 }))).toBe('version_conflict')
  })
})

test('nobody finds a draft of another book', async () => {
  const world = await openBooks()
  const { id } = await world.draft()
  for (const name of ['invoices.get', 'invoices.delete', 'invoices.validate', 'invoices.pdf'] as const)
    expect(await refusal(world.run(name, { id }, world.live)), name).toBe('not_found')
  expect((await world.run('invoices.list', {}, world.live)).items).toEqual([])
})

const reader = {
  kind: 'key' as const,
  companyId: 1,
  rowId: 1,
  id: 'key_x',
  rootId: 'key_x',
  name: 'x',
  prefix: 'x',
  scopes: ['invoices.read' as const],
  approval: 'always' as const,
  assistant: false,
  expiresAt: null,
  perDay: null,
  centsPerDay: null,
}

test('reading a draft while it is changed, deleted or issued answers one state or the other, never a mixture', async () => {
  const world = await openBooks()
  let seed = 11
  const later = async () => {
    const turns = (seed = (seed * 48_271) % 2_147_483_647) % 3000
    for (let turn = 0; turn < turns; turn++) await null
  }
  for (let round = 0; round < 45; round++) {
    const { id } = await world.draft({ clientName: `Cliente ${round}`, lines: [line({ unitPrice: 1 })] })
    const token = round % 3 === 2 ? await world.token(id) : ''
    const change = () =>
      round % 3 === 0
        ? world.run('invoices.update', {
            id,
            clientName: `Otro ${round}`,
            lines: [line({ unitPrice: 2 }), line({ unitPrice: 3 })],
          })
        : round % 3 === 1
          ? world.run('invoices.delete', { id })
          : world.run('invoices.issue', { id, confirmationToken: token })
    const readers = Array.from({ length: 16 }, async (_, index) => {
      await later()
      try {
        if (index % 3 === 2)
          return (await world.run('invoices.validate', { id }, world.ctx(world.books.test, { ...reader })))
            .preview.total
        const invoice = await world.run('invoices.get', { id })
        return invoice.lines.reduce((sum, each) => sum + each.net, 0) === invoice.base
          ? invoice.total
          : 'mixture'
      } catch (error) {
        return (error as { code?: string }).code ?? String(error)
      }
    })
    const answers = await Promise.all([...readers, change().then(() => 0)])
    for (const answer of answers) expect([0, 1.21, 6.05, 'not_found', 'invoice_not_draft']).toContain(answer)
  }
})
