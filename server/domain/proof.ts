/** What a proof over the books found: how much it looked at, and where it breaks. */
export interface Proof {
  checked: number
  /** A sentence each, naming the place: number, record, row. Empty when the proof holds. */
  faults: string[]
}

/** Faults one proof tells of: the first ones say where to look, thousands say nothing more. */
export const FAULTS_LISTED = 20

/** The proof over rows that were looked at one by one; `faultOf` answers null where nothing is wrong. */
export function proofOver<Row>(rows: readonly Row[], faultOf: (row: Row) => string | null): Proof {
  const faults = rows.map(faultOf).filter((fault) => fault !== null)
  return { checked: rows.length, faults: faults.slice(0, FAULTS_LISTED) }
}

/** Several proofs as one. */
export function proofOf(...proofs: readonly Proof[]): Proof {
  return {
    checked: proofs.reduce((sum, { checked }) => sum + checked, 0),
    faults: proofs.flatMap(({ faults }) => faults).slice(0, FAULTS_LISTED),
  }
}
