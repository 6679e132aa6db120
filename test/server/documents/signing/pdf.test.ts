/** PDF signatures, with Node alone: what is added, what stays, and that every change is detected. */
import { createHash, randomInt, X509Certificate } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { renderInvoice } from '../../../../server/documents/pdf/paint/render.ts'
import { signedAttributes, signedData } from '../../../../server/documents/signing/cms.ts'
import {
  openSigningKey,
  signPdf,
  UnsignablePdf,
  UnusableKey,
  verifyPdf,
} from '../../../../server/documents/signing/index.ts'
import { signWith } from '../../../../server/platform/signing/key.ts'
import type { SigningCertificate } from '../../../../server/platform/signing/key.ts'
import { BrokenSignature } from '../../../../server/documents/signing/verify.ts'
import type { SignatureFault } from '../../../../server/documents/signing/verify.ts'
import { makeCertificate } from '../../../support/files/certificates.ts'
import { archiveFaults } from '../../../support/files/pdf-archive.ts'
import { swept, sweptCount } from '../../../support/sweep.ts'
import { samplePaper } from '../pdf/samples.ts'
import { KEY_TYPES, samplePdf, SIGNED_AT, signer } from './samples.ts'
import type { Signer } from './samples.ts'

const FIRST_MARK = Buffer.from('%%EOF')

function faultOf(bytes: Uint8Array, by: Signer): SignatureFault | null {
  try {
    verifyPdf(bytes, by)
    return null
  } catch (error) {
    if (error instanceof BrokenSignature) return error.fault
    throw error
  }
}

/** Returns the last version of the object. */
function lastObject(bytes: Buffer, start: RegExp): string {
  const found = bytes
    .toString('latin1')
    .split(/\n(?=\d+ 0 obj\n)/)
    .filter((object) => start.test(object))
  return found.at(-1) ?? ''
}

