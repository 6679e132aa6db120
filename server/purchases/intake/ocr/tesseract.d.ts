/** Type declarations for the part of tesseract.js-core in use; the package has none of its own. */
interface TesseractApi {
  /** Returns 0 if the weights of all languages, joined by `+`, were loaded. */
  Init(path: null, languages: string, mode: number): number
  SetVariable(name: string, value: string): boolean
  /** Takes the file `/input`. Returns 0 if it is a picture. */
  SetImageFile(exif: number, angle: number): number
  Recognize(monitor: null): number
  GetTSVText(page: number): string
  Clear(): void
}
interface Tesseract {
  FS: { writeFile(path: string, bytes: Uint8Array): void; unlink(path: string): void }
  TessBaseAPI: new () => TesseractApi
}
interface TesseractOptions {
  wasmBinary: ArrayBuffer
  print: () => void
  printErr: () => void
}

declare module 'tesseract.js-core/tesseract-core-simd-lstm.js' {
  export default function start(options: TesseractOptions): Promise<Tesseract>
}
declare module 'tesseract.js-core/tesseract-core-lstm.js' {
  export default function start(options: TesseractOptions): Promise<Tesseract>
}
