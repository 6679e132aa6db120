/**
 * The commands of an office. They are listed with all others, so that nothing here loads the driver of PostgreSQL: each
 * loads what it needs when it runs.
 */
import { accessCommands } from '../access.ts'
import type { Command } from '../shared.ts'
import { drill } from './drill.ts'
import { leaveCommand } from '../leaving.ts'
import { handBackCommands } from './hand-back.ts'
import { createMasterKey, migrate } from './migrate.ts'
import { withOffice } from './open.ts'
import { personCommands } from './person.ts'
import { serve } from './serve.ts'
import { IN_OFFICE, masterKeyOf, migrationUrl, OFFICE_OPTIONS } from './settings.ts'
import { transferCommands } from './transfer.ts'
import { verify } from './verify.ts'

/** Returns a command of a desk as one of an office: the same work over the database. */
function inOffice(command: Command, usage: string, about = command.about): Command {
  const { options, positional, run } = command
  return {
    usage,
    about,
    inOffice: IN_OFFICE,
    options: { ...OFFICE_OPTIONS, ...options },
    ...(positional === undefined ? {} : { positional }),
    run: (values, _settings, io) =>
      withOffice(values, io, (sello) => run(values, { dataDir: '', keyFile: undefined, running: sello }, io)),
  }
}

/** Commands by name; `init` is that of a desk. */
export function officeCommands(init: Command): Readonly<Record<string, Command>> {
  const access = Object.entries(accessCommands).map(([name, command]) => [
    `office ${name}`,
    inOffice(command, `office ${command.usage}`),
  ])
  return {
    'office migrate': migrate,
    'office create-key': createMasterKey,
    'office init': inOffice(
      init,
      'office init --company FILE.json|-',
      'Add a company with its live and its test book. The company comes from a file or stdin (-).',
    ),
    ...(Object.fromEntries(access) as Record<string, Command>),
    ...personCommands,
    ...handBackCommands,
    'office leave': inOffice(leaveCommand, `office ${leaveCommand.usage}`),
    'office serve': serve,
    'office verify': verify,
    'office drill': drill,
    ...transferCommands({ url: migrationUrl, masterKey: masterKeyOf }),
  }
}
