/** Small PDF files with the structure of our renderer's, and a key with its certificates for each kind. */
import PDFDocument from 'pdfkit'
import { X509Certificate } from 'node:crypto'
import { openSigningKey } from '../../../../server/documents/signing/index.ts'
import type { SigningKey } from '../../../../server/documents/signing/index.ts'
import { makeCertificate } from '../../../support/files/certificates.ts'
import type { KeyType } from '../../../support/files/certificates.ts'

export const SIGNED_AT = new Date('2026-07-01T10:00:00+02:00')

interface Tree {
  add: (key: number, value: unknown) => unknown
  get: (key: number) => unknown
}

interface Element {
  add: (child: Element) => void
  end: () => void
}

/** The parts of pdfkit that are used and its types lack. */
interface Document {
  on: PDFKit.PDFDocument['on']
  addPage: () => unknown
  text: (text: string) => unknown
  end: () => void
  endMarkings: () => void
  getStructTreeRoot: () => { data: { ParentTree: Tree } }
  ref: (data: unknown) => Tree & { end: () => void }
  struct: (type: string, content?: () => void) => Element
  addStructure: (element: Element) => void
}

interface SampleWish {
  tagged?: boolean
  pages?: number
  /** Lines on each page. */
  lines?: number
  /** The parent tree is an object of its own. */
  treeApart?: boolean
  /** Names of the elements at the top of the structure. */
  tops?: readonly string[]
  /** All lines are in a section below the top. */
  section?: boolean
  password?: string
}

/** Returns a PDF with lines of text. */
export async function samplePdf(wish: SampleWish = {}): Promise<Buffer> {
  const {
    tagged = true,
    pages = 1,
    lines = 8,
    treeApart = false,
    tops = ['Document'],
    section = false,
    password,
  } = wish
  const doc = new PDFDocument({
    pdfVersion: '1.7',
    ...(tagged && { subset: 'PDF/A-3a', tagged: true }),
    ...(password !== undefined && { userPassword: password }),
    lang: 'es-ES',
    autoFirstPage: false,
    info: { Title: 'Muestra (endobj) >> %%EOF', CreationDate: SIGNED_AT },
  }) as unknown as Document
  const finished = collect(doc)
  const endTree = treeApart ? treeAsObject(doc) : null
  const elements = tagged ? tops.map((top) => doc.struct(top)) : []
  for (const element of elements) doc.addStructure(element)
  const parents = elements.map((element) => {
    if (!section) return element
    const within = doc.struct('Sect')
    element.add(within)
    return within
  })
  for (let page = 1; page <= pages; page++) {
    doc.addPage()
    for (let line = 1; line <= lines; line++) {
      const write = (): void => void doc.text(`Línea ${line} de la página ${page}`)
      if (parents.length === 0) write()
      for (const parent of parents) parent.add(doc.struct('P', write))
    }
  }
  for (const element of elements) element.end()
  endTree?.()
  doc.end()
  return finished
}

function treeAsObject(doc: Document): () => void {
  const root = doc.getStructTreeRoot()
  const tree = root.data.ParentTree
  const apart = doc.ref(tree)
  apart.add = (key, value) => tree.add(key, value)
  apart.get = (key) => tree.get(key)
  root.data.ParentTree = apart
  return () => {
    const endMarkings = doc.endMarkings
    doc.endMarkings = () => {
      endMarkings.call(doc)
      apart.end()
    }
  }
}

function collect(doc: Document): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    doc.on('data', (chunk: Buffer) => chunks.push(chunk))
    doc.on('end', () => resolve(Buffer.concat(chunks)))
    doc.on('error', reject)
  })
}

export interface Signer {
  key: SigningKey
  keyPem: string
  chainPem: string
  caPem: string
  anchors: X509Certificate[]
}

/** Returns a signer: with its certificate alone in the file, or with that of an authority between it and the root. */
export function signer(keyType: KeyType, intermediate = false): Signer {
  const { keyPem, chainPem, caPem } = makeCertificate({ keyType, intermediate })
  const key = openSigningKey({ keyPem, chainPem })
  return { key, keyPem, chainPem, caPem, anchors: [new X509Certificate(caPem)] }
}

export const KEY_TYPES = ['rsa', 'rsa4096', 'ec', 'ec384', 'ec521'] as const satisfies KeyType[]
