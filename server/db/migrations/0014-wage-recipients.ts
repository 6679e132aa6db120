/** Recipients of wages for model 190, and suppliers' identifiers as they are written. */
import { wageRecipients as recipients } from './0014/wage-recipients.ts'
import { writtenSupplierNumbers } from './0014/written-supplier-numbers.ts'

export const wageRecipients = [recipients, writtenSupplierNumbers].join('\n')
