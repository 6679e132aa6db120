/** Runs the simulated authority as a program of its own, for `sello authority`. It needs no books and stores nothing. */
import type { AuthorityCommand, CommandIo } from '../../../../platform/simulated-authority/index.ts'

interface RegistryCommand extends AuthorityCommand {
  /** Wait that senders are asked for. */
  waitSeconds?: number
}

/** Runs until it is stopped; prints one line with all addresses and files. */
export async function runAuthority(
  { waitSeconds, ...command }: RegistryCommand,
  io: CommandIo,
): Promise<void> {
  const [{ runSimulatedAuthority }, { startAuthorityServer }] = await Promise.all([
    import('../../../../platform/simulated-authority/index.ts'),
    import('./server.ts'),
  ])
  await runSimulatedAuthority(command, io, async (options) => {
    const server = await startAuthorityServer({
      ...options,
      controlPort: 0,
      ...(waitSeconds === undefined ? {} : { waitSeconds }),
    })
    const { url, qrUrl, controlUrl, close } = server
    return { addresses: { url, qrUrl, controlUrl }, close }
  })
}
