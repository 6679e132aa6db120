/** The result of an integrity check over the books: the number of items checked and the faults. */
export interface Proof {
  checked: number
  /** One sentence each, with the place: number, record, row. Empty if the check passes. */
  faults: string[]
}

/** Most faults that one check reports: the first ones show where to look, more add nothing. */
export const FAULTS_LISTED = 20

/** Checks rows one by one; `faultOf` returns null for a correct row. */
export function proveRows<Row>(rows: readonly Row[], faultOf: (row: Row) => string | null): Proof {
  const faults = rows.map(faultOf).filter((fault) => fault !== null)
  return { checked: rows.length, faults: faults.slice(0, FAULTS_LISTED) }
}

/** Combines several results into one. */
export function combineProofs(...proofs: readonly Proof[]): Proof {
  return {
    checked: proofs.reduce((sum, { checked }) => sum + checked, 0),
    faults: proofs.flatMap(({ faults }) => faults).slice(0, FAULTS_LISTED),
  }
}
