/** Error codes in the window: what happened and what to do, from the common texts; and the faults of single fields. */
import { english } from '../../../server/domain/errors/messages/en.ts'
import { windowErrors } from '../window-errors.ts'
import { faults } from './faults.ts'

export const errors = {
  errors: {
    ...windowErrors(english),
    offline: {
      title: 'Sello does not answer',
      next: 'Check that it is still open and try again. Your data is safe.',
    },
  },
  faults,
}
