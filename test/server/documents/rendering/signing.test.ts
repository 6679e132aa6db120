/** Documents of issued invoices with the company's certificate: signed when drawn or later, and stored permanently. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sha256Hex } from '../../../../server/domain/sha256.ts'
import { createDocumentJobs, createDocumentPool } from '../../../../server/documents/rendering/index.ts'
import type { DocumentJob, DocumentPool } from '../../../../server/documents/rendering/index.ts'
import { documentsOf } from '../../../../server/sales/invoices/index.ts'
import { BrokenSignature, verifyPdf } from '../../../../server/documents/signing/index.ts'
import type { AppEnvironment } from '../../../../server/context.ts'
import { openBooks } from '../../../support/books.ts'
import type { TestBooks } from '../../../support/books.ts'
import { copiesOf } from '../../../support/copied-books.ts'
import { makeP12 } from '../../../support/files/certificates.ts'
import type { CertificateWish } from '../../../support/files/certificates.ts'
import { archiveFaults } from '../../../support/files/pdf-archive.ts'
import { nameOf, PdfFile, PdfRef, textOf } from '../../../support/files/pdf-objects.ts'
import { swept, sweptCount } from '../../../support/sweep.ts'
import { needs, tool } from '../../../support/tools.ts'

let pool: DocumentPool
let folder = ''
beforeAll(() => {
  pool = createDocumentPool()
  folder = mkdtempSync(join(tmpdir(), 'sello-documents-'))
})
afterAll(async () => {
  await pool.close()
  rmSync(folder, { recursive: true, force: true })
})

const PASSWORD = 'clave'

const drawing: Pick<AppEnvironment, 'documents'> = {
  documents: { make: (job) => pool.make(job as DocumentJob) },
}
const open = (): Promise<TestBooks> => openBooks({ environment: drawing })

async function importInto(world: TestBooks, wish: Partial<CertificateWish> = {}) {
  const made = makeP12({ password: PASSWORD, ...wish })
  await world.run(
    'certificates.import',
    { file: made.p12.toString('base64'), password: PASSWORD },
    world.live,
  )
  return made
}

/** Books with a certificate. */
const withCertificate = copiesOf(async () => {
  const world = await openBooks()
  await importInto(world)
  return world
})
const openCertified = (options: Parameters<typeof openBooks>[0] = {}): Promise<TestBooks> =>
  withCertificate({ ...options, environment: { ...drawing, ...options.environment } })

const pdf = async (world: TestBooks, id: string, more: { language?: 'en'; paper?: 'ticket' } = {}) => {
  const answer = await world.run('invoices.pdf', { id, ...more })
  return { ...answer, bytes: Buffer.from(answer.bytes) }
}

const COMPLETE = {
  clientName: 'Conservas del Cantábrico, S.A.',
  clientNif: 'A39000013',
  client: {
    address: {
      street: 'Polígono de Guarnizo, 14',
      postalCode: '39611',
      city: 'El Astillero',
      province: 'Cantabria',
      country: 'ES',
    },
  },
}

