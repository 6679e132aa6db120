/**
 * Cases that differ only in a parameter: representative ones run every time, all of them in the long run (`npm run
 * test:long`), which includes every test file that imports this one (`build/swept-files.ts`).
 */

/** Returns all cases in the long run, otherwise those selected by `stands`. */
export function swept<Case>(all: readonly Case[], stands: (each: Case, index: number) => boolean): Case[] {
  if (process.env.SELLO_TESTS === 'long') return [...all]
  const picked = all.filter(stands)
  if (picked.length === 0) throw new Error('No case stands for the others.')
  return picked
}

/** Returns the number of random cases: all in the long run, otherwise the smaller number. */
export function sweptCount(all: number, everyday: number): number {
  return process.env.SELLO_TESTS === 'long' ? all : everyday
}

/**
 * Returns the function that registers a test in the long run, otherwise one that registers nothing: for a test of what
 * the everyday run covers another way, such as a rarer path, a second look, or a rule with a test of its own.
 */
export function inLongRun<Register extends (...args: never[]) => unknown>(register: Register): Register {
  return process.env.SELLO_TESTS === 'long' ? register : ((() => undefined) as unknown as Register)
}
