/** Worked cases: typical sales and purchases of Spanish freelancers and small companies, one of each kind. */
import { CLIENT_ADDRESS } from '../../support/books.ts'
import type { DraftInput } from '../../support/books.ts'
import type { WorkedCase } from './play.ts'
import { TERRITORY_CASES } from './territory-cases.ts'

type Line = DraftInput['lines'][number]

const line = (description: string, unitPrice: number, changes: Partial<Line> = {}): Line => ({
  description,
  quantity: 1,
  unitPrice,
  ...changes,
})

const SPANISH = {
  clientName: 'Cliente Primero, S.L.',
  clientNif: 'B87654323',
  client: { address: CLIENT_ADDRESS },
}
const PERSON = { clientName: 'Ana Ruiz', clientNif: '12345678Z', client: { address: CLIENT_ADDRESS } }
const TICKET = { kind: 'F2' as const, clientName: 'Venta al público', clientNif: null }
const FRENCH = {
  clientName: 'Client SARL',
  clientNif: 'FR40303265045',
  client: { country: 'FR', idType: '02' as const, address: { ...CLIENT_ADDRESS, country: 'FR' } },
}
const GERMAN_CONSUMER = {
  clientName: 'Hans Müller',
  clientNif: 'C01X00T47',
  client: { country: 'DE', idType: '03' as const, address: { ...CLIENT_ADDRESS, country: 'DE' } },
}
const AMERICAN = {
  clientName: 'Customer Inc',
  clientNif: '123456789',
  client: { country: 'US', idType: '04' as const, address: { ...CLIENT_ADDRESS, country: 'US' } },
}
const CANARIAN = {
  clientName: 'Islas Afortunadas, S.L.',
  clientNif: 'B76543214',
  client: { address: { ...CLIENT_ADDRESS, postalCode: '35001', city: 'Las Palmas', province: 'Las Palmas' } },
}
const SUPPLIER = {
  supplierName: 'Proveedor, S.A.',
  supplierNif: 'A58818501',
  issueDate: '2026-11-03',
  receptionDate: '2026-11-05',
}

const issue = (changes: Partial<DraftInput>, as?: string) => ({
  issue: { ...SPANISH, issueDate: '2026-11-10', ...changes },
  ...(as ? { as } : {}),
})

