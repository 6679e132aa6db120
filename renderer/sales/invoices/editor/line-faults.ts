/** Faults of the lines, grouped by row. */
import { fieldMessage } from './fault-messages.ts'
import type { DraftFault } from './faults.ts'

export interface RowFault {
  cell: string
  severity: 'error' | 'warning'
  text: string
}

/** Returns the faults by the key of the line. */
export function rowFaultsOf(faults: readonly DraftFault[]): Map<number, RowFault[]> {
  const map = new Map<number, RowFault[]>()
  for (const fault of faults) {
    const match = /^line:(\d+):(\w+)$/.exec(fault.anchor)
    if (!match || (fault.line === null && fault.server)) continue
    const key = Number(match[1])
    map.set(key, [
      ...(map.get(key) ?? []),
      { cell: match[2] ?? '', severity: fault.severity, text: fieldMessage(fault) },
    ])
  }
  return map
}
