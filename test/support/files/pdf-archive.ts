/**
 * Requirements of PDF/A-3a (ISO 19005-3) and PDF/UA-1 (ISO 14289-1), as far as they apply to our files: each fault
 * names its clause. Not a general validator; anything that our files should not contain is a fault too.
 */
import { create } from 'fontkit'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { nameOf, PdfFile, PdfName, PdfRef, textOf } from './pdf-objects.ts'
import type { PdfDict, PdfValue } from './pdf-objects.ts'

const STANDARD_TYPES = ['Document', 'H1', 'H2', 'P', 'Figure', 'Table', 'TR', 'TH', 'TD', 'Form']
const FORBIDDEN_KEYS = [
  'JavaScript',
  'JS',
  'OpenAction',
  'AA',
  'Launch',
  'URI',
  'SMask',
  'Encrypt',
  'XFA',
  'Movie',
  'Sound',
]

/** Painting operators of a content stream. */
const PAINTS = new Set(['f', 'f*', 'F', 'S', 's', 'B', 'B*', 'b', 'b*', 'Tj', 'TJ', "'", '"', 'Do', 'sh'])

interface Content {
  /** Marked-content numbers in order, with the types of their tags. */
  marked: Map<number, string>
  faults: string[]
  /** Glyph numbers by the page's name of the font. */
  glyphs: Map<string, Set<number>>
}

function readContent(text: string): Content {
  const content: Content = { marked: new Map(), faults: [], glyphs: new Map() }
  const open: string[] = []
  let font = ''
  const tokens =
    text.match(/<<[^>]*>>|<[0-9a-fA-F]*>|\[[^\]]*\]|\((?:\\.|[^\\)])*\)|\/[^\s/<>[\]()]+|[^\s/<>[\]()]+/g) ??
    []
  tokens.forEach((token, index) => {
    const before = tokens[index - 1] ?? ''
    const earlier = tokens[index - 2] ?? ''
    if (token === 'BDC' || token === 'BMC') {
      const tag = (token === 'BDC' ? earlier : before).slice(1)
      if (open.length > 0) content.faults.push(`ISO 14289-1 7.1: ${tag} inside ${open.at(-1)}`)
      open.push(tag)
      const mcid = token === 'BDC' ? /\/MCID (\d+)/.exec(before)?.[1] : undefined
      if (mcid !== undefined) {
        if (content.marked.has(Number(mcid))) content.faults.push(`14.7.4.2: content ${mcid} twice`)
        content.marked.set(Number(mcid), tag)
      } else if (tag !== 'Artifact') content.faults.push(`ISO 14289-1 7.1: ${tag} without a number`)
    } else if (token === 'EMC') {
      if (open.pop() === undefined) content.faults.push('14.6: an end without a beginning')
    } else if (token === 'Tf') font = earlier.slice(1)
    else if (PAINTS.has(token) && open.length === 0)
      content.faults.push(`ISO 14289-1 7.1: ${token} is neither content nor artifact`)
    if (token === 'Tj' || token === 'TJ') {
      const used = content.glyphs.get(font) ?? new Set()
      for (const [, hex = ''] of before.matchAll(/<([0-9a-fA-F]*)>/g))
        for (let at = 0; at < hex.length; at += 4) used.add(Number.parseInt(hex.slice(at, at + 4), 16))
      content.glyphs.set(font, used)
    }
  })
  if (open.length > 0) content.faults.push('14.6: content that does not end')
  return content
}

