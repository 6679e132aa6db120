/** Error codes in the window: what happened and what to do, from the common texts; and the faults of single fields. */
import { spanish } from '../../../server/domain/errors/messages/es.ts'
import { windowErrors } from '../window-errors.ts'
import { faults } from './faults.ts'

export const errors = {
  errors: {
    ...windowErrors(spanish),
    offline: {
      title: 'Sello no responde',
      next: 'Comprueba que sigue abierto y reinténtalo. Tus datos están bien.',
    },
  },
  faults,
}
