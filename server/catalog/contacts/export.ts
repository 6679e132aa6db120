/**
 * Exports contacts as a file that the import can read, with each one's invoiced total. The file is built while it is
 * sent.
 */
import {
  csvStream,
  spanishDate,
  spanishNumber,
  spanishPercent,
  textCell,
} from '../../domain/formats/csv-writer.ts'
import type { CsvColumn } from '../../domain/formats/csv-writer.ts'
import { metadataCell, storedMetadata } from '../../domain/contract/metadata.ts'
import type { UseCase } from '../../context.ts'
import type { ContactRow, exportContactsContract } from './contract.ts'
import { contactsChosen } from './list.ts'

const METHODS: Record<NonNullable<ContactRow['paymentMethod']>, string> = {
  transfer: 'Transferencia',
  direct_debit: 'Domiciliación',
  card: 'Tarjeta',
  cash: 'Efectivo',
  bizum: 'Bizum',
  cheque: 'Cheque',
  other: 'Otra',
}

function roleOf({ roles: { customer, supplier } }: ContactRow): string {
  if (customer && supplier) return 'Cliente y proveedor'
  return supplier ? 'Proveedor' : customer ? 'Cliente' : ''
}

const text = (value: string | null | undefined): string => textCell(value ?? '')

const COLUMNS: readonly CsvColumn<ContactRow>[] = [
  { title: 'Nombre o razón social', cell: (it) => text(it.name) },
  { title: 'Nombre comercial', cell: (it) => text(it.tradeName) },
  { title: 'NIF', cell: (it) => text(it.nif) },
  { title: 'Tipo de identificación', cell: (it) => text(it.idType) },
  { title: 'Dirección', cell: (it) => text(it.address?.street) },
  { title: 'Código postal', cell: (it) => text(it.address?.postalCode) },
  { title: 'Población', cell: (it) => text(it.address?.city) },
  { title: 'Provincia', cell: (it) => text(it.address?.province) },
  { title: 'País', cell: (it) => text(it.address?.country) },
  { title: 'Correo', cell: (it) => text(it.email) },
  { title: 'Teléfono', cell: (it) => text(it.phone) },
  { title: 'IBAN', cell: (it) => text(it.iban) },
  { title: 'Tipo', cell: roleOf },
  { title: 'Días para pagar', cell: (it) => (it.paymentDays === null ? '' : String(it.paymentDays)) },
  { title: 'Forma de pago', cell: (it) => (it.paymentMethod === null ? '' : METHODS[it.paymentMethod]) },
  {
    title: 'Retención %',
    cell: (it) => (it.withholdingPct === null ? '' : spanishPercent(it.withholdingPct)),
  },
  { title: 'Recargo de equivalencia', cell: (it) => (it.surcharge ? 'Sí' : 'No') },
  { title: 'Etiquetas', cell: (it) => text(it.tags.join(', ')) },
  { title: 'Notas', cell: (it) => text(it.notes) },
  { title: 'Facturas', cell: (it) => String(it.invoices) },
  { title: 'Facturado', cell: (it) => spanishNumber(it.invoiced) },
  { title: 'Pendiente', cell: (it) => spanishNumber(it.owed) },
  {
    title: 'Última factura',
    cell: (it) => (it.lastInvoiceOn === null ? '' : spanishDate(it.lastInvoiceOn)),
  },
  { title: 'Referencias externas', cell: (it) => text(it.externalRefs.join(', ')) },
  { title: 'Campos libres', cell: (it) => metadataCell(storedMetadata(it.metadata)) },
]

/** Returns the list as CSV. */
export const exportContacts: UseCase<typeof exportContactsContract> = async (ctx, input) => ({
  stream: csvStream(COLUMNS, await contactsChosen(ctx, input)),
  fileName: `contactos-${ctx.today()}.csv`,
})
