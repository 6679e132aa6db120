/** Our PDF signatures in independent programs: Poppler with NSS, qpdf and OpenSSL. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { signPdf } from '../../../../server/documents/signing/index.ts'
import type { SignedPdf } from '../../../../server/documents/signing/index.ts'
import { needs, tool } from '../../../support/tools.ts'
import { KEY_TYPES, samplePdf, SIGNED_AT, signer } from './samples.ts'

let folder: string
const at = (name: string): string => join(folder, name)

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sello-signing-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Report {
  status: number | null
  text: string
}

function run(name: string, ...args: string[]): Report {
  const { status, stdout, stderr } = spawnSync(tool(name) ?? name, args, { encoding: 'utf8' })
  return { status, text: stdout + stderr }
}

function written(name: string, bytes: Uint8Array): string {
  writeFileSync(at(name), bytes)
  return at(name)
}

/** Returns Poppler's report on a file's signatures, with a certificate store that trusts one authority. */
function pdfsig(file: string, caPem: string): string {
  const store = at('nss')
  rmSync(store, { recursive: true, force: true })
  mkdirSync(store)
  writeFileSync(at('ca.pem'), caPem)
  const certutil = (...args: string[]): unknown =>
    execFileSync(tool('certutil')!, ['-d', `sql:${store}`, ...args])
  certutil('-N', '--empty-password')
  certutil('-A', '-n', 'authority', '-t', 'CT,C,C', '-i', at('ca.pem'))
  return run('pdfsig', '-nssdir', `sql:${store}`, file).text
}

interface QpdfFile {
  qpdf: [unknown, Record<string, { value?: unknown; stream?: { dict: Record<string, unknown> } }>]
}

/** Returns objects as qpdf sees them, found by the values of some of their entries. */
function objectsOf(file: string): {
  at: (reference: unknown) => Record<string, unknown>
  find: (entries: Record<string, unknown>) => [reference: string, value: Record<string, unknown>]
} {
  const json = execFileSync(tool('qpdf')!, ['--json=2', '--json-key=qpdf', file], { maxBuffer: 1 << 28 })
  const [, objects] = (JSON.parse(json.toString()) as QpdfFile).qpdf
  const valueAt = (key: string): Record<string, unknown> =>
    (objects[key]?.value ?? objects[key]?.stream?.dict ?? {}) as Record<string, unknown>
  return {
    at: (reference) => valueAt(`obj:${String(reference)}`),
    find: (entries) => {
      const [key = '', ...more] = Object.keys(objects).filter((each) =>
        Object.entries(entries).every(([name, wanted]) => valueAt(each)[name] === wanted),
      )
      if (more.length > 0) throw new Error(`more than one ${JSON.stringify(entries)}`)
      return [key.slice('obj:'.length), valueAt(key)]
    },
  }
}

/** Returns the CMS structure and the bytes that it signs. */
function partsOf({ bytes, byteRange: [, start, end] }: SignedPdf): { cms: Buffer; content: Buffer } {
  return {
    cms: Buffer.from(bytes.subarray(start + 1, end - 1).toString('latin1'), 'hex'),
    content: Buffer.concat([bytes.subarray(0, start), bytes.subarray(end)]),
  }
}

