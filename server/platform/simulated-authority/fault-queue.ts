/** Fault switches of a simulated authority: for its next messages, or until they are changed. */

/** `Trigger` names the kinds of messages, `On` the choices of whoever sets a fault, such as `any`. */
export interface FaultQueue<Fault, Trigger extends string, On extends string> {
  /** Sets a fault for the next `times` messages of that kind, after the faults queued before. */
  next: (fault: Fault, options?: { times?: number; on?: On }) => void
  /** Sets a fault for every message without a queued one, until another `set`; null for none. */
  set: (fault: Fault | null, options?: { on?: On }) => void
  /** Removes every fault. */
  clear: () => void
  /** Takes the fault for an incoming message; called by the simulator and the server. */
  take: (trigger: Trigger) => Fault | null
}

interface Waiting<Fault> {
  fault: Fault
  suits: (trigger: string) => boolean
  times: number
}

/** Creates the switches. `suits` returns true if a fault that was set for `on` applies to a kind of message. */
export function createFaultQueue<Fault, Trigger extends string, On extends string>(
  suits: (fault: Fault, on: On | undefined, trigger: Trigger) => boolean,
): FaultQueue<Fault, Trigger, On> {
  let queue: Waiting<Fault>[] = []
  let standing: Waiting<Fault> | null = null
  const waiting = (fault: Fault, on: On | undefined, times: number): Waiting<Fault> => ({
    fault,
    suits: (trigger) => suits(fault, on, trigger as Trigger),
    times,
  })
  return {
    next: (fault, { times = 1, on } = {}) => {
      if (times > 0) queue.push(waiting(fault, on, times))
    },
    set: (fault, { on } = {}) => {
      standing = fault && waiting(fault, on, Infinity)
    },
    clear: () => {
      queue = []
      standing = null
    },
    take: (trigger) => {
      const found = queue.find((each) => each.suits(trigger))
      if (!found) return standing?.suits(trigger) ? standing.fault : null
      found.times -= 1
      if (found.times <= 0) queue = queue.filter((each) => each !== found)
      return found.fault
    },
  }
}
