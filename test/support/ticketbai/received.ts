/** Received invoices for tests of Bizkaia's book. */
import type { ReceivedInvoice } from '../../../server/registry/systems/ticketbai/lroe/received.ts'

export function receivedInvoice(
  model: '140' | '240',
  {
    number = 'F-7',
    foreign = false,
    correction = false,
  }: { number?: string; foreign?: boolean; correction?: boolean } = {},
): ReceivedInvoice {
  return {
    id: `received-${number}-${String(foreign)}`,
    key: {
      issuer: foreign
        ? { name: 'Atelier & Fils', id: { country: 'FR', type: '02', number: 'FR12345678901' } }
        : { name: 'Hornidura, S.L.', id: { nif: 'B12345674' } },
      series: foreign ? '' : 'S',
      number,
      issueDate: '15-10-2026',
    },
    operationDate: '14-10-2026',
    receptionDate: '20-10-2026',
    type: 'F1',
    ...(correction
      ? {
          correction: {
            code: 'R1' as const,
            by: 'S' as const,
            substituted: { base: '50.00', tax: '10.50' },
            corrected: [{ series: '', number: 'F-1', issueDate: '01-10-2026' }],
          },
        }
      : {}),
    description: 'Materiala',
    regimeKeys: foreign ? ['09'] : ['01'],
    total: '121.00',
    lines: [
      {
        reverseCharge: foreign,
        base: '100.00',
        rate: '21.00',
        tax: '21.00',
        deductible: '21.00',
        ...(model === '240'
          ? { purchase: 'G' as const }
          : { activity: '501100', account: '629', expense: '100.00' }),
      },
    ],
  }
}
