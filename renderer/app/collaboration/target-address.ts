/** Pages of the records that notes and tasks are about. Pure. */
import type { InputOf } from '../../../server/api/contracts.ts'

type Target = InputOf<'notes.list'>['target']

export function addressOfTarget({ type, id }: Target): string {
  switch (type) {
    case 'invoice':
      return `/invoices/${id}`
    case 'quote':
      return `/quotes/${id}`
    case 'received':
      return `/received/${id}`
    case 'contact':
      return `/contacts/${id}`
    case 'transaction':
      return `/bank/${id}`
    case 'return': {
      const [model, year, period] = id.split('-')
      return `/taxes/${year}-${period === '0A' ? '4T' : period}/${model}`
    }
  }
}
