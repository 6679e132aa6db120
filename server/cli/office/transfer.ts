/** The commands that move companies into an office, out of it, and between its cells, by name. */
import type { Command } from '../shared.ts'
import type { OfficeAccess } from './access.ts'
import { exportCommand } from './export.ts'
import { importCommand } from './import.ts'
import { forgetCommand, moveCommand, setCellCommand } from './move.ts'

export function transferCommands(access: OfficeAccess): Readonly<Record<string, Command>> {
  return {
    'office import': importCommand(access),
    'office export': exportCommand(access),
    'office move': moveCommand(access),
    'office set-cell': setCellCommand(access),
    'office forget': forgetCommand(access),
  }
}
