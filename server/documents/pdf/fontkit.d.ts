/** Type declarations for the part of fontkit in use; the package has none of its own. */
declare module 'fontkit' {
  export interface GlyphPosition {
    xAdvance: number
    yAdvance: number
    xOffset: number
    yOffset: number
    advanceWidth?: number
  }
  export interface PathCommand {
    command: 'moveTo' | 'lineTo' | 'quadraticCurveTo' | 'bezierCurveTo' | 'closePath'
    args: number[]
  }
  export interface Glyph {
    advanceWidth: number
    path: { commands: PathCommand[] }
  }
  export interface GlyphRun {
    glyphs: Glyph[]
    positions: GlyphPosition[]
    readonly advanceWidth: number
  }
  export interface Font {
    postscriptName: string
    unitsPerEm: number
    characterSet: number[]
    capHeight: number
    layout(text: string): GlyphRun
    glyphForCodePoint(codePoint: number): Glyph
    hasGlyphForCodePoint(codePoint: number): boolean
    getGlyph(glyphId: number): Glyph
  }
  export function create(bytes: Uint8Array): Font
}
