/** Invented suppliers and what they sell, by trade. Any likeness with a company is chance. */
import type { ReadCategory } from '../../../server/purchases/intake/contract.ts'

interface Trade {
  category: ReadCategory
  /** Names with the first letter of their tax number. */
  names: readonly (readonly [name: string, letter: string])[]
  goods: readonly string[]
  /** Cents. */
  prices: readonly [from: number, to: number]
}

export const PEOPLE = [
  'Ainhoa Zubiri Lasa', 'Pere Comas Ferrer', 'Xiana Rey Outeiro', 'Tomás Villar de la Fuente', 'Rosa Cano Prieto',
  'Íñigo Olabarria Sanz', 'Mª Dolores Quesada Ruiz', 'Joan Ribas Cardona', 'Brais Louzán Pazos', 'Nerea Etxeberria Goñi',
  'Alfonso J. Merino Gil', 'Lucía Sáenz de Tejada',
] // prettier-ignore

export const STREETS = [
  'C/ Ancha, 7', 'Rúa Nova, 21', 'Carrer de Dalt, 3, 2n 1a', 'Kale Nagusia, 14', 'Ctra. de Logroño, km 4', 'Avda. de la Industria, 118',
  'Pol. Ind. Els Plans, parcel·la 9', 'Plaza Mayor, 2 bajo', 'C/ Bravo Murillo 203, 4º Izda.', 'Paseo de la Estación s/n',
] // prettier-ignore

export const TOWNS = [
  '26001 Logroño', '17001 Girona', '20001 Donostia', '36201 Vigo', '02001 Albacete', '28020 Madrid', '46980 Paterna (Valencia)',
  '41005 Sevilla', '48013 Bilbao', '08224 Terrassa (Barcelona)', '33203 Gijón (Asturias)', '15008 A Coruña',
] // prettier-ignore

