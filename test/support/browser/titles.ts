/** The title of a page in the widths in which its header has the least room. */
import type { Page } from 'playwright-core'

/** Just wide enough for the menu at the side, and for the words of the actions. */
const TIGHT_WIDTHS = [1024, 640] as const
/** Of a longer title so much has to be seen, in pixels. */
const LEAST_SEEN = 60

/** Returns where the actions of the header leave no room for the title, or make the page wider than its window. */
export async function titleFaults(page: Page): Promise<string[]> {
  const usual = page.viewportSize()
  const faults: string[] = []
  for (const width of TIGHT_WIDTHS) {
    await page.setViewportSize({ width, height: usual?.height ?? 800 })
    const found = await page.evaluate(async (least) => {
      const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve))
      const faultsNow = (): string[] => {
        const title = document.querySelector<HTMLElement>('main h1')
        const seen = title?.getBoundingClientRect().width ?? least
        const isCut = title !== null && seen + 1 < Math.min(least, title.scrollWidth)
        const { scrollWidth, clientWidth } = document.documentElement
        return [
          ...(isCut ? [`only ${Math.round(seen)} px of the title are seen`] : []),
          ...(scrollWidth > clientWidth + 1 ? ['wider than its window'] : []),
        ]
      }
      // After a change of its size a page lays itself out again in the next frames.
      const until = (await frame()) + 1_000
      while ((await frame()) < until && faultsNow().length > 0);
      return faultsNow()
    }, LEAST_SEEN)
    faults.push(...found.map((fault) => `${fault} at ${width} px`))
  }
  if (usual) await page.setViewportSize(usual)
  return faults
}
