/** Reads the objects of a PDF file with plain cross-reference tables, including increments, as JavaScript values. */
import { inflateSync } from 'node:zlib'

export type PdfValue = null | boolean | number | PdfName | PdfString | PdfRef | PdfValue[] | PdfDict

export class PdfName {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}
class PdfString {
  readonly bytes: Buffer
  constructor(bytes: Buffer) {
    this.bytes = bytes
  }
  /** Returns a text string: UTF-16 with its byte order mark, else Latin 1. */
  get text(): string {
    if (this.bytes[0] !== 0xfe || this.bytes[1] !== 0xff) return this.bytes.toString('latin1')
    return Buffer.from(this.bytes.subarray(2)).swap16().toString('utf16le')
  }
}
export class PdfRef {
  readonly id: number
  constructor(id: number) {
    this.id = id
  }
}
export type PdfDict = Map<string, PdfValue>

interface PdfObject {
  value: PdfValue
  /** Decompressed. */
  stream: Buffer | null
  /** As stored in the file. */
  raw: Buffer | null
}

const BLANK = /[\0\t\n\f\r ]/
const DELIMITER = /[()<>[\]{}/%]/

class Reader {
  at: number
  readonly text: string
  constructor(text: string, at: number) {
    this.text = text
    this.at = at
  }

  skip(): void {
    while (this.at < this.text.length && BLANK.test(this.text[this.at] ?? '')) this.at += 1
  }

  take(word: string): boolean {
    this.skip()
    if (!this.text.startsWith(word, this.at)) return false
    this.at += word.length
    return true
  }

  word(): string {
    const from = this.at
    while (this.at < this.text.length) {
      const sign = this.text[this.at] ?? ''
      if (BLANK.test(sign) || DELIMITER.test(sign)) break
      this.at += 1
    }
    return this.text.slice(from, this.at)
  }

  value(): PdfValue {
    this.skip()
    if (this.take('<<')) return this.dict()
    if (this.take('[')) {
      const items: PdfValue[] = []
      while (!this.take(']')) items.push(this.value())
      return items
    }
    if (this.take('(')) return this.literal()
    if (this.take('<')) {
      const end = this.text.indexOf('>', this.at)
      const hex = this.text.slice(this.at, end).replace(/\s/g, '')
      this.at = end + 1
      return new PdfString(Buffer.from(hex.length % 2 === 0 ? hex : `${hex}0`, 'hex'))
    }
    if (this.take('/'))
      return new PdfName(
        this.word().replace(/#([0-9a-f]{2})/gi, (_, hex: string) =>
          String.fromCharCode(Number.parseInt(hex, 16)),
        ),
      )
    const ref = /^(\d+) (\d+) R\b/.exec(this.text.slice(this.at, this.at + 24))
    if (ref) {
      this.at += ref[0].length
      return new PdfRef(Number(ref[1]))
    }
    const word = this.word()
    if (word === 'true' || word === 'false') return word === 'true'
    if (word === 'null') return null
    const number = Number(word)
    if (word === '' || Number.isNaN(number)) throw new Error(`no value at ${this.at}: ${word}`)
    return number
  }

  dict(): PdfDict {
    const entries: PdfDict = new Map()
    while (!this.take('>>')) {
      const key = this.value()
      if (!(key instanceof PdfName)) throw new Error(`no key at ${this.at}`)
      if (entries.has(key.name)) throw new Error(`${key.name} twice`)
      entries.set(key.name, this.value())
    }
    return entries
  }

  literal(): PdfString {
    const bytes: number[] = []
    const escapes: Record<string, number> = { n: 10, r: 13, t: 9, b: 8, f: 12 }
    for (let depth = 1; ;) {
      const sign = this.text[this.at++]
      if (sign === undefined) throw new Error('a string without end')
      if (sign === '\\') {
        const octal = /^[0-7]{1,3}/.exec(this.text.slice(this.at, this.at + 3))?.[0]
        if (octal) {
          bytes.push(Number.parseInt(octal, 8) & 255)
          this.at += octal.length
          continue
        }
        const next = this.text[this.at++] ?? ''
        if (next !== '\n') bytes.push(escapes[next] ?? next.charCodeAt(0))
        continue
      }
      if (sign === '(') depth += 1
      if (sign === ')' && --depth === 0) return new PdfString(Buffer.from(bytes))
      bytes.push(sign.charCodeAt(0))
    }
  }
}

