/** Set-up that the projects of one run of Vitest share: each of them calls it. */

type End = () => void | Promise<void>

const MADE = Symbol.for('sello:shared-setup')

/** Runs `make` for the first caller of a name; the others wait for it, and have nothing to end. */
export async function sharedSetup(name: string, make: () => Promise<End>): Promise<End> {
  const made = ((globalThis as { [MADE]?: Map<string, Promise<End>> })[MADE] ??= new Map())
  const earlier = made.get(name)
  if (earlier) {
    await earlier
    return () => {}
  }
  const making = make()
  made.set(name, making)
  return making
}
