/** Random numbers from a seed, so that a corpus can be drawn again. */

/** Uniform numbers from a seed (mulberry32). */
export class Dice {
  private state: number
  constructor(seed: number) {
    this.state = seed
  }
  /** Returns a number from 0 to below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let t = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  /** Returns a whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1))
  }
  between(from: number, to: number): number {
    return from + this.next() * (to - from)
  }
  chance(share: number): boolean {
    return this.next() < share
  }
  of<T>(all: readonly T[]): T {
    const one = all[this.int(0, all.length - 1)]
    if (one === undefined) throw new Error('Nothing to choose from.')
    return one
  }
  /** Returns a text in which each # is a digit. */
  digits(pattern: string): string {
    return pattern.replace(/#/g, () => String(this.int(0, 9)))
  }
}
