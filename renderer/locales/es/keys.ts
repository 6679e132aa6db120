/** Labels of shortcuts that no other text of a page names. */
export const keys = {
  keys: {
    tab: 'Ir a la pestaña: 1, 2…',
    more: 'Más acciones',
    go: 'Seguir con lo que toca',
    remind: 'Recordar el pago a todos los que deben',
    creditor: 'Cambiar los datos del acreedor',
    import: 'Importar lo revisado',
    next: 'Seguir con el primer paso',
    attend: 'Abrir lo primero que pide tu atención',
    earlier: 'El periodo anterior',
    later: 'El periodo siguiente',
  },
}
