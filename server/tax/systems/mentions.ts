/** Words of a tax that replaces VAT, in the languages of documents other than Spanish and English, by its name. */
import type { SystemData } from './system.ts'

/**
 * Returns the words with the name of the tax. French, German and Portuguese readers know neither tax, so that the name stands
 * beside what is said.
 */
export function mentionsWithName(tax: string): SystemData['translated'] {
  return {
    ca: {
      exempt: `Operació exempta d'${tax}`,
      export: `Exportació exempta d'${tax}`,
      intra: `Operació exempta d'${tax}`,
      not_subject: `Operació no subjecta a l'${tax}`,
      place: `Operació no subjecta a l'${tax} per les regles de localització`,
      reverse: 'Inversió del subjecte passiu',
      place_reverse: 'Operació no subjecta per les regles de localització. Inversió del subjecte passiu',
    },
    eu: {
      exempt: `${tax} zergatik salbuetsitako eragiketa`,
      export: `${tax} zergatik salbuetsitako esportazioa`,
      intra: `${tax} zergatik salbuetsitako eragiketa`,
      not_subject: `${tax} zergari lotu gabeko eragiketa`,
      place: `Lokalizazio arauengatik ${tax} zergari lotu gabeko eragiketa`,
      reverse: 'Subjektu pasiboaren inbertsioa',
      place_reverse: 'Lokalizazio arauengatik lotu gabeko eragiketa. Subjektu pasiboaren inbertsioa',
    },
    gl: {
      exempt: `Operación exenta de ${tax}`,
      export: `Exportación exenta de ${tax}`,
      intra: `Operación exenta de ${tax}`,
      not_subject: `Operación non suxeita ao ${tax}`,
      place: `Operación non suxeita ao ${tax} polas regras de localización`,
      reverse: 'Investimento do suxeito pasivo',
      place_reverse: 'Operación non suxeita polas regras de localización. Investimento do suxeito pasivo',
    },
    fr: {
      exempt: `Opération exonérée (${tax})`,
      export: `Exportation exonérée (${tax})`,
      intra: `Opération exonérée (${tax})`,
      not_subject: `Opération hors du champ de l'impôt (${tax})`,
      place: `Non soumis à l'impôt (${tax}) : lieu de la prestation`,
      reverse: 'Autoliquidation',
      place_reverse: `Non soumis à l'impôt (${tax}). Autoliquidation`,
    },
    de: {
      exempt: `Steuerfrei (${tax})`,
      export: `Steuerfreie Ausfuhrlieferung (${tax})`,
      intra: `Steuerfrei (${tax})`,
      not_subject: `Nicht steuerbarer Umsatz (${tax})`,
      place: `Nicht steuerbar (${tax}): Ort der Leistung`,
      reverse: 'Steuerschuldnerschaft des Leistungsempfängers',
      place_reverse: `Nicht steuerbar (${tax}). Steuerschuldnerschaft des Leistungsempfängers`,
    },
    pt: {
      exempt: `Operação isenta de ${tax}`,
      export: `Exportação isenta de ${tax}`,
      intra: `Operação isenta de ${tax}`,
      not_subject: `Operação não sujeita a ${tax}`,
      place: `Não sujeito a ${tax} (localização da operação)`,
      reverse: 'Autoliquidação',
      place_reverse: `Não sujeito a ${tax}. Autoliquidação`,
    },
  }
}
