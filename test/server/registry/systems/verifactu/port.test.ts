/** The registry behind its port: the records of before, byte for byte, and what is read back from them. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { ChainLink } from '../../../../../server/registry/facts.ts'
import { verifactu } from '../../../../../server/registry/systems/verifactu/index.ts'
import { goldenMessages, goldenRecords } from '../../golden.ts'
import { GENERATED_AT, SYSTEM } from '../../plain-records.ts'

const before = (link: ChainLink | null) => link && { ...link, link: link.hash }

const goldenOf = (facts: (typeof goldenRecords)[number]['facts']) =>
  verifactu.build(
    'invoice' in facts
      ? { kind: 'registration', invoice: facts.invoice, detail: null, first: null }
      : { kind: 'cancellation', cancellation: facts.cancellation, issuerName: '' },
    {
      previous: before(facts.previous),
      software: SYSTEM,
      generatedAt: GENERATED_AT,
    },
  )

describe('records through the port', () => {
  test.each(goldenRecords)('are the golden ones: $file: $facts.name', async ({ facts, xml: file }) => {
    const { text, hash, isLink, link } = await verifactu.seal(goldenOf(facts), null)
    expect(`${text}\n`).toBe(readFileSync(file, 'utf8'))
    const record = verifactu.read(text)
    expect(record.link.hash).toBe(hash)
    expect(record.previous).toEqual(facts.previous)
    expect(verifactu.proveLink(record, before(facts.previous))).toBeNull()
    expect({ isLink, link, named: record.named }).toEqual({ isLink: true, link: null, named: hash })
  })

  test.each(goldenMessages.filter(({ facts }) => 'submission' in facts))(
    'are sent in the golden messages: $facts.name',
    ({ facts, xml: file }) => {
      if (!('submission' in facts)) throw new Error('No submission.')
      const { header, options } = facts.submission
      if (header.representative || options.leavingOn) return
      const message = readFileSync(file, 'utf8').trimEnd()
      const records = [...message.matchAll(/<sfLR:RegistroFactura>(.*?)<\/sfLR:RegistroFactura>/gs)].map(
        ([, record]) => record ?? '',
      )
      const { incident = false } = options
      expect(verifactu.wire.submission(header.issuer, records, { incident })).toBe(message)
    },
  )
})

test('a record that was altered is found, and one that follows another', async () => {
  const [first, second] = goldenRecords.filter(({ facts }) => facts.previous !== null)
  if (!first || !second) throw new Error('Two golden records with a predecessor are needed.')
  const { text } = await verifactu.seal(goldenOf(first.facts), null)
  const altered = verifactu.read(text.replace(/(<sf:FechaHoraHusoGenRegistro>)\d{4}/, '$12020'))
  expect(verifactu.proveLink(altered, before(first.facts.previous))).toBe('hash_mismatch')
  const other = { ...first.facts.previous!, hash: '0'.repeat(64) }
  expect(verifactu.proveLink(verifactu.read(text), before(other))).toBe('previous_mismatch')
})
