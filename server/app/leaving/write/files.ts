/**
 * The contents of a company's documents as files of an archive, and the rows that name them. A row holds the place of its
 * bytes in the archive, so that nothing is in it twice: an electronic signature is what follows the unsigned document.
 */
import type { BulkRow, BulkValue } from '../../../db/bulk.ts'
import { safeEntryName, uniqueName } from '../../../domain/formats/zip-stream.ts'
import type { ZipEntry } from '../../../domain/formats/zip-stream.ts'
import { tableNamed } from '../../company-rows/index.ts'
import type { Table } from '../../company-rows/index.ts'
import { conditionOf, rowsOf } from '../../company-copy/index.ts'
import type { Side } from '../../company-copy/index.ts'
import type { FilePart } from '../format.ts'

/** Rows with contents that are read at a time. */
const AT_ONCE = 8
/** Longest name of a file, without its folder. */
const NAME_LENGTH = 120

/** A row with parts of files in place of its contents. */
type PlacedRow = (BulkValue | FilePart)[]

/** Books by row id: where their files are. */
type Folders = ReadonlyMap<number, string>

const column = ({ columns }: Table, name: string): number => columns.findIndex((each) => each.name === name)

/** Returns a name that all systems can store, with its ending. */
function fileName(name: string): string {
  const plain = safeEntryName(name.normalize('NFC')).replace(/[. ]+$/, '') || 'archivo'
  if (plain.length <= NAME_LENGTH) return plain
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(plain)?.[0] ?? ''
  return `${plain.slice(0, NAME_LENGTH - ending.length)}${ending}`
}

interface Content {
  /** Rows that hold a part of the file, one after another. */
  parts: { table: string; row: BulkRow; at: number; bytes: Buffer }[]
  path: string
}

/** Collects the rows whose contents were written. */
export class PlacedFiles {
  private readonly side: Side
  private readonly folders: Folders
  private readonly taken = new Set<string>()
  readonly rows = new Map<string, PlacedRow[]>()

  constructor(side: Side, folders: Folders) {
    this.side = side
    this.folders = folders
    for (const name of [
      'documents',
      'document_signatures',
      'file_bytes',
      'mail_attachments',
      'exchange_contents',
    ])
      this.rows.set(name, [])
  }

  /** Yields every content as a file. `seen` is called with the number of files so far. */
  async *entries(seen: (done: number) => void): AsyncGenerator<ZipEntry, void, undefined> {
    let done = 0
    for await (const { path, parts } of this.contents()) {
      yield {
        name: path,
        bytes: parts.length === 1 ? parts[0]!.bytes : Buffer.concat(parts.map(({ bytes }) => bytes)),
        compress: /\.(xml|xsig|csv|txt|json|html?)$/i.test(path),
      }
      let from = 0
      for (const { table, row, at, bytes } of parts) {
        const place: FilePart =
          parts.length === 1 ? { file: path } : { file: path, from, length: bytes.length }
        this.rows.get(table)!.push(row.map((value, index) => (index === at ? place : value)))
        from += bytes.length
      }
      seen((done += 1))
    }
    // Rows are read back in the order of their key.
    for (const rows of this.rows.values()) rows.sort((a, b) => Number(a[0]) - Number(b[0]))
  }

  private async *contents(): AsyncGenerator<Content, void, undefined> {
    yield* this.documents()
    yield* this.files()
    yield* this.attachments()
    yield* this.exchanged()
  }

  private table(name: string): Table {
    return tableNamed(this.side.shape, name)
  }

  private async all(name: string, more: string): Promise<BulkRow[]> {
    const rows: BulkRow[] = []
    for await (const page of rowsOf(this.side, this.table(name), more)) rows.push(...page)
    return rows
  }

  /** Returns the ids of rows in small groups: each group is read at once, and nothing else meanwhile. */
  private async groups(name: string, key: string): Promise<number[][]> {
    const table = this.table(name)
    const rows = await this.side.reader.select<{ id: number }>(
      `select ${key} as id from ${name} where ${conditionOf(this.side, table)} group by ${key} order by ${key}`,
    )
    const ids = rows.map(({ id }) => Number(id))
    const groups: number[][] = []
    for (let from = 0; from < ids.length; from += AT_ONCE) groups.push(ids.slice(from, from + AT_ONCE))
    return groups
  }

  private path(book: number, folder: string, name: string): string {
    return uniqueName(`${this.folders.get(book) ?? 'test'}/${folder}/${fileName(name)}`, this.taken)
  }

