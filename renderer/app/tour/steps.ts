/** Steps of the tour: page, target, and the position of the card beside it. Pure. */

interface TourStep {
  /** Message key below `tour.steps`. */
  id: 'book' | 'home' | 'invoices' | 'create' | 'received' | 'taxes' | 'registry' | 'help'
  path: string
  /** Selectors of the target: the first one that exists and is visible. Narrow windows have no sidebar. */
  targets: readonly string[]
}

/** Target on a page that has nothing to show yet: its title. */
const TITLE = '#page h1'

export const TOUR: readonly TourStep[] = [
  { id: 'book', path: '/', targets: ['[data-tour="book"]', '[data-tour="band"]', TITLE] },
  { id: 'home', path: '/', targets: ['#page ul.heroes', TITLE] },
  { id: 'invoices', path: '/invoices', targets: ['#page [role="grid"] [aria-rowindex="2"]', TITLE] },
  { id: 'create', path: '/invoices', targets: ['#page header a[href="/invoices/new"]', TITLE] },
  { id: 'received', path: '/received', targets: ['#page a[href="/received/new"]', TITLE] },
  { id: 'taxes', path: '/taxes', targets: ['#page ul.grid > li', TITLE] },
  { id: 'registry', path: '/registry', targets: ['#page section.card', TITLE] },
  { id: 'help', path: '/', targets: ['[data-tour="help"]', '[data-tour="menu"]', TITLE] },
]

export interface Box {
  left: number
  top: number
  width: number
  height: number
}

/** Pixels between the card, the target and the window's edge. */
const GAP = 12

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(value, most))

/**
 * Returns a position of the card that never covers the target: right, left, below or above, the first with enough
 * room; in narrow windows a sheet at the bottom, or at the top if the target is at the bottom.
 */
export function placeCard(
  target: Box | null,
  card: { width: number; height: number },
  view: { width: number; height: number },
): { left: number; top: number } {
  const middle = { left: (view.width - card.width) / 2, top: (view.height - card.height) / 2 }
  if (!target) return middle
  const right = target.left + target.width + GAP
  const left = target.left - card.width - GAP
  const below = target.top + target.height + GAP
  const above = target.top - card.height - GAP
  const alongTop = clamp(target.top, GAP, Math.max(GAP, view.height - card.height - GAP))
  const alongLeft = clamp(target.left, GAP, Math.max(GAP, view.width - card.width - GAP))
  if (view.width >= 640) {
    if (right + card.width + GAP <= view.width) return { left: right, top: alongTop }
    if (left >= GAP) return { left, top: alongTop }
  }
  if (below + card.height + GAP <= view.height)
    return { left: alongLeft, top: view.width < 640 ? view.height - card.height : below }
  if (above >= GAP) return { left: alongLeft, top: view.width < 640 ? 0 : above }
  // No side has room: as low as possible, over the end of a long target.
  return { left: alongLeft, top: view.height - card.height - GAP }
}