export const WORKED_CASES: WorkedCase[] = [
  {
    name: '01-un-tipo',
    title: 'Factura completa a una empresa, un solo tipo',
    law: 'Servicios al tipo general (art. 90.Uno LIVA).',
    steps: [issue({ lines: [line('Consultoría', 50, { quantity: 10 })] })],
  },
  {
    name: '02-tres-tipos',
    title: 'Tres tipos en una factura',
    law: 'General, reducido y superreducido (arts. 90 y 91 LIVA); las bases se desglosan por tipo (art. 6.2 RD 1619/2012).',
    steps: [
      issue({
        lines: [
          line('Menaje', 1000),
          line('Catering', 200, { vatRate: 10 }),
          line('Libros', 50, { vatRate: 4 }),
        ],
      }),
    ],
  },
  {
    name: '03-redondeo-por-tipo',
    title: 'El redondeo es por tipo y no por línea',
    law: 'Tres líneas de 1,005 € suman una base de 3,02 € (y no 3,03 €).',
    steps: [issue({ lines: [1, 2, 3].map((n) => line(`Pieza ${n}`, 1.005)) })],
  },
  {
    name: '04-precios-con-iva',
    title: 'Precios con IVA incluido',
    law: 'El precio del cliente no se mueve: base y cuota suman exactamente 9,99 €.',
    steps: [issue({ priceMode: 'gross', lines: [line('Taza', 9.99)] })],
  },
  {
    name: '05-retencion-15',
    title: 'Profesional con retención del 15 %',
    law: 'Rendimientos profesionales (art. 101.5 LIRPF, 95.1 RIRPF): la retención no entra en el registro ni en el IVA.',
    company: { kind: 'natural' },
    steps: [issue({ lines: [line('Honorarios', 1000)], withholdingPct: 15 })],
  },
  {
    name: '06-retencion-7',
    title: 'Profesional en sus tres primeros años: retención del 7 %',
    law: 'Año de inicio y los dos siguientes (art. 95.1 RIRPF).',
    company: { kind: 'natural' },
    steps: [issue({ lines: [line('Honorarios', 800)], withholdingPct: 7 })],
  },
  {
    name: '07-retencion-parcial',
    title: 'Solo parte de la factura lleva retención',
    law: 'La base de la retención es la de las líneas profesionales; los materiales vendidos no la llevan.',
    company: { kind: 'natural' },
    steps: [
      issue({
        lines: [line('Proyecto', 1000), line('Material', 300, { withholdable: false })],
        withholdingPct: 15,
      }),
    ],
  },
  {
    name: '08-suplidos',
    title: 'Suplidos',
    law: 'Lo pagado en nombre y por cuenta del cliente no forma parte de la base (art. 78.Tres.3º LIVA).',
    steps: [
      issue({
        lines: [line('Gestión', 200), line('Tasa del registro', 45.5, { isDisbursement: true })],
      }),
    ],
  },
  {
    name: '09-recargo-general',
    title: 'Cliente en recargo de equivalencia, tipo general',
    law: 'El proveedor repercute IVA y recargo (arts. 156 a 161 LIVA): 21 + 5,2 %.',
    steps: [issue({ ...PERSON, lines: [line('Mercancía', 300, { surcharge: 5.2 })] })],
  },
  {
    name: '10-recargo-varios',
    title: 'Recargo de equivalencia en los tres tipos y tabaco',
    law: '5,2, 1,4, 0,5 y 1,75 % (art. 161 LIVA).',
    steps: [
      issue({
        ...PERSON,
        lines: [
          line('Droguería', 100, { surcharge: 5.2 }),
          line('Alimentos', 100, { vatRate: 10, surcharge: 1.4 }),
          line('Pan', 100, { vatRate: 4, surcharge: 0.5 }),
          line('Tabaco', 100, { surcharge: 1.75 }),
        ],
      }),
    ],
  },
  {
    name: '11-descuento-linea',
    title: 'Descuento por línea, en porcentaje y en importe',
    law: 'Los descuentos simultáneos minoran la base (art. 78.Tres.2º LIVA).',
    steps: [
      issue({
        lines: [
          line('Silla', 120, { quantity: 4, discountPct: 10 }),
          line('Mesa', 300, { discountAmount: 25 }),
        ],
      }),
    ],
  },
  {
    name: '12-descuento-documento',
    title: 'Descuento sobre toda la factura',
    law: 'Se reparte entre las bases en proporción a ellas (art. 78.Tres.2º LIVA).',
    steps: [issue({ discountPct: 5, lines: [line('Equipo', 1000), line('Libros', 200, { vatRate: 4 })] })],
  },
  {
    name: '13-descuento-importe-documento',
    title: 'Descuento de un importe fijo sobre toda la factura',
    law: 'Cien euros entre dos bases, al céntimo.',
    steps: [
      issue({ discountAmount: 100, lines: [line('Equipo', 1000), line('Libros', 200, { vatRate: 4 })] }),
    ],
  },
  {
    name: '14-simplificada',
    title: 'Factura simplificada',
    law: 'Hasta 400 € IVA incluido (art. 4.1 RD 1619/2012); se registra sin destinatario.',
    steps: [
      issue({ ...TICKET, priceMode: 'gross', lines: [line('Menú', 14.5, { vatRate: 10, quantity: 2 })] }),
    ],
  },
  {
    name: '15-simplificada-cualificada',
    title: 'Simplificada con datos del cliente que quiere deducir',
    law: 'Art. 7.2 RD 1619/2012: se registra como F1 con la marca del artículo.',
    steps: [
      issue({
        simplifiedArt7273: true,
        priceMode: 'gross',
        lines: [line('Comida de trabajo', 55, { vatRate: 10 })],
      }),
    ],
  },
  {
    name: '16-sustitucion-de-tiques',
    title: 'Factura en sustitución de dos tiques (F3)',
    law: 'Art. 15 y tipo F3 del registro: los tiques dejan de contar y la factura ocupa su lugar, sin cobrar dos veces.',
    steps: [
      issue({ ...TICKET, priceMode: 'gross', lines: [line('Compra 1', 121)] }, 'A'),
      issue({ ...TICKET, priceMode: 'gross', lines: [line('Compra 2', 242)] }, 'B'),
      issue({
        kind: 'F3',
        substitutes: [{ id: '@A' }, { id: '@B' }],
        priceMode: 'gross',
        lines: [line('Compra 1', 121), line('Compra 2', 242)],
      }),
    ],
  },
  {
    name: '17-devolucion-parcial',
    title: 'Devolución de parte de la mercancía (R1 por diferencias)',
    law: 'Art. 80.Dos LIVA: rectificativa con la diferencia en negativo.',
    steps: [
      issue({ lines: [line('Silla', 100, { quantity: 10 })] }, 'A'),
      {
        rectify: '@A',
        by: { cause: 'returned_goods', lines: [{ index: 0, quantity: 2 }], issueDate: '2026-11-15' },
      },
    ],
  },
  {
    name: '18-abono-total',
    title: 'Operación que queda sin efecto: abono total',
    law: 'Art. 80.Dos LIVA.',
    steps: [
      issue({ lines: [line('Reforma', 2500)] }, 'A'),
      { rectify: '@A', by: { cause: 'cancelled_operation', issueDate: '2026-11-16' } },
    ],
  },
  {
    name: '19-rappel',
    title: 'Rappel de un periodo, sin factura concreta',
    law: 'Art. 80.Uno.2º LIVA y 15.5 RD 1619/2012: basta indicar el periodo.',
    steps: [
      issue({
        kind: 'R1',
        rectification: { method: 'I', cause: 'period_discount', reason: 'Rappel de 2026' },
        lines: [line('Rappel por volumen, enero a octubre de 2026', -350)],
      }),
    ],
  },
  {
    name: '20-iva-mal-aplicado',
    title: 'Tipo de IVA mal aplicado, por sustitución (R1)',
    law: 'Art. 89 LIVA: la factura nueva dice las cifras correctas y lo que decía la anterior.',
    steps: [
      issue({ lines: [line('Libros', 100)] }, 'A'),
      {
        rectify: '@A',
        by: {
          cause: 'wrong_vat',
          method: 'S',
          newLines: [line('Libros', 100, { vatRate: 4 })],
          issueDate: '2026-11-17',
        },
      },
    ],
  },
  {
    name: '21-concurso',
    title: 'Cliente en concurso (R2)',
    law: 'Art. 80.Tres LIVA: se recupera la cuota, no la base.',
    steps: [
      issue({ lines: [line('Suministro', 5000)] }, 'A'),
      { rectify: '@A', by: { cause: 'insolvency', issueDate: '2026-11-18' } },
    ],
  },
  {
    name: '22-incobrable',
    title: 'Crédito incobrable (R3)',
    law: 'Art. 80.Cuatro LIVA: pasados seis meses o un año y con reclamación.',
    steps: [
      issue({ operationDate: '2026-03-01', lines: [line('Suministro', 900)] }, 'A'),
      { rectify: '@A', by: { cause: 'uncollectible', issueDate: '2026-11-18' } },
    ],
  },
  {
    name: '23-datos-erroneos',
    title: 'Datos del cliente equivocados (R4 por sustitución)',
    law: 'Art. 15.1 RD 1619/2012: error en el contenido obligatorio.',
    steps: [
      issue({ lines: [line('Consultoría', 400)] }, 'A'),
      {
        rectify: '@A',
        by: {
          cause: 'wrong_client',
          method: 'S',
          clientName: 'Cliente Segundo, S.L.',
          clientNif: 'B11111119',
          client: { address: CLIENT_ADDRESS },
          issueDate: '2026-11-18',
        },
      },
    ],
  },
  {
    name: '24-rectificar-tique',
    title: 'Devolución de un tique (R5)',
    law: 'Las simplificadas se rectifican con R5, sin destinatario.',
    steps: [
      issue({ ...TICKET, priceMode: 'gross', lines: [line('Chaqueta', 60.5)] }, 'A'),
      { rectify: '@A', by: { cause: 'returned_goods', issueDate: '2026-11-12' } },
    ],
  },
  {
    name: '25-rectificar-otro-programa',
    title: 'Rectificar una factura hecha con otro programa',
    law: 'Se identifica por serie, número y fecha (art. 15.4 RD 1619/2012).',
    steps: [
      issue({
        kind: 'R1',
        rectifies: [{ series: 'A', number: '57', issueDate: '2026-02-10' }],
        rectification: { method: 'I', cause: 'discount', reason: 'Descuento posterior' },
        lines: [line('Descuento pactado', -80)],
      }),
    ],
  },
  {
    name: '26-anulacion',
    title: 'Anulación de una factura que nunca debió existir',
    law: 'Registro de anulación: conserva el número y sale de todas las cifras.',
    steps: [issue({ lines: [line('Duplicada por error', 150)] }, 'A'), { annul: '@A' }],
  },
  {
    name: '27-isp-obra',
    title: 'Inversión del sujeto pasivo en ejecución de obra',
    law: 'Art. 84.Uno.2º.f LIVA: repercute el destinatario.',
    steps: [issue({ lines: [line('Ejecución de obra', 8000, { taxTreatment: 'S2' })] })],
  },
  {
    name: '28-isp-mezclada',
    title: 'Inversión del sujeto pasivo junto a operaciones con IVA',
    law: 'Las bases se separan (art. 6.2 RD 1619/2012).',
    steps: [issue({ lines: [line('Teléfonos', 12000, { taxTreatment: 'S2' }), line('Fundas', 300)] })],
  },
  {
    name: '29-exenta-art-20',
    title: 'Enseñanza exenta',
    law: 'Art. 20.Uno.9º LIVA.',
    steps: [issue({ ...PERSON, lines: [line('Curso reglado', 600, { taxTreatment: 'E1' })] })],
  },
  {
    name: '30-empresa-exenta',
    title: 'Clínica: empresa con actividad exenta',
    law: 'Art. 20.Uno.3º LIVA; la exención es la de la empresa si la línea no dice otra cosa.',
    company: { vatRegime: 'exempt' },
    steps: [issue({ ...PERSON, lines: [line('Fisioterapia', 45)] })],
  },
  {
    name: '31-exportacion',
    title: 'Exportación',
    law: 'Art. 21 LIVA, régimen 02.',
    steps: [issue({ ...AMERICAN, lines: [line('Maquinaria', 4000, { taxTreatment: 'E2' })] })],
  },
  {
    name: '32-entrega-intracomunitaria',
    title: 'Entrega intracomunitaria',
    law: 'Art. 25 LIVA: con NIF-IVA y transporte; modelo 349 clave E.',
    steps: [issue({ ...FRENCH, lines: [line('Mercancía', 3000, { taxTreatment: 'E5' })] })],
  },
  {
    name: '33-servicio-empresa-ue',
    title: 'Servicio a una empresa de la Unión',
    law: 'Art. 69.Uno.1º LIVA: no sujeto; modelo 349 clave S.',
    steps: [issue({ ...FRENCH, lines: [line('Diseño', 1500, { taxTreatment: 'N2' })] })],
  },
  {
    name: '34-servicio-fuera-ue',
    title: 'Servicio a una empresa de fuera de la Unión',
    law: 'Art. 69.Uno.1º LIVA: no sujeto; casilla 120.',
    steps: [issue({ ...AMERICAN, lines: [line('Programación', 2000, { taxTreatment: 'N2' })] })],
  },
  {
    name: '35-servicio-canarias',
    title: 'Servicio a una empresa canaria',
    law: 'Fuera del territorio del IVA (art. 3.Dos LIVA): no sujeto por localización.',
    steps: [issue({ ...CANARIAN, lines: [line('Asesoría', 700, { taxTreatment: 'N2' })] })],
  },
  {
    name: '36-no-sujeta',
    title: 'Operación no sujeta del artículo 7',
    law: 'Art. 7 LIVA.',
    steps: [issue({ lines: [line('Indemnización pactada', 500, { taxTreatment: 'N1' })] })],
  },
  {
    name: '37-oss',
    title: 'Venta a distancia a un consumidor alemán (ventanilla única)',
    law: 'Arts. 163 unvicies y ss. LIVA: IVA alemán del 19 %, modelo 369, no sujeta en España.',
    steps: [
      issue({
        ...GERMAN_CONSUMER,
        lines: [line('Zapatos', 100, { taxTreatment: 'N2', regimeKey: '17', vatRate: 19 })],
      }),
    ],
  },
  {
    name: '38-criterio-de-caja',
    title: 'Criterio de caja: factura y cobro en dos partes',
    law: 'Arts. 163 decies y ss. LIVA: la cuota se devenga con cada cobro.',
    company: { vatRegime: 'cash' },
    steps: [
      issue({ lines: [line('Instalación', 1000)] }, 'A'),
      { pay: '@A', by: { date: '2026-11-15', amount: 605, method: 'transfer' } },
    ],
  },
  {
    name: '39-rebu',
    title: 'Bienes usados: solo tributa el margen',
    law: 'Arts. 135 a 139 LIVA: sin cuota en la factura.',
    company: { vatRegime: 'used_goods' },
    steps: [issue({ ...PERSON, lines: [line('Coche de segunda mano', 6210, { cost: 5000 })] })],
  },
  {
    name: '40-rebu-perdida',
    title: 'Bienes usados vendidos con pérdida y con ganancia',
    law: 'Cada operación por su lado (art. 137.Uno LIVA): la pérdida de una no compensa a otra.',
    company: { vatRegime: 'used_goods' },
    steps: [
      issue({
        ...PERSON,
        lines: [line('Cámara', 100, { cost: 150 }), line('Objetivo', 342, { cost: 100 })],
      }),
    ],
  },
  {
    name: '41-agencia-de-viajes',
    title: 'Agencia de viajes: margen',
    law: 'Arts. 141 a 147 LIVA, régimen 05.',
    company: { vatRegime: 'travel' },
    steps: [issue({ ...PERSON, lines: [line('Viaje a Granada', 1242, { cost: 1000 })] })],
  },
  {
    name: '42-alquiler-local',
    title: 'Alquiler de local con retención del 19 %',
    law: 'Régimen 11; arts. 90 LIVA y 100 RIRPF.',
    steps: [
      issue({
        lines: [line('Renta de noviembre', 1200, { regimeKey: '11' })],
        withholdingPct: 19,
        property: { situation: '1', cadastralRef: '9872023VH5797S0001WX' },
      }),
    ],
  },
  {
    name: '43-alquiler-vivienda',
    title: 'Alquiler de vivienda',
    law: 'Exento: art. 20.Uno.23º LIVA.',
    steps: [issue({ ...PERSON, lines: [line('Renta de noviembre', 750, { taxTreatment: 'E1' })] })],
  },
  {
    name: '44-recargo-propio',
    title: 'Comerciante en recargo de equivalencia que vende',
    law: 'Régimen 18: repercute sin declarar.',
    company: { vatRegime: 'surcharge', kind: 'natural' },
    steps: [issue({ ...PERSON, lines: [line('Venta', 80)] })],
  },
  {
    name: '45-simplificado',
    title: 'Régimen simplificado',
    law: 'Régimen 20 (arts. 122 y 123 LIVA).',
    company: { vatRegime: 'simplified', kind: 'natural' },
    steps: [issue({ lines: [line('Transporte', 500)] })],
  },
  {
    name: '46-moneda-extranjera',
    title: 'Factura en dólares con IVA en euros',
    law: 'Art. 12.1 RD 1619/2012 y 79.Once LIVA.',
    steps: [
      issue({ currency: 'USD', fxRate: 1.0832, fxDate: '2026-11-10', lines: [line('Consulting', 1000)] }),
    ],
  },
  {
    name: '47-moneda-sin-iva',
    title: 'Servicio en libras a una empresa de fuera de la Unión',
    law: 'No sujeto; el registro y los libros, en euros.',
    steps: [
      issue({
        ...AMERICAN,
        currency: 'GBP',
        fxRate: 0.8741,
        lines: [line('Design', 850.5, { taxTreatment: 'N2' })],
      }),
    ],
  },
  {
    name: '48-fecha-de-operacion',
    title: 'Operación de otro mes',
    law: 'El IVA se devenga con la operación (art. 75 LIVA): cuenta en su trimestre.',
    steps: [issue({ operationDate: '2026-10-31', lines: [line('Obra terminada en octubre', 900)] })],
  },
  {
    name: '49-operacion-de-otro-trimestre',
    title: 'Operación del trimestre anterior facturada en este',
    law: 'Art. 75 LIVA: no está en las casillas del cuarto trimestre.',
    steps: [issue({ operationDate: '2026-09-20', lines: [line('Obra terminada en septiembre', 900)] })],
  },
  {
    name: '50-linea-negativa',
    title: 'Una línea en negativo dentro de una factura positiva',
    law: 'Devolución de envases compensada en la factura siguiente (art. 15.2 RD 1619/2012).',
    steps: [issue({ lines: [line('Bebidas', 500), line('Envases devueltos', -40)] })],
  },
  {
    name: '51-cobro-parcial-y-resto',
    title: 'Cobro en dos veces',
    law: 'El segundo cobro salda la factura.',
    steps: [
      issue({ lines: [line('Proyecto', 1000)] }, 'A'),
      { pay: '@A', by: { date: '2026-11-12', amount: 500, method: 'transfer' } },
      { pay: '@A', by: { date: '2026-11-19', amount: 710, method: 'bizum' } },
    ],
  },
  {
    name: '52-compra-corriente',
    title: 'Compra con IVA deducible y su pago',
    law: 'Arts. 92 y siguientes LIVA.',
    steps: [
      { buy: { ...SUPPLIER, supplierNumber: 'A-100', taxLines: [{ base: 300, vatRate: 21 }] }, as: 'B' },
      { payBill: '@B', by: { date: '2026-11-15', amount: 363, method: 'transfer' } },
    ],
  },
  {
    name: '53-compra-deducible-a-medias',
    title: 'Coche: la mitad deducible',
    law: 'Art. 95.Tres.2ª LIVA: la parte no deducible es mayor coste.',
    steps: [
      {
        buy: {
          ...SUPPLIER,
          supplierNumber: 'R-7',
          taxLines: [{ base: 200, vatRate: 21, deductiblePct: 50 }],
        },
      },
    ],
  },
  {
    name: '54-profesional-recibido',
    title: 'Factura recibida de un profesional con retención',
    law: 'Modelo 111: 15 % retenido (art. 101.5 LIRPF).',
    steps: [
      {
        buy: {
          ...SUPPLIER,
          supplierName: 'Luisa Gómez',
          supplierNif: '12345678Z',
          supplierNumber: '2026/8',
          taxLines: [{ base: 600, vatRate: 21 }],
          withholding: { rate: 15, reason: 'professional' },
        },
      },
    ],
  },
  {
    name: '55-alquiler-recibido',
    title: 'Alquiler del local propio con retención',
    law: 'Modelo 115: 19 % (art. 100 RIRPF).',
    steps: [
      {
        buy: {
          ...SUPPLIER,
          supplierNumber: 'L-11',
          taxLines: [{ base: 1000, vatRate: 21 }],
          withholding: { rate: 19, reason: 'rent' },
          property: { situation: 1, cadastralReference: '9872023VH5797S0001WX' },
        },
      },
    ],
  },
  {
    name: '56-bien-de-inversion',
    title: 'Compra de maquinaria',
    law: 'Bien de inversión (art. 108 LIVA): casillas 30 y 31.',
    steps: [
      {
        buy: {
          ...SUPPLIER,
          supplierNumber: 'M-1',
          investmentGood: true,
          taxLines: [{ base: 5000, vatRate: 21 }],
        },
      },
    ],
  },
  {
    name: '57-adquisicion-intracomunitaria',
    title: 'Compra de bienes en la Unión',
    law: 'Art. 13.1º LIVA: IVA autorrepercutido y deducido; 349 clave A.',
    steps: [
      {
        buy: {
          ...SUPPLIER,
          supplierName: 'Lieferant GmbH',
          supplierNif: 'DE136695976',
          supplier: { country: 'DE', idType: '02' },
          supplierNumber: 'DE-55',
          kind: 'invoice',
          taxLines: [{ base: 800, vatRate: 21, nature: 'eu_goods' }],
        },
      },
    ],
  },
  {
    name: '58-isp-recibida',
    title: 'Obra recibida con inversión del sujeto pasivo',
    law: 'Art. 84.Uno.2º.f LIVA: casillas 12/13 y 28/29.',
    steps: [
      {
        buy: {
          ...SUPPLIER,
          supplierNumber: 'O-3',
          taxLines: [{ base: 2000, vatRate: 21, nature: 'reverse_charge' }],
        },
      },
    ],
  },
  {
    name: '59-recibo-sin-factura',
    title: 'Comisión del banco: recibo sin IVA',
    law: 'Exenta (art. 20.Uno.18º LIVA); gasto sin cuota.',
    steps: [
      {
        buy: {
          ...SUPPLIER,
          kind: 'receipt',
          supplierName: 'Banco Ejemplo, S.A.',
          supplierNif: 'A39000013',
          taxLines: [{ base: 12, vatRate: null, taxTreatment: 'E1' }],
        },
      },
    ],
  },
  {
    name: '60-todo-a-la-vez',
    title: 'Todo a la vez: tipos, recargo, descuento, retención y suplido',
    law: 'Cada cosa por su regla; la retención, sobre las líneas profesionales con su parte del descuento.',
    company: { kind: 'natural' },
    steps: [
      issue({
        discountPct: 10,
        withholdingPct: 15,
        lines: [
          line('Honorarios', 1000),
          line('Mercancía', 200, { surcharge: 5.2, withholdable: false }),
          line('Libros', 100, { vatRate: 4, withholdable: false }),
          line('Tasa', 30, { isDisbursement: true }),
        ],
      }),
    ],
  },
  {
    name: '61-decimales',
    title: 'Cantidades y precios con seis decimales',
    law: 'Nada se redondea antes de la base.',
    steps: [issue({ lines: [line('Energía', 0.123457, { quantity: 1234.567 })] })],
  },
  {
    name: '62-tipo-historico',
    title: 'Rectificar una venta de cuando el aceite iba al 0 y al 2 %',
    law: 'El tipo es el del día de la operación (RDL 4/2024).',
    steps: [
      issue({
        kind: 'R1',
        operationDate: '2024-11-15',
        rectifies: [{ series: 'A', number: '900', issueDate: '2024-11-15' }],
        rectification: { method: 'I', cause: 'returned_goods' },
        lines: [line('Aceite de oliva', -50, { vatRate: 2 })],
      }),
    ],
  },
  ...TERRITORY_CASES,
]