/** Lists the violations of the two standards. */
export function archiveFaults(bytes: Buffer): string[] {
  const faults: string[] = []
  const fault = (ok: boolean, words: string): void => {
    if (!ok) faults.push(words)
  }
  if (!/^%PDF-1\.7\n%[\x80-\xff]{4}/.test(bytes.toString('latin1', 0, 16)))
    faults.push('ISO 19005-3 6.1.2: header')
  const file = new PdfFile(bytes)
  const { root } = file
  fault(Array.isArray(file.trailer.get('ID')), 'ISO 19005-3 6.1.3: no file identifier')
  for (const id of file.ids()) {
    const { value, raw } = file.object(id)
    for (const key of keysIn(value))
      if (FORBIDDEN_KEYS.includes(key)) faults.push(`forbidden: ${key} in object ${id}`)
    if (raw !== null && value instanceof Map) {
      const filter = nameOf(value.get('Filter'))
      fault(
        filter === null || filter === 'FlateDecode' || filter === 'DCTDecode',
        `ISO 19005-3 6.1.7: ${filter}`,
      )
      fault(!value.has('F') && !value.has('FFilter'), 'ISO 19005-3 6.1.7: a stream outside the file')
    }
  }
  fault(file.dict(root.get('MarkInfo')).get('Marked') === true, 'ISO 19005-3 6.7.2.2: not marked')
  fault(/^[a-z]{2}-[A-Z]{2}$/.test(textOf(root.get('Lang')) ?? ''), 'ISO 14289-1 7.2: no language')
  fault(
    file.dict(root.get('ViewerPreferences')).get('DisplayDocTitle') === true,
    'ISO 14289-1 7.1: title not shown',
  )
  checkIntent(file, faults)
  checkMetadata(file, faults)
  checkFiles(file, faults)
  const contents = checkPages(file, faults)
  checkFonts(file, contents, faults)
  checkStructure(file, contents, faults)
  return faults
}

function* keysIn(value: PdfValue): Generator<string> {
  if (value instanceof Map)
    for (const [key, inner] of value) {
      yield key
      if (inner instanceof PdfName && key === 'S') yield inner.name
      yield* keysIn(inner)
    }
  else if (Array.isArray(value)) for (const inner of value) yield* keysIn(inner)
}

function checkIntent(file: PdfFile, faults: string[]): void {
  const intents = file.resolve(file.root.get('OutputIntents'))
  if (!Array.isArray(intents) || intents.length !== 1)
    return void faults.push('ISO 19005-3 6.2.3: no output intent')
  const intent = file.dict(intents[0])
  if (nameOf(intent.get('S')) !== 'GTS_PDFA1') faults.push('ISO 19005-3 6.2.3: another intent')
  const profile = intent.get('DestOutputProfile')
  const icc = profile instanceof PdfRef ? file.object(profile.id).stream : null
  if (icc?.toString('latin1', 36, 40) !== 'acsp' || icc.toString('latin1', 16, 20) !== 'RGB ')
    faults.push('ISO 19005-3 6.2.3: no RGB profile')
}

function checkMetadata(file: PdfFile, faults: string[]): void {
  const reference = file.root.get('Metadata')
  const object = reference instanceof PdfRef ? file.object(reference.id) : null
  if (!object?.raw || !(object.value instanceof Map) || object.value.has('Filter'))
    return void faults.push('ISO 19005-3 6.6.2.1: no plain metadata')
  const xml = object.raw.toString('utf8')
  if (XMLValidator.validate(xml) !== true) return void faults.push('ISO 19005-3 6.6.2.1: broken metadata')
  const parsed = new XMLParser({ ignoreAttributes: false, parseTagValue: false }).parse(xml) as Record<
    string,
    any
  >
  const descriptions = [parsed['x:xmpmeta']['rdf:RDF']['rdf:Description']].flat() as Record<string, any>[]
  const property = (name: string): any => descriptions.find((each) => name in each)?.[name]
  const expect = (name: string, value: string | null, clause: string): void => {
    if (property(name) !== value)
      faults.push(`${clause}: ${name} is ${JSON.stringify(property(name))}, not ${value}`)
  }
  expect('pdfaid:part', '3', 'ISO 19005-3 6.6.4')
  expect('pdfaid:conformance', 'A', 'ISO 19005-3 6.6.4')
  expect('pdfuaid:part', '1', 'ISO 14289-1 5')
  const info = file.dict(file.trailer.get('Info'))
  const text = (key: string): string | null => textOf(file.resolve(info.get(key)))
  const same = (words: unknown, key: string): void => {
    if (words !== text(key)) faults.push(`ISO 19005-3 6.6.3: ${key} says ${text(key)}, the metadata ${words}`)
  }
  same(property('dc:title')?.['rdf:Alt']?.['rdf:li']?.['#text'], 'Title')
  same(property('dc:creator')?.['rdf:Seq']?.['rdf:li'], 'Author')
  same(property('xmp:CreatorTool'), 'Creator')
  same(property('pdf:Producer'), 'Producer')
  for (const [key, name] of [
    ['CreationDate', 'xmp:CreateDate'],
    ['ModDate', 'xmp:ModifyDate'],
  ] as const) {
    const digits = String(property(name)).replace(/\D/g, '')
    if (`D:${digits}Z` !== text(key)) faults.push(`ISO 19005-3 6.6.3: ${key} ${text(key)} against ${digits}`)
  }
  // Properties outside the standard schemas are described in the file itself (6.6.2.3.1).
  const schemas = [property('pdfaExtension:schemas')?.['rdf:Bag']?.['rdf:li'] ?? []].flat() as Record<
    string,
    any
  >[]
  const described = schemas.flatMap((schema) =>
    [schema['pdfaSchema:property']['rdf:Seq']['rdf:li']]
      .flat()
      .map((each: Record<string, string>) => `${schema['pdfaSchema:prefix']}:${each['pdfaProperty:name']}`),
  )
  const used = descriptions.flatMap((each) => Object.keys(each).filter((key) => /^(?:fx|pdfuaid):/.test(key)))
  for (const name of used)
    if (!described.includes(name)) faults.push(`ISO 19005-3 6.6.2.3.1: ${name} is not described`)
  const hasFile = Array.isArray(file.resolve(file.root.get('AF')))
  expect('fx:DocumentFileName', hasFile ? 'factur-x.xml' : (undefined as unknown as null), 'Factur-X 6.2')
  expect('fx:ConformanceLevel', hasFile ? 'EN 16931' : (undefined as unknown as null), 'Factur-X 6.2')
}

