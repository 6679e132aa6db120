/** Runs the simulated filing services as a program of their own, for `sello authority --returns`. They store nothing. */
import { validationFailed } from '../../../domain/errors/app-error.ts'
import type { AuthorityCommand, CommandIo } from '../../../platform/simulated-authority/index.ts'
import { readPowers } from './registry.ts'
import type { Power } from './registry.ts'

/** Returns the powers of `HOLDER:FILER[:attorney|collaborator|legal]`, several with commas between. Throws `validation_failed`. */
function powersIn(text: string): Power[] {
  const parts = text.split(',').filter((each) => each !== '')
  const read = readPowers(
    parts.map((part) => {
      const [nif, filer, as = 'attorney', ...rest] = part.split(':')
      return { nif, for: filer, as: rest.length > 0 ? '' : as }
    }),
  )
  if (read) return read
  throw validationFailed([
    {
      code: 'wrong_format',
      field: 'powers',
      severity: 'error',
      message:
        '--powers is HOLDER:FILER or HOLDER:FILER:attorney, collaborator or legal, with two tax numbers.',
    },
  ])
}

/** Runs until it is stopped; prints one line with all addresses and files. */
export async function runReturnsAuthority(
  { powers = '', ...command }: AuthorityCommand & { powers?: string },
  io: CommandIo,
): Promise<void> {
  const registered = powersIn(powers)
  const [{ runSimulatedAuthority }, { startReturnsServer }] = await Promise.all([
    import('../../../platform/simulated-authority/index.ts'),
    import('./server.ts'),
  ])
  await runSimulatedAuthority(command, io, async (options) => {
    const { url, controlUrl, close } = await startReturnsServer({
      ...options,
      controlPort: 0,
      powers: registered,
    })
    return { addresses: { url, controlUrl }, close }
  })
}
