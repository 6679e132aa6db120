/** Verification of the chain: it names the record that was changed, and then nothing is issued. */
import { inEmbedded } from '../../../support/engines.ts'
import { embedded } from '../../../../server/db/embedded/port.ts'
import { describe, expect, test } from 'vitest'
import { packXml, unpackXml } from '../../../../server/registry/systems/packing.ts'
import { checkChainAtStart, proveChain } from '../../../../server/registry/index.ts'
import { openBooks, refusal } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { swept, sweptCount } from '../../../support/sweep.ts'

async function chainOf(count: number): Promise<TestBooks> {
  const world = await openBooks()
  for (let index = 1; index <= count; index++) {
    world.setTime(new Date(Date.parse('2026-11-21T09:00:00Z') + index * 1_000).toISOString())
    await world.invoice({ lines: [{ description: `Línea & <${index}>`, quantity: 1, unitPrice: index }] })
  }
  return world
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

async function recordsOf(world: TestBooks) {
  return world
    .ctx(world.books.test)
    .db.selectFrom('registry_records')
    .select(['id', 'sequence', 'hash', 'xml', 'invoice_id'])
    .orderBy('sequence')
    .execute()
}

test('invoices are each linked to the previous one', async () => {
  const count = sweptCount(50, 12)
  const world = await chainOf(count)
  const { items } = await world.run('registry.records', { limit: 200 })
  expect(items.map((item) => item.sequence)).toEqual(
    Array.from({ length: count }, (_, index) => count - index),
  )
  expect(new Set(items.map((item) => item.hash)).size).toBe(count)
  const { registrations } = await world.run('registry.status', { invoiceId: items[0]?.invoiceId ?? '' })
  expect(registrations?.[0]).toMatchObject({
    sequence: count,
    hash: items[0]?.hash,
    previousHash: items[1]?.hash,
  })
  expect(await world.run('registry.verify', {})).toEqual({
    ok: true,
    records: count,
    head: items[0]?.hash,
    verifiedAt: expect.any(String),
  })
  expect((await world.run('registry.status', {})).chain).toMatchObject({
    records: count,
    ok: true,
    head: items[0]?.hash,
    verifiedAt: expect.any(String),
  })
  expect(await proveChain(world.test, sweptCount(31, 7))).toMatchObject({ ok: true, records: count })
  expect(await world.run('registry.verify', {}, world.live)).toMatchObject({
    ok: true,
    records: 0,
    head: null,
  })
})

test('a proof during issuing covers the chain as it has become, without a false alarm', async () => {
  const world = await openBooks()
  const count = sweptCount(40, 12)
  const ready = []
  for (let index = 0; index < count; index++) {
    const { id } = await world.draft({ lines: [{ description: 'x', quantity: 1, unitPrice: index + 1 }] })
    ready.push({ id, confirmationToken: await world.token(id) })
  }
  const proofs: Awaited<ReturnType<typeof proveChain>>[] = []
  let seed = 7
  for (const input of ready) {
    const [, ...made] = await Promise.all([
      world.run('invoices.issue', input),
      ...Array.from({ length: 5 }, async (_, later) => {
        // A different step of the issue each time.
        const turns = (seed = (seed * 48_271) % 2_147_483_647) % (100 * (later + 1))
        for (let turn = 0; turn < turns; turn++) await null
        return proveChain(world.test)
      }),
    ])
    proofs.push(...made)
  }
  expect(proofs.filter((proof) => !proof.ok)).toEqual([])
  expect(await proveChain(world.test)).toMatchObject({ ok: true, records: count })
})

/** Each entry changes record 4 of 6 in a different way; the proof must name the record where it shows. */
const TAMPERINGS: [string, (world: TestBooks) => Promise<string[]>, sequence: number, why: RegExp][] = [
  [
    'the stored hash',
    async () => ['update registry_records set hash = randomblob(32) where sequence = 4'],
    4,
    /stored hash/,
  ],
  [
    'an amount in the XML',
    async (world) => {
      const xml = unpackXml((await recordsOf(world))[3]!.xml).replace(
        '<sf:ImporteTotal>4.84<',
        '<sf:ImporteTotal>4.85<',
      )
      return [`update registry_records set xml = x'${hex(packXml(xml))}' where sequence = 4`]
    },
    4,
    /hash_mismatch/,
  ],
  [
    'an amount and the hash made to fit',
    async (world) => {
      const { registrationHash } =
        await import('../../../../server/registry/systems/verifactu/record/chain.ts')
      const { readSealedRecord } =
        await import('../../../../server/registry/systems/verifactu/record/sealed.ts')
      const xml = unpackXml((await recordsOf(world))[3]!.xml).replace(
        '<sf:ImporteTotal>4.84<',
        '<sf:ImporteTotal>4.85<',
      )
      const record = readSealedRecord(xml)
      if (record.kind !== 'registration') throw new Error('not a registration')
      const hash = registrationHash(record.text)
      const resealed = xml.replace(record.link.hash, hash)
      return [
        `update registry_records set xml = x'${hex(packXml(resealed))}', hash = x'${hash}' where sequence = 4`,
      ]
    },
    5,
    /previous_mismatch/,
  ],
  [
    'unreadable XML',
    async () => ["update registry_records set xml = x'0100' where sequence = 4"],
    4,
    /cannot be read/,
  ],
  [
    'XML of no known dictionary',
    async () => ["update registry_records set xml = x'77aabb' where sequence = 4"],
    4,
    /cannot be read/,
  ],
  [
    'the order of two',
    async () => [
      'update registry_records set sequence = 1000 where sequence = 4',
      'update registry_records set sequence = 4 where sequence = 5',
      'update registry_records set sequence = 5 where sequence = 1000',
    ],
    4,
    /previous_mismatch/,
  ],
  ['a missing one', async () => ['delete from registry_records where sequence = 4'], 4, /missing/],
  [
    'a missing last one',
    async () => ['delete from registry_records where sequence = 6'],
    6,
    /ends elsewhere/,
  ],
  ['a missing first one', async () => ['delete from registry_records where sequence = 1'], 1, /missing/],
  [
    'the head',
    async () => ['update registry_chains set head_hash = randomblob(32) where records = 6'],
    6,
    /ends elsewhere/,
  ],
  [
    'the count',
    async () => ['update registry_chains set records = 5 where records = 6'],
    6,
    /ends elsewhere/,
  ],
  [
    "the invoice's number",
    async () => ["update invoices set number = 'T-F2026-0099' where sequence = 4"],
    4,
    /another invoice/,
  ],
  [
    "the record's invoice",
    async () => [
      'update registry_records set invoice_id = (select invoice_id from registry_records where sequence = 1) where sequence = 4',
    ],
    4,
    /another invoice/,
  ],
  [
    "the whole first record as another's",
    async () => [
      'update registry_records set xml = (select xml from registry_records where sequence = 3), hash = (select hash from registry_records where sequence = 3) where sequence = 4',
    ],
    4,
    /previous_mismatch/,
  ],
]

/** The content, with its hash or not, the order, a gap, the end, and the invoice. */
const STANDING = new Set([
  'an amount in the XML',
  'an amount and the hash made to fit',
  'the order of two',
  'a missing one',
  'a missing last one',
  "the invoice's number",
])

describe('tampering', () => {
  test.each(swept(TAMPERINGS, ([what]) => STANDING.has(what)))(
    'with %s is detected at its record and blocks issuing',
    async (_name, statements, sequence, why) => {
      const world = await chainOf(6)
      const { id } = await world.draft()
      const token = await world.token(id)
      await world.tamper(...(await statements(world)))
      const proof = await world.run('registry.verify', {})
      expect(proof.ok).toBe(false)
      expect(proof.broken?.why).toMatch(why)
      expect(proof.broken?.sequence).toBe(sequence)
      const status = await world.run('registry.status', {})
      expect(status.chain.ok).toBe(false)
      expect(status.attention[0]?.code).toBe('chain_broken')
      expect(await refusal(world.run('invoices.issue', { id, confirmationToken: token }))).toBe(
        'chain_broken',
      )
      const { valid, issues } = await world.run('invoices.validate', { id })
      expect(valid).toBe(false)
      expect(issues.map((issue) => issue.code)).toContain('chain_broken')
      // Drafts still work, and so does the other book.
      expect((await world.draft()).state).toBe('draft')
      expect((await world.run('registry.verify', {}, world.live)).ok).toBe(true)
    },
  )

  test("with the record's time or kind is detected too: everything hashed is bound", async () => {
    const world = await chainOf(3)
    const [, second] = await recordsOf(world)
    const xml = unpackXml(second!.xml)
    for (const [from, to] of [
      ['<sf:TipoFactura>F1<', '<sf:TipoFactura>F2<'],
      ['T10:00:02+01:00', 'T10:00:03+01:00'],
      ['<sf:CuotaTotal>0.42<', '<sf:CuotaTotal>0.43<'],
      ['<sf:FechaExpedicionFactura>21-11-2026<', '<sf:FechaExpedicionFactura>20-11-2026<'],
    ] as const) {
      expect(xml, from).toContain(from)
      const place =
        xml.lastIndexOf(from) === xml.indexOf(from) || from.includes('FechaExp')
          ? xml.indexOf(from)
          : xml.lastIndexOf(from)
      const changed = xml.slice(0, place) + to + xml.slice(place + from.length)
      await world.tamper(`update registry_records set xml = x'${hex(packXml(changed))}' where sequence = 2`)
      expect((await proveChain(world.test)).broken, from).toMatchObject({ sequence: 2, why: 'hash_mismatch' })
    }
    await world.tamper(`update registry_records set xml = x'${hex(second!.xml)}' where sequence = 2`)
    expect((await proveChain(world.test)).ok).toBe(true)
  })

  test('stops blocking once the chain is repaired', async () => {
    const world = await chainOf(3)
    const [, second] = await recordsOf(world)
    await world.tamper('update registry_records set hash = randomblob(32) where sequence = 2')
    await world.run('registry.verify', {})
    expect((await world.run('invoices.validate', { id: (await world.draft()).id })).valid).toBe(false)
    await world.tamper(`update registry_records set hash = x'${hex(second!.hash)}' where sequence = 2`)
    expect((await world.run('registry.verify', {})).ok).toBe(true)
    expect((await world.invoice()).number).toBe('T-F2026-0004')
  })

  test('is detected by the check at start', async () => {
    const world = await chainOf(3)
    await world.tamper('update registry_records set hash = randomblob(32) where sequence = 3')
    await world.restart()
    expect((await checkChainAtStart(world.test)).broken?.sequence).toBe(3)
    expect((await world.run('invoices.validate', { id: (await world.draft()).id })).valid).toBe(false)
  })

  test('still blocks after a proof of the end alone, when the break is earlier', async () => {
    const world = await chainOf(4)
    await world.tamper('update registry_records set hash = randomblob(32) where sequence = 2')
    expect((await world.run('registry.verify', {})).ok).toBe(false)
    world.setTime('2026-11-23T09:00:00Z')
    expect((await checkChainAtStart(world.test, 1)).ok).toBe(true)
    expect((await world.run('registry.status', {})).chain.ok).toBe(false)
  })

  inEmbedded(test)(
    'is stored by the check at start when new; a clean result is stored once a day',
    async () => {
      const world = await chainOf(3)
      const { store } = world.env
      const written = async (): Promise<boolean> => {
        const before = embedded(store).changes()
        await checkChainAtStart(world.test)
        return embedded(store).changes() > before
      }
      world.setTime('2026-11-22T12:00:00Z')
      expect(await written()).toBe(true)
      world.setTime('2026-11-23T11:59:59Z')
      expect(await written()).toBe(false)
      world.setTime('2026-11-23T12:00:00Z')
      expect(await written()).toBe(true)
      // Issuing need not wait for a time that a wrong clock recorded.
      world.setTime('2026-11-23T11:00:00Z')
      expect(await written()).toBe(true)
      await world.tamper('update registry_records set hash = randomblob(32) where sequence = 2')
      expect(await written()).toBe(true)
      expect(await written()).toBe(false)
    },
  )
})
