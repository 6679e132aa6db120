/** Template to fill in: titles and one example row, as a Spanish spreadsheet opens it. */
import { createHash } from 'node:crypto'
import type { ContractInput } from '../../domain/contract/define-contract.ts'
import type { importTemplateContract } from './contract.ts'
import type { BytesAnswer } from '../../domain/contract/fields.ts'
import type { Ctx } from '../../context.ts'
import { IMPORT_FIELDS } from './fields.ts'

const NAMES = {
  contacts: { es: 'contactos', en: 'contacts' },
  items: { es: 'productos', en: 'items' },
  received: { es: 'facturas-recibidas', en: 'received-invoices' },
} as const

/** Spanish spreadsheets expect the semicolon, and recognize UTF-8 by its byte order mark. */
export const importTemplate: (
  ctx: Ctx,
  input: ContractInput<typeof importTemplateContract>,
) => Promise<BytesAnswer> = async (_ctx, { kind, language = 'es' }) => {
  const { default: Papa } = await import('papaparse')
  const fields = IMPORT_FIELDS[kind]
  const text = Papa.unparse(
    [fields.map(({ title }) => title[language]), fields.map(({ example }) => example[language])],
    { delimiter: language === 'es' ? ';' : ',', newline: '\r\n' },
  )
  const bytes = Buffer.from(`\ufeff${text}\r\n`, 'utf8')
  return {
    bytes,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    fileName: `${NAMES[kind][language]}.csv`,
  }
}
