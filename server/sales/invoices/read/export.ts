/** Exports the invoice list as a CSV file, streamed while it is made. */
import type { exportInvoicesContract } from './export-contract.ts'
import { csvStream, spanishDate, spanishNumber, textCell } from '../../../domain/formats/csv-writer.ts'
import type { CsvColumn } from '../../../domain/formats/csv-writer.ts'
import { metadataCell } from '../../../domain/contract/metadata.ts'
import { eurosFromCents } from '../../../domain/money.ts'
import { withTaxTitles } from '../../../company/index.ts'
import type { Ctx, UseCase } from '../../../context.ts'
import type { PaymentStatus } from '../contract.ts'
import type { RegistryStatus } from '../../../registry/contract.ts'
import { invoicesChosen } from './list.ts'
import type { ListRow } from './list.ts'
import { summaryView } from './view.ts'

const PAYMENT: Record<PaymentStatus, string> = {
  draft: 'Borrador',
  unpaid: 'Pendiente',
  partial: 'Cobro parcial',
  paid: 'Cobrada',
  overdue: 'Vencida',
  uncollectible: 'Incobrable',
  credit: 'A devolver',
  cancelled: 'Anulada',
}

const REGISTRY: Record<RegistryStatus, string> = {
  not_issued: 'Sin emitir',
  not_registered: 'De otro programa',
  pending: 'En cola',
  sending: 'Enviando',
  accepted: 'Registrada',
  accepted_with_errors: 'Registrada con avisos',
  rejected: 'Rechazada',
  unknown: 'Sin confirmar',
  cancelled: 'Anulada',
}

type Listed = ReturnType<typeof summaryView> & { withheld: number; metadata: string }

const day = (date: string | null): string => (date === null ? '' : spanishDate(date))

const COLUMNS: readonly CsvColumn<Listed>[] = [
  { title: 'Número', cell: (it) => textCell(it.number ?? 'Borrador') },
  { title: 'Serie', cell: (it) => textCell(it.series ?? '') },
  { title: 'Tipo', cell: (it) => it.kind },
  { title: 'Fecha', cell: (it) => day(it.issueDate) },
  { title: 'Vencimiento', cell: (it) => day(it.dueDate) },
  { title: 'Cliente', cell: (it) => textCell(it.clientName) },
  { title: 'NIF', cell: (it) => textCell(it.clientNif ?? '') },
  { title: 'Base', cell: (it) => spanishNumber(it.base) },
  { title: 'IVA', cell: (it) => spanishNumber(it.tax) },
  { title: 'Total', cell: (it) => spanishNumber(it.total) },
  { title: 'Retención', cell: (it) => spanishNumber(it.withheld) },
  { title: 'Pendiente', cell: (it) => spanishNumber(it.amountDue) },
  { title: 'Cobro', cell: (it) => PAYMENT[it.payment.status] },
  { title: 'Registro', cell: (it) => REGISTRY[it.registry.status] },
  { title: 'Moneda', cell: (it) => it.currency },
  { title: 'Referencia externa', cell: (it) => textCell(it.externalRef ?? '') },
  { title: 'Campos libres', cell: (it) => metadataCell(it.metadata) },
]

async function* listed(
  ctx: Ctx,
  stretches: AsyncIterable<readonly ListRow[]>,
): AsyncGenerator<Listed[], void, undefined> {
  const today = ctx.today()
  for await (const rows of stretches)
    yield rows.map((row) => ({
      ...summaryView(ctx, row, today),
      withheld: eurosFromCents(row.withholding_cents),
      metadata: row.metadata,
    }))
}

/** Streams the list as CSV. Amounts are in euros. */
export const exportInvoices: UseCase<typeof exportInvoicesContract> = async (ctx, input) => ({
  stream: csvStream(await withTaxTitles(ctx, COLUMNS), listed(ctx, await invoicesChosen(ctx, input))),
  fileName: `facturas-${ctx.today()}.csv`,
})
