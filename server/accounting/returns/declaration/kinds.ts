/**
 * Kinds of a return: how its result is settled. Source: the field "tipo de declaración" of the agency's designs of
 * records 303, 130, 131, 111, 115, 123 and 369.
 */
import type { ModelNumber, Outcome } from '../contract.ts'
import type { Cents } from '../../../domain/money.ts'

/**
 * Pay with a reference of the bank (I), by direct debit (U) or into the current account of the Treasury (G); nothing to pay
 * (N); deduct in later quarters (B); offset later (C); refund to an account (D), into the current account (V) or abroad (X);
 * in the 369 also: acknowledge the debt without paying (O). Its partial payments (S) and transfers from abroad (T) are not written.
 */
export const RETURN_KINDS = ['I', 'U', 'G', 'N', 'B', 'C', 'D', 'V', 'X', 'O'] as const
export type ReturnKind = (typeof RETURN_KINDS)[number]

const PAID: readonly ReturnKind[] = ['U', 'I', 'G']

/**
 * Returns the kinds that a result allows, the usual one first; empty for a return that only informs. `canAskRefund`: in the
 * last period of the year (LIVA art. 115), or in each for the register of monthly refunds (LIVA art. 116).
 */
export function kindsFor(model: ModelNumber, resultCents: Cents, canAskRefund: boolean): ReturnKind[] {
  switch (model) {
    case '303':
      if (resultCents > 0) return [...PAID]
      if (resultCents === 0) return ['N']
      return canAskRefund ? ['C', 'D', 'V', 'X'] : ['C']
    case '130':
    case '131':
      return resultCents > 0 ? [...PAID] : resultCents < 0 ? ['B'] : ['N']
    case '111':
    case '115':
    case '123':
      return resultCents > 0 ? [...PAID] : ['N']
    case '369':
      return resultCents > 0 ? ['I', 'O'] : ['N']
    default:
      return []
  }
}

/** Kinds whose file names an account. */
export const WITH_ACCOUNT: readonly ReturnKind[] = ['U', 'D', 'X']

const OUTCOMES: Record<ReturnKind, Outcome> = {
  I: 'pay',
  U: 'pay',
  G: 'pay',
  N: 'none',
  B: 'none',
  C: 'offset',
  D: 'refund',
  V: 'refund',
  X: 'refund',
  O: 'pay',
}

/** Returns how a return of a kind is settled, as it is stored with the filing. */
export function outcomeOf(kind: ReturnKind | null): Outcome {
  return kind === null ? 'none' : OUTCOMES[kind]
}

/** What a return is beside earlier ones of its period. */
export const RETURN_NATURES = ['first', 'complementary', 'rectifying', 'substitutive'] as const
export type ReturnNature = (typeof RETURN_NATURES)[number]

const NATURES: Partial<Record<ModelNumber, readonly ReturnNature[]>> = {
  // Since September 2024 a self-assessment of VAT is rectified, in favour of either side (Orden HAC/819/2024).
  '303': ['rectifying'],
  '130': ['complementary'],
  '111': ['complementary'],
  '115': ['complementary'],
  '123': ['complementary'],
  '131': ['complementary'],
  // LGT art. 122; a second summary replaces the first (instructions of form 425).
  '420': ['complementary'],
  '425': ['substitutive'],
  '390': ['substitutive'],
  // A complementary list holds only the records that were left out, and which those are is not known.
  '347': ['substitutive'],
  '349': ['substitutive'],
  '190': ['substitutive'],
  '180': ['substitutive'],
}

/** Returns what a later return of the same period may be. */
export function laterNatures(model: ModelNumber): readonly ReturnNature[] {
  return NATURES[model] ?? []
}