// The tests below use a certificate of type ec.
describe.each(swept(['rsa', 'ec'] as const, (type) => type === 'rsa'))(
  'with a certificate of type %s',
  (keyType) => {
    test('an issued invoice is signed when it is drawn, and its unsigned bytes are a prefix', async () => {
      const world = await open()
      const { caPem } = await importInto(world, { keyType })
      const { id } = await world.invoice(COMPLETE)
      const { bytes, signature, sha256 } = await pdf(world, id)
      expect(signature).toBe('PAdES-B-B')
      expect(sha256).toBe(sha256Hex(bytes))
      const [verified] = verifyPdf(bytes)
      expect(verified).toBeDefined()
      expect(archiveFaults(bytes)).toEqual([])
      const [kept] = await documentsOf(world.ctx(world.books.test).db, 1)
      const unsigned = bytes.subarray(0, bytes.length - (kept?.appended?.length ?? 0))
      expect(archiveFaults(unsigned)).toEqual([])
      expect((await pdf(world, id)).bytes.equals(bytes)).toBe(true)
      await world.restart()
      expect((await pdf(world, id)).bytes.equals(bytes)).toBe(true)
      expect((await world.run('invoices.get', { id })).pdf).toEqual({
        status: 'ready',
        signature: {
          level: 'PAdES-B-B',
          subject: 'Ana María Núñez Güell',
          signedAt: expect.stringMatching(/^2026-/) as string,
        },
        languages: ['es'],
      })
      writeFileSync(join(folder, `${keyType}.pdf`), bytes)
      writeFileSync(join(folder, `${keyType}-ca.pem`), caPem)
      writeFileSync(join(folder, `${keyType}-unsigned.pdf`), unsigned)
    })

    const file = (name: string): string => join(folder, `${keyType}${name}`)
    const run = (name: string, ...args: string[]) => {
      const { stdout, stderr } = spawnSync(tool(name) ?? name, args, { encoding: 'latin1' })
      return stdout + stderr
    }

    needs('pdfsig', 'certutil')('pdfsig trusts it, and it covers the whole file', () => {
      const store = `sql:${folder}`
      run('certutil', '-d', store, '-N', '--empty-password')
      run('certutil', '-d', store, '-A', '-n', keyType, '-t', 'CT,C,C', '-i', file('-ca.pem'))
      const report = run('pdfsig', '-nssdir', store, file('.pdf'))
      for (const words of [
        'ETSI.CAdES.detached',
        'Signature is Valid.',
        'Total document signed',
        'Certificate is Trusted.',
      ])
        expect(report).toContain(words)
    })

    needs('qpdf', 'pdffonts')('qpdf finds no fault, and every font is embedded', () => {
      expect(run('qpdf', '--check', file('.pdf'))).toContain('No syntax or stream encoding errors found')
      const fonts = run('pdffonts', file('.pdf')).trim().split('\n').slice(2)
      expect(fonts.length).toBe(3)
      for (const font of fonts) expect(font).toMatch(/CID TrueType +Identity-H +yes yes yes/)
    })

    needs('openssl')('openssl verifies the signature over the signed bytes', () => {
      const bytes = readFileSync(file('.pdf'))
      const [, first = 0, second = 0, length = 0] =
        /\/ByteRange \[\s*0\s+(\d+)\s+(\d+)\s+(\d+)/.exec(bytes.toString('latin1'))?.map(Number) ?? []
      expect(second + length).toBe(bytes.length)
      const room = Buffer.from(bytes.toString('latin1', first + 1, second - 1), 'hex')
      // SEQUENCE with a length of two bytes; the rest is padding.
      expect(room.subarray(0, 2).toString('hex')).toBe('3082')
      const cms = room.subarray(0, 4 + room.readUInt16BE(2))
      writeFileSync(file('.der'), cms)
      writeFileSync(file('.bin'), Buffer.concat([bytes.subarray(0, first), bytes.subarray(second)]))
      const check = (content: string): string =>
      run('openssl', 'cms', '-verify', '-binary', '-inform', 'DER', '-in', file('.der'), '-content', content, '-CAfile', file('-ca.pem'), '-purpose', 'any', '-out', '/dev/null') // prettier-ignore
      expect(check(file('.bin'))).toContain('successful')
      const spoilt = readFileSync(file('.bin'))
      spoilt[1000] = (spoilt[1000] ?? 0) ^ 1
      writeFileSync(file('.spoilt'), spoilt)
      expect(check(file('.spoilt'))).not.toContain('successful')
    })

    needs('pdfdetach', 'xmllint')('the XML inside comes out well formed', () => {
      run('pdfdetach', '-save', '1', '-o', file('.xml'), file('.pdf'))
      expect(run('xmllint', '--noout', file('.xml'))).toBe('')
    })

    for (const dpi of swept([72, 150], (dots) => dots === 150))
      needs('pdftoppm', 'zbarimg')(`its tax code is read at ${dpi} dots an inch`, async () => {
        run('pdftoppm', '-r', String(dpi), '-png', '-singlefile', file('.pdf'), file(`-${dpi}`))
        const text = run('zbarimg', '-q', '--raw', file(`-${dpi}.png`)).trim()
        expect(text).toMatch(
          /^https:\/\/prewww2\.aeat\.es\/wlpl\/TIKE-CONT\/ValidarQR\?nif=B12345674&numserie=T-F2026-0001&/,
        )
      })
  },
)

const STEP = sweptCount(499, 1999)
test('one flipped byte is detected at any position', async () => {
  const world = await openCertified()
  const { bytes } = await pdf(world, (await world.invoice(COMPLETE)).id)
  expect(verifyPdf(bytes)).toHaveLength(1)
  for (let at = 0; at < bytes.length; at += STEP) {
    const spoilt = Buffer.from(bytes)
    spoilt[at] = (spoilt[at] ?? 0) ^ 0x20
    // Where the flipped bit does not change the meaning (hex digits in lower case), nothing was changed.
    if (/[0-9a-fA-F]/.test(String.fromCharCode(bytes[at] ?? 0)) && isInContents(bytes, at)) continue
    expect(() => verifyPdf(spoilt), `byte ${at}`).toThrow(BrokenSignature)
  }
})

function isInContents(bytes: Buffer, at: number): boolean {
  const text = bytes.toString('latin1')
  const from = text.lastIndexOf('/Contents <')
  return at > from && at < text.indexOf('>', from)
}

describe('without a certificate', () => {
  test('the document is unsigned, states that, and is signed later without changing its bytes', async () => {
    const world = await open()
    const { id } = await world.invoice(COMPLETE)
    const before = await pdf(world, id)
    expect(before.signature).toBe('none')
    expect(archiveFaults(before.bytes)).toEqual([])
    await expect(world.run('invoices.sign', { id })).rejects.toMatchObject({ code: 'certificate_missing' })
    await importInto(world)
    // A certificate alone changes nothing.
    expect((await pdf(world, id)).bytes.equals(before.bytes)).toBe(true)
    const { signature } = await world.run('invoices.sign', { id })
    expect(signature).toMatchObject({ level: 'PAdES-B-B', subject: 'Ana María Núñez Güell' })
    const after = await pdf(world, id)
    expect(after.bytes.subarray(0, before.bytes.length).equals(before.bytes)).toBe(true)
    expect(verifyPdf(after.bytes)).toHaveLength(1)
    expect(archiveFaults(after.bytes)).toEqual([])
    await world.run('invoices.sign', { id })
    expect((await pdf(world, id)).bytes.equals(after.bytes)).toBe(true)
    // Recorded once: the second time there was nothing to sign.
    expect((await world.run('audit.list', { action: 'document.signed' })).items).toHaveLength(1)
  })

  test('two concurrent requests sign once, and the history has one entry', async () => {
    const world = await open()
    const { id } = await world.invoice(COMPLETE)
    await pdf(world, id)
    await importInto(world)
    const signed = await Promise.all([world.run('invoices.sign', { id }), world.run('invoices.sign', { id })])
    expect(signed[0]).toEqual(signed[1])
    expect(verifyPdf((await pdf(world, id)).bytes)).toHaveLength(1)
    expect((await world.run('audit.list', { action: 'document.signed' })).items).toHaveLength(1)
  })

  test('unsigned documents have a view of their own, and need attention once there is a certificate', async () => {
    const world = await open()
    const unsigned = async () => {
      const { items, views } = await world.run('invoices.window', { view: 'unsigned', summary: true })
      expect(views?.unsigned).toBe(items.length)
      return items.map((item) => item.id)
    }
    const asked = async () =>
      (await world.run('dashboard.get', {})).attention.find(({ kind }) => kind === 'unsigned')?.params.count
    const [first, second] = [await world.invoice(COMPLETE), await world.invoice(COMPLETE)]
    // A document that was never drawn is signed when drawn: it is not missing.
    expect(await unsigned()).toEqual([])
    for (const { id } of [first, second]) await pdf(world, id)
    expect((await unsigned()).toSorted()).toEqual([first.id, second.id].toSorted())
    expect(await asked()).toBeUndefined()
    await importInto(world)
    expect(await asked()).toBe(2)
    await world.run('invoices.sign', { id: first.id })
    expect([await unsigned(), await asked()]).toEqual([[second.id], 1])
    await world.run('invoices.sign', { id: second.id })
    expect([await unsigned(), await asked()]).toEqual([[], undefined])
    expect((await world.run('invoices.window', { view: 'unsigned' }, world.live)).items).toEqual([])
  })

  test('an expired certificate signs nothing, and the answer states why', async () => {
    const world = await openCertified({ at: '2026-07-01T10:00:00+02:00' })
    world.setTime('2029-06-01T10:00:00+02:00')
    const { id } = await world.invoice(COMPLETE)
    expect((await pdf(world, id)).signature).toBe('none')
    await expect(world.run('invoices.sign', { id })).rejects.toMatchObject({ code: 'certificate_expired' })
  })

  test('a draft cannot be signed', async () => {
    const world = await openCertified()
    const { id } = await world.draft()
    await expect(world.run('invoices.sign', { id })).rejects.toMatchObject({ code: 'invoice_not_issued' })
    expect((await pdf(world, id)).signature).toBe('none')
  })
})

test('the background jobs draw and sign, and the issue does not wait for them', async () => {
  let asked = 0
  const world = await openCertified({
    environment: {
      documents: {
        make: (job) => {
          asked += 1
          return pool.make(job as DocumentJob)
        },
      },
    },
  })
  const { id } = await world.invoice(COMPLETE)
  expect(asked).toBe(0)
  const jobs = createDocumentJobs({ env: world.env, log: () => {} })
  jobs.wake()
  await expect
    .poll(async () => (await world.run('invoices.get', { id })).pdf.status, { timeout: 10_000 })
    .toBe('ready')
  await jobs.stop()
  expect(asked).toBe(1)
  expect((await pdf(world, id)).signature).toBe('PAdES-B-B')
})

test('a copy in another language and a ticket are stored and signed in the same way', async () => {
  const world = await openCertified()
  const { id } = await world.invoice({ ...COMPLETE, language: 'es' })
  const own = await pdf(world, id)
  const copy = await pdf(world, id, { language: 'en' })
  expect(copy.fileName).toBe('T-F2026-0001-en.pdf')
  expect(copy.signature).toBe('PAdES-B-B')
  expect(verifyPdf(copy.bytes)).toHaveLength(1)
  expect(textOf(new PdfFile(copy.bytes).root.get('Lang'))).toBe('en-GB')
  expect((await pdf(world, id, { language: 'en' })).bytes.equals(copy.bytes)).toBe(true)
  expect((await pdf(world, id)).bytes.equals(own.bytes)).toBe(true)
  expect((await world.run('invoices.get', { id })).pdf.languages).toEqual(['es', 'en'])
  await expect(pdf(world, id, { paper: 'ticket' })).rejects.toMatchObject({
    code: 'format_unavailable',
    details: { why: 'not_simplified' },
  })
  const ticket = await world.invoice({
    kind: 'F2',
    lines: [{ description: 'Café', quantity: 1, unitPrice: 2 }],
  })
  const roll = await pdf(world, ticket.id, { paper: 'ticket' })
  const file = new PdfFile(roll.bytes)
  const [page] = file.pages()
  expect(Number((file.dict(page).get('MediaBox') as number[])[2])).toBeCloseTo(226.77, 1)
  expect(verifyPdf(roll.bytes)).toHaveLength(1)
})

test('the embedded XML is the invoice, and only of invoices that can have it', async () => {
  const world = await open()
  const { id } = await world.invoice(COMPLETE)
  const file = new PdfFile((await pdf(world, id)).bytes)
  const spec = file.dict(file.array(file.root.get('AF'))[0])
  expect(nameOf(spec.get('AFRelationship'))).toBe('Alternative')
  const reference = file.dict(spec.get('EF')).get('F')
  if (!(reference instanceof PdfRef)) throw new Error('no file')
  const xml = file.object(reference.id).stream?.toString('utf8')
  const cii = await world.run('invoices.pdf', { id, format: 'cii' })
  expect(Buffer.from(cii.bytes).toString('utf8')).toBe(xml)
  const ticket = await world.invoice({
    clientName: 'Venta de mostrador',
    clientNif: null,
    kind: 'F2',
    lines: [{ description: 'Café', quantity: 1, unitPrice: 2 }],
  })
  expect(new PdfFile((await pdf(world, ticket.id)).bytes).root.has('AF')).toBe(false)
})

describe('structured formats', () => {
  test('are returned for issued invoices, Facturae signed and stored once there is a certificate', async () => {
    const world = await open()
    const { id } = await world.invoice(COMPLETE)
    const plain = await world.run('invoices.pdf', { id, format: 'facturae' })
    expect(plain.fileName).toBe('T-F2026-0001.xml')
    expect(Buffer.from(plain.bytes).toString('utf8')).not.toContain('Signature')
    const ubl = await world.run('invoices.pdf', { id, format: 'ubl' })
    expect(ubl).toMatchObject({ fileName: 'T-F2026-0001-ubl.xml', mediaType: 'application/xml' })
    await importInto(world)
    const signed = await world.run('invoices.pdf', { id, format: 'facturae' })
    expect(signed.fileName).toBe('T-F2026-0001.xsig')
    expect(Buffer.from(signed.bytes).toString('utf8')).toContain('politica_de_firma_formato_facturae')
    world.setTime('2026-12-24T10:00:00+01:00')
    expect((await world.run('invoices.pdf', { id, format: 'facturae' })).sha256).toBe(signed.sha256)
    // The PDF is separate: it was never requested, and is drawn and signed now.
    expect((await pdf(world, id)).signature).toBe('PAdES-B-B')
    expect((await world.run('invoices.get', { id })).pdf.languages).toEqual(['es'])
  })

  test('are rejected with the reason where an invoice cannot have them', async () => {
    const world = await open()
    const draft = await world.draft()
    await expect(world.run('invoices.pdf', { id: draft.id, format: 'ubl' })).rejects.toMatchObject({
      code: 'format_unavailable',
      details: { format: 'ubl', why: 'not_issued' },
    })
    const { id } = await world.invoice()
    await expect(world.run('invoices.pdf', { id, format: 'facturae' })).rejects.toMatchObject({
      details: { why: 'recipient_address_missing' },
    })
  })
})

test('the preview of a draft shows the positions of its fields; that of an issued invoice is its download', async () => {
  const world = await open()
  const draft = await world.draft({ ...COMPLETE, notes: 'Gracias' })
  const preview = await world.run('invoices.preview', { id: draft.id })
  const fields = preview.areas.map(({ field }) => field)
  expect(fields).toEqual(
    expect.arrayContaining(['client', 'number', 'issueDate', 'lines.0', 'notes', 'issuer']),
  )
  for (const { x, y, width, height } of preview.areas) {
    expect(x).toBeGreaterThan(0)
    expect(y).toBeGreaterThan(0)
    expect(width).toBeGreaterThan(5)
    expect(height).toBeGreaterThan(5)
  }
  expect(sha256Hex(Buffer.from(preview.pdf, 'base64'))).toBe(preview.sha256)
  const drawn = await world.run('invoices.pdf', { id: draft.id })
  expect(drawn.sha256).toBe(preview.sha256)
  const issued = await world.issue(draft.id)
  const shown = await world.run('invoices.preview', { id: issued.id })
  expect(shown.sha256).toBe((await pdf(world, issued.id)).sha256)
  expect(shown.areas).toEqual([])
})