function checkFiles(file: PdfFile, faults: string[]): void {
  const associated = file.resolve(file.root.get('AF'))
  const names = file.dict(file.root.get('Names')).get('EmbeddedFiles')
  if (!Array.isArray(associated)) {
    if (names !== undefined) faults.push('ISO 19005-3 6.8: a file that belongs to nothing')
    return
  }
  const listed = file.array(file.dict(names).get('Names')).filter((each) => each instanceof PdfRef)
  for (const reference of associated) {
    if (!(reference instanceof PdfRef) || !listed.some((each) => (each as PdfRef).id === reference.id))
      faults.push('ISO 19005-3 6.8: an associated file is not among the embedded ones')
    const spec = file.dict(reference)
    if (nameOf(spec.get('AFRelationship')) !== 'Alternative') faults.push('ISO 19005-3 6.8: no relationship')
    if (textOf(spec.get('F')) === null || textOf(spec.get('F')) !== textOf(spec.get('UF')))
      faults.push('ISO 19005-3 6.8: no file name')
    const embedded = file.dict(file.dict(spec.get('EF')).get('F'))
    if (nameOf(embedded.get('Subtype')) !== 'text/xml') faults.push('ISO 19005-3 6.8: no media type')
    if (textOf(file.dict(embedded.get('Params')).get('ModDate')) === null)
      faults.push('ISO 19005-3 6.8: no date')
  }
}

function checkPages(file: PdfFile, faults: string[]): Map<number, Content> {
  const contents = new Map<number, Content>()
  for (const reference of file.pages()) {
    const page = file.dict(reference)
    if (nameOf(page.get('Tabs')) !== 'S') faults.push('ISO 14289-1 7.18.3: tab order')
    const stream = page.get('Contents')
    const text = stream instanceof PdfRef ? (file.object(stream.id).stream?.toString('latin1') ?? '') : ''
    const content = readContent(text)
    faults.push(...content.faults)
    contents.set(reference.id, content)
    for (const annotation of (file.resolve(page.get('Annots')) as PdfValue[] | null) ?? []) {
      const widget = file.dict(annotation)
      const flags = Number(widget.get('F') ?? 0)
      // Printed, and neither invisible, hidden, disabled nor without view.
      if ((flags & 4) === 0 || (flags & (1 | 2 | 32 | 256)) !== 0)
        faults.push('ISO 19005-3 6.3.2: flags of an annotation')
      const look = file.dict(widget.get('AP')).get('N')
      if (!(look instanceof PdfRef) || file.object(look.id).raw === null)
        faults.push('ISO 19005-3 6.3.3: an annotation without an appearance')
      if (typeof widget.get('StructParent') !== 'number')
        faults.push('ISO 14289-1 7.18.1: an annotation without a tag')
    }
  }
  return contents
}

