/** Memory of a program and of the processes that it starts, from /proc (Linux). */
import { readdirSync, readFileSync } from 'node:fs'

/** Returns the memory of a process in kibibytes: resident, and the peak of its private part; null if it has ended. */
function memoryOf(pid: number): { now: number; peak: number; ownPeak: number } | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const of = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)?.[1] ?? 0)
    // The processes share memory mapped from files, mostly Node: it is counted once, with the program.
    return { now: of('VmRSS'), peak: of('VmHWM'), ownPeak: of('VmHWM') - of('RssFile') }
  } catch {
    return null
  }
}

function childrenOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  } catch {
    return []
  }
}

const commandOf = (pid: number): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}

/**
 * Watches a program's memory: its current one, and the peak of each process below it. Returns a function that ends it and
 * returns the largest sum in megabytes.
 */
export function watchMemory(pid: number): () => number {
  let most = 0
  const command = commandOf(pid)
  // Between fork and exec a process shares the program's pages, which would be counted twice.
  const isItself = (child: number): boolean => commandOf(child) !== command
  const look = (): void => {
    let sum = memoryOf(pid)?.now ?? 0
    for (const one of childrenOf(pid).filter(isItself)) sum += memoryOf(one)?.ownPeak ?? 0
    most = Math.max(most, sum)
  }
  const timer = setInterval(look, 4)
  return () => {
    look()
    clearInterval(timer)
    return most / 1024
  }
}

/**
 * Returns the peak of a process alone, in megabytes. `process.resourceUsage().maxRSS` is another figure: a process begins it
 * with the peak of the one that started it.
 */
export const peakOf = (pid: number): number => (memoryOf(pid)?.peak ?? 0) / 1024
