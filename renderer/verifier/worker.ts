/** The checks on a thread of their own, so that the page answers while a hundred thousand records are looked at. */
import { check } from './check.ts'
import type { Request } from './model.ts'

// The page's own types know `self` as a window; here it is the worker's scope, whose `postMessage` takes no origin.
const scope = self as unknown as {
  onmessage: ((event: MessageEvent<Request>) => void) | null
  postMessage(message: unknown): void
}

scope.onmessage = ({ data }) => void check(data, (message) => scope.postMessage(message))
