/** Runs the simulated service of a province as a program of its own. It needs no books and stores nothing. */
import type { AuthorityCommand, CommandIo } from '../../../../platform/simulated-authority/index.ts'
import type { Province } from '../wire/services.ts'
import type { ProvinceOptions } from './provinces.ts'

interface ServiceCommand extends AuthorityCommand {
  province: Province
  /** Messages of one certificate in a minute; no limit by default. */
  perMinute?: number
}

/** Runs until it is stopped; prints one line with all addresses and files. */
export async function runService(
  { province, perMinute, ...command }: ServiceCommand,
  { verify, identifierOf }: Pick<ProvinceOptions, 'verify' | 'identifierOf'>,
  io: CommandIo,
): Promise<void> {
  const [{ runSimulatedAuthority }, { startServiceServer }] = await Promise.all([
    import('../../../../platform/simulated-authority/index.ts'),
    import('./server.ts'),
  ])
  await runSimulatedAuthority(command, io, async (options) => {
    const { service, controlUrl, close } = await startServiceServer({
      ...options,
      province,
      verify,
      controlPort: 0,
      ...(identifierOf ? { identifierOf } : {}),
      ...(perMinute === undefined ? {} : { perMinute }),
    })
    const { invoice, cancellation, correction, cancellationCorrection, query } = service
    return {
      addresses: { invoice, cancellation, correction, cancellationCorrection, query, controlUrl },
      close,
    }
  })
}
