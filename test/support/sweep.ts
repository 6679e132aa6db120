/**
 * Cases that differ in a parameter alone: those that stand for the others are played in every run, all of them in the long
 * one (`npm run test:long`), which takes in the files named here.
 */

/** Files whose cases are cut down in the everyday run, from the root. A test compares the list with the files. */
export const SWEPT_FILES: readonly string[] = [
  'test/e2e/app/guide.test.ts',
  'test/e2e/window/keyboard.test.ts',
]

/** All cases in the long run, otherwise those that `stands` picks. */
export function swept<Case>(all: readonly Case[], stands: (each: Case, index: number) => boolean): Case[] {
  if (process.env.SELLO_TESTS === 'long') return [...all]
  const picked = all.filter(stands)
  if (picked.length === 0) throw new Error('No case stands for the others.')
  return picked
}
