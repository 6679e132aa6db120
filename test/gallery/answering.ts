/** Answers in place of the server's, for states that no books can be brought into by hand. */
import { visit } from '../support/browser/browser.ts'
import type { GalleryState, Stage } from './states.ts'

export type Answers = Readonly<Record<string, object | ((input: Record<string, unknown>) => object)>>
interface Refusal {
  refused: { status: number; code: string; details: object }
}
/** A refusal in place of an answer. */
export const refused = (status: number, code: string, details: object): Refusal => ({
  refused: { status, code, details },
})

/** Answers in place of the server, and goes to a page that asks for them. */
async function answering({ page }: Stage, answers: Answers, path: string): Promise<void> {
  for (const [name, answer] of Object.entries(answers))
    await page.route(`**/app/call/${name}`, (route) => {
      const data =
        typeof answer === 'function'
          ? (answer(route.request().postDataJSON() as Record<string, unknown>) as object)
          : answer
      if (!('refused' in data)) return route.fulfill({ json: { ok: true, data } })
      const { status: code, ...error } = (data as Refusal).refused
      return route.fulfill({
        status: code,
        json: { ok: false, error: { ...error, message: error.code, retry: 'never' }, meta: {} },
      })
    })
  await visit(page, path)
}

/** Makes states of an area: each begins at `elsewhere`, a page that asks for none of what is answered. */
export const statesOf =
  (area: string, elsewhere: string) =>
  (
    name: string,
    answers: Answers,
    path: string | GalleryState['path'],
    then: (stage: Stage) => Promise<unknown> = () => Promise.resolve(),
    more: Partial<GalleryState> = {},
  ): GalleryState => ({
    name: `${area}-${name}`,
    world: 'everyday',
    path: () => elsewhere,
    act: async (stage) => {
      await answering(stage, answers, typeof path === 'string' ? path : path(stage.world.ids))
      await then(stage)
    },
    ...more,
  })
