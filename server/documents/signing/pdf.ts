/**
 * Signs a PDF: PAdES at level B-B (ETSI EN 319 142-1) as an incremental update after the unsigned bytes, which stay
 * unchanged. The update adds the signature field too, so that the unsigned file is the same whether it will be signed
 * now, later or never. Equal input gives equal bytes with an RSA key; ECDSA is randomized.
 */
import { createHash } from 'node:crypto'
import { longestSignature, signContent } from './cms.ts'
import type { SigningKey } from '../../platform/signing/index.ts'
import { dictionaryOfObject, firstPage, readPdfFile, requiredReference, valueOf } from './pdf-file.ts'
import type { PdfFile } from './pdf-file.ts'
import {
  dictionaryOf,
  itemsOf,
  reference,
  referenceOf,
  UnsignablePdf,
  wholeNumberOf,
  writeDictionary,
  writeText,
} from './pdf-syntax.ts'
import type { Dictionary } from './pdf-syntax.ts'

interface PdfSigning {
  /** Written to the second; the caller checks that the certificate is valid then. */
  signedAt: Date
  /** Name of the signer in viewers; the certificate also contains it. */
  name?: string
  reason?: string
  /** Name of the field for screen readers, in the file's language. */
  fieldLabel?: string
}

export interface SignedPdf {
  /** The whole signed file. */
  bytes: Buffer
  /** Length in bytes of the unsigned file, with which the signed one begins. */
  incrementStart: number
  /** Offset and length of the two signed parts, before and after the signature itself. */
  byteRange: readonly [0, number, number, number]
  fieldName: string
}

/** Print and Locked (ISO 32000-1, table 165). */
const WIDGET_FLAGS = '132'
/** SignaturesExist and AppendOnly (table 219). */
const FORM_FLAGS = '3'
/** Wide enough for the offsets of any file below 10 GB, so that they can be filled in last. */
const RANGE_WIDTH = '[0 0123456789 0123456789 0123456789]'.length

/**
 * Signs the file. A second signature may follow a first; each one covers everything before it. Throws `UnsignablePdf`
 * when the file does not have the structure of our renderer's.
 */
export function signPdf(unsigned: Uint8Array, key: SigningKey, options: PdfSigning): SignedPdf {
  const file = readPdfFile(unsigned)
  const increment = new Increment(file)
  const signatureId = increment.newId()
  const fieldName = addField(file, increment, signatureId, options.fieldLabel ?? 'Firma electrónica')
  const signature = writeDictionary({
    Type: '/Sig',
    Filter: '/Adobe.PPKLite',
    SubFilter: '/ETSI.CAdES.detached',
    M: `(${pdfDate(options.signedAt)})`,
    ...(options.name !== undefined && { Name: writeText(options.name) }),
    ...(options.reason !== undefined && { Reason: writeText(options.reason) }),
  })
  const room = 2 * longestSignature(key)

  const hash = createHash(key.digest).update(unsigned)
  // The part of the identifier that changes with every version: computed from the content of the version (section
  // 14.4).
  const objects = increment.writeObjects()
  const version = hash.copy().update(objects, 'latin1').update(signature, 'latin1').digest('hex').slice(0, 32)

  const head = `${objects}${increment.beginObject(signatureId, objects)}${signature.slice(0, -2)}/ByteRange `
  const start = unsigned.length + head.length + RANGE_WIDTH + '\n/Contents '.length
  const end = start + room + 2
  const close = '\n>>\nendobj\n'
  const after = close + increment.writeTable(end + close.length, version)
  const byteRange = [0, start, end, after.length] as const
  const before = `${head}${`[${byteRange.join(' ')}]`.padEnd(RANGE_WIDTH)}\n/Contents `

  const digest = hash.update(before, 'latin1').update(after, 'latin1').digest()
  const contents = `<${signContent(key, digest).toString('hex').padEnd(room, '0')}>`
  if (contents.length !== end - start) throw new Error('The signature is longer than the room for it.')
  const bytes = Buffer.concat([unsigned, Buffer.from(before + contents + after, 'latin1')])
  return { bytes, incrementStart: unsigned.length, byteRange, fieldName }
}

/** New and changed objects after a file, with the table of their offsets. */
class Increment {
  readonly #file: PdfFile
  readonly #objects = new Map<number, string>()
  readonly #offsets = new Map<number, number>()
  #nextId: number

