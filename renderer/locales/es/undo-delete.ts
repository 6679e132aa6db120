/** Texts of undo: what was restored, and what was not. */
export const undoDelete = {
  undoDelete: {
    back: '«{name}» vuelve a estar como estaba',
    received: 'Recibida {number}, otra vez en los libros',
    receivedChange: 'Recibida {number}, como estaba antes del cambio',
    view: 'Vista «{name}», otra vez en su sitio',
    unbooked:
      'Ningún movimiento deshecho | 1 movimiento por identificar otra vez | {count} movimientos por identificar otra vez',
    kept: 'Ninguno se queda | 1 se queda: lo has cambiado después | {count} se quedan: los has cambiado después',
    ignoredBack: 'Movimiento, otra vez como estaba',
  },
}
