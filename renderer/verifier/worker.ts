/** Runs the checks in a worker thread, so that the page responds while a hundred thousand records are checked. */
import { check } from './check.ts'
import type { Request } from './model.ts'

// The page's types declare `self` as a window; here it is the worker's scope, whose `postMessage` takes no origin.
const scope = self as unknown as {
  onmessage: ((event: MessageEvent<Request>) => void) | null
  postMessage(message: unknown): void
}

scope.onmessage = ({ data }) => void check(data, (message) => scope.postMessage(message))