const SOLD = {
  goods: {
    category: 'compras',
    names: [
      ['Herrajes Garmendia, S.L.', 'B'],
      ['Maderas del Cinca, S.L.U.', 'B'],
      ['Vidrios y Espejos del Sur, S.A.U.', 'A'],
      ['Suministros Industriales Vela, S.L.', 'B'],
      ['Viveros La Ribera, S. Coop.', 'F'],
      ['Pinturas Roig i Soler, S.L.', 'B'],
      ['Almacenes Eléctricos Tajo, S.A.', 'A'],
      ['TORNILLERÍA DEL NALÓN, S.L.', 'B'],
    ],
    goods: [
      'Bisagra recta 40 mm zincada', 'Tablero MDF 19 mm 2440x1220', 'Transporte a obra', 'Barniz incoloro 5 l', 'Canto PVC blanco 22x1',
      'Tirafondo 5x60 (caja 200)', 'Cola blanca D3 bidón 10 kg', 'Disco widia 250 Z80', 'Lámina vinilo roble', 'Espejo 4 mm canto pulido',
      'Perfil aluminio U 20', 'Bote pintura plástica 15 L', 'Cable manguera 3G2,5', 'Lija grano 120 (rollo 50 m)',
    ],
    prices: [150, 24_000],
  },
  workshop: {
    category: 'compras',
    names: [
      ['Talleres Mecánicos Oroz, S.L.', 'B'],
      ['Reparaciones Hnos. Cid, C.B.', 'E'],
      ['Electricidad Puig i Fills, S.L.', 'B'],
      ['Rotulación Campos y Asociados, S.L.', 'B'],
      ['Imprenta Nueva Luz, S.A.', 'A'],
    ],
    goods: [
      'Mano de obra oficial 1ª', 'Reparación de prensa', 'Desplazamiento', 'Cartel de fachada', 'Aceite 5W30', 'Filtro de aire',
      'Sustitución de rodamientos', 'Tarjetas 350 g (500 ud.)', 'Revisión anual', 'Pequeño material',
    ],
    prices: [900, 38_000],
  },
  food: {
    category: 'compras',
    names: [
      ['SUPERMERCADOS LA DESPENSA S.A.', 'A'],
      ['Autoservicio Pilar Gracia S.L.', 'B'],
      ['MERCA-CASH LEVANTE S.L.', 'B'],
      ['Alimentació Can Vidal SL', 'B'],
    ],
    goods: [
      'LECHE ENT. BRIK 1L', 'PAN MOLDE INTEGRAL', 'CAFE MOLIDO NATURAL', 'PAPEL COCINA 3R', 'AZUCAR 1KG', 'LAVAVAJILLAS 750',
      'BOLSA BASURA 30L', 'TOMATE FRITO 400G', 'AGUA 6X1,5L', 'MANZANA GOLDEN KG', 'QUESO TIERNO CUÑA', 'SERVILLETA 2C',
    ],
    prices: [65, 1_290],
  },
  bar: {
    category: 'restauracion',
    names: [
      ['Asador Errota Zaharra, S.L.', 'B'],
      ['BAR CASA PACO', ''],
      ['Restaurante El Olivar de Miguel S.L.', 'B'],
      ['Cafetería Avenida', ''],
      ['TABERNA DO PORTO, S.L.', 'B'],
    ],
    goods: [
      'MENU DEL DIA', 'AGUA 1/2', 'CAFE SOLO', 'CAÑA', 'ENTRECOT', 'ENSALADA MIXTA', 'COPA RIOJA', 'TARTA QUESO', 'PAN', 'CORTADO', 'REFRESCO',
    ],
    prices: [130, 2_250],
  },
  fuel: {
    category: 'combustible',
    names: [
      ['E.S. Puerto de Velate, S.L.', 'B'],
      ['ESTACION DE SERVICIO EL CRUCE S.A.', 'A'],
      ['Petróleos del Bierzo, S.L.', 'B'],
    ],
    goods: ['DIESEL E+', 'GASOLEO A', 'SIN PLOMO 95 E5', 'SIN PLOMO 98', 'DIESEL PREMIUM'],
    prices: [1_319, 1_799],
  },
  power: {
    category: 'suministros',
    names: [
      ['Luz del Ebro Comercializadora, S.A.U.', 'A'],
      ['Energía Cantábrica Clientes, S.L.', 'B'],
    ],
    goods: ['Energía consumida punta', 'Energía consumida llano', 'Energía consumida valle'],
    prices: [1_000, 22_000],
  },
  water: {
    category: 'suministros',
    names: [
      ['Aguas Municipales de Sierra Baja, S.A.', 'A'],
      ['Consorcio de Aguas Río Oja', 'P'],
    ],
    goods: ['Cuota de servicio', 'Consumo bloque 1', 'Consumo bloque 2', 'Alcantarillado'],
    prices: [300, 9_000],
  },
  phone: {
    category: 'telefonia',
    names: [
      ['Fibracom Telecomunicaciones, S.L.U.', 'B'],
      ['Móviles Atlántico, S.A.', 'A'],
    ],
    goods: ['Tarifa Empresa 50 GB', 'Fibra 600 Mb', 'Línea móvil adicional', 'Centralita virtual', 'Llamadas internacionales'],
    prices: [250, 5_900],
  },
  hotel: {
    category: 'viajes',
    names: [
      ['Hotel Mirador de Gredos, S.L.', 'B'],
      ['Explotaciones Hoteleras Duna, S.A.', 'A'],
      ['Hostal La Concha', ''],
    ],
    goods: ['Habitación individual', 'Desayuno', 'Media pensión', 'Habitación doble uso individual', 'Cena'],
    prices: [900, 12_500],
  },
  online: {
    category: 'compras',
    names: [
      ['Grossmarkt Online S.à r.l.', 'LU########'],
      ['Bürobedarf Direkt GmbH', 'DE#########'],
      ['Fournitures Atelier SAS', 'FR###########'],
    ],
    goods: [
      'Toner cartridge TN-2420 black', 'Office chair, mesh back', 'USB-C dock 11 in 1', 'Label roll 62 mm (x6)', 'LED desk lamp', 'A4 paper 80 g (5 reams)',
    ],
    prices: [490, 19_900],
  },
  cloud: {
    category: 'software',
    names: [
      ['Northgate Hosting Ltd', 'IE#######WH'],
      ['Pixelboard Software B.V.', 'NL#########B01'],
      ['Cloudwerk Systeme GmbH', 'DE#########'],
    ],
    goods: ['Team plan, monthly subscription', 'Additional seats', 'Cloud storage 500 GB', 'API requests (per 1,000)', 'Domain renewal'],
    prices: [400, 29_000],
  },
  saas: {
    category: 'software',
    names: [
      ['Brightloop Inc.', ''],
      ['Quillstack Labs, LLC', ''],
      ['Tern & Co. Software Inc.', ''],
    ],
    goods: ['Pro subscription', 'Additional seats', 'Usage: API requests', 'Storage add-on'],
    prices: [500, 32_000],
  },
  insurance: {
    category: 'seguros',
    names: [
      ['Previsora Ibérica de Seguros, S.A.', 'A'],
      ['Mutualidad Agraria del Sur, Mutua de Seguros a Prima Fija', 'G'],
      ['Compañía de Seguros Almenara, S.A.', 'A'],
    ],
    goods: ['Prima neta'],
    prices: [9_000, 98_000],
  },
  rent: {
    category: 'alquiler',
    names: [
      ['Patrimonial Gran Vía 40, S.L.', 'B'],
      ['Naves y Locales Otero, S.L.', 'B'],
      ['Finques Tarraco, S.A.', 'A'],
    ],
    goods: ['Renta mensual local', 'Gastos de comunidad', 'IBI repercutido'],
    prices: [2_000, 145_000],
  },
  advice: {
    category: 'profesionales',
    names: [
      ['Asesoría Fiscal Montes, S.L.P.', 'B'],
      ['Gestoría Hermanos Lago, S.L.', 'B'],
      ['Despacho Jurídico Ansa, S.L.P.', 'B'],
    ],
    goods: [
      'Honorarios asesoría fiscal trimestral', 'Redacción de contrato', 'Traducción jurada (12 pág.)', 'Consultoría de procesos', 'Diseño de catálogo',
      'Asesoramiento laboral', 'Dirección de obra, 2ª fase', 'Informe pericial',
    ],
    prices: [6_000, 120_000],
  },
} as const satisfies Record<string, Trade> // prettier-ignore

export type TradeName = keyof typeof SOLD
export const TRADES: Readonly<Record<TradeName, Trade>> = SOLD
