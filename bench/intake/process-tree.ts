/** Memory and processor time of a process with all that it started. Linux only: zeros elsewhere. */
import { readdirSync, readFileSync } from 'node:fs'

const MEGABYTE_KB = 1024

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Not Linux, or the process has ended.
    return ''
  }
}

/** Returns a process and its descendants. */
function treeOf(pid: number): number[] {
  let tasks: string[] = []
  try {
    tasks = readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
  const children = tasks.flatMap((task) =>
    read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(treeOf)]
}

const kb = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0)

/** Returns the memory in MB: resident, and with pages that several processes share counted once. */
export function memoryOf(pid: number): { resident: number; proportional: number } {
  let resident = 0
  let proportional = 0
  for (const each of treeOf(pid)) {
    resident += kb(read(`/proc/${each}/status`), 'VmRSS')
    proportional += kb(read(`/proc/${each}/smaps_rollup`), 'Pss')
  }
  return { resident: resident / MEGABYTE_KB, proportional: proportional / MEGABYTE_KB }
}

/** Clock ticks of Linux are hundredths of a second. */
const TICK_MS = 10

/** Returns the processor time in milliseconds that a process and its descendants have used, also those that have ended. */
export function cpuMsOf(pid: number): number {
  return treeOf(pid).reduce((sum, one) => {
    const fields = read(`/proc/${one}/stat`).split(') ')[1]?.split(' ') ?? []
    // User and system time, and that of the children that have ended (proc(5), fields 14 to 17).
    return sum + fields.slice(11, 15).reduce((ticks, each) => ticks + Number(each), 0) * TICK_MS
  }, 0)
}
