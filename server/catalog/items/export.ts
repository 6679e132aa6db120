/** Exports items as a file that the import can read. The file is built while it is sent. */
import { csvStream, spanishPercent, spanishPrice, textCell } from '../../domain/formats/csv-writer.ts'
import type { CsvColumn } from '../../domain/formats/csv-writer.ts'
import { metadataCell, storedMetadata } from '../../domain/contract/metadata.ts'
import { withTaxTitles } from '../../company/index.ts'
import type { UseCase } from '../../context.ts'
import type { exportItemsContract, Item } from './contract.ts'
import { itemsChosen } from './list.ts'

const yes = (is: boolean): string => (is ? 'Sí' : 'No')

const COLUMNS: readonly CsvColumn<Item>[] = [
  { title: 'Código', cell: (it) => textCell(it.sku ?? '') },
  { title: 'Nombre', cell: (it) => textCell(it.name) },
  { title: 'Descripción', cell: (it) => textCell(it.description ?? '') },
  { title: 'Unidad', cell: (it) => textCell(it.unit ?? '') },
  { title: 'Precio', cell: (it) => spanishPrice(it.unitPrice) },
  { title: 'IVA incluido', cell: (it) => yes(it.priceMode === 'gross') },
  { title: 'IVA %', cell: (it) => (it.vatRate === null ? '' : spanishPercent(it.vatRate)) },
  { title: 'Calificación', cell: (it) => it.taxTreatment },
  { title: 'Causa', cell: (it) => it.cause ?? '' },
  { title: 'Cuenta contable', cell: (it) => it.account ?? '' },
  { title: 'Activo', cell: (it) => yes(it.active) },
  { title: 'Campos libres', cell: (it) => metadataCell(storedMetadata(it.metadata)) },
]

/** Returns the list as CSV. */
export const exportItems: UseCase<typeof exportItemsContract> = async (ctx, input) => ({
  stream: csvStream(await withTaxTitles(ctx, COLUMNS), await itemsChosen(ctx, input)),
  fileName: `productos-${ctx.today()}.csv`,
})
