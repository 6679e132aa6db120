/**
 * Everything that a run would otherwise take from the machine: the real time, this computer's clock, and randomness.
 * All from one seed.
 */
import { dice } from '../seeded-random.ts'
import type { Dice } from '../seeded-random.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HOUR = 60 * MINUTE
const START = Date.parse('2026-11-21T09:00:00Z')

export class Surroundings {
  readonly dice: Dice
  /** Separate, so that an additional identifier does not change the rest of a run. */
  private readonly idDice: Dice
  /** The real time in milliseconds since 1970. */
  time = START
  /** Offset of this computer's clock, for a number of steps. */
  private offMs = 0
  private offSteps = 0

  constructor(seed: number) {
    this.dice = dice(seed)
    this.idDice = dice(seed ^ 0x5e110)
  }

  /** The time by this computer's clock. */
  readonly now = (): Date => new Date(this.time + this.offMs)

  /** A whole number below 2^35. */
  readonly idBits = (): number => this.idDice.below(2 ** 30) * 32 + this.idDice.below(32)

  /** A number in [0, 1), for random variation of waits. */
  readonly random = (): number => this.dice.below(1000) / 1000

  advance(ms: number): void {
    this.time += ms
    if (this.offSteps > 0 && --this.offSteps === 0) this.offMs = 0
  }

  setClockOff(ms: number, steps: number): void {
    this.offMs = ms
    this.offSteps = steps
  }

  setClockRight(): void {
    this.offMs = 0
    this.offSteps = 0
  }
}
