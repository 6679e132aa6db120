/**
 * Sends calls to Holded with the key's header, with the parts common to both API versions: taxes, decimal separator,
 * rows read by kind.
 */
import type { ErpReply } from '../connection/http.ts'
import type { NeutralRecord, ProviderCtx, Reject } from '../port.ts'
import { isObject, readRows } from '../reading/untrusted-values.ts'
import { readContact } from './contacts.ts'
import { signOf } from './decimals.ts'
import { moneyStrings, readDocument } from './documents.ts'
import { faultsOf } from './faults.ts'
import type { FaultCtx } from './faults.ts'
import type { List } from './lists.ts'
import { newerNames, legacyReader } from './names.ts'
import type { Flavour, Memory } from './notes.ts'
import { readItem, readVariants } from './products.ts'
import type { ItemCtx } from './products.ts'
import { taxBook } from './taxes.ts'

/** Returns the key without the blanks that copying adds. */
export function keyOf(ctx: ProviderCtx): string {
  return ctx.credentials.secret.replace(/\s+/g, '')
}

interface Question {
  path: string
  resource: string
  scope: string | null
  query?: Record<string, string | number | undefined>
  lets?: FaultCtx['lets']
}

export async function request(ctx: ProviderCtx, flavour: Flavour, question: Question): Promise<ErpReply> {
  const { path, resource, scope, query, lets } = question
  const key = keyOf(ctx)
  return ctx.http.ask(
    {
      method: 'GET',
      path,
      resource,
      ...(query && { query }),
      headers: flavour === 'v2' ? { authorization: `Bearer ${key}` } : { key },
    },
    faultsOf({ secret: key, today: ctx.today, scope, ...(lets && { lets }) }),
  )
}

/** Updates the account's decimal separator from these rows. */
export function updateDecimalSign(memory: Memory, rows: readonly unknown[], flavour: Flavour): Memory {
  const texts = rows
    .filter(isObject)
    .flatMap((row) => [...moneyStrings(flavour === 'v1' ? newerNames(row) : row)])
  return { ...memory, decimalSign: signOf(texts, memory.decimalSign) }
}

/** Reads the rows of a list as records, with the account's facts in memory. */
export function readList(
  rows: readonly unknown[],
  kind: List['kind'],
  flavour: Flavour,
  memory: Memory,
): { records: NeutralRecord[]; rejects: Reject[] } {
  const older = flavour === 'v1'
  const sign = memory.decimalSign ?? 'dot'
  const book = taxBook(memory.taxes?.list ?? [])
  if (kind === 'contact') return readRows(rows, kind, older ? legacyReader(readContact) : readContact)
  if (kind === 'product' || kind === 'service') {
    const ctx: ItemCtx = { sign, book, taxIsRate: older }
    const read = (row: Parameters<typeof readItem>[0]) => readItem(row, kind, ctx)
    const items = readRows(rows, kind, older ? legacyReader(read) : read)
    if (kind === 'service') return items
    const variants = readVariants(
      older ? rows.map((row) => (isObject(row) ? newerNames(row) : row)) : rows,
      items.records,
      ctx,
    )
    return {
      records: [...items.records, ...variants.records],
      rejects: [...items.rejects, ...variants.rejects],
    }
  }
  const read = (row: Parameters<typeof readDocument>[0]) => readDocument(row, { kind, flavour, sign, book })
  return readRows(rows, kind, older ? legacyReader(read) : read)
}