describe('a signature', () => {
  for (const keyType of swept(KEY_TYPES, (type) => type !== 'rsa4096')) {
    for (const intermediate of [false, true]) {
      test(`with ${keyType} ${intermediate ? 'below an intermediate authority' : 'below the root'} is valid`, async () => {
        const by = signer(keyType, intermediate)
        const unsigned = await samplePdf()
        const { bytes, incrementStart, byteRange } = signPdf(unsigned, by.key, { signedAt: SIGNED_AT })
        expect(incrementStart).toBe(unsigned.length)
        expect(bytes.subarray(0, incrementStart).equals(unsigned)).toBe(true)
        expect(byteRange[2] + byteRange[3]).toBe(bytes.length)
        const [signature, ...others] = verifyPdf(bytes, by)
        expect(others).toEqual([])
        expect(signature).toMatchObject({
          fieldName: 'Signature1',
          signedAt: SIGNED_AT,
          signedBytes: bytes.length,
        })
        expect(signature?.certificate.subject).toContain('IDCES-12345678Z')
        expect(signature?.authorities).toHaveLength(intermediate ? 1 : 0)
      })
    }
  }

  test('is valid without a root in the certificates, and with the certificate alone', async () => {
    const unsigned = await samplePdf({ tagged: false })
    const made = makeCertificate({ keyType: 'ec' })
    const key = openSigningKey({ keyPem: made.keyPem, chainPem: made.certPem })
    const { bytes } = signPdf(unsigned, key, { signedAt: SIGNED_AT })
    expect(verifyPdf(bytes, signer('ec'))).toHaveLength(1)
  })

  test('can follow files of any size', async () => {
    const by = signer('ec')
    for (let round = 0; round < sweptCount(20, 8); round++) {
      const wish = { tagged: round % 2 === 0, pages: randomInt(1, 6), lines: randomInt(0, 60) }
      const { bytes } = signPdf(await samplePdf(wish), by.key, { signedAt: SIGNED_AT })
      expect(faultOf(bytes, by), JSON.stringify(wish)).toBe(null)
    }
  })

  test('can follow our invoices', async () => {
    const by = signer('rsa', true)
    for (const lines of [1, 60]) {
      const unsigned = await renderInvoice(samplePaper({ lines: Array.from({ length: lines }, () => ({})) }))
      const { bytes, incrementStart } = signPdf(unsigned, by.key, { signedAt: SIGNED_AT })
      expect(bytes.subarray(0, incrementStart).equals(unsigned)).toBe(true)
      expect(faultOf(bytes, by)).toBe(null)
      // For archives and screen readers, signed once and twice.
      expect(archiveFaults(bytes)).toEqual([])
      expect(archiveFaults(signPdf(bytes, by.key, { signedAt: SIGNED_AT }).bytes)).toEqual([])
    }
  })

  test('fits into its reserved space whatever its numbers are', async () => {
    const unsigned = await samplePdf({ lines: 1 })
    for (const keyType of ['ec', 'ec384', 'ec521'] as const) {
      const by = signer(keyType)
      const lengths = new Set<number>()
      for (let round = 0; round < sweptCount(60, 25); round++) {
        const { bytes } = signPdf(unsigned, by.key, { signedAt: SIGNED_AT })
        lengths.add(bytes.length)
        expect(faultOf(bytes, by)).toBe(null)
      }
      expect(lengths.size).toBe(1)
    }
  })

  test('with RSA is the same each time, and differs at another time', async () => {
    const { key } = signer('rsa')
    const unsigned = await samplePdf()
    const options = { signedAt: SIGNED_AT, name: 'Ana', reason: 'Factura F2026-0042' }
    const first = signPdf(unsigned, key, options)
    expect(signPdf(await samplePdf(), key, options).bytes.equals(first.bytes)).toBe(true)
    const later = signPdf(unsigned, key, { ...options, signedAt: new Date(SIGNED_AT.getTime() + 1000) })
    expect(later.bytes.equals(first.bytes)).toBe(false)
    const versions = [first, later].map(
      ({ bytes }) => /\/ID \[<\w+> <(\w+)>\]\n\/Prev/.exec(bytes.toString())?.[1],
    )
    expect(new Set(versions).size).toBe(2)
  })

  test('rejects an invalid time', async () => {
    const unsigned = await samplePdf()
    expect(() => signPdf(unsigned, signer('ec').key, { signedAt: new Date(Number.NaN) })).toThrow(RangeError)
  })

  test('keeps names and reasons from being interpreted by a reader', async () => {
    const by = signer('ec')
    const { bytes } = signPdf(await samplePdf(), by.key, {
      signedAt: SIGNED_AT,
      name: ') /Contents <00> >> endobj',
      reason: 'Peña 🧾 \\(',
      fieldLabel: '>>',
    })
    expect(faultOf(bytes, by)).toBe(null)
    const signature = lastObject(bytes, /\/Type \/Sig\n/)
    expect(signature).toContain(`/Name <${Buffer.from(') /Contents <00> >> endobj').toString('hex')}>`)
    expect(signature).toContain('/Reason <feff0050006500f100610020d83eddfe0020005c0028>')
    expect(lastObject(bytes, /\/Widget/)).toContain('/TU <3e3e>')
  })
})