function checkFonts(file: PdfFile, contents: ReadonlyMap<number, Content>, faults: string[]): void {
  const used = new Map<number, Set<number>>()
  for (const [pageId, { glyphs }] of contents) {
    const fonts = file.dict(
      file.dict(file.dict(new PdfRef(pageId)).get('Resources')).get('Font') ?? new Map(),
    )
    for (const [name, numbers] of glyphs) {
      const reference = fonts.get(name)
      if (!(reference instanceof PdfRef)) {
        faults.push(`ISO 32000-1 9.3: no font ${name}`)
        continue
      }
      const all = used.get(reference.id) ?? new Set()
      for (const number of numbers) all.add(number)
      used.set(reference.id, all)
    }
  }
  for (const [id, numbers] of used) {
    const font = file.dict(new PdfRef(id))
    const descendant = file.dict(file.array(font.get('DescendantFonts'))[0])
    const program = file.dict(descendant.get('FontDescriptor')).get('FontFile2')
    if (!(program instanceof PdfRef)) {
      faults.push('ISO 19005-3 6.2.11.4: a font is not embedded')
      continue
    }
    if (nameOf(descendant.get('CIDToGIDMap')) !== 'Identity')
      faults.push('ISO 19005-3 6.2.11.3.2: no glyph map')
    const parsed = create(file.object(program.id).stream ?? Buffer.alloc(0))
    const [, widths] = file.array(descendant.get('W'))
    const toUnicode = font.get('ToUnicode')
    const map =
      toUnicode instanceof PdfRef
        ? unicodeMap(file.object(toUnicode.id).stream?.toString('latin1') ?? '')
        : null
    for (const glyph of numbers) {
      if (glyph === 0) faults.push('ISO 19005-3 6.2.11.8: a character without a glyph')
      const text = map?.get(glyph)
      if (text === undefined || text === '' || /[\0\ufeff\ufffe]/.test(text))
        faults.push(`ISO 19005-3 6.2.11.7.2: glyph ${glyph} has no meaning`)
      const width = (widths as number[])[glyph] ?? Number.NaN
      const own = (parsed.getGlyph(glyph).advanceWidth * 1000) / parsed.unitsPerEm
      if (!(Math.abs(width - own) <= 1))
        faults.push(`ISO 19005-3 6.2.11.5: glyph ${glyph} is ${own} wide, not ${width}`)
    }
  }
}

function unicodeMap(cmap: string): Map<number, string> {
  const map = new Map<number, string>()
  for (const [, first = '', list = ''] of cmap.matchAll(/<([0-9a-f]+)> <[0-9a-f]+> \[([^\]]*)\]/g)) {
    let glyph = Number.parseInt(first, 16)
    for (const [, hex = ''] of list.matchAll(/<([^>]*)>/g)) {
      const units = hex.split(' ').map((unit) => Number.parseInt(unit, 16))
      map.set(glyph, String.fromCharCode(...units))
      glyph += 1
    }
  }
  return map
}

