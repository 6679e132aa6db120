/** Languages of the OCR: weights for each are part of the program. */

/** Spanish, English, Catalan, Basque and Galician, by their codes in ISO 639-3. */
export const OCR_LANGUAGES = ['spa', 'eng', 'cat', 'eus', 'glg'] as const
export type OcrLanguage = (typeof OCR_LANGUAGES)[number]
