/** Runs the simulated portal as a program of its own, for `sello portal`. It needs no books and stores nothing. */
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { AuthorityCommand, CommandIo } from '../../../platform/simulated-authority/index.ts'
import type { SimulatedUnits } from './index.ts'

const CODE = /^(?:[A-Z]\d{8}|[A-Z]{2}\d{7})$/

/**
 * Returns the offices in a text of one relation a line: accounting office, managing body, processing unit and, if it is
 * there, the administration, with semicolons between. Throws `validation_failed`.
 */
function unitsIn(text: string): SimulatedUnits[] {
  return text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [accountingOffice = '', managingBody = '', processingUnit = '', administration = managingBody] =
        line.split(';').map((cell) => cell.trim())
      if (![accountingOffice, managingBody, processingUnit].every((code) => CODE.test(code)))
        throw validationFailed([
          {
            code: 'wrong_format',
            field: 'units',
            severity: 'error',
            message:
              'Each line of --units is OFFICE;BODY;UNIT or OFFICE;BODY;UNIT;ADMINISTRATION, with codes of DIR3.',
          },
        ])
      return { accountingOffice, managingBody, processingUnit, administration }
    })
}

/** Runs until it is stopped; `units` is the text of the file that names them. Prints one line with all addresses and files. */
export async function runPortal(
  { units, ...command }: AuthorityCommand & { units?: string },
  io: CommandIo,
): Promise<void> {
  const known = units === undefined ? undefined : unitsIn(units)
  const [{ runSimulatedAuthority }, { startPortalServer }] = await Promise.all([
    import('../../../platform/simulated-authority/index.ts'),
    import('./server.ts'),
  ])
  await runSimulatedAuthority(command, io, async (options) => {
    const { url, controlUrl, close } = await startPortalServer({
      ...options,
      controlPort: 0,
      ...(known ? { units: known } : {}),
    })
    return { addresses: { url, service: `${url}/facturasspp2`, controlUrl }, close }
  })
}
