/** The command that runs the simulated public e-invoice platform. */
import { optionFault, portOf, readInputFile, text } from './shared.ts'
import type { Command } from './shared.ts'

export const platform: Command = {
  usage:
    'platform [--port N] [--control-port N] [--dir DIR] [--clients NIF,…] [--powers HOLDER:COMPANY[:collaborator],…] [--unknown NIF,…] [--per-minute N] [--client-ca F]',
  about:
    'Run the simulated public e-invoice platform as a server on this computer until it is stopped. Needs no books.',
  details: async () => {
    const { platformHelp } = await import('../integrations/exchange/simulator/start.ts')
    return platformHelp()
  },
  options: {
    port: { type: 'string' },
    'control-port': { type: 'string' },
    dir: { type: 'string' },
    clients: { type: 'string' },
    powers: { type: 'string' },
    unknown: { type: 'string' },
    'per-minute': { type: 'string' },
    'client-ca': { type: 'string' },
  },
  async run(values, _settings, io) {
    const perMinute = text(values, 'per-minute')
    if (perMinute !== undefined && !/^[1-9]\d{0,4}$/.test(perMinute))
      throw optionFault('per-minute', '--per-minute is a number of messages from 1 to 99999.')
    const [dir, clientCa] = [text(values, 'dir'), text(values, 'client-ca')]
    const { runPlatform } = await import('../integrations/exchange/simulator/start.ts')
    await runPlatform(
      {
        port: portOf(text(values, 'port') ?? '0'),
        controlPort: controlPortOf(text(values, 'control-port') ?? '0'),
        ...(dir === undefined ? {} : { dir }),
        clients: text(values, 'clients') ?? '',
        powers: text(values, 'powers') ?? '',
        unknown: text(values, 'unknown') ?? '',
        ...(clientCa === undefined ? {} : { clientCa: readInputFile(clientCa, 'client-ca') }),
        ...(perMinute === undefined ? {} : { perMinute: Number(perMinute) }),
      },
      io,
    )
    return {}
  },
}

function controlPortOf(value: string): number {
  const port = Number(value)
  if (!/^\d{1,5}$/.test(value) || port > 65_535)
    throw optionFault('control-port', 'A port is a number from 0 to 65535.')
  return port
}
