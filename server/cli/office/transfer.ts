/** The commands that move companies into an office, out of it, and between its cells, by name. */
import type { Command } from '../shared.ts'
import type { OfficeAccess } from './access.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { forgetCommand, moveCommand, setCellCommand } from './move.ts'
import { refusalByDatabase } from './open.ts'
import { IN_OFFICE, OFFICE_OPTIONS } from './settings.ts'
import { takeInCommand } from './take-in.ts'

/**
 * Returns a command of an office. It works with the role that owns the tables: it takes sequences and triggers in hand,
 * which servers may not.
 */
function inOffice(command: Command): Command {
  return {
    ...command,
    inOffice: IN_OFFICE,
    options: { ...OFFICE_OPTIONS, 'migration-database-file': { type: 'string' }, ...command.options },
    run: (values, settings, io) =>
      command.run(values, settings, io).catch((error: unknown) => {
        throw refusalByDatabase(error)
      }),
  }
}

export function transferCommands(access: OfficeAccess): Readonly<Record<string, Command>> {
  const commands: Record<string, Command> = {
    'office import': importCommand(access),
    'office take-in': takeInCommand(access),
    'office export': exportCommand(access),
    'office move': moveCommand(access),
    'office set-cell': setCellCommand(access),
    'office forget': forgetCommand(access),
  }
  return Object.fromEntries(Object.entries(commands).map(([name, command]) => [name, inOffice(command)]))
}