function checkStructure(file: PdfFile, contents: ReadonlyMap<number, Content>, faults: string[]): void {
  const tree = file.dict(file.root.get('StructTreeRoot'))
  const parents = parentTree(file, tree.get('ParentTree'))
  const claimed = new Map<string, number>()
  const headings: string[] = []
  const walk = (reference: PdfValue, parent: PdfRef): string => {
    if (!(reference instanceof PdfRef)) throw new Error('an element is a reference')
    const element = file.dict(reference)
    const type = nameOf(element.get('S')) ?? ''
    if (!STANDARD_TYPES.includes(type)) faults.push(`ISO 14289-1 7.1: ${type} is no standard type`)
    const up = element.get('P')
    if (!(up instanceof PdfRef) || up.id !== parent.id) faults.push(`14.7.2: ${type} has another parent`)
    if (type === 'Figure' && !textOf(element.get('Alt')))
      faults.push('ISO 14289-1 7.3: a figure without words')
    if (type === 'Figure' && !hasBox(file, element)) faults.push('ISO 14289-1 7.3: a figure without a place')
    if (type === 'TH' && nameOf(file.dict(element.get('A') ?? new Map()).get('Scope')) === null)
      faults.push('ISO 14289-1 7.5: a heading cell that heads nothing')
    if (/^H\d$/.test(type)) headings.push(type)
    const children: string[] = []
    const page = element.get('Pg')
    for (const kid of kidsOf(file, element)) {
      if (typeof kid === 'number') claim(page, kid, type, reference)
      else if (kid instanceof PdfRef) children.push(walk(kid, reference))
      else if (kid instanceof Map && nameOf(kid.get('Type')) === 'MCR')
        claim(kid.get('Pg'), Number(kid.get('MCID')), type, reference)
      else if (kid instanceof Map && nameOf(kid.get('Type')) === 'OBJR') {
        const key = Number(file.dict(kid.get('Obj')).get('StructParent'))
        const owner = parents.get(key)
        if (!(owner instanceof PdfRef) || owner.id !== reference.id)
          faults.push('14.7.4.4: the parent tree names another element for an annotation')
      }
    }
    if (type === 'Table') {
      if (children.some((child) => child !== 'TR'))
        faults.push('ISO 14289-1 7.5: a table of something else than rows')
      const counts = new Set(kidsOf(file, element).map((row) => kidsOf(file, file.dict(row)).length))
      if (counts.size > 1) faults.push(`ISO 14289-1 7.5: rows of ${[...counts].join(' and ')} cells`)
    }
    if (type === 'TR' && children.some((child) => child !== 'TH' && child !== 'TD'))
      faults.push('ISO 14289-1 7.5: a row of something else than cells')
    return type
  }
  const claim = (page: PdfValue | undefined, mcid: number, type: string, owner: PdfRef): void => {
    if (!(page instanceof PdfRef)) return void faults.push('14.7.4.2: content of no page')
    const painted = contents.get(page.id)?.marked.get(mcid)
    if (painted !== type)
      faults.push(`14.7.4.2: content ${mcid} is painted as ${painted}, claimed as ${type}`)
    const key = `${page.id} ${mcid}`
    claimed.set(key, (claimed.get(key) ?? 0) + 1)
    const slots = parents.get(Number(file.dict(page).get('StructParents')))
    const slot = Array.isArray(slots) ? slots[mcid] : null
    if (!(slot instanceof PdfRef) || slot.id !== owner.id)
      faults.push(`14.7.4.4: the parent tree names another element for ${key}`)
  }
  const rootRef = file.root.get('StructTreeRoot')
  if (!(rootRef instanceof PdfRef)) return void faults.push('ISO 19005-3 6.7.3: no structure')
  for (const kid of kidsOf(file, tree))
    if (walk(kid, rootRef) !== 'Document') faults.push('ISO 14289-1 7.1: the first element is no document')
  for (const [pageId, { marked }] of contents)
    for (const mcid of marked.keys())
      if (claimed.get(`${pageId} ${mcid}`) !== 1)
        faults.push(`14.7.4.2: content ${mcid} belongs to no element, or to two`)
  if (headings[0] !== 'H1' || headings.filter((each) => each === 'H1').length !== 1)
    faults.push('ISO 14289-1 7.4: the first heading is not the one of the first level')
}

function kidsOf(file: PdfFile, element: PdfDict): PdfValue[] {
  const kids = element.get('K')
  const resolved = kids instanceof PdfRef ? file.resolve(kids) : kids
  if (Array.isArray(resolved)) return resolved
  return kids === undefined || kids === null ? [] : [kids]
}

function hasBox(file: PdfFile, element: PdfDict): boolean {
  const box = file.resolve(file.dict(element.get('A') ?? new Map()).get('BBox'))
  return (
    Array.isArray(box) &&
    box.length === 4 &&
    Number(box[2]) > Number(box[0]) &&
    Number(box[3]) > Number(box[1])
  )
}

function parentTree(file: PdfFile, node: PdfValue | undefined): Map<number, PdfValue> {
  const entries = new Map<number, PdfValue>()
  const walk = (value: PdfValue | undefined): void => {
    const tree = file.dict(value)
    for (const kid of (tree.get('Kids') as PdfValue[] | undefined) ?? []) walk(kid)
    const numbers = (file.resolve(tree.get('Nums')) as PdfValue[] | null) ?? []
    for (let at = 0; at + 1 < numbers.length; at += 2)
      entries.set(
        Number(numbers[at]),
        file.resolve(numbers[at + 1]) instanceof Map
          ? (numbers[at + 1] ?? null)
          : file.resolve(numbers[at + 1]),
      )
  }
  walk(node)
  return entries
}