export class PdfFile {
  readonly bytes: Buffer
  readonly trailer: PdfDict
  /** Offsets of the cross-reference tables, newest first. */
  readonly tables: number[] = []
  readonly #offsets = new Map<number, number>()
  readonly #objects = new Map<number, PdfObject>()
  readonly #text: string

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.#text = bytes.toString('latin1')
    const start = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(this.#text.slice(-64))?.[1]
    if (start === undefined) throw new Error('the file has no end')
    let trailer: PdfDict | null = null
    for (let at: number | null = Number(start); at !== null;) {
      this.tables.push(at)
      const one: PdfDict = this.#readTable(at)
      trailer ??= one
      const previous = one.get('Prev')
      at = typeof previous === 'number' ? previous : null
    }
    this.trailer = trailer ?? new Map()
  }

  #readTable(at: number): PdfDict {
    const reader = new Reader(this.#text, at)
    if (!reader.take('xref')) throw new Error(`no table at ${at}`)
    while (!reader.take('trailer')) {
      const first = Number(reader.value())
      const count = Number(reader.value())
      reader.skip()
      for (let index = 0; index < count; index++) {
        const entry = this.#text.slice(reader.at, reader.at + 20)
        if (!/^\d{10} \d{5} [nf](?: \n| \r|\r\n)$/.test(entry)) throw new Error(`a broken entry: ${entry}`)
        // The newest table is read first and takes precedence.
        if (entry[17] === 'n' && !this.#offsets.has(first + index))
          this.#offsets.set(first + index, Number(entry.slice(0, 10)))
        reader.at += 20
      }
    }
    const value = reader.value()
    if (!(value instanceof Map)) throw new Error('a trailer is a dictionary')
    return value
  }

  ids(): number[] {
    return [...this.#offsets.keys()].toSorted((a, b) => a - b)
  }

  object(id: number): PdfObject {
    const known = this.#objects.get(id)
    if (known) return known
    const offset = this.#offsets.get(id)
    if (offset === undefined) throw new Error(`no object ${id}`)
    const reader = new Reader(this.#text, offset)
    if (Number(reader.value()) !== id || reader.value() !== 0 || !reader.take('obj'))
      throw new Error(`object ${id} is not where the table says`)
    const value = reader.value()
    let raw: Buffer | null = null
    if (reader.take('stream')) {
      if (this.#text[reader.at] === '\r') reader.at += 1
      reader.at += 1
      if (!(value instanceof Map)) throw new Error('a stream without a dictionary')
      const length = this.resolve(value.get('Length') ?? null)
      if (typeof length !== 'number') throw new Error('a stream without a length')
      raw = this.bytes.subarray(reader.at, reader.at + length)
      reader.at += length
      if (!reader.take('endstream')) throw new Error(`the stream of ${id} is not as long as it says`)
    }
    if (!reader.take('endobj')) throw new Error(`object ${id} does not end`)
    const filter = value instanceof Map ? value.get('Filter') : null
    const isPacked = filter instanceof PdfName && filter.name === 'FlateDecode'
    const object = { value, raw, stream: raw && isPacked ? inflateSync(raw) : raw }
    this.#objects.set(id, object)
    return object
  }

  resolve(value: PdfValue | undefined): PdfValue {
    return value instanceof PdfRef ? this.object(value.id).value : (value ?? null)
  }

  dict(value: PdfValue | undefined): PdfDict {
    const resolved = this.resolve(value)
    if (!(resolved instanceof Map)) throw new Error('a dictionary was expected')
    return resolved
  }

  array(value: PdfValue | undefined): PdfValue[] {
    const resolved = this.resolve(value)
    if (!Array.isArray(resolved)) throw new Error('an array was expected')
    return resolved
  }

  get root(): PdfDict {
    return this.dict(this.trailer.get('Root'))
  }

  /** Returns the references of the pages in order. */
  pages(): PdfRef[] {
    const walk = (ref: PdfValue): PdfRef[] => {
      if (!(ref instanceof PdfRef)) throw new Error('a page is a reference')
      const node = this.dict(ref)
      return nameOf(node.get('Type')) === 'Pages' ? this.array(node.get('Kids')).flatMap(walk) : [ref]
    }
    return walk(this.root.get('Pages') ?? null)
  }
}

export function nameOf(value: PdfValue | undefined): string | null {
  return value instanceof PdfName ? value.name : null
}

export function textOf(value: PdfValue | undefined): string | null {
  return value instanceof PdfString ? value.text : null
}