  constructor(file: PdfFile) {
    this.#file = file
    this.#nextId = wholeNumberOf(file.trailer.get('Size'))
  }

  newId(): number {
    return this.#nextId++
  }

  put(id: number, source: string): void {
    this.#objects.set(id, source)
  }

  add(source: string): number {
    const id = this.newId()
    this.put(id, source)
    return id
  }

  /** Returns all objects added so far, in the form in which they follow the file. */
  writeObjects(): string {
    let text = /[\r\n]$/.test(this.#file.text.slice(-1)) ? '' : '\n'
    for (const [id, source] of [...this.#objects].sort(([a], [b]) => a - b))
      text += `${this.beginObject(id, text)}${source}\nendobj\n`
    return text
  }

  /** Returns the first line of an object that follows `written`. */
  beginObject(id: number, written: string): string {
    this.#offsets.set(id, this.#file.bytes.length + written.length)
    return `${id} 0 obj\n`
  }

  /** Returns table and trailer for the position `tableAt`. */
  writeTable(tableAt: number, version: string): string {
    const { trailer } = this.#file
    const ids = [...this.#offsets.keys()].sort((a, b) => a - b)
    let text = 'xref\n'
    ids.forEach((id, index) => {
      if (index === 0 || ids[index - 1] !== id - 1) {
        let count = 1
        while (ids[index + count] === id + count) count++
        text += `${id} ${count}\n`
      }
      text += `${String(this.#offsets.get(id)).padStart(10, '0')} 00000 n \n`
    })
    const [permanent] = itemsOf(trailer.get('ID') ?? '[]')
    if (!permanent?.startsWith('<')) throw new UnsignablePdf('The file has no identifier.')
    const entries: Dictionary = new Map(trailer)
    entries.set('Size', String(this.#nextId))
    entries.set('ID', `[${permanent} <${version}>]`)
    entries.set('Prev', String(this.#file.tableAt))
    return `${text}trailer\n${writeDictionary(entries)}\nstartxref\n${tableAt}\n%%EOF\n`
  }
}

/** Adds a signature field without a visible position, and everything that must refer to it. Returns its name. */
function addField(file: PdfFile, increment: Increment, signatureId: number, label: string): string {
  const catalogId = requiredReference(file.trailer, 'Root')
  const catalog = dictionaryOfObject(file, catalogId)
  const page = firstPage(file, catalog)
  const widgetId = increment.newId()
  const fieldName = addToForm(file, increment, catalog, catalogId, widgetId)
  const structureKey = catalog.has('StructTreeRoot')
    ? addToStructure(file, increment, catalog, { pageId: page.id, widgetId, label })
    : null

  const annotations = itemsOf(valueOf(file, page.entries.get('Annots') ?? '[]'))
  page.entries.set('Annots', `[${[...annotations, reference(widgetId)].join(' ')}]`)
  // Annotations are visited in the order of the structure (ISO 14289-1, 7.18.3).
  if (structureKey !== null) page.entries.set('Tabs', '/S')
  increment.put(page.id, writeDictionary(page.entries))

  increment.put(
    widgetId,
    writeDictionary({
      Type: '/Annot',
      Subtype: '/Widget',
      FT: '/Sig',
      T: `(${fieldName})`,
      TU: writeText(label),
      F: WIDGET_FLAGS,
      Rect: '[0 0 0 0]',
      P: reference(page.id),
      V: reference(signatureId),
      AP: `<< /N ${reference(increment.add(EMPTY_APPEARANCE))} >>`,
      ...(structureKey !== null && { StructParent: String(structureKey) }),
    }),
  )
  return fieldName
}

/** One blank, because PDF/A treats an appearance without a stream as a fault (ISO 19005-3, 6.3.3). */
const EMPTY_APPEARANCE =
  '<<\n/Type /XObject\n/Subtype /Form\n/BBox [0 0 0 0]\n/Resources << >>\n/Length 1\n>>\nstream\n \nendstream'

/** Adds the field to the form; the first signature creates the form. */
function addToForm(
  file: PdfFile,
  increment: Increment,
  catalog: Dictionary,
  catalogId: number,
  fieldId: number,
): string {
  const existing = catalog.get('AcroForm')
  const existingId = referenceOf(existing)
  const form = existingId === null ? dictionaryOf(existing ?? '<<>>') : dictionaryOfObject(file, existingId)
  if (form.has('XFA')) throw new UnsignablePdf('The form is one of XFA.')
  const fields = itemsOf(valueOf(file, form.get('Fields') ?? '[]'))
  const names = new Set(fields.map((field) => fieldNameOf(file, field)))
  let number = 1
  while (names.has(`(Signature${number})`)) number++

  form.set('Fields', `[${[...fields, reference(fieldId)].join(' ')}]`)
  form.set('SigFlags', FORM_FLAGS)
  const formId = existingId ?? increment.newId()
  increment.put(formId, writeDictionary(form))
  if (existingId === null) {
    catalog.set('AcroForm', reference(formId))
    increment.put(catalogId, writeDictionary(catalog))
  }
  return `Signature${number}`
}

function fieldNameOf(file: PdfFile, field: string): string | undefined {
  const id = referenceOf(field)
  if (id === null) throw new UnsignablePdf('A field is no object of its own.')
  return dictionaryOfObject(file, id).get('T')
}

interface TaggedField {
  pageId: number
  widgetId: number
  label: string
}

/**
 * Gives the field its element below the document's, and returns the key that leads from the field to it (section
 * 14.7).
 */
function addToStructure(
  file: PdfFile,
  increment: Increment,
  catalog: Dictionary,
  { pageId, widgetId, label }: TaggedField,
): number {
  const rootId = requiredReference(catalog, 'StructTreeRoot')
  const root = dictionaryOfObject(file, rootId)
  const documentId = referenceOf(/^\[?\s*(\d+ 0 R)\s*\]?$/.exec(root.get('K') ?? '')?.[1])
  const document = documentId === null ? null : dictionaryOfObject(file, documentId)
  if (documentId === null || document?.get('S') !== '/Document')
    throw new UnsignablePdf('The structure is not one document.')

  const elementId = increment.add(
    writeDictionary({
      Type: '/StructElem',
      S: '/Form',
      P: reference(documentId),
      Alt: writeText(label),
      Pg: reference(pageId),
      K: `<< /Type /OBJR /Pg ${reference(pageId)} /Obj ${reference(widgetId)} >>`,
    }),
  )
  const children = document.get('K') ?? '[]'
  const before = children.startsWith('[') ? itemsOf(children) : [children]
  document.set('K', `[${[...before, reference(elementId)].join(' ')}]`)
  increment.put(documentId, writeDictionary(document))

  const key = wholeNumberOf(root.get('ParentTreeNextKey'))
  root.set('ParentTree', withLeaf(file, increment, root.get('ParentTree'), key, elementId))
  root.set('ParentTreeNextKey', String(key + 1))
  increment.put(rootId, writeDictionary(root))
  return key
}

/**
 * Returns the number tree with one more entry (section 7.9.7): a root over the old tree and a new leaf, so that a
 * long tree in an object of its own is not written again.
 */
function withLeaf(
  file: PdfFile,
  increment: Increment,
  written: string | undefined,
  key: number,
  elementId: number,
): string {
  const treeId = referenceOf(written)
  const tree = treeId === null ? dictionaryOf(written ?? '<<>>') : dictionaryOfObject(file, treeId)
  const leaf = `<< /Limits [${key} ${key}] /Nums [${key} ${reference(elementId)}] >>`
  const kids = tree.get('Kids')
  if (kids !== undefined)
    return `<< /Kids [${[...itemsOf(kids), reference(increment.add(leaf))].join(' ')}] >>`
  const entries = itemsOf(tree.get('Nums') ?? '[]')
  if (entries.length === 0) return `<< /Nums [${key} ${reference(elementId)}] >>`
  if (wholeNumberOf(entries.at(-2)) >= key) throw new UnsignablePdf('The structure counts wrongly.')
  const hasLimits = tree.has('Limits')
  // Only a root may omit it.
  tree.set('Limits', `[${wholeNumberOf(entries[0])} ${wholeNumberOf(entries.at(-2))}]`)
  let oldId = treeId
  if (oldId === null) oldId = increment.add(writeDictionary(tree))
  else if (!hasLimits) increment.put(oldId, writeDictionary(tree))
  return `<< /Kids [${reference(oldId)} ${reference(increment.add(leaf))}] >>`
}

/** Formats a date as `D:20260701080000Z`. Throws a RangeError when it is not a valid instant. */
function pdfDate(at: Date): string {
  return `D:${at.toISOString().replace(/\.\d+/, '').replaceAll(/[-:T]/g, '')}`
}
