/** The tax QR as runs of dark modules. The layout decides size and position; the registry provides the text. */
import { encode } from 'uqr'

interface QrRun {
  row: number
  column: number
  length: number
}

interface QrModules {
  /** Modules per side. */
  size: number
  runs: QrRun[]
}

/**
 * Encodes the QR with error level M, as the authority requires, never raised by the library (that would shrink the
 * modules). The mask is fixed: every mask is valid, and trying all eight costs more than the rest of the page's
 * header. Source: AEAT, characteristics of the QR and of the verification service (ISO/IEC 18004, level M).
 */
export function qrModules(url: string): QrModules {
  const { size, data } = encode(url, { ecc: 'M', boostEcc: false, border: 0, maskPattern: 3 })
  const runs: QrRun[] = []
  data.forEach((modules, row) => {
    let start = -1
    for (let column = 0; column <= size; column++) {
      const dark = column < size && modules[column] === true
      if (dark && start === -1) start = column
      if (!dark && start !== -1) {
        runs.push({ row, column: start, length: column - start })
        start = -1
      }
    }
  })
  return { size, runs }
}