  private async *documents(): AsyncGenerator<Content, void, undefined> {
    const table = this.table('documents')
    const [id, invoiceId, format, language, bytes] = ['id', 'invoice_id', 'format', 'language', 'bytes'].map(
      (name) => column(table, name),
    ) as [number, number, number, number, number]
    const appended = column(this.table('document_signatures'), 'appended')
    for (const group of await this.groups('documents', 'id')) {
      const documents = await this.all('documents', ` and id in (${group.join(', ')})`)
      const signatures = await this.all('document_signatures', ` and document_id in (${group.join(', ')})`)
      const invoices = await this.side.reader.select<Invoice>(
        `select id, book_id as book, number, issue_date as day from invoices
         where id in (${documents.map((row) => Number(row[invoiceId])).join(', ')})`,
      )
      for (const row of documents) {
        const invoice = invoices.find((each) => Number(each.id) === row[invoiceId])
        const year = invoice?.day?.slice(0, 4) ?? 'borrador'
        const base = invoice?.number ?? `documento-${String(row[id])}`
        const path =
          row[format] === 'facturae'
            ? this.path(Number(invoice?.book), `einvoices/${year}`, `${base}.xsig`)
            : this.path(
                Number(invoice?.book),
                `documents/${year}`,
                `${base}${row[format] === 'a4' ? '' : `-${String(row[format])}`}${row[language] === 'es' ? '' : `-${String(row[language])}`}.pdf`,
              )
        const parts: Content['parts'] = [{ table: 'documents', row, at: bytes, bytes: row[bytes] as Buffer }]
        for (const signature of signatures.filter((each) => each[0] === row[id]))
          parts.push({
            table: 'document_signatures',
            row: signature,
            at: appended,
            bytes: signature[appended] as Buffer,
          })
        yield { path, parts }
      }
    }
  }

  private async *files(): AsyncGenerator<Content, void, undefined> {
    const table = this.table('file_bytes')
    const at = column(table, 'bytes')
    const files = this.table('files')
    for (const group of await this.groups('file_bytes', 'file_id')) {
      const named = await this.side.reader.select<{
        id: number
        book: number
        name: string
        received: string | null
      }>(
        `select id, book_id as book, name,
           (select min(r.year || '-' || r.sequence) from file_links l join received_invoices r on r.id = l.target_id
            where l.file_id = files.id and l.target_type = 'received') as received
         from files where id in (${group.join(', ')}) and ${conditionOf(this.side, files)}`,
      )
      for (const row of await this.all('file_bytes', ` and file_id in (${group.join(', ')})`)) {
        const file = named.find((each) => Number(each.id) === row[0])
        const name = file?.name ?? `archivo-${String(row[0])}`
        const path = this.path(
          Number(file?.book),
          'attachments',
          file?.received ? `${file.received}-${name}` : name,
        )
        yield { path, parts: [{ table: 'file_bytes', row, at, bytes: row[at] as Buffer }] }
      }
    }
  }

  private async *attachments(): AsyncGenerator<Content, void, undefined> {
    const table = this.table('mail_attachments')
    const [name, at] = [column(table, 'name'), column(table, 'bytes')]
    for (const group of await this.groups('mail_attachments', 'mail_id')) {
      const mails = await this.side.reader.select<{ id: number; book: number }>(
        `select id, book_id as book from mails where id in (${group.join(', ')})`,
      )
      for (const row of await this.all('mail_attachments', ` and mail_id in (${group.join(', ')})`)) {
        const bytes = row[at]
        // Of those that can be made again only the name is kept.
        if (!Buffer.isBuffer(bytes)) this.rows.get('mail_attachments')!.push([...row])
        else {
          const mail = mails.find((each) => Number(each.id) === row[0])
          const path = this.path(Number(mail?.book), 'mails', `${String(row[0])}-${String(row[name])}`)
          yield { path, parts: [{ table: 'mail_attachments', row, at, bytes }] }
        }
      }
    }
  }

  /** Electronic invoices, messages of statuses and answers, as they were sent and received. */
  private async *exchanged(): AsyncGenerator<Content, void, undefined> {
    const table = this.table('exchange_contents')
    const [book, at] = [column(table, 'book_id'), column(table, 'bytes')]
    for (const group of await this.groups('exchange_contents', 'id'))
      for (const row of await this.all('exchange_contents', ` and id in (${group.join(', ')})`)) {
        const path = this.path(Number(row[book]), 'exchange', `${String(row[0])}.xml`)
        yield { path, parts: [{ table: 'exchange_contents', row, at, bytes: row[at] as Buffer }] }
      }
  }
}

interface Invoice {
  id: number
  book: number
  number: string | null
  day: string | null
}
