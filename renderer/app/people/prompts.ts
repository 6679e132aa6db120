/** What the window asks of the person in the middle of other work: to sign in again, and to prove to be there. */
import { shallowRef } from 'vue'
import { CallError } from '../../call.ts'

/** Set while the sign-in is shown over the page. */
export const signInPrompt = shallowRef<{ done: () => void } | null>(null)
let signingIn: Promise<void> | null = null

/** Asks for a sign-in over the page, once for all calls that need it. */
export function signInAgain(): Promise<void> {
  signingIn ??= new Promise<void>((resolve) => {
    signInPrompt.value = { done: resolve }
  }).finally(() => {
    signInPrompt.value = null
    signingIn = null
  })
  return signingIn
}

interface VerifyPrompt {
  operation: string
  done: (proof: string) => void
  cancel: () => void
}

/** Set while a fresh proof is asked for. */
export const verifyPrompt = shallowRef<VerifyPrompt | null>(null)
let last: Promise<unknown> = Promise.resolve()

function ask(operation: string): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    verifyPrompt.value = {
      operation,
      done: resolve,
      cancel: () =>
        reject(
          new CallError({ code: 'verification_needed', message: 'Nobody proved to be there.', status: 403 }),
        ),
    }
  }).finally(() => (verifyPrompt.value = null))
}

/** Asks for a fresh proof for an operation, one after another. Throws `verification_needed` if none is given. */
export function verify(operation: string): Promise<string> {
  const mine = last.then(() => ask(operation))
  last = mine.catch(() => undefined)
  return mine
}