describe('a signed file', () => {
  for (const keyType of KEY_TYPES) {
    for (const intermediate of [false, true]) {
      const title = `with ${keyType}${intermediate ? ' and an intermediate authority' : ''}`
      needs('pdfsig', 'certutil')(`is valid and trusted for Poppler, ${title}`, async () => {
        const by = signer(keyType, intermediate)
        const { bytes } = signPdf(await samplePdf({ pages: 2 }), by.key, { signedAt: SIGNED_AT })
        const report = pdfsig(written('valid.pdf', bytes), by.caPem)
        expect(report).toContain('Signature Type: ETSI.CAdES.detached')
        expect(report).toContain('Total document signed')
        expect(report).toContain('Signature is Valid.')
        expect(report).toContain('Certificate is Trusted.')
      })

      needs('openssl')(`is verified by OpenSSL, ${title}`, async () => {
        const by = signer(keyType, intermediate)
        const { cms, content } = partsOf(signPdf(await samplePdf(), by.key, { signedAt: SIGNED_AT }))
        const args = ['cms', '-verify', '-binary', '-inform', 'DER', '-in', written('cms.der', cms)]
        const trust = [
          '-CAfile',
          written('ca.pem', Buffer.from(by.caPem)),
          '-purpose',
          'any',
          '-out',
          at('out'),
        ]
        const check = (signed: Uint8Array): Report =>
          run('openssl', ...args, '-content', written('content', signed), ...trust)
        expect(check(content)).toMatchObject({ status: 0, text: expect.stringContaining('successful') })
        content[content.length >> 1]! ^= 1
        expect(check(content).status).not.toBe(0)
      })
    }
  }

  needs('pdfsig', 'certutil')(
    'is broken for Poppler after a change, and partly signed after an addition',
    async () => {
      const by = signer('ec')
      const { bytes } = signPdf(await samplePdf(), by.key, { signedAt: SIGNED_AT })
      const changed = Buffer.from(bytes)
      changed[40]! ^= 1
      expect(pdfsig(written('changed.pdf', changed), by.caPem)).toContain('Digest Mismatch')
      const longer = Buffer.concat([bytes, Buffer.from('%\n')])
      expect(pdfsig(written('longer.pdf', longer), by.caPem)).not.toMatch(/- Total document signed/)
    },
  )

  needs('pdfsig', 'certutil')('keeps its signature when another follows', async () => {
    const by = signer('rsa')
    const once = signPdf(await samplePdf(), by.key, { signedAt: SIGNED_AT })
    const twice = signPdf(once.bytes, signer('ec').key, { signedAt: SIGNED_AT })
    const report = pdfsig(written('twice.pdf', twice.bytes), by.caPem)
    expect(report.match(/Signature is Valid\./g)).toHaveLength(2)
    expect(report.match(/- Total document signed/g)).toHaveLength(1)
    expect(run('pdfsig', '-nocert', at('twice.pdf')).text).not.toContain('Mismatch')
  })

  for (const wish of [
    { tagged: false },
    { tagged: true, pages: 1 },
    { tagged: true, pages: 3 },
    { tagged: true, pages: 3, treeApart: true },
  ]) {
    needs('qpdf')(`has no fault for qpdf: ${JSON.stringify(wish)}`, async () => {
      const { key } = signer('ec')
      let bytes = await samplePdf(wish)
      for (const name of ['once.pdf', 'twice.pdf', 'thrice.pdf']) {
        bytes = signPdf(bytes, key, { signedAt: SIGNED_AT, reason: 'Factura (1' }).bytes
        const report = run('qpdf', '--check', written(name, bytes))
        expect(report.status).toBe(0)
        expect(report.text).not.toContain('WARNING')
        expect(report.text).toContain('No syntax or stream encoding errors found')
      }
    })
  }

  needs('qpdf')('leads from the field to its structure and back', async () => {
    const { key } = signer('ec')
    for (const treeApart of [false, true]) {
      const once = signPdf(await samplePdf({ pages: 3, treeApart }), key, { signedAt: SIGNED_AT })
      const { bytes } = signPdf(once.bytes, key, { signedAt: SIGNED_AT })
      const objects = objectsOf(written('tagged.pdf', bytes))
      const [, root] = objects.find({ '/Type': '/StructTreeRoot' })
      const [documentId, document] = objects.find({ '/S': '/Document' })
      const tree = root['/ParentTree'] as { '/Kids': string[] }
      const leaves = tree['/Kids'].map(objects.at) as { '/Limits': [number, number]; '/Nums': unknown[] }[]
      expect(leaves.map((leaf) => leaf['/Limits'])).toEqual([
        [0, 2],
        [3, 3],
        [4, 4],
      ])
      for (const [index, name] of ['Signature1', 'Signature2'].entries()) {
        const [widgetId, widget] = objects.find({ '/T': `u:${name}` })
        const [number, elementId] = leaves[index + 1]!['/Nums']
        expect(widget['/StructParent']).toBe(number)
        const element = objects.at(elementId)
        expect(element).toMatchObject({
          '/S': '/Form',
          '/P': documentId,
          '/K': { '/Type': '/OBJR', '/Obj': widgetId },
        })
        expect(document['/K']).toContain(elementId)
        const page = objects.at(widget['/P'])
        expect(page).toMatchObject({ '/Type': '/Page', '/Tabs': '/S' })
        expect(page['/Annots']).toContain(widgetId)
        const appearance = objects.at((widget['/AP'] as Record<string, unknown>)['/N'])
        expect(appearance).toMatchObject({ '/Type': '/XObject', '/Subtype': '/Form' })
      }
      expect(root['/ParentTreeNextKey']).toBe(5)
    }
  })
})
