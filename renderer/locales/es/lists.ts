/** The craft of lists: deshacer, acciones sobre muchos, vistas propias, edición en la lista. */
export const lists = {
  undo: {
    key: 'Deshacer lo último',
    taking: 'Deshaciendo: {what}',
    nothing: 'No hay nada que deshacer en esta ventana',
    asNew: 'Vuelve como uno nuevo: con los mismos datos y otro identificador.',
  },
  mandates: {
    active: 'Mandato de {name}, en vigor otra vez',
    cancelled: 'Mandato de {name}, cancelado',
    removed: 'Mandato de {name}, borrado',
    remove: 'Borrar el mandato de {name}',
  },
}
