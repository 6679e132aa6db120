/** What SQL cannot express of the tables of company/. */
import type { Room } from '../room.ts'

export const company: Room = {
  tables: {
    settings: {},
    companies: {
      columns: {
        country: { required: true },
      },
    },
    company_designs: {},
    company_ends: {},
    books: {},
    series: {},
    series_gaps: {},
    certificates: {},
    certificate_warnings: {},
  },
}