describe('the increment', () => {
  test('adds an invisible field to the first page and to the form', async () => {
    const { bytes } = signPdf(await samplePdf({ tagged: false, pages: 2 }), signer('ec').key, {
      signedAt: SIGNED_AT,
    })
    const widget = lastObject(bytes, /\/Subtype \/Widget/)
    const [id] = /^\d+/.exec(widget) ?? []
    const [pageId] = /(?<=\/P )\d+/.exec(widget) ?? []
    expect(widget).toContain('/Rect [0 0 0 0]')
    expect(widget).toContain('/F 132')
    expect(widget).not.toContain('/StructParent')
    expect(lastObject(bytes, new RegExp(`^${pageId} 0 obj\n`))).toContain(`/Annots [${id} 0 R]`)
    const [firstPage] = /(?<=\/Kids \[)\d+/.exec(bytes.toString('latin1')) ?? []
    expect(pageId).toBe(firstPage)
    const form = lastObject(bytes, /\/SigFlags 3\n/)
    expect(form).toContain(`/Fields [${id} 0 R]`)
    expect(lastObject(bytes, /\/Type \/Catalog/)).toContain(`/AcroForm ${/^\d+/.exec(form)?.[0]} 0 R`)
  })

  for (const wish of [
    { pages: 1, treeApart: false },
    { pages: 3, treeApart: false },
    { pages: 1, treeApart: true },
    { pages: 3, treeApart: true },
  ]) {
    test(`adds the field to the structure: ${JSON.stringify(wish)}`, async () => {
      const unsigned = await samplePdf(wish)
      const { bytes, incrementStart } = signPdf(unsigned, signer('ec').key, { signedAt: SIGNED_AT })
      const widget = lastObject(bytes, /\/Subtype \/Widget/)
      const key = Number(/\/StructParent (\d+)/.exec(widget)?.[1])
      expect(key).toBe(wish.pages)
      const element = lastObject(bytes, /\/S \/Form\n/)
      const elementId = /^\d+/.exec(element)?.[0]
      expect(element).toContain(`/Obj ${/^\d+/.exec(widget)?.[0]} 0 R`)
      expect(lastObject(bytes, /\/S \/Document\n/)).toMatch(new RegExp(`/K \\[[^\\]]* ${elementId} 0 R\\]`))
      const root = lastObject(bytes, /\/Type \/StructTreeRoot/)
      expect(root).toContain(`/ParentTreeNextKey ${key + 1}\n`)
      const [, old, leaf] = /\/ParentTree << \/Kids \[(\d+) 0 R (\d+) 0 R\] >>/.exec(root) ?? []
      expect(lastObject(bytes, new RegExp(`^${leaf} 0 obj`))).toContain(
        `<< /Limits [${key} ${key}] /Nums [${key} ${elementId} 0 R] >>`,
      )
      expect(lastObject(bytes, new RegExp(`^${old} 0 obj`))).toContain(`/Limits [0 ${key - 1}]`)
      // A tree in an object of its own with limits is not written again.
      const increment = bytes.subarray(incrementStart).toString('latin1')
      expect(increment.includes(`\n${old} 0 obj`)).toBe(!(wish.treeApart && wish.pages > 1))
    })
  }

  test('does not grow with the tree of a long document', async () => {
    const { key } = signer('ec')
    const grown = async (pages: number): Promise<number> => {
      const { bytes, incrementStart } = signPdf(
        await samplePdf({ pages, lines: 40, treeApart: true, section: true }),
        key,
        {
          signedAt: SIGNED_AT,
        },
      )
      return bytes.length - incrementStart
    }
    expect(Math.abs((await grown(12)) - (await grown(3)))).toBeLessThan(100)
  })

  test('can be followed by another one, and both signatures are valid', async () => {
    for (const tagged of [true, false]) {
      const [first, second] = [signer('rsa', true), signer('ec')]
      const once = signPdf(await samplePdf({ tagged, pages: 2 }), first.key, { signedAt: SIGNED_AT })
      const twice = signPdf(once.bytes, second.key, { signedAt: SIGNED_AT })
      const thrice = signPdf(twice.bytes, second.key, { signedAt: SIGNED_AT })
      const found = verifyPdf(thrice.bytes, first)
      expect(found.map(({ fieldName, signedBytes }) => [fieldName, signedBytes])).toEqual([
        ['Signature1', once.bytes.length],
        ['Signature2', twice.bytes.length],
        ['Signature3', thrice.bytes.length],
      ])
      expect(thrice.bytes.subarray(0, twice.bytes.length).equals(twice.bytes)).toBe(true)
    }
  })
})

describe('a change is detected', () => {
  for (const keyType of ['rsa', 'ec521'] as const) {
    test(`of a byte, with ${keyType}`, async () => {
      const by = signer(keyType, true)
      const { bytes } = signPdf(await samplePdf(), by.key, { signedAt: SIGNED_AT, name: 'Ana' })
      for (let at = 0; at < bytes.length; at += 97) {
        for (const bit of [0x01, 0x20]) {
          const flipped = Buffer.from(bytes)
          flipped[at]! ^= bit
          expect(faultOf(flipped, by), `byte ${at}, bit ${bit}`).not.toBe(null)
        }
      }
    })
  }

  test('of the length', async () => {
    const by = signer('ec', true)
    const unsigned = await samplePdf()
    const { bytes } = signPdf(unsigned, by.key, { signedAt: SIGNED_AT })
    for (let length = 0; length < bytes.length; length += 97)
      expect(faultOf(bytes.subarray(0, length), by), `${length} bytes`).not.toBe(null)
    expect(faultOf(bytes.subarray(0, -1), by)).not.toBe(null)
    expect(faultOf(unsigned, by)).toBe('unsigned')
    expect(faultOf(Buffer.concat([bytes, Buffer.from('\n')]), by)).toBe('unreadable')
    expect(faultOf(Buffer.concat([bytes, unsigned]), by)).not.toBe(null)
  })

  test('of the contents after the signature', async () => {
    const by = signer('ec')
    const { bytes } = signPdf(await samplePdf({ tagged: false }), by.key, { signedAt: SIGNED_AT })
    const text = bytes.toString('latin1')
    const size = Number(/.*\/Size (\d+)/s.exec(text)?.[1])
    const before = Number(/startxref\n(\d+)\n%%EOF\n$/.exec(text)?.[1])
    const trailer = text
      .slice(text.lastIndexOf('<<'), text.lastIndexOf('>>'))
      .replace(/\/Prev \d+/, `/Prev ${before}`)
    const object = `${size - 1} 0 obj\n<< >>\nendobj\n`
    const table = `xref\n${size - 1} 1\n${String(bytes.length).padStart(10, '0')} 00000 n \n`
    const longer = `${text}${object}${table}trailer\n${trailer}>>\nstartxref\n${bytes.length + object.length}\n%%EOF\n`
    expect(faultOf(Buffer.from(longer, 'latin1'), by)).toBe('appended')
  })

  test('of the signer, when another certificate has the same name and key', async () => {
    const by = signer('ec')
    const { bytes, byteRange } = signPdf(await samplePdf(), by.key, { signedAt: SIGNED_AT })
    // The authority's signatures differ in length; the inserted one must fit.
    const others = Array.from({ length: 50 }, (_, index) =>
      openSigningKey(makeCertificate({ keyType: 'ec', to: `2029-12-31T23:59:${10 + (index % 50)}Z` })),
    )
    const { der } = by.key.certificate
    const other = others.find(({ certificate }) => certificate.der.length <= der.length)
    if (!other) throw new Error('no other certificate that fits')
    const [, start, end] = byteRange
    const digest = createHash('sha256').update(bytes.subarray(0, start)).update(bytes.subarray(end)).digest()
    const attributes = signedAttributes(by.key.certificate, digest)
    const splice = (certificate: SigningCertificate): Buffer => {
      const signature = signWith(by.key, attributes)
      const structure = signedData({ ...by.key, certificate, attributes, signature }).toString('hex')
      const contents = Buffer.from(`<${structure.padEnd(end - start - 2, '0')}>`)
      return Buffer.concat([bytes.subarray(0, start), contents, bytes.subarray(end)])
    }
    expect(faultOf(splice(by.key.certificate), by)).toBe(null)
    expect(faultOf(splice(other.certificate), by)).toBe('changed')
  })

  test('of the trusted roots', async () => {
    const by = signer('ec', true)
    const { bytes } = signPdf(await samplePdf(), by.key, { signedAt: SIGNED_AT })
    const stranger = makeCertificate({ issuer: 'Otra autoridad' })
    expect(faultOf(bytes, { ...by, anchors: [] })).toBe('untrusted')
    expect(faultOf(bytes, { ...by, anchors: [new X509Certificate(stranger.caPem)] })).toBe('untrusted')
  })
})

describe('signing rejects', () => {
  const { key } = signer('ec')
  const sign = (bytes: Uint8Array) => () => signPdf(bytes, key, { signedAt: SIGNED_AT })
  const edited = async (from: RegExp | string, to: string): Promise<Buffer> => {
    const text = (await samplePdf()).toString('latin1')
    const after = text.replace(from, to)
    expect(after).not.toBe(text)
    return Buffer.from(after, 'latin1')
  }

  test('files that are not PDF, and cut ones', async () => {
    const whole = await samplePdf()
    expect(sign(Buffer.alloc(0))).toThrow(UnsignablePdf)
    expect(sign(Buffer.from('<html>'))).toThrow(UnsignablePdf)
    for (let length = 0; length < whole.length; length += 53)
      expect(sign(whole.subarray(0, length)), `${length} bytes`).toThrow(UnsignablePdf)
    expect(whole.subarray(-6, -1).equals(FIRST_MARK)).toBe(true)
  })

  test('encrypted files', async () => {
    expect(sign(await samplePdf({ password: 'x' }))).toThrow(/encrypted/)
  })

  test('structures of several documents, or of none', async () => {
    expect(sign(await samplePdf({ tops: ['Document', 'Document'] }))).toThrow(UnsignablePdf)
    expect(sign(await samplePdf({ tops: ['Part'] }))).toThrow(UnsignablePdf)
  })

  test('files whose parts are not at their offsets, or are hidden', async () => {
    expect(sign(await edited(/startxref\n\d/, 'startxref\n9'))).toThrow(UnsignablePdf)
    expect(sign(await edited(/\/Root \d+/, '/Root 9'))).toThrow(UnsignablePdf)
    expect(sign(await edited('/Type /Catalog', '/T#79 /Catalog'))).toThrow(UnsignablePdf)
    expect(sign(await edited('/Type /Catalog', '/Pages 9 0 R  '))).toThrow(UnsignablePdf)
    expect(sign(await edited(/\/ID \[/, '/IX ['))).toThrow(UnsignablePdf)
  })

  test('tables that form a cycle', async () => {
    const whole = (await samplePdf()).toString('latin1')
    const [, start] = /startxref\n(\d+)/.exec(whole) ?? []
    const circle = whole.replace(/\/ID \[/, `/Prev ${start}\n/ID [`)
    expect(sign(Buffer.from(circle, 'latin1'))).toThrow(/disorder/)
  })

  test('values nested too deeply', async () => {
    expect(sign(await edited(/\/ID \[(?=<)/, `/X ${'['.repeat(20_000)}`))).toThrow(UnsignablePdf)
  })
})

describe('a signing key', () => {
  test('must belong to the certificate', () => {
    const made = makeCertificate({ keyType: 'ec' })
    const other = makeCertificate({ keyType: 'rsa' })
    expect(() => openSigningKey({ keyPem: other.keyPem, chainPem: made.chainPem })).toThrow(UnusableKey)
    expect(() => openSigningKey({ keyPem: made.keyPem, chainPem: '' })).toThrow(UnusableKey)
    expect(() => openSigningKey({ keyPem: 'x', chainPem: made.chainPem })).toThrow(UnusableKey)
    const broken = made.chainPem.replace(/MII.{5}/, 'AAAAAAAA')
    expect(() => openSigningKey({ keyPem: made.keyPem, chainPem: broken })).toThrow(UnusableKey)
  })

  test('must be strong, and of a kind that others can verify', () => {
    for (const keyType of ['rsa1024', 'secp256k1', 'ed25519'] as const)
      expect(() => openSigningKey(makeCertificate({ keyType })), keyType).toThrow(UnusableKey)
  })
})
