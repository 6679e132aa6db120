/**
 * Builds the producer's declaration of conformity, a legal text in Spanish, from the build's data. Facts that only
 * the real producer can state stay blank and marked, never invented. Source: Orden HAC/1177/2024, art. 15.
 */
import type { ContractOutput } from '../domain/contract/define-contract.ts'
import type { declarationContract } from './contract.ts'
import { isBusinessDate } from '../domain/dates.ts'
import type { BusinessDate } from '../domain/dates.ts'
import type { Producer, UseCase } from '../context.ts'

type Declaration = ContractOutput<typeof declarationContract>

const TITLE = 'DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN'

const MONTHS = [
  ...['enero', 'febrero', 'marzo', 'abril', 'mayo', 'junio'],
  ...['julio', 'agosto', 'septiembre', 'octubre', 'noviembre', 'diciembre'],
]

function writtenDay(date: BusinessDate): string {
  return `${Number(date.slice(8, 10))} de ${MONTHS[Number(date.slice(5, 7)) - 1]} de ${date.slice(0, 4)}`
}

function filled(text: string | undefined): string | null {
  return text?.trim() || null
}

/** For a text that no build shows: one generated for reading, or shown by a program that runs from its sources. */
const NO_BUILD =
  'Ninguna: este texto no procede de un programa compilado. El programa instalado indica aquí la huella de la suya.'

/**
 * Returns the declaration of one version, with the hash of the build that shows it. `complete` is false while a blank
 * remains; a missing annex does not count as a blank.
 */
export function declarationOf(version: string, producer: Producer, build: string | null): Declaration {
  const { date } = producer
  const contact = filled(producer.contact)
  const items: Declaration['items'] = [
    { letter: 'a', label: 'Nombre del sistema informático', value: 'Sello' },
    {
      letter: 'b',
      label: 'Código identificador del sistema informático (IdSistemaInformatico)',
      value: filled(producer.systemId),
    },
    { letter: 'c', label: 'Identificador completo de la versión', value: version },
    {
      letter: 'd',
      label: 'Componentes, descripción y principales funcionalidades',
      value:
        'Programa informático sin componentes físicos propios, que se instala en el ordenador del usuario (Windows, macOS o Linux). Consta de una aplicación de escritorio con su página de usuario, un servidor local que solo atiende a ese ordenador y una base de datos cifrada. Permite preparar y expedir facturas, asignarles número, generar y encadenar los registros de facturación de alta y de anulación, imprimir el código QR, remitir los registros a la Agencia Estatal de Administración Tributaria, conservarlos, comprobarlos y exportarlos. Otros programas y asistentes del mismo ordenador pueden usarlo por una interfaz de programación con las mismas comprobaciones.',
    },
    {
      letter: 'e',
      label: 'Funcionamiento exclusivo como «VERI*FACTU»',
      value:
        'Sí. El sistema informático solo puede funcionar como «VERI*FACTU»: remite a la Agencia Tributaria todos los registros de facturación que genera.',
    },
    {
      letter: 'f',
      label: 'Uso por varios obligados tributarios',
      value:
        'Sí. Una misma instalación puede dar soporte a la facturación de varios obligados tributarios; los registros, las series y la cadena de cada uno se llevan por separado y con su propio número de instalación.',
    },
    {
      letter: 'g',
      label: 'Tipos de firma de los registros de facturación y de evento',
      value:
        'Ninguno. Al funcionar exclusivamente como «VERI*FACTU», los registros de facturación se remiten sin firma electrónica y no se generan registros de evento (artículo 3 de la Orden HAC/1177/2024).',
    },
    {
      letter: 'h',
      label: 'Nombre o razón social de la persona o entidad productora',
      value: filled(producer.name),
    },
    {
      letter: 'i',
      label: 'Número de identificación fiscal (NIF) español de la persona o entidad productora',
      value: filled(producer.nif),
    },
    {
      letter: 'j',
      label: 'Dirección postal completa de contacto de la persona o entidad productora',
      value: filled(producer.address),
    },
    {
      letter: 'k',
      label: 'Cumplimiento de la normativa',
      value:
        'La persona o entidad productora hace constar que el sistema informático, en la versión indicada, cumple con lo dispuesto en el artículo 29.2.j) de la Ley 58/2003, de 17 de diciembre, General Tributaria; en el Reglamento aprobado por el Real Decreto 1007/2023, de 5 de diciembre; en la Orden HAC/1177/2024, de 17 de octubre; y en las especificaciones publicadas en la sede electrónica de la Agencia Estatal de Administración Tributaria que las completan.',
    },
    {
      letter: 'l',
      label: 'Fecha en que se suscribe la declaración',
      value: date !== undefined && isBusinessDate(date) ? writtenDay(date) : null,
    },
    { letter: 'l', label: 'Lugar en que se suscribe la declaración', value: filled(producer.place) },
  ]
  const complete = items.every((item) => item.value !== null)
  if (contact)
    items.push({
      letter: 'anexo',
      label: 'Otros datos de contacto de la persona o entidad productora',
      value: contact,
    })
  items.push({
    letter: 'anexo',
    label: 'Huella SHA-256 de la compilación (de la lista de sus archivos, SHA256SUMS)',
    value: build ?? NO_BUILD,
  })
  return { title: TITLE, items, complete, version, build }
}

/** Escapes text for Markdown: the name of the scheme contains a star. */
function plain(text: string): string {
  return text.replace(/[*_[\]<>\\]/g, '\\$&')
}

/** Returns the declaration as a Markdown document with its blanks marked. */
export function declarationText({ title, items, complete, version }: Declaration): string {
  const paragraphs = items.map(({ letter, label, value }) => {
    const place = letter === 'anexo' ? 'Anexo.' : `${letter})`
    const said = value === null ? '**[POR COMPLETAR POR LA ENTIDAD PRODUCTORA]**' : plain(value)
    return `**${place} ${plain(label)}**\n\n${said}`
  })
  const notice = complete
    ? ''
    : `> Modelo sin suscribir: faltan datos que solo puede dar la entidad productora de la versión ${version}. Mientras falten, esta versión no debe distribuirse ni usarse para facturas reales.\n\n`
  return `# ${title}\n\n${notice}${paragraphs.join('\n\n')}\n`
}

/** Returns the declaration of the running version, for the page that must show it. */
export const readDeclaration: UseCase<typeof declarationContract> = async (ctx) =>
  declarationOf(ctx.env.version, ctx.env.producer, ctx.env.build)
