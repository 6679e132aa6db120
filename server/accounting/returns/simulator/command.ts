/** Runs the simulated filing services as a program of their own, for `sello authority --returns`. They store nothing. */
import type { AuthorityCommand, CommandIo } from '../../../platform/simulated-authority/index.ts'

/** Runs until it is stopped; prints one line with all addresses and files. */
export async function runReturnsAuthority(command: AuthorityCommand, io: CommandIo): Promise<void> {
  const [{ runSimulatedAuthority }, { startReturnsServer }] = await Promise.all([
    import('../../../platform/simulated-authority/index.ts'),
    import('./server.ts'),
  ])
  await runSimulatedAuthority(command, io, async (options) => {
    const { url, controlUrl, close } = await startReturnsServer({ ...options, controlPort: 0 })
    return { addresses: { url, controlUrl }, close }
  })
}
