/** Names, places and services of the invented businesses in demonstration books. */
import type { BasisPoints, Cents } from '../../domain/money.ts'

export const GIVEN_NAMES = [
  'Ana',
  'Iñaki',
  'Lucía',
  'Marta',
  'Jordi',
  'Begoña',
  'Xoán',
  'Carmen',
  'Álvaro',
  'Nerea',
  'Pau',
  'Rocío',
  'Sergi',
  'Inés',
  'Hugo',
  'Noa',
]

export const FAMILY_NAMES = [
  'Beltrán',
  'Ruiz',
  'Etxeberria',
  'Goñi',
  'Ferrer',
  'Domènech',
  'Lobo',
  'Salinas',
  'Marea',
  'Olivares',
  'Cañizares',
  'Peña',
  'Múgica',
  'Vallbona',
  'Tirón',
  'Aljarafe',
  'Quintana',
  'Sil',
  'Ebro',
  'Urrutia',
  'Castro',
  'Nogueira',
]

export const TRADES = [
  'Talleres',
  'Bodegas',
  'Clínica',
  'Estudio',
  'Transportes',
  'Librería',
  'Cooperativa',
  'Viveros',
  'Hotel',
  'Panadería',
  'Farmacia',
  'Grupo',
  'Imprenta',
  'Academia',
]

export const CITIES = [
  { postalCode: '28013', city: 'Madrid', province: 'Madrid' },
  { postalCode: '41001', city: 'Sevilla', province: 'Sevilla' },
  { postalCode: '08002', city: 'Barcelona', province: 'Barcelona' },
  { postalCode: '46001', city: 'València', province: 'Valencia' },
  { postalCode: '26200', city: 'Haro', province: 'La Rioja' },
  { postalCode: '33001', city: 'Oviedo', province: 'Asturias' },
  { postalCode: '15001', city: 'A Coruña', province: 'A Coruña' },
  { postalCode: '07001', city: 'Palma', province: 'Illes Balears' },
  { postalCode: '23001', city: 'Jaén', province: 'Jaén' },
]

interface Service {
  description: string
  cents: Cents
  /** Largest quantity on a line. */
  most: number
  vatRateBp: BasisPoints
}

export const SERVICES: readonly Service[] = [
  { description: 'Diseño de la página de reservas', cents: 4500, most: 40, vatRateBp: 2100 },
  { description: 'Formación al equipo (sesión de dos horas)', cents: 13000, most: 6, vatRateBp: 2100 },
  { description: 'Mantenimiento mensual', cents: 54000, most: 1, vatRateBp: 2100 },
  { description: 'Consultoría de procesos', cents: 9500, most: 24, vatRateBp: 2100 },
  { description: 'Guía impresa', cents: 320, most: 50, vatRateBp: 400 },
  { description: 'Menú de trabajo', cents: 1450, most: 30, vatRateBp: 1000 },
  { description: 'Desplazamiento', cents: 4000, most: 3, vatRateBp: 2100 },
  { description: 'Taller de cerámica', cents: 5000, most: 12, vatRateBp: 2100 },
  { description: 'Traducción jurada, por página', cents: 3200, most: 25, vatRateBp: 2100 },
  { description: 'Alojamiento, por noche', cents: 7800, most: 5, vatRateBp: 1000 },
]

/** Monthly purchases of such a business: invented suppliers with concepts of the VAT book. */
export const PURCHASES: readonly {
  supplier: string
  nif: string
  prefix: string
  concept: string
  cents: Cents
  step: Cents
  vatRateBp: BasisPoints
  withheld?: { rate: number; reason: 'professional' | 'rent' }
}[] = [
  {
    supplier: 'Locales del Centro, S.L.',
    nif: 'B87654323',
    prefix: 'L',
    concept: 'G12',
    cents: 85_000,
    step: 0,
    vatRateBp: 2100,
    withheld: { rate: 19, reason: 'rent' },
  },
  {
    supplier: 'Luz y Gas Ejemplo, S.A.',
    nif: 'A58818501',
    prefix: 'E',
    concept: 'G14',
    cents: 9_000,
    step: 431,
    vatRateBp: 2100,
  },
  {
    supplier: 'Fibra Ejemplo, S.A.',
    nif: 'A39000013',
    prefix: 'T',
    concept: 'G17',
    cents: 4_500,
    step: 0,
    vatRateBp: 2100,
  },
  {
    supplier: 'Papelería La Palma, S.L.',
    nif: 'B76543214',
    prefix: 'P',
    concept: 'G03',
    cents: 2_000,
    step: 977,
    vatRateBp: 2100,
  },
]
