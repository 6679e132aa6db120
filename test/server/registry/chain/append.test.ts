/** Records appended at issue: their facts, their link, the program they name, and what prevents them. */
import { ENGINE } from '../../../support/postgres/databases.ts'
import { describe, expect, test } from 'vitest'
import { createCompany } from '../../../../server/company/index.ts'
import { appendRegistration } from '../../../../server/registry/index.ts'
import { checkRegistration } from '../../../../server/registry/systems/verifactu/record/check.ts'
import type { NewRegistration } from '../../../../server/registry/index.ts'
import { unpackXml } from '../../../../server/registry/systems/packing.ts'
import { readSealedRecord } from '../../../../server/registry/systems/verifactu/record/sealed.ts'
import { findChain } from '../../../../server/registry/chain/rows.ts'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { companyInput } from '../../../support/store.ts'
import { invoice } from '../plain-records.ts'

const registration = (changes: Partial<NewRegistration> = {}): NewRegistration => {
  const { recordId: _given, ...facts } = invoice({
    issuer: { nif: 'B12345674', name: 'Talleres Ejemplo, S.L.' },
    number: 'T-F2026-0001',
    issueDate: '2026-11-21',
    recipients: [{ name: 'Cliente', nif: '12345678Z' }],
  })
  return { ...facts, ...changes }
}

const xmlOf = async (world: TestBooks, sequence: number) => {
  const row = await world
    .ctx(world.books.test)
    .db.selectFrom('registry_records')
    .select('xml')
    .where('sequence', '=', sequence)
    .executeTakeFirstOrThrow()
  return unpackXml(row.xml)
}

describe('a sealed record', () => {
  test('names the test producer, this installation and the time in Spain', async () => {
    const world = await openBooks()
    await world.invoice()
    const xml = await xmlOf(world, 1)
    const { installation } = await findChain(world.test)
    for (const part of [
      '<sf:NombreRazon>PRODUCTOR DE PRUEBA</sf:NombreRazon><sf:NIF>89890001K</sf:NIF>',
      `<sf:NumeroInstalacion>${installation}</sf:NumeroInstalacion>`,
      '<sf:IndicadorMultiplesOT>N</sf:IndicadorMultiplesOT>',
      '<sf:FechaHoraHusoGenRegistro>2026-11-21T10:00:00+01:00</sf:FechaHoraHusoGenRegistro>',
      '<sf:PrimerRegistro>S</sf:PrimerRegistro>',
      '<sf:RefExterna>rec-1</sf:RefExterna>',
    ])
      expect(xml, part).toContain(part)
    expect((await findChain(world.live)).installation).not.toBe(installation)
  })

  test('states that there are several companies from the second one on', async () => {
    const world = await openBooks()
    await world.invoice()
    await createCompany(world.bookless(), companyInput({ nif: 'B11111119', legalName: 'Otra, S.L.' }))
    await world.invoice()
    expect(await xmlOf(world, 1)).toContain('<sf:IndicadorMultiplesOT>N<')
    expect(await xmlOf(world, 2)).toContain('<sf:IndicadorMultiplesOT>S<')
  })

  test('links to the previous one by number, date and hash; each company has its own chain', async () => {
    const world = await openBooks()
    const first = await world.invoice({ issueDate: '2026-11-20' })
    await world.invoice()
    const sealed = readSealedRecord(await xmlOf(world, 2))
    expect(sealed.previous).toEqual({
      issuerNif: 'B12345674',
      number: first.number,
      issueDate: '2026-11-20',
      hash: first.registry.hash,
    })
    expect((await world.run('registry.status', {}, world.live)).chain.records).toBe(0)
  })

  test('describes the sale in at most 500 characters, whatever was entered', async () => {
    const world = await openBooks()
    await world.invoice({
      lines: [
        { description: `Año & <${'ñ'.repeat(300)}>\n2`, quantity: 1, unitPrice: 1 },
        { description: 'z'.repeat(400), quantity: 1, unitPrice: 1 },
      ],
    })
    await world.send()
    const text =
      /<sf:DescripcionOperacion>(.*?)<\/sf:DescripcionOperacion>/s.exec(await xmlOf(world, 1))?.[1] ?? ''
    const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
    expect(plain).toHaveLength(500)
    expect(plain).toMatch(/^Año & <ñ+> 2; z+…$/)
    expect((await world.run('invoices.get', { id: 'T-F2026-0001' })).registry.status).toBe('accepted')
  })

  test('never splits a surrogate pair', async () => {
    const world = await openBooks()
    for (const length of [495, 496, 497, 498])
      await world.invoice({
        lines: [
          { description: `${'a'.repeat(length)}😀`, quantity: 1, unitPrice: length },
          { description: 'b😀'.repeat(20), quantity: 1, unitPrice: 1 },
        ],
      })
    expect(await world.run('registry.verify', {})).toMatchObject({ ok: true, records: 4 })
  })

  test('two records cannot have the same place in the chain', async () => {
    const world = await openBooks()
    const { id } = await world.invoice()
    const row = await world.test.db
      .selectFrom('invoices')
      .select('id')
      .where('public_id', '=', id)
      .executeTakeFirstOrThrow()
    await world.tamper('update registry_chains set records = 0, head_hash = null where records = 1')
    await expect(
      world.test.transaction((tx) => appendRegistration(tx, row.id, registration())),
    ).rejects.toMatchObject({ code: ENGINE === 'pg' ? '23505' : 'SQLITE_CONSTRAINT_UNIQUE' })
    expect(
      await world.ctx(world.books.test).db.selectFrom('registry_records').select('id').execute(),
    ).toHaveLength(1)
  })
})

describe("the registry's own rules", () => {
  test("report faults by the names of the invoice's fields", () => {
    expect(checkRegistration(registration(), '2026-11-21')).toEqual([])
    const fields = (changes: Partial<NewRegistration>) => [
      ...new Set(checkRegistration(registration(changes), '2026-11-21').map((fault) => fault.field)),
    ]
    expect(fields({ recipients: [{ name: 'x'.repeat(121), nif: '12345678Z' }] })).toEqual(['clientName'])
    expect(fields({ recipients: [{ name: 'x', nif: '12345678A' }] })).toEqual(['clientNif'])
    expect(fields({ recipients: [] })).toEqual(['clientNif'])
    expect(fields({ number: 'F"1' })).toEqual(['series'])
    expect(fields({ issueDate: '2026-11-22' })).toEqual(['issueDate'])
    expect(fields({ breakdown: [] })).toEqual(['lines'])
    expect(fields({ totalCents: 99_999 })).toEqual(['lines'])
  })
})
