/**
 * TicketBAI against the published schemas, samples and vectors: the official signed files verify in full, and what we write
 * is valid and verifies elsewhere. Runs only where SELLO_SHARED names the folder of facts and the tools are installed.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { crc8, ticketBaiQr } from '../../server/registry/systems/ticketbai/identifier.ts'
import {
  amendedCancellation,
  amendedIssue,
  cancellationContent,
  chainFaultOf,
  checkTicketBai,
  linkOfInvoice,
  PROFILES,
  readTicketBai,
  sealCancellation,
  ticketBaiIdentifier,
  verifyTicketBai,
  writeTicketBai,
} from '../../server/registry/systems/ticketbai/index.ts'
import type { InvoiceContent, TicketBaiLink } from '../../server/registry/systems/ticketbai/index.ts'
import { COUNTRIES, REGIME_KEYS } from '../../server/registry/systems/ticketbai/lists.ts'
import { fineText } from '../../server/registry/systems/ticketbai/write.ts'
import { dice } from '../support/seeded-random.ts'
import {
  context,
  KEY,
  NOW,
  PROVINCES,
  randomInvoice,
  sealed,
} from '../server/registry/systems/ticketbai/samples.ts'
import { xmlsecVerdict } from '../server/registry/systems/ticketbai/xmlsec.ts'

const shared = process.env['SELLO_SHARED'] ?? ''
const hasTools = ['xmllint', 'xmlsec1'].every((name) => spawnSync(name, ['--version']).status === 0)
const facts = join(shared, 'territories')
const SEED = 20261130
const INVOICES = 500

const official = (name: string): string => readFileSync(join(facts, 'ticketbai', name), 'utf8')

interface Vectors {
  crc8: { check_123456789: number; cases: { text: string; crc: number }[] }
  identifier: { nif: string; date_ddmmyy: string; signature_first_13: string; identifier: string }[]
  qr: { url: string }[]
  chain: { previous: string; next: string; value: string }
  vat_check_of_samples: { file: string; lines: string[]; base: string; tax: string; total: string }[]
}

function verifiedInvoice(name: string): { invoice: InvoiceContent; signatureValue: string } {
  const verified = verifyTicketBai(official(name))
  if (verified.kind !== 'issue') throw new Error('An invoice was expected.')
  return verified
}

describe.skipIf(shared === '' || !hasTools)('published facts of TicketBAI', () => {
  let folder = ''
  let vectors: Vectors
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'sello-ticketbai-'))
    vectors = JSON.parse(readFileSync(join(facts, 'vectors.json'), 'utf8')) as Vectors
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  function complaints(schema: string, documents: readonly string[]): string {
    const files = documents.map((xml, index) => {
      const file = join(folder, `${index}.xml`)
      writeFileSync(file, xml)
      return file
    })
    const path = join(facts, 'ticketbai', schema)
    const { status, stderr } = spawnSync('xmllint', ['--nonet', '--noout', '--schema', path, ...files], {
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
    })
    return status === 0 ? '' : stderr.replace(/^.* validates$/gm, '').trim()
  }

  test('the CRC-8', () => {
    expect(crc8('123456789')).toBe(vectors.crc8.check_123456789)
    for (const { text, crc } of vectors.crc8.cases) expect(crc8(text), text).toBe(crc)
  })

  test('the identifiers', () => {
    for (const { nif, date_ddmmyy: date, signature_first_13: start, identifier } of vectors.identifier) {
      const day = `20${date.slice(4)}-${date.slice(2, 4)}-${date.slice(0, 2)}`
      expect(ticketBaiIdentifier(nif, day, `${start}/rest`)).toBe(identifier)
    }
  })

  test('the addresses of QR codes', () => {
    for (const { url } of vectors.qr) {
      const address = new URL(url)
      const values = address.searchParams
      expect(
        ticketBaiQr(`${address.origin}${address.pathname}`, {
          identifier: values.get('id') ?? '',
          series: values.get('s'),
          number: values.get('nf') ?? '',
          total: values.get('i') ?? '',
        }),
      ).toBe(url)
    }
  })

  test('the three signed samples verify in full, and name the policy that we sign with', () => {
    for (const name of ['sample-alta-01.xml', 'sample-alta-02.xml', 'sample-anula-02.xml']) {
      const { policy } = verifyTicketBai(official(name))
      const [ours] = PROFILES.gipuzkoa.policies
      expect(policy, name).toEqual({ address: ours?.address, sha256: ours?.sha256 })
      // The first character of a name, a digest, the signature and the time.
      for (const spoil of ['FICTICIO<', '<ds:DigestValue>', 'SignatureValue">', '<xades:SigningTime>'])
        expect(
          () => verifyTicketBai(official(name).replace(spoil, `${spoil}1`)),
          `${name} ${spoil}`,
        ).toThrow()
    }
  })

  test('the samples follow each other', () => {
    const { previous, next, value } = vectors.chain
    const first = verifiedInvoice(previous)
    const second = verifiedInvoice(next)
    const link = linkOfInvoice(first.invoice, first.signatureValue)
    expect(link.signature).toBe(value)
    expect(chainFaultOf(first.invoice, null)).toBeNull()
    expect(chainFaultOf(second.invoice, link)).toBeNull()
  })

  test('the samples say the amounts that they should', () => {
    for (const { file, base, tax, total, lines } of vectors.vat_check_of_samples) {
      const { invoice } = verifiedInvoice(file)
      const whole = invoice.breakdown.by === 'invoice' ? invoice.breakdown.whole : null
      const detail = whole?.taxed[0]?.details[0]
      expect([detail?.baseCents, detail?.taxCents, invoice.totalCents]).toEqual(
        [base, tax, total].map((text) => Math.round(Number(text) * 100)),
      )
      for (const [index, line] of invoice.lines.entries())
        expect(lines[index]).toContain(fineText(line.total))
    }
  })

  test('the corrections of the samples are read', () => {
    expect(readTicketBai(official('sample-zuzendu-subsanar.xml'))).toMatchObject({ action: 'SUBSANAR' })
    expect(readTicketBai(official('sample-zuzendu-modificar.xml'))).toMatchObject({ action: 'MODIFICAR' })
    expect(readTicketBai(official('sample-zuzendu-baja.xml'))).toMatchObject({ kind: 'amended_cancellation' })
  })

  test('what is read from the samples is written again as a valid file that says the same', () => {
    for (const [name, schema] of [
      ['sample-alta-01.xml', 'ticketbaiv1-2-2.xsd'],
      ['sample-alta-02.xml', 'ticketbaiv1-2-2.xsd'],
      ['sample-anula-02.xml', 'anula_ticketbaiv1-2-2.xsd'],
      ['sample-zuzendu-subsanar.xml', 'zuzendualta_ticketbaiv1-2-2.xsd'],
      ['sample-zuzendu-modificar.xml', 'zuzendualta_ticketbaiv1-2-2.xsd'],
      ['sample-zuzendu-baja.xml', 'zuzenduanula_ticketbaiv1-2-2.xsd'],
    ] as const) {
      const content = readTicketBai(official(name))
      const signature = /<ds:Signature .*<\/ds:Signature>/s.exec(official(name))?.[0] ?? ''
      const written = writeTicketBai(content).replace(/<\/T:\w+>$/, (end) => `${signature}${end}`)
      expect(complaints(schema, [written]), name).toBe('')
      expect(readTicketBai(written), name).toEqual(content)
    }
  })

  test('the lists are those of the schema', () => {
    const schema = official('ticketbaiv1-2-2.xsd')
    const valuesOf = (type: string): Set<string> => {
      const start = schema.indexOf(`<simpleType name="${type}"`)
      const text = schema.slice(start, schema.indexOf('</simpleType>', start))
      return new Set([...text.matchAll(/enumeration\s+value="([^"]+)"/g)].map(([, value = '']) => value))
    }
    expect(valuesOf('CountryType2')).toEqual(new Set(COUNTRIES))
    expect(valuesOf('IdOperacionesTrascendenciaTributariaType')).toEqual(new Set(REGIME_KEYS))
  })

  test.each(PROVINCES)(
    `${INVOICES} random invoices of %s, their cancellations and corrections are valid, and read back equal`,
    (province) => {
      const at = context(province)
      const random = dice(SEED + province.length)
      const files: Record<'issue' | 'cancel' | 'amend' | 'amendCancel', string[]> = {
        issue: [],
        cancel: [],
        amend: [],
        amendCancel: [],
      }
      let previous: TicketBaiLink | null = null
      for (let number = 1; number <= INVOICES; number++) {
        const invoice = randomInvoice(random, number)
        expect(checkTicketBai(invoice, previous, at).filter(({ severity }) => severity === 'error')).toEqual(
          [],
        )
        const { content, xml, signatureValue } = sealed(invoice, province, previous)
        expect(verifyTicketBai(xml), `invoice ${number}`).toMatchObject({ invoice: content })
        files.issue.push(xml)
        const original = { invoice: content, signatureValue }
        files.amend.push(
          writeTicketBai(amendedIssue(number % 2 ? 'SUBSANAR' : 'MODIFICAR', invoice, original)),
        )
        const cancellation = cancellationContent(content, { software: at.software, device: null })
        const signed = sealCancellation(cancellation, { profile: at.profile, key: KEY, signedAt: NOW })
        expect(verifyTicketBai(signed.xml)).toMatchObject({ cancellation })
        files.cancel.push(signed.xml)
        files.amendCancel.push(
          writeTicketBai(
            amendedCancellation(cancellation, { cancellation, signatureValue: signed.signatureValue }),
          ),
        )
        previous = linkOfInvoice(content, signatureValue)
      }
      expect(complaints('ticketbaiv1-2-2.xsd', files.issue)).toBe('')
      expect(complaints('anula_ticketbaiv1-2-2.xsd', files.cancel)).toBe('')
      expect(complaints('zuzendualta_ticketbaiv1-2-2.xsd', files.amend)).toBe('')
      expect(complaints('zuzenduanula_ticketbaiv1-2-2.xsd', files.amendCancel)).toBe('')
      for (const xml of [...files.issue, ...files.cancel].filter((_, index) => index % 50 === 0)) {
        const { isValid, text } = xmlsecVerdict(folder, xml)
        expect(isValid, text).toBe(true)
        expect(text).toContain('References (ok/all): 3/3')
      }
    },
    120_000,
  )

  test('the schema refuses what the reader refuses', () => {
    const { xml } = sealed(randomInvoice(dice(SEED), 1), 'araba')
    const spoilt = xml.replace(/<NumFactura>\d+/, `<NumFactura>${'1'.repeat(21)}`)
    expect(complaints('ticketbaiv1-2-2.xsd', [spoilt])).toContain('NumFactura')
    expect(() => readTicketBai(spoilt)).toThrow()
  })
})
