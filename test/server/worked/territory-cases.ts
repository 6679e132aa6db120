/** Worked cases of businesses of the Canary Islands, Ceuta and Bilbao. */
import { CLIENT_ADDRESS } from '../../support/books.ts'
import type { DraftInput } from '../../support/books.ts'
import type { WorkedCase } from './play.ts'

type Line = DraftInput['lines'][number]
type Company = NonNullable<WorkedCase['company']>

const line = (description: string, unitPrice: number, changes: Partial<Line> = {}): Line => ({
  description,
  quantity: 1,
  unitPrice,
  ...changes,
})

const lasPalmas = (vatRegime: Company['vatRegime'] = 'general'): Company => ({
  territory: 'canary',
  vatRegime,
  address: { street: 'Calle Triana, 1', postalCode: '35002', city: 'Las Palmas', country: 'ES' },
})
const CEUTA: Company = {
  territory: 'ceuta_melilla',
  address: { street: 'Calle Real, 1', postalCode: '51001', city: 'Ceuta', country: 'ES' },
}

const BILBAO: Company = {
  territory: 'basque',
  address: { street: 'Gran Vía, 1', postalCode: '48001', city: 'Bilbao', province: 'Bizkaia', country: 'ES' },
}

const at = (postalCode: string, city: string) => ({
  client: { address: { ...CLIENT_ADDRESS, postalCode, city, province: city } },
})
const ISLANDER = {
  clientName: 'Islas Afortunadas, S.L.',
  clientNif: 'B76543214',
  ...at('35001', 'Las Palmas'),
}
const MAINLANDER = {
  clientName: 'Cliente Primero, S.L.',
  clientNif: 'B87654323',
  client: { address: CLIENT_ADDRESS },
}
const CEUTAN = { clientName: 'Cliente de la Ciudad, S.L.', clientNif: 'B76543214', ...at('51001', 'Ceuta') }

const issue = (changes: Partial<DraftInput>, as?: string) => ({
  issue: { ...ISLANDER, issueDate: '2026-11-10', ...changes },
  ...(as ? { as } : {}),
})

const SUPPLIER = {
  supplierName: 'Suministros del Puerto, S.L.',
  supplierNif: 'B58818501',
  supplier: {
    address: { street: 'Muelle Grande, 2', postalCode: '35008', city: 'Las Palmas', country: 'ES' },
  },
  issueDate: '2026-11-03',
  receptionDate: '2026-11-05',
}
const DUA = { ...SUPPLIER, kind: 'customs' as const, supplierNumber: '26ES00350130000012' }

export const TERRITORY_CASES: WorkedCase[] = [
  {
    name: '63-canarias-igic',
    title: 'Las Palmas: venta con IGIC general y tipo cero, compra y DUA',
    law: 'Tipo general del 7 % (art. 51 Ley 4/2012 de Canarias); el cero es un tipo, no una exención.',
    company: lasPalmas(),
    steps: [
      issue({ lines: [line('Reparación', 1000), line('Agua', 100, { vatRate: 0 })] }),
      { buy: { ...SUPPLIER, supplierNumber: 'V-77', taxLines: [{ base: 400, vatRate: 7 }] } },
      { buy: { ...DUA, taxLines: [{ base: 500, vatRate: 3 }] } },
    ],
  },
  {
    name: '64-canarias-a-la-peninsula',
    title: 'Las Palmas: bienes y servicios para una empresa de la península',
    law: 'Los bienes que salen de las islas son una exportación (art. 11 Ley 20/1991); el servicio, no sujeto allí (art. 17).',
    company: lasPalmas(),
    steps: [
      issue({ ...MAINLANDER, lines: [line('Plátanos', 900, { taxTreatment: 'E2', cause: 'export' })] }),
      issue({
        ...MAINLANDER,
        lines: [line('Asesoría', 300, { taxTreatment: 'N2', cause: 'services_third' })],
      }),
    ],
  },
  {
    name: '65-canarias-minorista',
    title: 'Las Palmas: comerciante minorista, con el recargo en la importación',
    law: 'Venta exenta (art. 50.Uno.27º Ley 4/2012 de Canarias); el recargo, un 10 % del tipo, solo en la aduana.',
    company: lasPalmas('retailer'),
    steps: [
      issue({ lines: [line('Camisas', 250)] }),
      { buy: { ...DUA, taxLines: [{ base: 1000, vatRate: 7 }] } },
    ],
  },
  {
    name: '66-canarias-pequeno-empresario',
    title: 'Las Palmas: pequeño empresario, sin IGIC',
    law: 'Exento por el régimen especial del pequeño empresario (art. 110 Ley 4/2012 de Canarias); nada se deduce.',
    company: { ...lasPalmas('small_business'), kind: 'natural', nif: '12345678Z' },
    steps: [
      issue({ lines: [line('Clases', 600)] }),
      { buy: { ...SUPPLIER, supplierNumber: 'V-78', taxLines: [{ base: 100, vatRate: 7 }] } },
    ],
  },
  {
    name: '67-canarias-criterio-de-caja',
    title: 'Las Palmas: criterio de caja y su cobro',
    law: 'Clave 07: el IGIC se devenga al cobrar; la venta figura entretanto en las casillas 48 y 49.',
    company: lasPalmas('cash'),
    steps: [
      issue({ lines: [line('Obra', 1000)] }, 'A'),
      { pay: '@A', by: { date: '2026-11-18', amount: 1070, method: 'transfer' } },
    ],
  },
  {
    name: '68-ceuta-ipsi',
    title: 'Ceuta: servicio con IPSI y venta no sujeta de un comerciante',
    law: 'El tipo es el de la ordenanza de la ciudad (Ley 8/1991, art. 18); la venta al por menor no está sujeta.',
    company: CEUTA,
    steps: [
      issue({ ...CEUTAN, lines: [line('Reforma', 800, { vatRate: 4 })] }),
      issue({ ...CEUTAN, lines: [line('Género', 150, { taxTreatment: 'N1', cause: 'trade' })] }),
    ],
  },
  {
    name: '69-bilbao-iva-foral',
    title: 'Bilbao: venta con IVA, firmada al emitir',
    law: 'El IVA se repercute como en el Estado; la factura se firma al emitirla, y las declaraciones van a la hacienda foral.',
    company: BILBAO,
    steps: [
      issue({ ...MAINLANDER, lines: [line('Mobiliario', 1200), line('Libros', 60, { vatRate: 4 })] }),
      {
        buy: {
          ...SUPPLIER,
          supplierNumber: 'V-79',
          supplier: {
            address: { street: 'Kale Nagusia, 2', postalCode: '48002', city: 'Bilbao', country: 'ES' },
          },
          taxLines: [{ base: 300, vatRate: 21 }],
        },
      },
    ],
  },
]
